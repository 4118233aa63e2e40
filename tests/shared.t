#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Processes that write one filter with --shared: at least one of them prints
# each URL, hardly any is printed twice, and none is swallowed, whoever of
# them is killed or stopped.
#
# The rate is so low that no false positive hides a loss.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
cd "$T" || exit 1
LC_ALL=C
export LC_ALL

lines=200000 kills=3
[ -z "${LONG-}" ] || { lines=2000000 kills=20; }
"$top_builddir/tests/gen-lines" $lines 3 600 >list 2>/dev/null
sort -u list >want
distinct=$(wc -l <want)
[ "$distinct" -gt 0 ] || exit 1
# four lists that overlap: the whole, both ends, another order
cp list in1
tail -n $((lines * 2 / 3)) list >in2
head -n $((lines * 2 / 3)) list >in3
sort list >in4

# whole NAME: out1 to out4 have each wanted line, whole
whole() {
	cat out[1-4] | sort -u | comm -23 want - >lost
	is "$(wc -l <lost)" 0 "$1"
}

# few NAME: of these at most a twentieth stands there twice
few() {
	twice=$(($(cat out[1-4] | wc -l) - distinct))
	ok "$([ $((twice * 20)) -le "$distinct" ]; echo $?)" \
	    "$1: $twice of $distinct more than once"
}

# four OPTION...: the four at a time
four() {
	rm -f s.filter
	pids=
	for i in 1 2 3 4; do
		$urlseen --shared -p 1e-9 -f s.filter "$@" in$i >out$i \
		    2>err$i &
		pids="$pids $!"
	done
	rc=0
	for pid in $pids; do
		wait "$pid" || rc=1
	done
	ok $rc "four at a time, $*"
	is "$(cat err[1-4])" '' 'without a message'
	whole 'each URL is printed'
	few 'few are printed twice'
	is "$($urlseen -f s.filter list | wc -l)" 0 'all are remembered'
	$urlseen --verify -f s.filter >got
	like "$(cat got)" 'sums are right' 'the last one closed the file'
	is "$($urlseen --info -f s.filter | sed -n 's/^count *//p')" \
	    "$distinct" 'and the count is right'
}

start=$(date +%s%N)
four -n $lines
span=$((($(date +%s%N) - start) / 20000000 + 1))
four -n 1000
like "$($urlseen --info -f s.filter)" 'layers  *[4-9]' 'it has grown'
four -n $lines -K bloom -j 1

# into pipes
rm -f s.filter
for i in 1 2 3 4; do
	$urlseen --shared -p 1e-9 -n $lines -f s.filter in$i | cat >out$i &
	eval "pid$i=\$!"
done
# shellcheck disable=SC2154 # set by eval
wait "$pid1" "$pid2" "$pid3" "$pid4"
whole 'into pipes, too, each URL is printed'
few 'and few twice'

# one is killed: what it had printed counts, the others go on, and after its
# list has come once more nothing is missing
i=0
while [ $i -lt $kills ]; do
	rm -f s.filter
	$urlseen --shared -p 1e-9 -n 1000 -f s.filter in1 >out1 &
	first=$!
	for n in 2 3 4; do
		$urlseen --shared -p 1e-9 -n 1000 -f s.filter in$n >out$n &
		eval "pid$n=\$!"
	done
	sleep "$(awk -v r="$(od -An -N2 -tu2 /dev/urandom)" -v m=$span \
	    'BEGIN { printf "%.2f", (1 + r % m) / 100 }')"
	kill -9 $first 2>/dev/null
	wait $first 2>/dev/null
	wait "$pid2" "$pid3" "$pid4"
	# in4 holds all of them, so none may be missing even now
	whole "kill $((i + 1)): what the survivors read is printed"
	$urlseen --shared -f s.filter in1 >>out1
	whole 'and what the killed one read, once it comes again'
	is "$($urlseen -f s.filter list | wc -l)" 0 'and all remembered'
	$urlseen --verify -f s.filter >/dev/null
	ok $? 'the filter verifies'
	i=$((i + 1))
done

# who stands still within its turn, as when its reader takes nothing, holds
# up the others for some seconds, once; what they print meanwhile may repeat
rm -f s.filter fifo
mkfifo fifo
for n in 2 3 4; do
	{ sleep 1; cat in$n; } |
	    timeout 60 "$urlseen" --shared -p 1e-9 -n $lines -f s.filter \
		>out$n 2>err$n &
	eval "pid$n=\$!"
done
sleep 0.5
$urlseen --shared -p 1e-9 -f s.filter in1 >fifo &
stuck=$!
exec 3<fifo
wait "$pid2" "$pid3" "$pid4"
: >out1
whole 'one that stands still does not keep URLs from the others'
like "$(cat err[2-4])" 'locked by another' 'they say what they could not do'
kill -9 $stuck
wait $stuck 2>/dev/null
exec 3<&-
$urlseen --shared -f s.filter in2 >out2
is "$($urlseen -f s.filter in2 | wc -l)" 0 'the filter goes on as it is'

# who has the file
rm -f s.filter
mkfifo in out
$urlseen --shared -n 1000 -f s.filter <in >out &
pid=$!
exec 4>in 3<out
echo http://a/1 >&4
read -r line <&3
is "$line" http://a/1 'a process that shares the filter'
fails 2 'keeps out one that does not' $urlseen -f s.filter
like "$err" 'locked by another' 'which says so'
echo http://a/2 | $urlseen -w -f s.filter >waited 3<&- 4>&- &
waits=$!
is "$(printf 'http://a/%s\n' 1 2 3 | $urlseen --shared -f s.filter)" \
    "$(printf 'http://a/%s\n' 2 3)" 'another one that shares it gets in'
echo http://a/3 >&4
echo http://a/4 >&4
read -r line <&3
is "$line" http://a/4 'what that one printed, this one does not'
is "$(cat waited)" '' '-w waits'
exec 4>&- 3<&-
wait $pid
wait $waits
ok $? 'and gets in at the end'
is "$(cat waited)" '' 'to find that its URL was seen'

rm -f e.filter
for kind in counting cuckoo exact; do
	fails 2 "--shared -K $kind" $urlseen --shared -K $kind -f e.filter
	like "$err" 'blocked or bloom' 'says which kinds can be shared'
	ok "$([ ! -e e.filter ]; echo $?)" 'and makes no file'
	$urlseen -K $kind -n 1000 -f $kind.filter </dev/null
	fails 2 "--shared with a file of kind $kind" \
	    $urlseen --shared -f $kind.filter
	like "$err" "$kind.filter.*blocked or bloom" 'names it'
done
fails 2 '--shared without a file' $urlseen --shared
fails 2 '--shared --delete' $urlseen --shared --delete -f exact.filter

done_testing
