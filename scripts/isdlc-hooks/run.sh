#!/bin/sh
# Builds the product and runs its tool: run.sh install|uninstall ARGUMENT...
# With --no-build among the arguments, what lies in bin/ is used as it is.
set -eu

verb=$1
shift
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

fail() {
	printf '%s.sh: %s\n' "$verb" "$1" >&2
	exit 1
}

build=yes
help=no
project=
for argument in "$@"; do
	shift
	case $argument in
	--no-build)
		build=no
		continue
		;;
	-h | --help) help=yes ;;
	esac
	case ${previous-} in
	--project) project=$argument ;;
	esac
	case $argument in
	--project=*) project=${argument#--project=} ;;
	esac
	previous=$argument
	set -- "$@" "$argument"
done

# What can be seen without the tool is said before a build that takes a while.
if [ "$help" = no ]; then
	[ -n "$project" ] || fail "no project given: use --project DIR"
	[ -d "$project" ] || fail "the project $project does not exist or is not a folder"
fi

if [ "$build" = yes ]; then
	command -v go >/dev/null 2>&1 || fail "Go is needed to build the hooks and is not on the PATH (https://go.dev/dl); with built programs in bin/ use --no-build"
	command -v make >/dev/null 2>&1 || fail "make is needed to build the hooks and is not on the PATH; with built programs in bin/ use --no-build"
	log=$(make -C "$here" build 2>&1) || {
		printf '%s\n' "$log" >&2
		fail "the build failed; nothing was changed"
	}
fi

tool=$here/bin/isdlc-hooks
[ ! -f "$tool.exe" ] || tool=$tool.exe
[ -x "$tool" ] || fail "there is no $tool; leave --no-build out to have it built"
exec "$tool" "$verb" "$@"
