# SPDX-License-Identifier: BSD-2-Clause
#
# The Test Anything Protocol for our shell tests: source it, call ok, is and
# friends, end with done_testing.  Each test gets an empty folder $T of its
# own, which goes when it ends.
# shellcheck shell=sh disable=SC2034

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${top_builddir:=$top_srcdir}"
urlseen=$top_builddir/urlseen
T=$(mktemp -d "${TMPDIR:-/tmp}/urlseen-test.XXXXXX")
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
tap_run=0
tap_failed=0

# ok STATUS NAME: passes if STATUS is 0
ok() {
	tap_run=$((tap_run + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_run - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_run - $2"
	fi
}

# is GOT WANT NAME: passes if the texts are equal
is() {
	if [ "$1" = "$2" ]; then
		ok 0 "$3"
	else
		ok 1 "$3"
		printf '# got:  %s\n# want: %s\n' "$1" "$2" |
		    awk 'NR > 1 && !/^# want/ { printf "#       " } { print }'
	fi
}

# like GOT PATTERN NAME: passes if a line of GOT matches the grep -E PATTERN
like() {
	if printf '%s\n' "$1" | grep -Eq -- "$2"; then
		ok 0 "$3"
	else
		ok 1 "$3"
		printf '%s\n' "$1" | sed 's/^/# got: /'
		echo "# want a match of: $2"
	fi
}

# skip NAME REASON
skip() {
	tap_run=$((tap_run + 1))
	echo "ok $tap_run - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# fails WANT_STATUS NAME COMMAND...: exactly one line on stderr, that status,
# nothing on stdout; the line is left in $err
fails() {
	want=$1 name=$2
	shift 2
	rc=0
	"$@" >"$T/fails.out" 2>"$T/fails.err" </dev/null || rc=$?
	err=$(cat "$T/fails.err")
	lines=$(wc -l <"$T/fails.err")
	if [ "$rc" -eq "$want" ] && [ "$lines" -eq 1 ] &&
	    [ ! -s "$T/fails.out" ]; then
		ok 0 "$name"
	else
		ok 1 "$name"
		echo "# status $rc (want $want), $lines lines on stderr"
		sed 's/^/# /' "$T/fails.err"
	fi
}

done_testing() {
	echo "1..$tap_run"
	[ "$tap_failed" -eq 0 ]
	exit
}
