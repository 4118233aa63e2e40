#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Old segments of the journal are made small while the crawl goes on, and a
# crawl that has lost all but its journal still knows what was done.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=12 --pages=900 --page-bytes=1000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web --latency=3
}
cd "$T" || exit 2
cp seeds seed.txt
touch log

crawl_it() { # OPTION...
	"$crawl" "$to" --delay=0.03 --ip-delay=0 --scope=any --sync=20 \
	    --segment=3k --snapshot=0.2 "$@" seed.txt >>lines 2>>err
}

# compacted: how many segments are
compacted() {
	for f in seed.crawl/journal/*.zst; do
		zstdcat "$f" | head -n 1 | grep -c 'c$'
	done | grep -c 1
}

# done_now FILE: the URLs that are done
done_now() {
	"$crawl" --export=done -d seed.crawl | sorted >"$1"
}

crawl_it --pages=500
is $? 0 "half of a crawl"
segments=$(find seed.crawl/journal -name '*.zst' | wc -l)
[ "$segments" -gt 5 ] && [ "$(compacted)" -gt 2 ]
ok $? "$(compacted) of $segments segments were compacted"
is "$(compacted)" "$(for f in seed.crawl/journal/*.zst; do
	zstdcat "$f" | head -n 1
done | sed -n '/c$/!q;p' | wc -l)" "the oldest ones"
zstdcat seed.crawl/journal/0000000001.zst | grep -q '^d'
ok $? "their done records are folded"
done_now half
is "$(wc -l <half)" 500 "--export=done has these, too"
"$crawl" --export=done --json -d seed.crawl | jq -r .url | sorted |
    cmp -s - half
ok $? "and as JSON"

# ---- all gone but the journal

cp -r seed.crawl spare
rm -r seed.crawl/snapshot seed.crawl/seen seed.crawl/frontier
wc -l <log >from
crawl_it --pages=520
is $? 0 "without snapshots, queues and seen set it goes on"
is "$("$crawl" --status -d seed.crawl | sed -n 's/^pages done *//p')" 520 \
    "and knows how much is done"
tail -n +$(($(cat from) + 1)) log |
    awk -F'\t' '{ print "http://" $2 $4 }' | sorted |
    LC_ALL=C comm -12 - half >twice
is "$(cat twice)" "" "what was folded is not asked for again"

# ---- killed while it compacts, and to its end

killed=0
n=1
while [ $n -le 4 ]; do
	crawl_it &
	pid=$!
	sleep 0.15
	kill -9 "$(tr -d ' ' <seed.crawl/lock)" && killed=$((killed + 1))
	wait $pid 2>/dev/null
	n=$((n + 1))
done
[ $killed -ge 1 ]
ok $? "killed while it compacts"
crawl_it
is $? 0 "killed again and again, it comes to its end"
judge "nothing is missed" --allow-again=400
is "$("$bin/crawl-check" seed.crawl "$T/fetch" | sed 9q)" "" \
    "each page is done once, and in the archive"
is "$("$crawl" --verify -d seed.crawl | grep -v 'right$')" "" \
    "all that was written is right"
is "$(find seed.crawl/journal ! -name '*.zst' -type f)" "" \
    "and nothing is left over"
done_now all
cmp -s all fetch
ok $? "--export=done has all"
rm -r seed.crawl/snapshot seed.crawl/seen seed.crawl/frontier
wc -l <log >from
crawl_it
is "$? $(wc -l <log)" "0 $(cat from)" "from the journal alone: it is complete"
sed 's/^/# /' err | tail -n 3
web_stop
done_testing
