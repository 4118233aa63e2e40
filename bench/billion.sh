#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A filter for a thousand million URLs at 1 %, really filled:
#
#	bench/billion.sh [N [OPTION...]]	(1000000000), from the build folder
#
# N distinct URLs go in once, through a pipe; the same go through the floor
# (bench/floor.c) with as much memory.  Then a hundredth of them, spread over
# all, must be found, and as many that never went in are asked for.  OPTIONs are
# urlseen's, such as -r.  The filter is made in $TMPDIR.

set -eu
n=${1-1000000000}
shift $(($# > 0))
make -s tests/gen-lines tests/peak-rss bench/floor urlseen
floor=$PWD/bench/floor gen=$PWD/tests/gen-lines
rss=$PWD/tests/peak-rss urlseen=$PWD/urlseen
dir=$(mktemp -d "${TMPDIR-/tmp}/billion.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"
sample=$((n / 100))
TIMEFORMAT='%R s wall, %U + %S s CPU'

echo "insert $n URLs:"
"$gen" "$n" 1 0 2>/dev/null | {
	time "$rss" kib "$urlseen" -f f -n "$n" -p 0.01 --stats "$@" \
	    >/dev/null
}
printf 'peak memory, with the pages of the file: %s MiB; the file: %s bytes\n' \
    $(($(cat kib) / 1024)) "$(stat -c %s f)"
"$urlseen" --info -f f | grep -E '^(count|layers|fill|estimated)'

echo "the floor over $(stat -c %s f) bytes of memory:"
"$gen" "$n" 1 0 2>/dev/null | { time "$floor" "$(stat -c %s f)" >/dev/null; }

echo "$sample of them:"
time lost=$("$gen" "$sample" 1 0 37 100 2>/dev/null |
    "$urlseen" -f f --dry-run | wc -l)
echo "$lost false negatives"

echo "$sample others:"
time wrong=$("$gen" "$sample" 1 0 "$n" 2>/dev/null |
    "$urlseen" -f f --dry-run -d | wc -l)
awk -v w="$wrong" -v n="$sample" \
    'BEGIN { printf "%d false positives: %.4f %%\n", w, 100 * w / n }'
[ "$lost" -eq 0 ]
