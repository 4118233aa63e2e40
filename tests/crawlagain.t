#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# crawl --retry-failed: what was given up, and what was dropped with a host
# that was down, is fetched once somebody is there.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=10 --pages=300 --seeds=10'
# shellcheck disable=SC2086 # a list of options
truth $web
cd "$T" || exit 2
cp seeds seed.txt
nobody=--connect-to=::127.0.0.1:1
run="$crawl --delay=0 --ip-delay=0 --scope=any --retries=0
    --sync=20 -v"

crawl_it() { # OPTION...: its status into $rc
	rc=0
	# shellcheck disable=SC2086 # a list of options
	timeout 100 $run "$@" seed.txt >>lines 2>err || rc=$?
}

n_of() { # a number of --status
	"$crawl" --status --json -d seed.crawl | jq "$1"
}

# ---- nobody is there ----

crawl_it $nobody
is "$rc" 1 'every host is down'
"$crawl" --export=failed -d seed.crawl | cut -f 1,2 | sort >failed
is "$(cut -f 1 failed)" "$(sort seed.txt)" '--export=failed has all of them'
is "$(cut -f 2 failed | sort -u)" host-dead 'with the reason'
is "$("$crawl" --export=failed --json -d seed.crawl | jq -r .error |
    sort -u)" host-dead '--json, too'
crawl_it $nobody
is "$rc$(grep -c 'complete already' err)" 11 'without the option: complete'
crawl_it $nobody --retry-failed
is "$rc" 1 'with it: tried once more'
like "$(cat err)" "$(wc -l <seed.txt) URLs that had failed are tried again" \
    'which is said'
is "$(records R seed.crawl | wc -l) $(n_of .dropped)" \
    "$(wc -l <seed.txt) $(wc -l <seed.txt)" 'and counted once'
cp -R seed.crawl down.crawl

# ---- somebody is there, for a while ----

# shellcheck disable=SC2086 # a list of options
web_start $web --latency=10
# shellcheck disable=SC2086
$run "$to" --retry-failed seed.txt >part 2>err &
pid=$!
wait_for 60 part
kill -9 "$web_pid"
wait "$web_pid" 2>/dev/null
web_pid=
wait_for 80 part # with hosts that had answered it has patience
kill $pid
rc=0
wait $pid || rc=$?
is "$rc" 3 'the server dies in the middle'
"$crawl" --export=failed -d seed.crawl >failed
grep -q '	1$' failed
ok $? "$(wc -l <failed) URLs failed"
rm -rf once.crawl
cp -R seed.crawl once.crawl
rm -f log

# ---- it is back ----

# shellcheck disable=SC2086 # a list of options
web_start $web
crawl_it "$to" --retry-failed
is "$rc" 0 'it is back: complete'
is "$("$crawl" --export=failed -d seed.crawl)" '' 'nothing has failed'
is "$(n_of .failed) $(n_of .dropped)" \
    "0 $(records X seed.crawl | grep -c 'robots$')" \
    'not by the counters either'
"$crawl" --export=done -d seed.crawl | sorted >got
cmp got fetch
ok $? 'all of the truth was fetched'
crawl_it "$to" --retry-failed
is "$rc" 0 'once more: nothing to do'

# ---- killed in the middle, and from the journal alone ----

for how in snapshot journal; do
	rm -rf seed.crawl log
	cp -R once.crawl seed.crawl
	web_stop
	# shellcheck disable=SC2086 # a list of options
	web_start $web --latency=10
	: >part
	# shellcheck disable=SC2086
	$run "$to" --retry-failed seed.txt >part 2>err &
	pid=$!
	wait_for 20 part
	kill -9 $pid
	wait $pid 2>/dev/null
	[ $how = snapshot ] || rm -rf seed.crawl/snapshot/* seed.crawl/seen
	crawl_it "$to"
	is "$rc" 0 "killed, then by the $how: complete"
	is "$("$crawl" --export=failed -d seed.crawl)" '' 'nothing has failed'
	"$crawl" --export=done -d seed.crawl | sorted >got
	cmp got fetch
	ok $? 'all of the truth was fetched'
	is "$(records D seed.crawl | cut -f 2 | sort | uniq -d)" '' \
	    'and is done once'
done
is "$("$crawl" --verify -d seed.crawl | grep -vc 'right$')" 0 '--verify'
done_testing
