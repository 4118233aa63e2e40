#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A crawl from one end to the other, against the truth of the web it crawls.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=20 --pages=2000 --page-bytes=3000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web
}
cd "$T" || exit 2
cp seeds seed.txt
run="$crawl $to --delay=0 --scope=any"

# ---- all of it, once ----

$run seed.txt >lines 2>err
is $? 0 "20 hosts of 100 pages: status 0"
judge "the server saw the truth, each page once"
cut -f6 lines | sorted >got
cmp -s fetch got
ok $? "a line for each page"
is "$(cut -f1,5 lines | sort -u)" "$(printf '200\ttext/html')" \
    "with status and type"
is "$(awk -F'\t' 'NF != 7' lines)" "" "and seven fields"
like "$(cat err)" '^crawl: seed\.crawl: 2000 pages in .* complete$' \
    "one line on stderr"
is "$(wc -l <err)" 1 "and no more"
zstd -q -t seed.crawl/journal/*.zst seed.crawl/snapshot/*.zst \
    seed.crawl/archive/*.zst
ok $? "every file is whole for zstd"

# ---- the seen set, the journal, the archive ----

records A seed.crawl | cut -f3 | sorted >admitted
sorted fetch forbidden | LC_ALL=C comm -23 admitted - >unknown
is "$(cat unknown)" "" "what was admitted is true"
"$urlseen" -f seed.crawl/seen --dry-run <admitted >new
is "$(cat new)" "" "all of it is in DIR/seen, for urlseen too"
sed 's/$/x/' admitted | "$urlseen" -f seed.crawl/seen --dry-run >new
is "$(wc -l <new)" "$(wc -l <admitted)" "and nothing else"
records A seed.crawl | "$urlseen" -k3 -f again --load -n 1M -p 1e-6
ok $? "the journal by pipe makes a filter"
sed 's/$/x/' admitted | cat admitted - fetch forbidden >all
"$urlseen" -f again --dry-run <all >a
"$urlseen" -f seed.crawl/seen --dry-run <all >b
cmp -s a b
ok $? "whose answers are those of DIR/seen"
records D seed.crawl | cut -f3 | sorted >ended
cmp -s fetch ended
ok $? "each page is done"
sed 's/^[^{]*//' seed.crawl/archive/*.cdxj | jq -r .url | sorted >archived
sorted fetch robots | cmp -s - archived
ok $? "and in the archive's index"
records D seed.crawl | head -n 1 |
    while IFS='	' read -r _ _ url _ _ file offset length; do
	tail -c +$((offset + 1)) "seed.crawl/archive/$file" |
	    head -c "$length" | zstdcat | tr -d '\r' >record
	grep -q '^WARC-Type: response$' record &&
	    grep -q -x -F "WARC-Target-URI: $url" record
done
ok $? "where the done record says"

# ---- again ----

: >log
$run seed.txt >lines 2>err
is $? 0 "the second run: status 0"
is "$(cat log lines)" "" "nothing is fetched"
is "$(cat err)" "crawl: seed.crawl: complete already: 2000 pages" \
    "which is said in one line"
$run -d seed.crawl >lines 2>err
is "$?$(cat log lines)" 0 "without a seed, too"
$run -q seed.txt >lines 2>err
is "$?$(cat err)" 0 "-q says nothing"
rm seed.crawl/seen
$run seed.txt 2>err
like "$(cat err)" 'seen set is made anew.*it is missing' \
    "a seen set that is gone is made anew"
"$urlseen" -f seed.crawl/seen --dry-run <all >b
cmp -s a b
ok $? "and answers as before"
head -c 4096 /dev/urandom >seed.crawl/seen
$run seed.txt 2>err
like "$(cat err)" 'seen set is made anew' "so is a damaged one"
is "$(cat log)" "" "and nothing was fetched"

# ---- bounds ----

rm -rf seed.crawl
$run --pages=50 seed.txt >lines 2>err
is $? 0 "--pages: status 0"
is "$(wc -l <lines)" 50 "--pages=50 are 50"
like "$(cat err)" 'a bound is reached' "as is said"
$run --pages=80 seed.txt >lines 2>err
is "$(wc -l <lines)" 30 "--pages counts over the runs"
rm -rf seed.crawl
$run --depth=1 seed.txt >lines 2>/dev/null
is "$(cut -f4 lines | sort -u | tr '\n' ' ')" "0 1 " "--depth=1"
rm -rf seed.crawl
$run --host-pages=3 seed.txt >lines 2>/dev/null
is "$(cut -f6 lines | cut -d/ -f3 | sort | uniq -c |
    awk '$1 > 3' | wc -l)" 0 "--host-pages=3"
rm -rf seed.crawl
$run --time=0.5 --delay=0.2 seed.txt >lines 2>err
is $? 0 "--time: status 0"
like "$(cat err)" 'a bound is reached' "--time is a bound"

# ---- the lines ----

rm -rf seed.crawl
$run --pages=20 --json seed.txt 2>/dev/null >lines
is "$(jq -r 'keys_unsorted | join(" ")' lines | sort -u)" \
    'status bytes ms depth type url to error digest archive offset' \
    "--json has these fields"
jq -r .url lines | sorted | LC_ALL=C comm -23 - fetch >unknown
is "$(wc -l <lines)$(cat unknown)" 20 "and these URLs"
rm -rf seed.crawl
$run --pages=20 -o file seed.txt 2>/dev/null >lines
is "$(cat lines)$(wc -l <file)" 20 "-o FILE"
rm -rf seed.crawl
$run -q seed.txt >/dev/full 2>err
is "$?$(cat err)" "2crawl: standard output: No space left on device" \
    "a full standard output is status 2"
$run seed.txt 2>err | head -n 1 >lines
is "$(wc -l <lines)" 1 "a closed pipe ends it"
like "$(cat err)" 'stopped with more to do' "like an interrupt"
: >log
$run seed.txt >>lines 2>/dev/null
ok $? "and it goes on"
web_stop
done_testing
