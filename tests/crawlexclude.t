#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Patterns that come later: what waits already is left out, by a restart as by
# HUP; and what crawl.conf says against the command line.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=10 --pages=300 --seeds=10'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web
}
cd "$T" || exit 2
cp seeds seed.txt
run="$crawl $to --ip-delay=0 --scope=any --sync=20"

of_host() { # how many lines of the list FILE are of that host
	grep -c "http://h$1\.test" "$2"
}

host=$(sed -n 's,^http://\(h[0-9]*\).*,\1,p' seeds | sed -n 5p)
dom=$(sed -n "s,^http://\(${host}[^/]*\).*,\1,p" seeds)
here() { # lines of FILE about that host
	grep -c "http://${dom}[/:]" "$1"
}

# ---- a restart ----

$run --delay=0 --pages=60 seed.txt >lines 2>err
"$crawl" --export=pending -d seed.crawl >pending
was=$(here lines)
[ "$(here pending)" -gt 5 ]
ok $? "$(here pending) URLs of $dom wait"
cp -R seed.crawl hup.crawl
$run --delay=0 --pages=100000 --exclude="^http://$dom/" seed.txt >lines 2>err
is "$?" 0 '--exclude=it: complete'
is "$(here lines)" 0 'none of them is fetched'
is "$("$crawl" --export=pending -d seed.crawl | wc -l)" 0 'or waits'
n=$("$crawl" --status --json -d seed.crawl | jq '.left_out.excluded')
[ "$n" -gt 5 ]
ok $? "--status has $n as excluded"
$run --delay=0 --retry-failed --pages=100000 \
    --exclude="^http://$dom/" seed.txt >lines 2>err
is "$? $(here lines)" '0 0' '--retry-failed beside the pattern: still not'
$run --delay=0 --retry-failed --exclude=nothing --pages=100000 \
    seed.txt >lines 2>err
rc=$?
[ "$(here lines)" -ge "$n" ]
is "$rc$?" 00 'without it: they are fetched'

# ---- HUP ----

hup() { # TEXT: into crawl.conf, and wait until it is read
	printf '%b' "$1" >hup.crawl/crawl.conf
	: >err
	kill -HUP $pid
	wait_for 1 err
}

$run --delay=0.3 -d hup.crawl --pages=100000 --exclude=never seed.txt \
    >lines 2>err &
pid=$!
wait_for 5 lines
hup "exclude = ^http://$dom/\n"
like "$(cat err)" 'read again' 'HUP: crawl.conf is read'
sleep 0.2 # what was in flight
was=$(here lines)
hup "exclude = ^http://$dom/\ndelay = 0\n"
rc=0
wait $pid || rc=$?
is "$rc" 0 'complete'
is "$(($(here lines) - was < 3))" 1 'none or few of the host are fetched'

# ---- the command line and crawl.conf ----

$run --pages=1 -d two.crawl seed.txt >lines 2>err
echo 'delay = 0.01' >two.crawl/crawl.conf
$run --delay=1 -d two.crawl --exclude="^http://$dom/" seed.txt >lines 2>err &
pid=$!
wait_for 10 lines
printf 'delay = 0.01\nexclude = ^http://h0\n' >two.crawl/crawl.conf
: >err
kill -HUP $pid
wait_for 1 err
wait_for 20 lines
is "$(here lines)" 0 "the command line's pattern stays"
sleep 1
[ "$(wc -l <lines)" -lt 60 ]
ok $? 'its delay, too: the line was there at the start'
printf 'delay = 0\nexclude = ^http://h0\n' >two.crawl/crawl.conf
kill -HUP $pid
wait_for 120 lines
ok $? 'until crawl.conf says another'
is "$(here lines)" 0 'and the pattern stays'
kill $pid
wait $pid

# ---- what crawl.conf says holds while it stands there ----

config() { # the lines of config that hold for the next run
	grep -v '^#\|^was' two.crawl/config
}
config >before
printf 'exclude = ^http://x/\nscope = host\ndelay = 0.5\n' \
    >two.crawl/crawl.conf
$run --pages=1 -d two.crawl seed.txt >lines 2>err
is "$(config)" "$(cat before)" 'it is not copied into config'
is "$(grep -c '^was = exclude = ^http://x/$' two.crawl/config)" 1 \
    'which only notes what the run went by'
printf '' >two.crawl/crawl.conf
$run --pages=1 -d two.crawl seed.txt >lines 2>err
is "$(grep -v '^#' two.crawl/config)" "$(cat before)" 'and not for ever'
$run --pages=1 -d two.crawl --exclude='^http://y/' seed.txt >lines 2>err
config | grep -qxF 'exclude = ^http://y/'
ok $? 'what the command line says is kept'

# ---- errors have a line ----

wrong() { # TEXT LINE NAME: crawl.conf, at a start and at HUP
	printf '%b' "$1" >two.crawl/crawl.conf
	rc=0
	$run -d two.crawl seed.txt >lines 2>err || rc=$?
	is "$rc$(wc -l <err)" 21 "$3: status 2, a line"
	like "$(cat err)" "two.crawl: crawl.conf:$2: " 'which says where'
}
wrong 'delay = 1\nexclude = (\n' 2 'a bad pattern'
like "$(cat err)" "--exclude '.': .* at byte 1: it takes a regular" 'and what'
wrong '\n\nconnections = 1T\n' 3 'too many connections'
wrong 'verify\n' 1 'a mode'
wrong '# a\nhelp\n' 2 'help'
wrong 'dir = x\n' 1 'another directory'
wrong 'export = urls\n' 1 'a mode with a value'
wrong 'rules = help\n' 1 'a list of rules'
wrong '= 3\n' 1 'no name'
wrong "$(yes 'exclude = ^http://x/' | head -n 1025 | sed 's/$/\\n/' |
    tr -d '\n')" 1025 'too many patterns'
rc=0
$run -d two.crawl --include='[' seed.txt >lines 2>err || rc=$?
printf '' >two.crawl/crawl.conf
$run -d two.crawl --include='[' seed.txt >lines 2>err || rc=$?
is "$rc$(wc -l <err)" 21 'a bad pattern on the command line: status 2'
like "$(cat err)" "crawl: --include '.': missing" 'and why'
done_testing
