#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Memory has a bound whatever the input, and no URL is lost past any number.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
cd "$T" || exit 1
gen=$top_builddir/tests/gen-lines
grep -q 'SANITIZE_FLAGS = .*fsanitize' "$top_builddir/Makefile" &&
    skip_all 'sanitizers need memory of their own'

# peak COMMAND...: its memory, in MiB
peak() {
	"$top_builddir/tests/peak-rss" rss "$@"
	echo $(($(cat rss) / 1024))
}

# below GOT LIMIT NAME
below() {
	ok "$([ "$1" -le "$2" ]; echo $?)" "$3"
	echo "# $1, at most $2"
}

# without -n: nothing to know, at most 0.1 % lost
lines=3000000
[ -z "${LONG-}" ] || lines=20000000
$gen $lines 3 >list 2>distinct
distinct=$(sed 's/ .*//' distinct)
mib=$(peak $urlseen -o out list)
below "$mib" 300 "$lines lines without -n: MiB"
lost=$((distinct - $(wc -l <out)))
below $((lost * 1000)) "$distinct" \
    "of $distinct distinct at most 0.1 % lost: $lost"
ok "$([ $lost -ge 0 ]; echo $?)" 'and none comes twice'
rm -f out

# with -n: the filter (2 MB at 1M URLs) and at most 64 MiB
head -n 200000 list >short
a=$(peak $urlseen -n 1M -o out short)
b=$(peak $urlseen -n 1M --no-grow -q -o out list)
below "$b" 66 'with -n at most the filter and 64 MiB'
below $((b - a)) 8 'whatever the length of the input'
a=$(peak $urlseen -n 1M -f s.filter -o out short)
below "$a" 66 'also with a file'
rm -f out list

# lines without an end
size=200
[ -z "${LONG-}" ] || size=1000
cat >piped <<'SH'
head -c "$2"M /dev/zero | tr '\0' x | "$1" -n 1000 -q
SH
a=$(peak sh piped $urlseen $size)
below "$a" 66 "a line of $size MB costs no memory"
cat >piped <<'SH'
head -c "$2"M /dev/zero | tr '\0' '\n' | "$1" -n 1000 -q
SH
a=$(peak sh piped $urlseen 20)
below "$a" 66 'nor do empty lines'
# relative lines against a long base, printed whole
base=http://h/$(head -c 60000 /dev/zero | tr '\0' b)/
yes a | head -n 20000 | awk '{ print $0 NR }' >rel
a=$(peak $urlseen -n 1M -N -b "$base" -o /dev/null rel)
below "$a" 66 'nor do short lines that become long'

# a line at a time, each written before the next is read, as after tail -f
pings=30000
[ -z "${LONG-}" ] || pings=1000000
[ -r /proc/self/statm ] && for file in '' '-f t.filter'; do
	# shellcheck disable=SC2086 # no word, or two
	kib=$("$top_builddir/tests/ping-lines" $pings \
	    $urlseen -n 2M -p 1e-9 $file -q)
	ok $? "$pings lines, one at a time${file:+, with a file}"
	# a wrong "seen" would be waited for without an end, hence the rate
	below "$((${kib#* } - ${kib% *}))" 2000 'KiB more in the end'
done

done_testing
