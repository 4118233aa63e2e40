#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A million pages in one run, on loopback:
#
#	bench/million.sh [PAGES [HOSTS [BYTES]]]	(1000000, 1000, 4000)
#
# from the build folder.  Prints for each tenth of the pages the rate, the CPU
# a page of crawl and of the server, and crawl's memory then (MiB, resident,
# without the pages of files that it maps); at the end the rate of the last
# tenth over the first one's.  The rate is that of the server's log.  It needs
# some GB in $TMPDIR for the archive.

set -eu
pages=${1-1000000} hosts=${2-1000} bytes=${3-4000}
make -s crawl tests/testweb
build=$PWD
dir=$(mktemp -d "${TMPDIR-/tmp}/million.XXXXXX")
server='' crawler=''
# shellcheck disable=SC2317
finish() {
	[ -z "$crawler" ] || kill "$crawler" 2>/dev/null || :
	[ -z "$server" ] || kill "$server" 2>/dev/null || :
	rm -rf "$dir"
}
trap finish EXIT
cd "$dir"
web=(--hosts="$hosts" --pages="$pages" --page-bytes="$bytes" --links=10)
"$build"/tests/testweb "${web[@]}" --port-file=port --log=log >web.out 2>&1 &
server=$!
until [ -s port ]; do sleep 0.02; done
"$build"/tests/testweb "${web[@]}" --truth=seeds >seed
"$build"/crawl --connect-to="::127.0.0.1:$(cat port)" --delay=0 --scope=any \
    -d state seed >lines 2>err &
crawler=$!

# ticks PID: user and system time so far, in 1/100 s
ticks() {
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}

mark=$((pages / 10)) next=$((pages / 10))
printf '%9s %8s %9s %9s %8s\n' pages MiB 'ms crawl' 'ms server' 'wall s'
was=0 was_server=0 start=$(date +%s%N)
while kill -0 $crawler 2>/dev/null && [ $next -le "$pages" ]; do
	sleep 0.2
	n=$(wc -l <lines)
	[ "$n" -ge $next ] || continue
	now=$(ticks $crawler) || break
	now_server=$(ticks $server)
	awk -v n="$n" -v d=$((now - was)) -v s=$((now_server - was_server)) \
	    -v m=$mark -v w=$(($(date +%s%N) - start)) \
	    '/^RssAnon/ { printf "%9d %8d %9.3f %9.3f %8.1f\n", n,
		$2 / 1024, d * 10 / m, s * 10 / m, w / 1e9 }' \
	    "/proc/$crawler/status" || break
	was=$now was_server=$now_server next=$((next + mark))
done
wait $crawler || echo "crawl ended with status $?"
crawler=
cat err
awk -F'\t' -v m=$mark '$4 != "/robots.txt" { t[++n] = $1 }
    END {
	first = t[m] - t[1]; last = t[n] - t[n - m + 1]
	printf "%d requests; first %d: %.0f/s, last: %.0f/s, ratio %.3f\n",
	    n, m, m / first * 1e3, m / last * 1e3, first / last
    }' log
du -sh state/archive state/journal state/seen | tr '\n' ' '
echo
