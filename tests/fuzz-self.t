#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The fuzz driver finds a bug that is one mutation away, saves the input, and
# the saved input brings the bug back.

fuzz=${top_builddir:-.}/tests/fuzz-self
if [ -n "${FUZZING-}" ]; then
	echo "1..0 # SKIP built with libFuzzer's driver"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
ok() {
	n=$((n + 1))
	if "$@"; then echo "ok $n - $what"; else echo "not ok $n - $what"; fi
}
passes() {
	TMPDIR=$tmp "$fuzz" "$tmp/good" >"$tmp/out" 2>&1
}
same() {
	TMPDIR=$tmp "$fuzz" -n 300 -s 5 "$tmp/good" >"$tmp/1" 2>&1
	TMPDIR=$tmp "$fuzz" -n 300 -s 5 "$tmp/good" >"$tmp/2" 2>&1
	cmp -s "$tmp/1" "$tmp/2"
}
finds() {
	! TMPDIR=$tmp "$fuzz" -n 100000 -d "$tmp/dict" "$tmp/good" \
	    >"$tmp/out" 2>&1
}
replays() {
	! TMPDIR=$tmp "$fuzz" "$tmp/crash-fuzz-self" >"$tmp/out" 2>&1
}

mkdir "$tmp/good"
echo bag >"$tmp/good/1"
printf '# a comment\nname="\\x62ug"\n' >"$tmp/dict"
what='a corpus without the bug passes'
ok passes
what='a seed names its inputs'
ok same
what='the bug is found'
ok finds
what='its input is saved'
ok grep -q '^bug' "$tmp/crash-fuzz-self"
what='and brings it back'
ok replays
echo "1..$n"
