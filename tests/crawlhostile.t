#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The hostile web: robots.txt of every kind, redirect loops, broken HTML, odd
# encodings, failures, pages of 40 MB, hosts that are slow, dead or private, a
# calendar without end.  What the server saw is what its truth says, whatever
# the scope.  Two crawls share the machine at a time, as most of it is
# waiting; with LONG set, every scope and several webs.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

top=$T
size='--profile=hostile --hosts=3 --pages=150 --page-bytes=2000'
webs=
trap 'stop_all; rm -rf "$top"' EXIT

stop_all() {
	# shellcheck disable=SC2086 # a list of pids
	[ -z "$webs" ] || {
		kill $webs 2>/dev/null
		wait $webs 2>/dev/null
	}
	webs=
}

# begin NAME WEB TRUTH OPTION...: a web and a crawl of it, in $top/NAME
begin() {
	T=$top/$1
	rm -rf "$T"
	mkdir "$T"
	# shellcheck disable=SC2086 # lists of options
	{
		truth $2 $3
		web_start $2
	}
	webs="$webs $web_pid"
	shift 3
	sed '1i# where it begins' "$T/seeds" >"$T/seed.txt"
	"$crawl" "$to" --delay=0 --connections=32 "$@" "$T/seed.txt" \
	    >"$T/lines" 2>"$T/err" &
	echo $! >"$T/pid"
	echo "$to" "$@" >"$T/options"
}

# end NAME [OPTION...]: it has come to its end, and did what is true
end() {
	name=$1
	shift
	T=$top/$name
	wait "$(cat "$T/pid")"
	is $? 0 "$name: complete"
	judge "$name: the truth, once, after robots.txt" "$@"
	cut -f6 "$T/lines" | sorted | LC_ALL=C comm -13 - "$T/fetch" >"$T/odd"
	is "$(cat "$T/odd")" "" "$name: a line for each page"
	is "$(cut -f6 "$T/lines" | sort | uniq -d)" "" "$name: and one only"
	sed 's/^[^{]*//' "$T/seed.crawl/archive"/*.cdxj | jq -r .url | sorted |
	    LC_ALL=C comm -12 - "$T/forbidden" >"$T/odd"
	is "$(cat "$T/odd")" "" "$name: nothing forbidden in the archive"
	"$crawl" --verify -d "$T/seed.crawl" >"$T/verified" 2>&1
	is $? 0 "$name: --verify finds all of it well"
	: >"$T/log"
	# shellcheck disable=SC2046 # a list of options
	"$crawl" --delay=0 $(cat "$T/options") "$T/seed.txt" >"$T/again" \
	    2>>"$T/err"
	is "$?$(cat "$T/again" "$T/log")" 0 "$name: again, nothing is fetched"
	is "$(grep -c . "$T/err")" 2 "$name: a line on stderr each"
}

# ---- what fails for good, and what fails at first ----

begin embeds "$size --features=-flaky,-retryafter" \
    '--scope=any --embeds=yes' --scope=any --embeds=yes --retries=0 \
    --timeout=8
begin domain "$size --features=-rules,-errors,-dead --seed=2" \
    '--scope=domain --nofollow=ignore' --scope=domain --nofollow=ignore
end embeds
is "$(cut -f7 "$T/lines" | grep ^redirect- | sort -u | tr '\n' ' ')" \
    'redirect-missing redirect-scheme redirect-url ' \
    'embeds: why a redirect led nowhere'
nowhere=$(awk -F'\t' '$7 == "redirect-scheme" { print $6; exit }' "$T/lines")
# shellcheck disable=SC2046 # a list of options
"$crawl" --delay=0 $(cat "$T/options") --sitemaps=no -q -d "$T/nowhere" \
    "$nowhere" >"$T/alone"
is "$?:$(cut -f1,7 "$T/alone" | tr '\t' ' ')" '1:302 redirect-scheme' \
    'embeds: a seed that leads nowhere has failed'
end domain
stop_all
begin host "$size --features=-rules,-errors,-dead,-huge --seed=3" \
    '--scope=host --seeds=3' --scope=host
begin nomaps "$size --features=-flaky,-retryafter,-dead,-huge --seed=4" \
    '--scope=any --sitemaps=no' --scope=any --sitemaps=no --retries=0
end host
end nomaps
stop_all

[ -n "${LONG-}" ] || {
	done_testing
	exit
}

# ---- all of it, with the tries that are usual ----

for seed in 1 2 3 4; do
	begin any "$size --seed=$seed" \
	    '--scope=any --embeds=yes' --scope=any --embeds=yes \
	    --timeout=8
	begin domain "$size --seed=1$seed" \
	    '--scope=domain --nofollow=ignore' --scope=domain \
	    --nofollow=ignore --timeout=8
	end any
	end domain
	stop_all
done
begin ignored "$size --seed=5" '--scope=any --ignore-robots' \
    --scope=any --robots=ignore --timeout=8
begin endless "--profile=hostile --hosts=1 --pages=1 --trap=0 \
    --features=-all,trap" '--scope=any' --scope=any
end ignored --no-robots
end endless --allow-trapped=10000
stop_all
done_testing
