#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Two plots, bench/plots/speed.svg and rate.svg: millions of lines in a second
# of CPU against the number of distinct URLs, each given once; and the measured
# against the promised rate of each kind.
#
#	bench/plot.sh [LARGEST [OUT]]	(10M, where the sources are), from the
#					build folder; needs gnuplot

set -eu
largest=${1-10000000}
out=${2-$(dirname "$0")/plots}
mkdir -p "$out"
out=$(cd "$out" && pwd)
make -s tests/gen-lines urlseen
gen=$PWD/tests/gen-lines urlseen=$PWD/urlseen
dir=$(mktemp -d "${TMPDIR-/tmp}/plot.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"
TIMEFORMAT='%U %S'

# cost OPTION...: lines in a second of CPU, in millions
cost() {
	"$gen" "$n" 1 0 2>/dev/null |
	    { time "$urlseen" "$@" -j 1 >/dev/null; } 2>cost
	awk -v n="$n" '{ print n / ($1 + $2) / 1e6 }' cost
}

for ((n = 100000; n <= largest; n *= 10)); do
	echo "$n $(cost -n $n -p 0.01) $(cost -r -n $n -p 0.01) $(cost)"
done | tee speed

n=1000000
"$gen" $n 1 0 >list 2>/dev/null
# a few at a time, as what is asked for is added for the rest of a run
"$gen" $n 1 0 $n 2>/dev/null | split -l 10000 - others.
for kind in blocked bloom counting cuckoo; do
	for p in 0.1 0.01 1e-3 1e-4 1e-5; do
		rm -f f
		"$urlseen" -r -f f -K $kind -n $n -p $p --load -q list
		for i in others.*; do
			"$urlseen" -r -f f --dry-run -d "$i"
		done | awk -v p=$p -v n=$n 'END { print p, NR / n }'
	done | tee rate
	mv rate "$kind"
done

gnuplot <<G
set terminal svg size 640,400 font "sans,12"
set key bottom left
set grid
set logscale x
set output "$out/speed.svg"
set xlabel "distinct URLs"
set ylabel "million lines per CPU second"
set yrange [0:*]
set format x "10^{%L}"
plot "speed" using 1:3 with linespoints title "urlseen -r -n", \
     "" using 1:2 with linespoints title "urlseen -n", \
     "" using 1:4 with linespoints title "urlseen"
set output "$out/rate.svg"
set logscale y
set key top left
set xrange [5e-6:0.2]
set yrange [1e-6:0.2]
set format y "10^{%L}"
set xlabel "promised false-positive rate"
set ylabel "measured"
plot x title "promised" with lines dashtype 2, \
     for [k in "blocked bloom counting cuckoo"] k with linespoints title k
G
