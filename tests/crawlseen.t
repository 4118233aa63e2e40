#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A seen set whose data was damaged between two runs: a start notices, and
# makes it anew.  Bits too many would be pages that are never fetched, bits
# too few pages that are fetched again.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=6 --pages=200 --page-bytes=500'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web
}
cd "$T" || exit 2
cp seeds seed.txt
seen=seed.crawl/seen
anew='made anew from the journal'

crawl_it() { # OPTION...
	"$crawl" "$to" --delay=0 --ip-delay=0 --scope=any "$@" seed.txt \
	    >lines 2>err
}

# damage BYTE: all of the data from 2 MiB on, where it begins
damage() {
	size=$(($(wc -c <$seen) - 2097152))
	[ $size -gt 0 ] && head -c $size /dev/zero | tr '\0' "$1" |
	    dd of=$seen bs=64K seek=32 conv=notrunc 2>/dev/null
}

for byte in 377 000; do
	rm -rf seed.crawl
	: >log
	crawl_it --pages=10
	damage "\\$byte"
	rc=0
	"$crawl" --verify -d seed.crawl >out || rc=$?
	is "$rc $(grep seen out)" \
	    "1 $seen: damaged: MiB 2; the next run makes it ${anew#made }" \
	    "data of octal $byte: --verify finds it"
	rc=0
	crawl_it || rc=$?
	is "$rc $(sed -n 1p err)" \
	    "0 crawl: seed.crawl: the seen set is $anew: damaged" \
	    "a start notices"
	judge "and everything is fetched, once"
	"$crawl" --verify -d seed.crawl >out
	is "$? $(grep seen out)" "0 $seen: header and sums are right" \
	    "then --verify has no complaint"
done

# a single byte
at=$(($(wc -c <$seen) - 65536))
before=$(od -An -tx1 -j $at -N 1 $seen)
printf '\125' | dd of=$seen bs=1 seek=$at conv=notrunc 2>/dev/null
[ "$before" != "$(od -An -tx1 -j $at -N 1 $seen)" ]
ok $? "one byte is another now"
crawl_it
is "$(grep -c "$anew" err)" 1 "a start that has nothing to fetch notices"
crawl_it
is "$(grep -c "$anew" err)" 0 "a set that is right stays"

# A kill leaves no sums, and what was written is good.
rm -rf seed.crawl
: >log
crawl_it --delay=0.05 &
wait_for 40 log
kill -9 "$(tr -d ' ' <seed.crawl/lock)"
wait $! 2>/dev/null
"$crawl" --verify -d seed.crawl >out
is "$? $(grep seen out)" "0 $seen: header is right; in use or not closed, \
so it has no sums to check" "a kill leaves no sums"
crawl_it
is "$?$(grep -c "$anew" err)" 00 "and the set as it is"
web_stop
done_testing
