#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A crawl that fills archive files, so that the later ones have a dictionary:
# by hand, as the manual says, with zstd, and after kill -9.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

crawl=$bin/crawl-small
export SMALL_ROTATE=300000 SMALL_RECORDS=200
web='--hosts=8 --pages=1600 --page-bytes=2000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web
}
cd "$T" || exit 2
cp seeds seed.txt

crawl_it() {
	timeout 60 "$crawl" "$to" --delay=0.01 --ip-delay=0 --scope=any -j1 \
	    seed.txt >>lines 2>>err
}

# parts: the archive's files into `with' and `without' a dictionary
parts() {
	: >with
	: >without
	for f in seed.crawl/archive/*.zst; do
		if dictionary "$f"; then
			echo "$f"
		else
			echo "$f" >&3
		fi
	done >>with 3>>without
}

# whole NAME: all of the truth, and whole
whole() {
	"$bin/crawl-check" seed.crawl "$T/fetch" >out 2>&1
	is "$?$(cat out)" 0 "$1: the state is the truth"
	"$crawl" --verify -d seed.crawl >out 2>&1
	ok $? "$1: --verify"
	zstd_t seed.crawl/archive/*.zst
	ok $? "$1: zstd -t, with the dictionaries"
}

# ---- one run ----

crawl_it
is $? 0 "1600 pages, a worker, files of 300 kB"
parts
# shellcheck disable=SC2012 # our own names
is "$(head -n 1 without)" "$(ls seed.crawl/archive/*.zst | head -n 1)" \
    "the first file has no dictionary"
[ "$(wc -l <with)" -ge 2 ]
ok $? "$(wc -l <without) files without one, $(wc -l <with) with one"
whole "one run"
file=$(head -n 1 with)
zstd -q -t "$file" 2>/dev/null
is $? 1 "zstd needs the dictionary for those"
dictionary "$file" dict
zstdcat -D dict "$file" >records
ok $? "and with it gives the records"
is "$(grep -a -c '^WARC-Type: warcinfo' records)" 1 "the file's own"
is "$(grep -a -c '^WARC-Type: response' records)" \
    "$(grep -c -F "$(basename "$file")" "${file%.warc.zst}.cdxj")" \
    "and as many responses as its index has"
bad=0
records D seed.crawl | grep -F "$(basename "$file")" |
    awk 'NR % 40 == 1' >some
while IFS='	' read -r _ _ url _ _ name offset length; do
	tail -c +$((offset + 1)) "seed.crawl/archive/$name" |
	    head -c "$length" | zstdcat -D dict | tr -d '\r' >record
	grep -a -q -x -F "WARC-Target-URI: $url" record || bad=$((bad + 1))
done <some
[ "$bad" -eq 0 ] && [ "$(wc -l <some)" -gt 5 ]
ok $? "each of $(wc -l <some) pages is where its done record says"
cp "${file%.warc.zst}.cdxj" index
rm "${file%.warc.zst}.cdxj"
crawl_it
cmp -s index "${file%.warc.zst}.cdxj"
ok $? "an index that went missing is made anew, the same"

# ---- killed in a file with a dictionary, and torn there ----

rm -rf seed.crawl
: >log
: >lines
"$crawl" "$to" --delay=0.01 --ip-delay=0 --scope=any -j1 seed.txt \
    >>lines 2>>err &
pid=$!
tries=0
while parts 2>/dev/null && [ ! -s with ] && [ $tries -lt 2000 ]; do
	tries=$((tries + 1))
	sleep 0.02
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
parts 2>/dev/null
is "$(wc -l <with)" 1 "killed when the first file with a dictionary is there"
file=$(cat with)
cp -R seed.crawl killed
crawl_it
is $? 0 "goes on"
whole "killed"

# what a power cut may leave of a file that was never synced
rm -rf seed.crawl
cp -R killed seed.crawl
for size in 5 4000; do
	new=${file%-*}-9000$((size % 9)).warc.zst
	head -c $size "$file" >"$new"
	: >"${new%.warc.zst}.cdxj.open"
done
crawl_it
is $? 0 "goes on beside two files torn within their dictionary"
# shellcheck disable=SC2012
is "$(ls seed.crawl/archive/*-9000* 2>/dev/null)" "" "which are gone"
whole "torn"
done_testing
