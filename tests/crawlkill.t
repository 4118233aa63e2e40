#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# kill -9 in mid-crawl, again and again, then to the end: nothing is missed,
# and what the journal knew as done is not fetched again.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=12 --pages=900 --page-bytes=2000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web --latency=3
}
cd "$T" || exit 2
cp seeds seed.txt
touch log

# crawl_some OPTION...: in the background; $crawl_pid
crawl_some() {
	"$crawl" "$to" --delay=0.03 --ip-delay=0 --scope=any --sync=50 "$@" \
	    seed.txt >>lines 2>>err &
	crawl_pid=$!
}

# killed COUNT OPTION...: kill a run once so many lines are in the log; what
# the journal then has as done may not be asked for again
killed() {
	until=$1
	shift
	crawl_some "$@"
	wait_for "$until" log
	kill -9 "$crawl_pid"
	wait "$crawl_pid" 2>/dev/null
	sleep 0.1 # what the server still has to log
	zstdcat seed.crawl/journal/*.zst 2>/dev/null | grep '^D' |
	    cut -f3 | sorted >"durable.$until"
	wc -l <log >"from.$until"
}

# not_again COUNT: what was done then was not asked for since
not_again() {
	tail -n +$(($(cat "from.$1") + 1)) log |
	    awk -F'\t' '{ print "http://" $2 $4 }' | sorted |
	    LC_ALL=C comm -12 - "durable.$1" >twice
	is "$(cat twice)" "" \
	    "after $1 requests: what was done is not done again"
	[ "$(wc -l <"durable.$1")" -gt $(($1 / 3)) ]
	ok $? "and that was $(wc -l <"durable.$1") pages"
}

whole() { # NAME
	judge "$1: nothing is missed" --allow-again=200
	records D seed.crawl | cut -f3 | sorted | cmp -s fetch -
	ok $? "$1: each page is done"
	is "$(records D seed.crawl | cut -f2 | sort | uniq -d | wc -l)" 0 \
	    "$1: once each"
	sed 's/^[^{]*//' seed.crawl/archive/*.cdxj | jq -r .url | sorted |
	    LC_ALL=C comm -13 - fetch >missing
	is "$(cat missing)" "" "$1: each page is in the archive"
	records D seed.crawl | while IFS='	' read -r _ _ u _ _ file off _; do
		printf '%s\t%s\t%s\n' "$u" "$file" "$off"
	done | sorted >places
	for f in seed.crawl/archive/*.cdxj; do
		sed 's/^[^{]*//' "$f" |
		    jq -r '[.url, .filename, .offset] | @tsv'
	done | sorted | LC_ALL=C comm -13 - places >wrong
	is "$(cat wrong)" "" "$1: where its record says"
	zstd -q -t seed.crawl/journal/*.zst seed.crawl/archive/*.zst
	ok $? "$1: every file is whole for zstd"
	records A seed.crawl | cut -f3 |
	    "$urlseen" -f seed.crawl/seen --dry-run >new
	is "$(cat new)" "" "$1: DIR/seen knows all of them"
}

# ---- with snapshots, without, and with none that is good ----

killed 150 --snapshot=0.3
killed 400 --snapshot=0.3
killed 650 --snapshot=0.3
is "$(find seed.crawl/snapshot -name '*.zst' | wc -l)" 2 "two snapshots"
crawl_some
wait $crawl_pid
is $? 0 "killed three times, it comes to its end"
not_again 150
not_again 400
not_again 650
whole "killed"
like "$(cat err)" 'goes on: [0-9]+ pages done, [0-9]+ URLs to go' \
    "each time it said that it goes on"

rm -rf seed.crawl
: >log
killed 300 --snapshot=0
is "$(find seed.crawl/snapshot -name '*.zst' | wc -l)" 0 "no snapshot"
rm seed.crawl/seen # whatever the disk kept of it
crawl_some
wait $crawl_pid
is $? 0 "without a snapshot or a seen set"
not_again 300
whole "from the journal alone"

rm -rf seed.crawl
: >log
killed 350 --snapshot=0.2
for f in seed.crawl/snapshot/*.zst; do
	printf 'x' | dd of="$f" bs=1 seek=40 conv=notrunc 2>/dev/null
done
crawl_some
wait $crawl_pid
is $? 0 "with damaged snapshots"
like "$(cat err)" 'no snapshot is good' "as is said"
not_again 350
whole "all replayed"
web_stop
done_testing
