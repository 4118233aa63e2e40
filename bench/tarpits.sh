#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Do hosts that never answer hold up those that do?
#
#	bench/tarpits.sh [PAGES [HOSTS [TARPITS [RUNS]]]]  (30000, 1000, 10, 3)
#
# from the build folder.  One server has the fast hosts, another one takes
# requests and does not answer for a minute; each tarpit has 100 seeds.
# Runs with and without the tarpits take turns.  The rate is that of the fast
# server's log, from its first request to its last; the ratio is of the best
# runs, since what else the machine does only takes away from a rate.

set -eu
pages=${1-30000} hosts=${2-1000} tarpits=${3-10} runs=${4-3}
make -s crawl tests/testweb
build=$PWD
dir=$(mktemp -d "${TMPDIR-/tmp}/tarpits.XXXXXX")
servers=''
# shellcheck disable=SC2317,SC2086
finish() {
	kill $servers 2>/dev/null || :
	rm -rf "$dir"
}
trap finish EXIT
cd "$dir"
web=(--hosts="$hosts" --pages="$pages" --page-bytes=4000 --links=10)
"$build"/tests/testweb "${web[@]}" --port-file=fast --log=log >out.1 2>&1 &
servers=$!
"$build"/tests/testweb --hosts=1 --pages=1 --latency=60000 --port-file=tar \
    --log=tarlog >out.2 2>&1 &
servers="$servers $!"
until [ -s fast ] && [ -s tar ]; do sleep 0.02; done
"$build"/tests/testweb "${web[@]}" --truth=fetch --scope=any | wc -l >total
"$build"/tests/testweb "${web[@]}" --truth=seeds --seeds="$hosts" >fastseed
to=()
for ((i = 0; i < tarpits; i++)); do
	to+=(--connect-to="tarpit$i.test:80:127.0.0.1:$(cat tar)")
	for ((k = 0; k < 100; k++)); do echo "http://tarpit$i.test/$k"; done
done >tarseed
# the tarpits come first, so that they are there from the start
cat tarseed fastseed >bothseed
to+=(--connect-to="::127.0.0.1:$(cat fast)")

# run SEEDS: the rate of the fast hosts, to file SEEDS.rate
run() {
	local from pid n
	from=$(($(wc -l <log) + 1))
	rm -rf state
	"$build"/crawl "${to[@]}" --delay=0 --scope=any -d state "$1" \
	    >lines 2>err &
	pid=$!
	# the tarpits would take their time until they are given up
	while kill -0 $pid 2>/dev/null; do
		sleep 0.2
		n=$(grep -vc tarpit lines) || :
		[ "$n" -lt "$(cat total)" ] || break
	done
	kill -KILL $pid 2>/dev/null || :
	wait $pid 2>wait.err || :
	tail -n "+$from" log | awk -F'\t' '
	    $4 != "/robots.txt" { t[++n] = $1 }
	    END { printf "%.0f %d\n", n / (t[n] - t[1]) * 1e3, n }' >>"$1.rate"
}

for ((i = 0; i < runs; i++)); do
	run fastseed
	run bothseed
done
echo 'pages a second (pages):'
for seeds in fastseed bothseed; do
	printf '%-10s %s\n' ${seeds%seed} "$(tr '\n' ';' <$seeds.rate)"
done
printf '%s requests to %s tarpits\n' "$(wc -l <tarlog)" "$tarpits"
cat fastseed.rate bothseed.rate | awk -v runs="$runs" '
    NR <= runs && $1 > a { a = $1 }
    NR > runs && $1 > b { b = $1 }
    END { printf "ratio of the best: %.3f\n", b / a; exit b < 0.95 * a }'
