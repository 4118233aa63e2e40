#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A crawl whose queues don't fit into its memory: they go to disk, come back
# after a stop, and are made anew from the journal where they are damaged.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

n=8000
web_start --hosts=1 --pages=1 --page-bytes=100
cd "$T" || exit 2
touch log
# 400 bytes each, no two of them alike
awk -v n=$n 'BEGIN {
	srand(7)
	for (i = 1; i <= n; i++) {
		s = "http://h" i % 10 ".test/" i "/"
		while (length(s) < 400)
			s = s sprintf("%06x", rand() * 16777216)
		print s
	}
}' >seed.txt

crawl_it() { # OPTION...
	"$crawl" "$to" --memory=1M --ip-delay=0 --archive=none --per-host=8 \
	    --delay=0 "$@" seed.txt >>lines 2>err
}

done_urls() {
	zstdcat seed.crawl/journal/*.zst | grep -c '^D'
}

# ---- to disk and back ----

crawl_it --pages=200
[ "$(cat seed.crawl/frontier/*.zst | wc -c)" -gt 100000 ]
ok $? "queues are on disk"
zstdcat seed.crawl/frontier/*.zst |
    grep -q '^> [0-9]* [0-2] http://h[0-9].test$'
ok $? "and zstdcat shows them"
crawl_it --pages=400
is "$? $(done_urls)" "0 400" "they come back"

# ---- --verify ----

verify() { # what it says of the queues
	"$crawl" --verify -d "${1:-seed.crawl}" >all 2>&1
	rc=$?
	grep '/frontier/' all
}

verify >got
is "$rc $(grep -vc 'queued URLs are right$' got)" '0 0' \
    '--verify finds all queues right'
sum=$(grep -o '[0-9]* queued' got | awk '{ n += $1 } END { print n }')
[ "$sum" -ge 1000 ]
ok $? "$sum URLs"
cp -R seed.crawl copy.crawl
first=$(ls copy.crawl/frontier | head -n 1)
printf torn >>"copy.crawl/frontier/$first"
verify copy.crawl >got
like "$(cat got)" 'end is torn .* no snapshot needs' 'a torn end'
is "$rc" 0 'is what a kill leaves'
truncate -s -100 "copy.crawl/frontier/$first"
verify copy.crawl >got
like "$(cat got)" "$first: .*byte [0-9]*, the queues are made anew" \
    'one that is cut is damage'
is "$rc" 1 'to the status, too'
rm "copy.crawl/frontier/$first"
verify copy.crawl >got
like "$(cat got)" "$first: is missing: the queues are made anew" \
    'and so is one that is gone'
is "$rc" 1 '... to the status'

# ---- no file at all ----

first=$(ls seed.crawl/frontier | head -n 1)
mv "seed.crawl/frontier/$first" keep
mkfifo fifo
ln -s /nowhere link
mkdir folder
for other in fifo link folder; do
	mv $other "seed.crawl/frontier/$first"
	crawl_it --pages=401
	is "$?$(cat err)" "2crawl: seed.crawl/frontier/$first: not a regular \
file: move it away" "a queue's file is a $other: it is named"
	rm -r "seed.crawl/frontier/$first"
done
mv keep "seed.crawl/frontier/$first"

# ---- damaged ----

for f in seed.crawl/frontier/*.zst; do
	size=$(wc -c <"$f")
	at=1000
	while [ $at -lt "$size" ]; do
		printf damage |
		    dd of="$f" bs=1 seek=$at conv=notrunc 2>/dev/null
		at=$((at + 20000))
	done
done
verify >got
like "$(cat got)" 'damaged: .*byte [0-9]*, the queues are made anew' \
    '--verify finds them'
crawl_it -q
is $? 2 "damaged ones end the crawl"
grep -q 'queue on disk is damaged' err
ok $? "which says so"
crawl_it
# none of these pages is there, so every seed failed
is $? 1 "the next run completes it"
is "$(done_urls)" $n "with all URLs"
is "$(zstdcat seed.crawl/journal/*.zst | grep '^D' | cut -f2 | sort |
    uniq -d | wc -l)" 0 "each done once"

done_testing
