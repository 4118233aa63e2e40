#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# crawl beside other crawlers, and beside a program that does the least
# (fetchfloor), on one clean web in one run:
#
#	bench/crawlers.sh [PAGES [HOSTS [RUNS]]]	(6000, 20, 3)
#
# from the build folder, as root: all of it runs in namespaces of its own, with
# an /etc/hosts that has the hosts' names and a port 80 that is free.  The web
# is without what some of the others stumble over (odd spellings, IDN,
# robots.txt) and without images, which only some of them fetch.  A table
# with the median run of each by CPU: CPU and wall seconds, true pages that the
# server was asked for, requests in all, ms of CPU a page, and ratios to crawl.
# crawl archives and has its journal; the others keep their files.  Peers that
# are not installed are left out:
#
#	apt-get install wget wget2 python3-scrapy

set -eu
pages=${1-6000} hosts=${2-20} runs=${3-3}
if [ -z "${CRAWLERS_INSIDE-}" ]; then
	[ "$(id -u)" -eq 0 ] || {
		echo "crawlers.sh: skipped, not root" >&2
		exit 0
	}
	make -s crawl tests/testweb bench/fetchfloor
	CRAWLERS_INSIDE=1 exec unshare -mn bash "$0" "$@"
fi
build=$PWD
dir=$(mktemp -d "${TMPDIR-/tmp}/crawlers.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
cd "$dir"

# ---- the web

ip link set lo up
# shellcheck disable=SC2054 # one word has commas
web=(--hosts="$hosts" --pages="$pages"
    "--features=-robots,-whatwg,-spellings,-idn,-embeds")
"$build"/tests/testweb "${web[@]}" --truth=fetch --scope=any >urls
sed 's|^http://||; s|[:/].*||' urls | sort -u |
    awk '{ print "127.0.0.1", $0 }' >hosts
mount --bind hosts /etc/hosts
"$build"/tests/testweb "${web[@]}" --port=80 --log=log \
    --port-file=port >web.out 2>&1 &
server=$!
until [ -s port ]; do sleep 0.02; done
seed=$("$build"/tests/testweb "${web[@]}" --truth=seeds)
printf '%s\n' "$seed" >seed
LC_ALL=C sort -u urls >truth
printf '%s hosts, %s pages; %s\n\n' "$hosts" "$(wc -l <truth)" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"

cat >spider.py <<'END'
import hashlib
from scrapy.spiders import CrawlSpider, Rule
from scrapy.linkextractors import LinkExtractor


class Spider(CrawlSpider):
    name = "bench"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "DOWNLOAD_DELAY": 0,
        "CLOSESPIDER_PAGECOUNT": 1000,
        "LOG_LEVEL": "CRITICAL",
        "TELNETCONSOLE_ENABLED": False,
    }
    rules = [Rule(LinkExtractor(), callback="keep", follow=True)]

    def start_requests(self):
        for line in open("../seed"):
            yield __import__("scrapy").Request(line.strip())

    def keep(self, response):
        name = hashlib.sha1(response.url.encode()).hexdigest()
        with open(name, "wb") as out:
            out.write(response.body)
END

# ---- the runs

# one COMMAND: "CPU WALL PAGES REQUESTS" of a run
one() {
	local TIMEFORMAT='%U %S %R' from
	from=$(($(wc -l <log) + 1))
	rm -rf run
	mkdir run
	(
		cd run
		{ time eval "timeout 200 $1" >out 2>err </dev/null; } 2>../cost
	) || true
	sleep 0.2
	tail -n "+$from" log | awk -F'\t' '
	    $4 == "/robots.txt" { next }
	    { all++ }
	    $5 == 200 { print "http://" $2 $4 }
	    END { print all + 0 >"requests" }' |
	    LC_ALL=C sort -u >got
	LC_ALL=C comm -12 got truth >true
	awk -v n="$(wc -l <true)" -v all="$(cat requests)" \
	    '{ print $1 + $2, $3, n, all }' cost
}

base='' base_wall=''
row() {
	local name=$1 command=$2 i cpu wall got all
	command -v "${3-${command%% *}}" >/dev/null || return 0
	for ((i = 0; i < runs; i++)); do one "$command"; done |
	    LC_ALL=C sort -n | sed -n "$(((runs + 1) / 2))p" >median
	read -r cpu wall got all <median
	[ -n "$base" ] ||
	    base=$(awk -v a="$cpu" -v b="$got" 'BEGIN { print a / b }')
	base_wall=${base_wall:-$wall}
	awk -v name="$name" -v cpu="$cpu" -v wall="$wall" -v got="$got" \
	    -v all="$all" -v base="$base" -v base_wall="$base_wall" 'BEGIN {
		page = got > 0 ? cpu / got : 0
		printf "%-26s %8.2f %8.2f %7d %8d %9.3f %7.2f %7.2f\n", name,
		    cpu, wall, got, all, page * 1e3, page / base,
		    wall / base_wall }'
}

printf '%-26s %8s %8s %7s %8s %9s %7s %7s\n' crawler 'CPU s' 'wall s' \
    pages requests 'ms/page' '× CPU' '× wall'
everyone="--allow-private --delay=0 --scope=any -q"
row crawl "$build/crawl $everyone --per-host=8 ../seed -d state"
row 'crawl --archive=none' \
    "$build/crawl $everyone --per-host=8 --archive=none ../seed -d state"
row 'floor (fetch and parse)' "$build/bench/fetchfloor -c 64 <../truth"
row wget2 "wget2 -q -r -l inf -H --max-threads=8 $seed"
row wget "wget -q -r -l inf -H $seed"
# which takes its time, so only a part of it, once
runs=1
row scrapy 'scrapy runspider ../spider.py'
