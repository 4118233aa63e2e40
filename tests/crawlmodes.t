#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The modes that only look, and the command line's mistakes.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=10 --pages=300 --page-bytes=1000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web --latency=20
}
cd "$T" || exit 2
cp seeds seed.txt

# ---- of a crawl that runs, was killed, is complete ----

run="$crawl $to --delay=0.05 --ip-delay=0 --scope=any --sync=50"
$run seed.txt >lines 2>err &
pid=$!
wait_for 80 log
sleep 1 # the status is of a second ago at most
"$crawl" --status -d seed.crawl >out
is "$?$(head -n 1 out)" "0state            running (process $pid)" \
    "--status of a crawl that runs"
is "$("$crawl" --status --json -d seed.crawl | jq -r '.state, .pid')" \
    "running
$pid" "as JSON"
"$crawl" --verify -d seed.crawl >out
ok $? "--verify of a crawl that runs"
for what in urls pending "done" failed hosts; do
	"$crawl" --export=$what -d seed.crawl >$what
	ok $? "--export=$what of a crawl that runs"
done
[ -s pending ] && [ -s "done" ] && [ -s hosts ]
ok $? "they have lines"
kill -9 $pid
wait $pid 2>/dev/null
is "$("$crawl" --status -d seed.crawl | head -n 1)" "state            killed" \
    "--status after a kill"
"$crawl" --verify seed.crawl >out
ok $? "--verify after a kill"
$run seed.txt >>lines 2>err
is "$("$crawl" --status --json -d seed.crawl |
    jq -r '"\(.state) \(.pid) \(.done) \(.queued)"')" \
    "complete null 300 0" "--status at the end"

"$crawl" --export=done -d seed.crawl | sorted | cmp -s fetch -
ok $? "--export=done is the truth"
"$crawl" --export=urls -d seed.crawl | sorted >urls
sorted fetch forbidden | LC_ALL=C comm -23 fetch - >missing
is "$(cat missing)" "" "--export=urls has it, too"
is "$("$crawl" --export=pending -d seed.crawl)" "" "nothing is pending"
is "$("$crawl" --export=failed -d seed.crawl)" "" "nothing has failed"
is "$("$crawl" --export=hosts -d seed.crawl | wc -l)" "$(wc -l <robots)" \
    "--export=hosts"
is "$("$crawl" --export=hosts -d seed.crawl |
    awk -F'\t' '{ n += $2 } END { print n }')" 300 "with their pages"
is "$("$crawl" --export=hosts -d seed.crawl | cut -f 5 | sort -u)" 0.050 \
    "and with the delay that the crawl was given"
is "$("$crawl" --export=done --json -d seed.crawl | jq -r .url | sorted |
    cmp fetch -)" "" "--export --json"

# ---- damage is found ----

is "$("$crawl" --status --json -d seed.crawl | jq -c .status_codes)" \
    '{"200":300}' "--status has each status"
"$crawl" --verify -d seed.crawl >out
is "$?$(grep -c right out)" "0$(wc -l <out)" "--verify of all"
# spoil NAME FILE: some bytes in its middle, as a single one may be such that
# zstd has no use for it; --verify has to find it
spoil() {
	cp "$2" keep
	size=$(wc -c <"$2")
	printf '\377\377\377\377' |
	    dd of="$2" bs=1 seek=$((size / 2)) conv=notrunc 2>dd
	if cmp -s "$2" keep; then
		printf '\0\0\0\0' | dd of="$2" bs=1 seek=$((size / 2)) \
		    conv=notrunc 2>dd
	fi
	rc=0
	"$crawl" --verify -d seed.crawl >out 2>err || rc=$?
	is "$rc$(grep -v right out | grep -c -F "$2")" 11 \
	    "--verify finds damage in $1"
	cp keep "$2"
}
[ "$("$crawl" --status --json -d seed.crawl | jq .snapshot)" -gt 0 ]
ok $? "--status knows the last snapshot"
last=$(find seed.crawl/journal -name '*.zst' | sort | tail -n 1)
spoil "the journal" "$last"
cp "$last" keep
head -c "$(($(wc -c <keep) - 1))" keep >"$last"
rc=0
$run seed.txt >out 2>err || rc=$?
is "$rc$(wc -l <err)" 21 "a journal that lacks what a snapshot has: status 2"
like "$(cat err)" 'damaged or gone: restore it from a copy' 'and one line'
for what in urls "done" pending failed hosts; do
	rc=0
	"$crawl" --export=$what -d seed.crawl >out 2>err || rc=$?
	is "$rc$(wc -l <err)" 21 "--export=$what of it: status 2"
	like "$(cat err)" 'journal: .* damaged( or gone)?: restore it' \
	    "and says so"
done
cp keep "$last"

# what the crawl is made with, lost
cp seed.crawl/config keep
for how in gone empty cut short; do
	case $how in
	gone) rm seed.crawl/config ;;
	empty) : >seed.crawl/config ;;
	cut) head -c "$(($(wc -c <keep) - 1))" keep >seed.crawl/config ;;
	short) head -n -1 keep >seed.crawl/config ;;
	esac
	rc=0
	$run seed.txt >out 2>err || rc=$?
	is "$rc$(wc -l <err)" 21 "a config that is $how: status 2"
	like "$(cat err)" 'seed.crawl: config: .*: restore it from a copy, or' \
	    "and what to do"
	"$crawl" --verify -d seed.crawl >out
	is "$?$(grep -c '^seed.crawl/config: ' out)" 11 "--verify finds it"
	cp keep seed.crawl/config
done
spoil "a snapshot" "$(find seed.crawl/snapshot -name '*.zst' | head -n 1)"
spoil "the archive" "$(find seed.crawl/archive -name '*.warc.zst' | head -n 1)"
spoil "the seen set" seed.crawl/seen
cp seed.crawl/seen keep
for at in 8 2056; do # in both copies of the header
	printf '\377' | dd of=seed.crawl/seen bs=1 seek=$at conv=notrunc 2>dd
done
rc=0
$run seed.txt >out 2>err || rc=$?
is "$rc$(wc -l <err)" 21 "a seen set from a newer version: status 2"
like "$(cat err)" 'use that one, or remove the file' "and what to do"
rm seed.crawl/seen
$run seed.txt >out 2>err
is "$?$(grep -c 'made anew from the journal' err)" 01 "removed, it is made anew"
cp keep seed.crawl/seen
cp seed.crawl/status keep
for how in gone empty cut; do
	case $how in
	gone) rm seed.crawl/status ;;
	empty) : >seed.crawl/status ;;
	cut) head -c 300 keep >seed.crawl/status ;;
	esac
	rc=0
	"$crawl" --status -d seed.crawl >out 2>err || rc=$?
	is "$rc$(cat out)$(wc -l <err)" 21 "a status that is $how: status 2"
	like "$(cat err)" 'crawl/status: missing or damaged: the next run' \
	    'and what to do'
done
cp keep seed.crawl/status
mv "$(find seed.crawl/archive -name '*.warc.zst' | head -n 1)" gone.warc.zst
"$crawl" --verify -d seed.crawl >out
is $? 1 "--verify misses an archive file"
like "$(cat out)" 'pages that the journal has as done are not there' \
    "and says so"

# ---- something else in a file's or a folder's place ----

# in_place NAME WORDS...: each is refused with one line that names it
in_place() {
	at=seed.crawl/$1
	mv "$at" keep
	mkfifo fifo
	ln -s /nowhere link
	mkdir -p folder/x
	[ -d keep ] && rm -r folder && : >folder
	for other in fifo link folder; do
		mv $other "$at"
		rc=0
		timeout 60 $run seed.txt >out 2>err || rc=$?
		is "$rc$(wc -l <err)" 21 "$1 is a $other: status 2 and one line"
		like "$(cat err)" "$2" "and names it"
		rm -r "$at"
	done
	mv keep "$at"
}
in_place lock 'seed.crawl/lock: not a regular file'
in_place format 'seed.crawl/format: damaged: restore it'
in_place config 'seed.crawl: config: not a regular file'
in_place "journal/$(basename "$last")" "$(basename "$last"), .*: not a regular"
in_place "snapshot/$(ls seed.crawl/snapshot | tail -n 1)" \
    'snapshot: [0-9]*.zst, .*: not a regular file: move it away'
for folder in journal snapshot archive frontier; do
	in_place $folder "seed.crawl/$folder: Not a directory"
done
for n in 6 7 8 9 10 11 12 13 14 15 16 17 18; do
	(
		# shellcheck disable=SC3045 # every sh that we know has it
		ulimit -n $n
		exec timeout 60 $run -d fresh seed.txt
	) >out 2>err || :
	grep -Eq 'Too many open files|complete' err ||
	    printf '%s: ' $n | cat - err
done >unclear
is "$(cat unclear)" "" "too few descriptors: each line says why"

arc=$(find seed.crawl/archive -name '*.warc.zst' | sort | head -n 1)
mv "$arc" keep
mkfifo "$arc"
rc=0
timeout 60 "$crawl" --verify -d seed.crawl >out 2>err || rc=$?
is "$rc$(grep -c -F "$arc: not a regular file" out)" 11 \
    "--verify: an archive file is a FIFO"
mv seed.crawl/archive moved
rc=0
"$crawl" --verify -d seed.crawl >out 2>err || rc=$?
is "$rc$(grep -c 'seed.crawl/archive: No such file' out)" 11 \
    "--verify: the archive is gone"
mv moved seed.crawl/archive
mv "${arc%.warc.zst}.cdxj" index
rc=0
timeout 60 $run seed.txt >out 2>err || rc=$?
is "$rc$(wc -l <err)" 21 "the next run: status 2 and one line"
rm "$arc"
mv keep "$arc"
mkfifo "${arc%.warc.zst}.cdxj.open"
rc=0
timeout 60 $run seed.txt >out 2>err || rc=$?
is "$rc" 0 "an open index that is a FIFO is made anew"
cmp "${arc%.warc.zst}.cdxj" index
ok $? "as it was"
rm -rf moved
mv seed.crawl/journal moved
mkdir seed.crawl/journal
rc=0
"$crawl" --verify -d seed.crawl >out 2>err || rc=$?
is "$rc$(grep -c 'journal: .* records that were there' out)$(wc -l <err)" 110 \
    "--verify: all of the journal is gone"
mkdir "seed.crawl/journal/$(basename "$last")"
rc=0
"$crawl" --export=hosts -d seed.crawl >out 2>err || rc=$?
is "$rc$(wc -l <err)" 21 "--export: a folder for the journal's file"
rm -rf seed.crawl/journal
mv moved seed.crawl/journal
cp "$last" keep
zstd -dqc keep | sed '1s/^J.1/J	9/' >newer
zstd -qf newer -o "$last"
rc=0
$run seed.txt >out 2>err || rc=$?
is "$rc$(wc -l <err)" 21 "a journal of a newer version: status 2"
like "$(cat err)" 'newer version: use the version of crawl that wrote it' \
    "and what to do"
cp keep "$last"
cp "$last" seed.crawl/journal/0000000099.zst
rc=0
$run seed.txt >out 2>err || rc=$?
is "$rc$(wc -l <err)" 21 "another journal's segment: status 2"
like "$(cat err)" 'journal: 0000000099.zst, .*: records go back: damaged' \
    "and which it is"
rm seed.crawl/journal/0000000099.zst
echo crawl >seed.crawl/format
rc=0
$run seed.txt >out 2>err || rc=$?
is "$rc$(wc -l <err)" 21 "a damaged format file: status 2"
like "$(cat err)" 'damaged: restore it from a copy, or' "what to do, in a line"
web_stop

# ---- forms only where asked for ----

mkdir site
printf '<form action=/q.html></form>' >site/index.html
echo hello >site/q.html
web_start --site="$T/site"
for how in no yes; do
	"$crawl" $to --delay=0 -d "f$how" --forms=$how http://a.test/ \
	    2>/dev/null | cut -f6 | sorted | tr '\n' ' '
	echo
done >out
is "$(cat out)" "$(printf 'http://a.test/ \nhttp://a.test/ %s' \
    'http://a.test/q.html ')" "--forms=yes fetches what a form leads to"
web_stop

# ---- without a directory ----

printf '<a href=b>1</a><img src=c>' |
    "$crawl" --extract --base=http://h/a/ >out
is "$(cat out)" "$(printf 'http://h/a/b\ta href')" "--extract"
printf '<a href=b>1</a><img src=c>' >page
"$crawl" --extract --embeds=yes --base=http://h/a/ page >out
is "$(cut -f1 out | tr '\n' ' ')" "http://h/a/b http://h/a/c " \
    "--extract --embeds=yes FILE"
printf '<form action=f></form><img src=c>' >page
"$crawl" --extract --forms=yes --base=http://h/a/ page >out
is "$(cat out)" "$(printf 'http://h/a/f\tform action')" \
    "--extract --forms=yes FILE"
printf 'User-agent: *\nDisallow: /x\n\nUser-agent: me\nDisallow: /\n' >r.txt
is "$("$crawl" --robots-check=r.txt http://h/x http://h/)" \
    "$(printf 'disallow\thttp://h/x\t2\nallow\thttp://h/\t0')" "--robots-check"
is "$("$crawl" --robots-check=r.txt -A me/1.0 http://h/y)" \
    "$(printf 'disallow\thttp://h/y\t5')" "--robots-check with -A"
printf 'http://h/1\nhttp://h/2\n' >map.txt
is "$("$crawl" --sitemap-check=map.txt | tr '\n' ' ')" \
    "http://h/1 http://h/2 " "--sitemap-check"
is "$("$crawl" --version)" "crawl $("$urlseen" --version | cut -d' ' -f2)" \
    "--version"
"$crawl" --help >out
is "$?$(head -n 1 out)" "0usage: crawl [OPTION]... SEED..." "--help"
is "$(awk 'length > 80' out)" "" "in 80 columns"
"$crawl" --help >/dev/full 2>err
is "$?$(wc -l <err)" 21 "a full disk is an error"

# ---- mistakes: status 2 and one line ----

# wrong PATTERN ARGUMENT...
wrong() {
	pattern=$1
	shift
	fails 2 "crawl $*" "$crawl" "$@"
	like "$err" "$pattern" "which says what is wrong"
}
mkdir full
: >full/file
: >empty.txt
printf 'nothing here\nmailto:a@b\n' >bad.txt
wrong 'give a seed'
wrong 'did you mean --delay\?' --dely=3 x
wrong '-w .x. is wrong: it takes seconds' -w x http://h/
wrong '--scope .world. is wrong: it takes host, domain, prefix or any' \
    --scope=world http://h/
wrong '--export .all. is wrong: it takes urls, pending' --export=all -d x
wrong 'give -d DIR' --status
wrong '--verify goes without another mode' --status --verify -d full
wrong '--export goes without another mode' --status --export=urls -d full
wrong '--status goes without another mode' --robots-check=r.txt --status \
    http://h/
wrong 'No such file' --status -d nosuch
wrong 'no state directory of crawl' --status -d full
wrong 'no state directory of crawl' -d full http://h/
wrong 'No such file.*a seed is a file, or a URL' nosuch.txt
wrong 'nosuch: there is no crawl to go on with' -d nosuch
mkdir none
wrong 'none: there is no crawl to go on with' -d none
: | "$crawl" -d pipe - 2>/dev/null
wrong 'pipe: there is no crawl to go on with' -d pipe
wrong ': 1 seed is no http or https URL, the first is http://: no valid host' \
    -d none http://
is "$(ls none)" '' 'and nothing is made in it'
wrong 'give -d DIR' -
wrong 'it takes a URL a line' empty.txt
wrong '2 seeds are no http or https URL, the first at bad.txt:1' bad.txt
is "$(ls -d empty.crawl bad.crawl http* 2>/dev/null)" '' \
    'no directory is left of what had no seed'
wrong "--include '\(': .* at byte 1" --include='(' http://h/
wrong '--resolve .x. is wrong: it takes HOST:PORT:ADDRESS' --resolve=x http://h/
wrong '--connect-to .x. is wrong' --connect-to=x http://h/
wrong 'needs to know where the HTML is from' --extract
wrong 'absolute http or https URL' --extract --base=x page
wrong 'needs URLs to judge' --robots-check=r.txt
wrong 'nosuch: No such file' --sitemap-check=nosuch
wrong 'it is no sitemap' --sitemap-check=page
wrong '--timeout 0 would fetch nothing' --timeout=0 http://h/
wrong 'Is a directory' full
printf 'crawl-state\t9\t0\n' >full/format
wrong 'newer' -d full http://h/
rm -rf ./*.crawl h
done_testing
