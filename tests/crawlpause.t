#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# TSTP and CONT: a crawl that takes what is in flight, stops as a process, and
# goes on as if nothing had been.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"
[ -r /proc/self/stat ] || skip_all 'there is no /proc'

web='--hosts=10 --pages=200 --page-bytes=1000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web --latency=100
}
cd "$T" || exit 2
cp seeds seed.txt
"$crawl" "$to" --delay=0.05 --ip-delay=0 --scope=any seed.txt >lines 2>err &
pid=$!
trap 'kill -9 $pid 2>/dev/null; web_stop; rm -rf "$T"' EXIT

# state LETTER: wait until the process is in it
state() {
	tries=0
	until [ "$(sed 's/.*) //; s/ .*//' /proc/$pid/stat)" = "$1" ]; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || return 1
		sleep 0.05
	done
}

wait_for 40 lines
kill -TSTP $pid
state T
ok $? 'after TSTP the process stops'
like "$("$crawl" --status -d seed.crawl)" \
    "^state +suspended \(process $pid\)" '--status says so'
is "$("$crawl" --status --json -d seed.crawl | jq .flight)" 0 \
    'nothing is in flight'
before=$(wc -l <log)
sleep 1
is "$(wc -l <log)" "$before" 'nothing is asked for'
kill -CONT $pid
wait_for $((before + 10)) log
ok $? 'CONT lets it go on'

# A CONT before it has come to a stop.
kill -TSTP $pid
kill -CONT $pid
wait_for $(($(wc -l <log) + 5)) log
ok $? 'TSTP and CONT at once: it goes on'

kill -TSTP $pid
state T
kill -TERM $pid
kill -CONT $pid
wait $pid
is $? 3 'TERM while it is stopped: it ends well after that'
is "$("$crawl" --status --json -d seed.crawl | jq -r .state)" stopped \
    'and says stopped'
"$crawl" "$to" --delay=0.01 --ip-delay=0 --scope=any seed.txt >>lines 2>>err
is $? 0 'the next run completes it'
judge 'each page was asked for once, none twice'
is "$(LC_ALL=C sort lines | cut -f 6 | uniq -d)" '' 'and told once'
done_testing
