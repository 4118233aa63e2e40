#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# "A URL may be printed again, but none is ever swallowed": urlseen killed
# with SIGKILL at random moments, into files and pipes; readers that go away;
# full disks.  What was not taken comes again.
#
# The rate is so low that no false positive hides a loss.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
cd "$T" || exit 1
LC_ALL=C
export LC_ALL

lines=100000 kills=5 kinds="blocked cuckoo exact"
[ -z "${LONG-}" ] || { lines=3000000 kills=20
    kinds="blocked bloom counting cuckoo exact"; }
"$top_builddir/tests/gen-lines" $lines 7 >list 2>/dev/null
sort -u list >want

# some hundredths of a second, from 1 to $1
pause() {
	sleep "$(awk -v r="$(od -An -N2 -tu2 /dev/urandom)" -v m="$1" \
	    'BEGIN { printf "%.2f", (1 + r % m) / 100 }')"
}

# whole FILE NAME: every wanted line stands whole in FILE
whole() {
	sort -u "$1" | comm -23 want - >lost
	is "$(wc -l <lost)" 0 "$2"
}

# The time that a whole run takes, so that kills fall into it.
start=$(date +%s%N)
$urlseen -p 1e-9 -n $lines list >/dev/null
span=$((($(date +%s%N) - start) / 10000000 + 2))

for kind in $kinds; do
	rm -f k.filter all
	died=0
	i=0
	while [ $i -lt $kills ]; do
		$urlseen -K $kind -p 1e-9 -n $lines -f k.filter list >>all &
		pid=$!
		pause $span
		kill -9 $pid 2>/dev/null && died=$((died + 1))
		wait $pid 2>/dev/null
		i=$((i + 1))
	done
	$urlseen -f k.filter list >>all
	ok $? "$kind: a run to the end after $died kills"
	whole all "$kind: killed into a file, every line is there, whole"
	is "$($urlseen -f k.filter list | wc -l)" 0 "$kind: and all remembered"
	$urlseen --verify -f k.filter >/dev/null
	ok $? "$kind: the filter verifies"
done

rm -f k.filter all
: >all
i=0
while [ $i -lt $kills ]; do
	rm -f pid
	# shellcheck disable=SC2016 # for the inner shell
	sh -c 'echo $$ >pid; exec "$@"' sh \
	    "$urlseen" -p 1e-9 -n $lines -f k.filter list | cat >>all &
	cat=$!
	until [ -s pid ]; do sleep 0.01; done
	pause $span
	kill -9 "$(cat pid)" 2>/dev/null
	wait $cat
	is "$(tail -c 1 all | tr -d '\n')" '' \
	    "kill $((i + 1)) into a pipe leaves no torn line"
	i=$((i + 1))
done
$urlseen -p 1e-9 -n $lines -f k.filter list | cat >>all
whole all 'killed into a pipe, every line is there, whole'

rm -f k.filter
$urlseen -p 1e-9 -n $lines -f k.filter list | head -n 1000 >part
$urlseen -f k.filter list >rest
cat part rest >all
is "$(wc -l <part)" 1000 'head takes its lines'
# head reads ahead: what it took and threw away is gone for us
sort -u all | comm -23 want - >lost
ok "$([ "$(wc -l <lost)" -lt 2000 ]; echo $?)" \
    'what a reader did not take comes again'

# a reader that takes nothing
rm -f k.filter
$urlseen -p 1e-9 -n $lines -f k.filter list | sleep 0.2
$urlseen -f k.filter list >all
whole all 'a reader that took nothing has swallowed nothing'

# status and silence of a closed pipe
rm -f k.filter
{ $urlseen -f k.filter list 2>err; echo $? >status; } | head -n 1 >/dev/null
is "$(cat status):$(cat err)" 141: 'a closed pipe ends it quietly by SIGPIPE'
{ (trap '' PIPE; $urlseen list 2>err; echo $? >status); } | head -n 1 >/dev/null
is "$(cat status):$(wc -l <err)" 2:1 'with SIGPIPE ignored it is an error'

if [ -w /dev/full ]; then
	rm -f k.filter
	fails_full() {
		rc=0
		"$@" >/dev/full 2>err || rc=$?
		is "$rc:$(wc -l <err)" 2:1 "a full disk: $*"
		like "$(cat err)" 'No space left' 'and says so'
	}
	fails_full "$urlseen" -p 1e-9 -n $lines -f k.filter list
	$urlseen -f k.filter list >all
	whole all 'what a full disk did not take comes again'
	fails_full "$urlseen" list
	fails_full "$urlseen" -d list list
	fails_full "$urlseen" --info -f k.filter
	fails_full "$urlseen" --help
	fails_full "$urlseen" --version
	fails_full "$urlseen" --rules=help
fi

# a file that may not grow is a full disk, too: output, filter, rejects
(ulimit -f 64; $urlseen -n 1000 -f small.filter list >cut 2>err; echo $? >st)
is "$(cat st):$(wc -l <err)" 2:1 'a filter that cannot be allocated: status 2'
rm -f k.filter
"$top_builddir/tests/gen-lines" 200000 9 0 2>/dev/null >new
sort -u new >want
$urlseen -p 1e-9 -n 200000 -f k.filter </dev/null
(ulimit -f 9000; $urlseen -f k.filter new >cut 2>err; echo $? >st)
is "$(cat st):$(wc -l <err)" 2:1 'output cut by a limit: status 2'
$urlseen -f k.filter new >>cut
whole cut 'and the rest comes again, whole'
sort -u list >want

# INT and TERM end it cleanly, with the signal's status
for signal in INT:2 TERM:15 HUP:1; do
	sig=${signal%:*}
	rm -f slow k.filter all
	mkfifo slow
	# a shell's background jobs ignore INT
	env --default-signal=$sig $urlseen -p 1e-9 -n $lines -f k.filter \
	    list - <slow >>all &
	pid=$!
	exec 6>slow
	# Before its first line is out it may still be making the filter, and
	# is then ended as any other program is.
	tries=3000
	until [ -s all ] || [ $tries -eq 0 ]; do
		sleep 0.01
		tries=$((tries - 1))
	done
	pause $span
	kill -$sig $pid
	wait $pid
	is $? $((128 + ${signal#*:})) "SIG$sig ends it by that signal"
	exec 6>&-
	like "$($urlseen --info -f k.filter)" '^clean +yes' \
	    "SIG$sig leaves a clean filter"
	$urlseen -f k.filter list >>all
	whole all "SIG$sig swallows nothing"
done

done_testing
