#!/bin/sh
# Installs the hooks into a Claude Code project:
#   install.sh --project DIR [--yes] [--dry-run] [--no-build] [--only GROUP...] [--with GROUP...] [--links=false]
exec "$(dirname -- "$0")/scripts/isdlc-hooks/run.sh" install "$@"
