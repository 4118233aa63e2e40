#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A crawl on a full disk: it pauses, heeds an interrupt, and goes on when
# there is room.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

mkdir "$T/m"
unshare -rm mount -t tmpfs none "$T/m" 2>"$T/why" ||
    skip_all "no file system can be mounted here: $(cat "$T/why")"

web='--hosts=6 --pages=900 --page-bytes=20000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web
}
cd "$T" || exit 2
cp seeds seed.txt

# A function of both scripts: wait until run $1 says that it pauses.
# shellcheck disable=SC2016 # for those who run it
paused='paused() {
	n=0
	until grep -q paused "err.$1" || [ $n -gt 1200 ]; do
		n=$((n + 1))
		sleep 0.05
	done
}'

# The crawls, in a name space of their own; what they say goes into files.
cat >run.sh <<EOF
cd "$T" && mount -t tmpfs -o size=40m none m || exit 2
$paused
go() {
	env --default-signal=INT "$crawl" "$to" --delay=0.01 --ip-delay=0 \\
	    --scope=any --timeout=1 -d m/state seed.txt >>lines 2>"err.\$1" &
	pid=\$!
}
fill() {
	n=0
	until [ -s m/state/status ] || [ \$n -gt 1200 ]; do
		n=\$((n + 1))
		sleep 0.05
	done
	sleep 0.5
	cat /dev/zero >m/fill 2>/dev/null
	paused "\$1"
}
go 1
fill 1
kill -INT \$pid
n=0
while kill -0 \$pid 2>/dev/null && [ \$n -lt 1200 ]; do
	n=\$((n + 1))
	sleep 0.05
done
kill -9 \$pid 2>/dev/null
wait \$pid
echo "\$?" >rc.1
rm m/fill
"$crawl" --status -d m/state >status.1
go 2
fill 2
sleep 0.5
rm m/fill
wait \$pid
echo "\$?" >rc.2
"$crawl" --verify -d m/state >verify || echo damaged >>verify
cat m/state/archive/*.cdxj >index
EOF
unshare -rm sh run.sh 2>run.err
is "$(cat rc.1)" 2 "an interrupt ends it while the disk is full"
like "$(cat err.1)" 'paused, .*: No space left on device' "it was paused"
like "$(tail -n 1 err.1)" 'what is in the journal is safe, run it again' \
    "it says what it could not write, and that nothing is lost"
like "$(cat status.1)" '^state *stopped$' "--status says that it stopped"
is "$(cat rc.2)" 0 "with room, it comes to its end"
like "$(cat err.2)" 'paused, .*: No space left on device' "after a pause"
judge "nothing is missed" --allow-again=900
is "$(grep -v 'right$' verify)" "" "what was written is right"
sed "s/^[^{]*//" index | jq -r .url | sorted |
    LC_ALL=C comm -13 - fetch >missing
is "$(cat missing)" "" "each page is in the archive"

# ---- a file system of 6 MB, which the crawl itself fills, and which grows

: >"$T/log"
cat >small.sh <<EOF
cd "$T" && mount -t tmpfs -o size=6m none m &&
    head -c 3000000 /dev/zero >m/other || exit 2
$paused
go() {
	env --default-signal=INT "$crawl" "$to" --delay=\$2 --ip-delay=0 \\
	    --scope=any --timeout=1 -n 20000 --snapshot=0.5 -d m/state \\
	    seed.txt >>lines 2>"err.\$1" &
	pid=\$!
	paused "\$1"
	sleep 2.5
}
go 3 0.01
kill -INT \$pid
wait \$pid
echo "\$?" >rc.3
"$crawl" --verify -d m/state >verify.3 || echo damaged >>verify.3
"$crawl" "$to" -d m/state seed.txt >>lines 2>full
echo "\$?" >rc.full
mount -o remount,size=6500k m
go 4 0.1 # so that a second of it is left when there is room
mount -o remount,size=64m m
wait \$pid
echo "\$?" >rc.4
"$crawl" --verify -d m/state >verify.4 || echo damaged >>verify.4
"$bin/crawl-check" m/state "$T/fetch" | sed 9q >check
zstd -q -t m/state/*/*.zst 2>>check || echo "zstd -t" >>check
EOF
unshare -rm sh small.sh 2>small.err
like "$(cat err.3)" 'paused, .*: No space left on device' "6 MB are soon full"
is "$(grep -c paused err.3)" 1 "which is said once"
is "$(cat rc.3)" 2 "an interrupt ends it there"
is "$(grep -v 'right$\|the next run does it$' verify.3)" "" \
    "and what was written is right"
is "$(cat rc.full) $(sed 's/.*: //' full)" "2 No space left on device" \
    "a start needs room to mend what was left, and says so"
like "$(cat err.4)" 'paused, .*: No space left on device' "it waits again"
is "$(cat rc.4)" 0 "with more room, it comes to its end"
is "$(grep -c 'paused\|goes on$' err.4)" 2 \
    "it said once that it waits, and once that it goes on"
judge "nothing is missed" --allow-again=900
is "$(grep -v 'right$' verify.4)" "" "all that was written is right"
is "$(cat check)" "" "each page is done, and in a frame of the archive"
web_stop
done_testing
