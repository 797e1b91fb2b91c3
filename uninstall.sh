#!/bin/sh
# Takes the hooks out of a Claude Code project again:
#   uninstall.sh --project DIR [--yes] [--dry-run] [--no-build]
exec "$(dirname -- "$0")/scripts/isdlc-hooks/run.sh" uninstall "$@"
