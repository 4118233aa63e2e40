#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# What each kind of filter promises and what it does:
#
#	bench/rates.sh [ASKED]		(1M), from the build folder
#
# For each kind, rate p and number n: n URLs go in, all must be found again,
# and ASKED others are asked for.  `sd' is how many standard deviations more
# of these were called seen than promised; up to 5 is chance.  `size' is the
# file over its 2 MiB header and the bits that --plan calculates.  Last, a
# classic filter with twice its URLs, which shows 15.7 %.  LONG=1 adds n = 1e8.
# The status is 1 if anything is not as promised.

set -eu
asked=${1-1000000}
make -s tests/gen-lines urlseen
gen=$PWD/tests/gen-lines urlseen=$PWD/urlseen
dir=$(mktemp -d "${TMPDIR-/tmp}/rates.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"
numbers='1000 10000 100000 1000000 10000000'
[ -z "${LONG-}" ] || numbers="$numbers 100000000"
bad=0

# bits KIND N P: that are calculated
bits() {
	"$urlseen" --plan -n "$2" -p "$3" |
	    awk -v k="$1" '$1 == k { print $2 }'
}

# Asking leaves the file alone, but what was asked counts as seen for the rest
# of the run, and beyond the capacity.  So the others go in portions that are
# small beside n.
wrong() {
	local n=$1 i=0 sum=0 part
	part=$((n / 1000))
	[ "$part" -ge 1000 ] || part=1000
	[ "$part" -le "$asked" ] || part=$asked
	while [ $((i * part)) -lt "$asked" ] && [ "$i" -lt 100 ]; do
		sum=$((sum + $("$gen" "$part" 1 0 $((n + i * part)) \
		    2>/dev/null | "$urlseen" -r -f f --dry-run -d | wc -l)))
		i=$((i + 1))
	done
	echo $((i * part)) $sum
}

# row KIND N P: P is 0 for the exact kind, where a single wrong answer is one
# too many
row() {
	local kind=$1 n=$2 p=$3 asked_p=$3 lost m hits
	[ "$p" != 0 ] || asked_p=0.01
	rm -f f
	"$gen" "$n" 1 0 2>/dev/null | "$urlseen" -r -f f -K "$kind" -n "$n" \
	    -p "$asked_p" --load -q
	lost=$("$gen" "$n" 1 0 2>/dev/null |
	    "$urlseen" -r -f f --dry-run | wc -l)
	read -r m hits <<<"$(wrong "$n")"
	awk -v kind="$kind" -v n="$n" -v p="$p" -v m="$m" -v lost="$lost" \
	    -v hits="$hits" -v size="$(stat -c %s f)" \
	    -v bits="$(bits "$kind" "$n" "$asked_p")" 'BEGIN {
		sd = p > 0 ? (hits - m * p) / sqrt(m * p * (1 - p)) : 6 * hits
		r = size / (2097152 + bits / 8)
		printf "%-9s %9d %6s %9d %5d %11.3g %6.1f %6.3f\n", kind, n,
		    p, m, lost, hits / m, sd, r
		exit lost > 0 || sd > 5 || r > 1.03 || r < 0.97
	}' || bad=1
}

printf '%-9s %9s %6s %9s %5s %11s %6s %6s\n' \
    kind n p asked lost rate sd size
for n in $numbers; do
	row exact "$n" 0
done
for kind in blocked bloom counting cuckoo; do
	for p in 0.1 0.01 1e-3 1e-4 1e-5 1e-6; do
		for n in $numbers; do
			row $kind "$n" $p
		done
	done
done

rm -f f
"$gen" 2000000 1 0 2>/dev/null |
    "$urlseen" -r -f f -K bloom -n 1M -p 0.01 --no-grow --load -q
read -r m hits <<<"$(wrong 2000000)"
awk -v h="$hits" -v m="$m" 'BEGIN {
	printf "classic filter for 1e6 with 2e6: %.2f %%\n", 100 * h / m
	exit h / m < 0.152 || h / m > 0.162
}' || bad=1
[ $bad -eq 0 ] && echo 'all as promised'
exit $bad
