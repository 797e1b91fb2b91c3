#!/usr/bin/env bash
# Makes a small project whose workflow is in the implementation, installs the
# hooks into it, and shows how they answer a delegation to the wrong agent and one
# to the right one.
#
# usage: scripts/demo.sh [DIR]    DIR must not exist yet; default: a temporary one
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
project=${1:-$(mktemp -d)/demo}
if [ -e "$project" ]; then
  echo "demo: $project exists already" >&2
  exit 1
fi
mkdir -p "$project/.isdlc" "$project/docs/isdlc"
project=$(cd "$project" && pwd)
git -C "$project" init -q
echo '# Tasks' >"$project/docs/isdlc/tasks.md"
cat >"$project/.isdlc/state.json" <<'STATE'
{
  "state_version": 1,
  "active_workflow": {
    "type": "feature",
    "phases": [
      "05-test-strategy",
      "06-implementation",
      "08-code-review"
    ],
    "current_phase": "06-implementation",
    "current_phase_index": 1
  },
  "phases": {
    "06-implementation": {
      "status": "in_progress"
    }
  }
}
STATE

"$here/install.sh" --project "$project" --yes

ask() {
  printf '\nThe agent hands work to %s:\n' "$1"
  printf '{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"subagent_type":"%s","prompt":"Carry out the work"}}' "$1" |
    CLAUDE_PROJECT_DIR=$project "$project/.claude/hooks/dispatchers/pre-task-dispatcher" 2>/dev/null >"$project/answer"
  if [ -s "$project/answer" ]; then cat "$project/answer"; else echo '(no objection)'; fi
  rm -f "$project/answer"
}
ask qa-engineer
ask software-developer

printf '\nThe project is %s\n' "$project"
