#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A small crawl on a disk that fails on demand: each call that changes
# something on the disk is once the one at which the process is killed, the
# disk is full, or gives an error.  Whatever that was, the next run brings
# the crawl to exactly its truth.
#
# A recorded crawl is also cut off at its calls as a power cut would do it,
# with what was not synced left out, or some of it.
#
# One call in STEP (FROM, FROM + STEP, ...); LONG=1 takes each of them.
#
# With SMALL=1 (tests/crawldictfault.t) archive files are so small that the
# second one is begun, with a dictionary, and only calls in the archive count.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

if [ -n "$LONG" ]; then
	: "${STEP:=1}" "${CUTS:=1}" "${FROM:=1}" "${LANES:=6}"
else
	: "${STEP:=80}" "${CUTS:=50}" "${FROM:=1}" "${LANES:=3}"
fi
if [ -n "$SMALL" ]; then
	crawl=$bin/crawl-small
	watch=state/archive
	small='-j1'
	pages=36
	export SMALL_ROTATE=9000 SMALL_RECORDS=8
else
	watch=state
	small=
	pages=18
fi
web="--hosts=3 --pages=$pages --page-bytes=400 --links=6"
: "${KINDS:=before within after enospc eio full short}"
calls=$(cd "$bin" && pwd)/faultcalls.so
# shellcheck disable=SC2086 # a list of options
truth $web
cp "$T/seeds" "$T/seed.txt"

# in the current folder
crawl_it() {
	# shellcheck disable=SC2086 # an option, or none
	timeout 60 "$crawl" "$to" $small --delay=0.002 --ip-delay=0 \
	    --scope=any --per-host=2 --sync=8 --segment=1k \
	    --snapshot=0.04 --timeout=5 -n 5 -d state ../seed.txt >>lines 2>>err
}

# faulty K:KIND: its status
faulty() {
	FAULT_DIR=$watch FAULT_SAY=said FAULT=$1 LD_PRELOAD=$calls \
	    crawl_it
}

# wrong WHAT FILE: a note of what went wrong in this lane
wrong() {
	{
		echo "$point: $1"
		sed 8q "$2"
	} >>wrong
}

# whole [state]: the state is the truth, and so is what was asked for
whole() {
	"$bin/crawl-check" state "$T/fetch" >out 2>&1 || wrong "state" out
	"$crawl" --verify -d state >out 2>&1 || wrong "--verify" out
	# A segment that could not be cut, either, keeps a torn end, and the
	# next one begins with what stood there: journal.h.
	case $point in
	*:full | *:eio) zstd -q -t state/[!ja]*/*.zst ;;
	*) zstd -q -t state/[!a]*/*.zst ;;
	esac >out 2>&1 || wrong "zstd" out
	zstd_t state/archive/*.zst >out 2>&1 || wrong "zstd, archive" out
	[ -z "$1" ] || return 0
	"$bin/weblog-check" --truth="$T/fetch" --robots="$T/robots" \
	    --forbidden="$T/forbidden" --maybe="$T/maybe" \
	    --traps="$T/traps" --allow-again=200 log >out 2>&1 ||
	    wrong "log" out
}

# how many of the archive's files have a dictionary
count_dictionaries() {
	for f in state/archive/*.zst; do
		if dictionary "$f"; then
			echo "$point"
		fi
	done >>dicts
}

# try_point K KIND: 1 if the run had not so many calls
try_point() {
	point=$1:$2
	rm -rf state said
	if [ -n "$SMALL" ]; then
		# without a seed crawl only makes its folders
		"$crawl" -d state /dev/null 2>/dev/null
	else
		mkdir state
	fi
	: >log
	: >err
	faulty "$point" 2>/dev/null
	rc=$?
	# killed by us, ended by itself, or done with it all
	case $2,$rc in
	before,137 | within,137 | after,137 | *,0 | *,2) ;;
	*) wrong "ends with $rc" err ;;
	esac
	read -r _ call name <said
	[ "$call" != calls ] || return 1
	echo "$point $call $name $rc" >>points
	if [ $rc -eq 137 ] && [ $(($1 % 3)) -eq 0 ]; then
		# and once more in the run that mends it
		faulty $(($1 % 50 + 1)):"$2" 2>/dev/null
	fi
	crawl_it </dev/null
	rc=$?
	[ $rc -eq 0 ] || wrong "the next run ends with $rc" err
	whole
	count_dictionaries
}

# cut_off FOLDER: the crawl that a power cut left there goes on
cut_off() {
	point=${1##*/}:cut
	rm -rf state
	mv "$1" state
	: >err
	crawl_it </dev/null
	rc=$?
	[ $rc -eq 0 ] || wrong "the next run ends with $rc" err
	# what was asked for before the cut is in another log
	whole state
	echo "$point cut - $rc" >>points
}

# lane N: every LANES-th of the points, with a server and a folder of its own
lane() {
	T0=$T
	mkdir "$T0/lane.$1"
	# shellcheck disable=SC2030,SC2086
	{
		T=$T0/lane.$1
		web_start $web --latency=2
		trap 'web_stop' EXIT
		T=$T0
	}
	cd "$T0/lane.$1" || exit 2
	for kind in $KINDS; do
		k=$((FROM + STEP * $1))
		while try_point "$k" "$kind"; do
			k=$((k + STEP * LANES))
		done
	done
	i=0
	while read -r d; do
		i=$((i + 1))
		[ $((i % (CUTS * LANES))) -ne $((CUTS * $1)) ] || cut_off "$d"
	done <../cutlist
}

mkdir "$T/try" "$T/try/state"
# shellcheck disable=SC2031
(
	cd "$T/try" || exit 2
	FAULT_DIR=state FAULT_SAY=said FAULT=1:enospc LD_PRELOAD=$calls \
	    "$crawl" -d state http://127.0.0.1:9/
) >/dev/null 2>&1
grep -q . "$T/try/said" 2>/dev/null ||
    skip_all "nothing can be preloaded: a build with sanitizers?"

# shellcheck disable=SC2086
web_start $web --latency=2
mkdir "$T/record" "$T/record/state" "$T/cuts"
(
	cd "$T/record" || exit 2
	FAULT_DIR=state FAULT_CUTS=$T/cuts LD_PRELOAD=$calls crawl_it
)
is $? 0 "a crawl is recorded"
find "$T/cuts" -mindepth 1 -maxdepth 1 | sort >"$T/cutlist"
web_stop

n=0
while [ $n -lt "$LANES" ]; do
	(lane $n) &
	n=$((n + 1))
done
wait
cat "$T"/lane.*/points >"$T/all"
cat "$T"/lane.*/wrong >"$T/bad" 2>/dev/null
if [ -n "$SMALL" ]; then
	cat "$T"/lane.*/dicts >"$T/dicts"
	had=$(sort -u "$T/dicts" | wc -l)
	[ "$had" -gt $(($(grep -v -c :cut "$T/all") / 2)) ]
	ok $? "most of these crawls ($had) had one"
fi
for kind in $KINDS cut; do
	grep "^[^:]*:$kind " "$T/all" >"$T/these"
	[ -s "$T/these" ] && ! grep -q "^[^:]*:$kind: " "$T/bad"
	ok $? "$kind at $(wc -l <"$T/these") calls: nothing is lost"
done
sed 60q "$T/bad" | sed 's/^/# /'
cut -d' ' -f2 "$T/all" | sort | uniq -c | sed 's/^/#/'
done_testing
