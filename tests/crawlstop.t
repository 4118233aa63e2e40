#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Signals, politeness, and two crawls on one directory.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=10 --pages=400 --page-bytes=2000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web --latency=20
}
cd "$T" || exit 2
cp seeds seed.txt

# in the background, where shells ignore INT
crawl_start() {
	env --default-signal=INT,HUP "$crawl" "$to" --delay=0.05 \
	    --ip-delay=0 --scope=any seed.txt >>lines 2>err &
	crawl_pid=$!
}

# crawl_wait: its status in $rc
crawl_wait() {
	rc=0
	wait $crawl_pid || rc=$?
}

# ---- before the first page ----

mkfifo none
for seed in none /dev/zero -; do
	env --default-signal=INT "$crawl" -d early $seed <>none 2>err &
	crawl_pid=$!
	wait_for 1 early/config
	sleep 0.2
	kill -INT $crawl_pid
	crawl_wait
	is "$rc$(grep -c 'interrupted while the seeds were read' err)" 31 \
	    "an interrupt while $seed is read: status 3, which is said"
	rm -r early
done

# ---- a good end, a quick end ----

crawl_start
wait_for 60 log
fails 2 "a second crawl on the directory: status 2" \
    "$crawl" "$to" --scope=any seed.txt
is "$err" "crawl: seed.crawl: process $crawl_pid is crawling into it: wait \
for it, stop it, or give another -d DIR" "with the first one's number"
kill -USR1 $crawl_pid
wait_for 1 err
like "$(cat err)" '^crawl: seed.crawl: [0-9]+ pages \(.*/s\), [0-9]+ queued' \
    "USR1 gives a line"
kill -INT $crawl_pid
crawl_wait
is $rc 3 "an interrupt: status 3"
like "$(cat err)" 'stopped with more to do: run it again' "which is said"
is "$(find seed.crawl/snapshot -name '*.zst' | wc -l)" 1 "there is a snapshot"
is "$(sed -n 's/^state //p' seed.crawl/status)" stopped "the status says so"
n=$(records D seed.crawl | wc -l)
is "$(wc -l <lines)" "$n" "a line for each page that is done"
[ "$n" -lt 390 ]
ok $? "which are $n of 400"

crawl_start
wait_for $((n + 80)) log
kill -TERM $crawl_pid
crawl_wait
is $rc 3 "TERM does the same"
crawl_start
crawl_wait
is $rc 0 "in the end it is complete"
judge "and nothing was fetched twice"
is "$(cut -f6 lines | sort | uniq -d)" "" "nor shown"
web_stop

rm -rf seed.crawl
: >log
# shellcheck disable=SC2086 # a list of options
web_start $web --latency=9000
crawl_start
wait_for 1 seed.crawl/status
sleep 0.3
kill -INT $crawl_pid
sleep 0.2
before=$(date +%s%N)
kill -INT $crawl_pid
crawl_wait
is $rc 3 "a second interrupt: status 3"
[ $(($(date +%s%N) - before)) -lt 5000000000 ]
ok $? "at once"
web_stop
: >log
# shellcheck disable=SC2086 # a list of options
web_start $web
crawl_start
crawl_wait
is $rc 0 "nothing is lost"
judge "by that"

# ---- crawl.conf ----

rm -rf seed.crawl
: >log
crawl_start
wait_for 40 log
printf '# ours\ndelay = 0.2\nexclude = /p[0-9]*[13579]\n' \
    >seed.crawl/crawl.conf
kill -HUP $crawl_pid
sleep 0.2
like "$(cat err)" 'seed.crawl/crawl.conf: read again$' "HUP reads crawl.conf"
printf 'delay = 0.1\nretries = 2\npages = 3\nscope = host\n' \
    >seed.crawl/crawl.conf
kill -HUP $crawl_pid
sleep 0.2
like "$(cat err)" 'again; pages, retries: from the next start on$' \
    "what it does not take up is named, but not what the command line decides"
printf 'exclude = (\n' >seed.crawl/crawl.conf
kill -HUP $crawl_pid
sleep 0.2
like "$(cat err)" "crawl.conf:1: --exclude '\(': .* at byte 1" \
    "or says what is wrong there"
printf 'exlude = x\n' >seed.crawl/crawl.conf
kill -HUP $crawl_pid
sleep 0.2
like "$(cat err)" "crawl.conf:1: .*did you mean exclude\?" "and where"
printf 'per-host = 65\n' >seed.crawl/crawl.conf
kill -HUP $crawl_pid
sleep 0.2
like "$(cat err)" "crawl.conf:1: --per-host takes 64" "or which is too much"
rm seed.crawl/crawl.conf
kill -INT $crawl_pid
crawl_wait

# r-delaywas: a delay given by mistake was waited for by later runs, too
rm -rf seed.crawl
"$crawl" "$to" --delay=1000 --time=0.5 --scope=any seed.txt >lines 2>err
timeout 20 "$crawl" "$to" --delay=0 --scope=any seed.txt >lines 2>err
is "$?" 0 "a shorter delay is obeyed by the next run"
web_stop

# ---- politeness ----

web='--hosts=1000 --pages=2500 --page-bytes=1000'
# shellcheck disable=SC2086 # a list of options
truth $web --seeds=1000
rm -rf seed.crawl
: >log
# shellcheck disable=SC2086 # a list of options
web_start $web
cp seeds seed.txt
"$crawl" "$to" --delay=0.5 --ip-delay=0 --scope=any -c 1000 seed.txt \
    >lines 2>err
is $? 0 "a thousand hosts"
judge "0.5 s between two requests to one, robots.txt first" --gap=500
web_stop

# r-limitrate: libcurl reads bursts of a hundred buffers, which were 3 MB
web_start --hosts=1 --pages=1 --page-bytes=400000
"$crawl" "$to" --delay=0 --limit-rate=200k -d slow http://h0.test/ \
    >lines 2>err
ms=$(cut -f3 lines)
[ "$(cut -f1 lines)" = 200 ] && [ "$ms" -ge 1000 ]
ok $? "--limit-rate=200k: 400,000 bytes take a second at least ($ms ms)"
web_stop
done_testing
