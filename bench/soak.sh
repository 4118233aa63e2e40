#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Crawl for hours and be disturbed:
#
#	bench/soak.sh [MINUTES [HOSTS [PAGES]]]	(60, 40, 6000), as root, from
#						the build folder
#
# A crawl of the test web is killed, interrupted, run out of disk (a tmpfs of
# its own, in a name space of its own) and stopped for a while (SIGSTOP: its
# clock jumps), each at random moments, until it is complete; then its state
# is checked against the truth and the next round begins with another web.
# Meanwhile its memory and descriptors are looked at.  The last line says
# what was done; a line before it for whatever was wrong, and status 1.

set -u
if [ "${SOAK_INSIDE-}" != 1 ]; then
	make -s crawl urlseen tests/testweb tests/weblog-check \
	    tests/crawl-check || exit 2
	SOAK_INSIDE=1 exec unshare -m "$BASH" "$0" "$@"
fi
minutes=${1-60} hosts=${2-40} pages=${3-6000}
bin=$PWD/tests crawl=$PWD/crawl
dir=$(mktemp -d "${TMPDIR-/var/tmp}/soak.XXXXXX")
web_pid='' pid=''
clean() {
	[ -z "$web_pid" ] || kill "$web_pid" 2>/dev/null
	[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
	umount "$dir/m" 2>/dev/null
	rm -rf "$dir"
}
trap clean EXIT
trap 'exit 1' INT TERM
mkdir "$dir/m"
cd "$dir" || exit 2
mount -t tmpfs -o size=96m none m || exit 2
end=$(($(date +%s) + minutes * 60))
rounds=0 kills=0 stops=0 fulls=0 jumps=0 wrong=0 rss=0 fds=0

bad() {
	echo "round $rounds: $*"
	wrong=$((wrong + 1))
}

# start: crawl in the background
start() {
	"$crawl" "--connect-to=::127.0.0.1:$(cat port)" --delay=0.2 \
	    --ip-delay=0 --scope=any --sync=50 --snapshot=1 --segment=20k \
	    --memory=4M --timeout=5 -d m/state seeds >>lines 2>>err &
	pid=$!
}

# look: the most memory (KiB) and descriptors so far
look() {
	local n
	n=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" \
	    2>/dev/null)
	[ "${n:-0}" -le "$rss" ] || rss=$n
	n=$(find "/proc/$pid/fd" -mindepth 1 2>/dev/null | wc -l)
	[ "$n" -le "$fds" ] || fds=$n
}

# ended: wait for it; 0 once it is complete
ended() {
	local rc
	wait "$pid" 2>/dev/null
	rc=$?
	pid=
	case $rc in
	0) return 0 ;;
	2) bad "it ended with 2: $(tail -n 1 err)" ;;
	3 | 137) ;;
	*) bad "it ended with $rc: $(tail -n 1 err)" ;;
	esac
	return 1
}

# disturb: one thing, at random; the crawl may be over before
disturb() {
	sleep "$((RANDOM % 3)).$((RANDOM % 10))"
	look
	case $((RANDOM % 5)) in
	0 | 1)
		kill -9 "$pid" 2>/dev/null && kills=$((kills + 1))
		;;
	2)
		kill -INT "$pid" 2>/dev/null && stops=$((stops + 1))
		;;
	3)
		head -c 200m /dev/zero >m/other 2>/dev/null
		sleep "$((RANDOM % 3)).5"
		rm -f m/other
		fulls=$((fulls + 1))
		return
		;;
	4)
		kill -STOP "$pid" 2>/dev/null && jumps=$((jumps + 1))
		sleep $((RANDOM % 8))
		kill -CONT "$pid" 2>/dev/null
		return
		;;
	esac
	ended && return
	start
}

# check: against the truth
check() {
	"$bin/crawl-check" m/state "$dir/fetch" >out 2>&1 ||
	    bad "state: $(head -n 3 out)"
	"$bin/weblog-check" --truth=fetch --robots=robots \
	    --forbidden=forbidden --maybe=maybe --traps=traps \
	    --allow-again=$((pages / 2)) log >out 2>&1 ||
	    bad "log: $(grep -v '	' out | tail -n 17 | tr -s '\n ' ' ')"
	"$crawl" --verify -d m/state >out 2>&1 ||
	    bad "verify: $(grep -v 'right$' out | head -n 3)"
}

round() {
	local web=(--hosts="$hosts" "--pages=$pages" --page-bytes=3000
	    "--seed=$rounds") set
	for set in fetch robots forbidden maybe traps seeds; do
		"$bin/testweb" "${web[@]}" --truth=$set >$set || exit 2
	done
	rm -rf m/* log port
	: >err
	"$bin/testweb" "${web[@]}" --latency=5 --log=log --port-file=port \
	    >/dev/null 2>&1 &
	web_pid=$!
	while [ ! -s port ]; do
		sleep 0.1
	done
	start
	while [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; do
		disturb
	done
	while [ -n "$pid" ] && ! ended; do
		start
	done
	check
	kill "$web_pid"
	wait "$web_pid" 2>/dev/null
	web_pid=
}

while [ "$(date +%s)" -lt "$end" ]; do
	rounds=$((rounds + 1)) rss=0 fds=0
	round
	echo "# round $rounds: at most $rss KiB, $fds descriptors"
done
echo "$rounds rounds, $kills kills, $stops interrupts, $fulls full disks," \
    "$jumps jumps of the clock: $wrong wrong"
[ $wrong -eq 0 ]
