#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Each folder tests/corpus/NAME goes through tests/fuzz-NAME, followed by some
# inputs mutated from it (many more with LONG set).  tests/corpus/NAME.dict is
# its dictionary, if it has one.

src=${top_srcdir:-.}/tests
bin=${top_builddir:-.}/tests
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
many=5000
[ -z "${LONG-}" ] || many=2000000

for dir in "$src"/corpus/*/; do
	[ -d "$dir" ] || continue
	name=$(basename "$dir")
	set --
	if [ -n "${FUZZING-}" ]; then
		[ ! -f "$src/corpus/$name.dict" ] ||
		    set -- "-dict=$src/corpus/$name.dict"
		set -- -seed=1 -runs="$many" "$@" "$tmp/new"
		mkdir -p "$tmp/new"
	else
		[ ! -f "$src/corpus/$name.dict" ] ||
		    set -- -d "$src/corpus/$name.dict"
		set -- -s 1 -n "$many" "$@"
	fi
	n=$((n + 1))
	if "$bin/fuzz-$name" "$@" "$dir" >"$tmp/out" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
	fi
	tail -n 20 "$tmp/out" | sed 's/^/# /'
done
if [ "$n" -eq 0 ]; then
	echo "1..0 # SKIP no corpus"
else
	echo "1..$n"
fi
