#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# urlseen beside other tools that drop repeated lines, on one list in one run:
#
#	bench/peers.sh [LINES [RUNS]]		(10M, 3), from the build folder
#
# A table of the median run of each: CPU and wall seconds, peak memory, lines
# that came out.  The others compare bytes; `urlseen -r' does just that,
# `urlseen' normalises too.  Tools that are not installed are left out.

set -eu
lines=${1-10000000} runs=${2-3}
make -s tests/gen-lines tests/peak-rss urlseen
build=$PWD
dir=$(mktemp -d "${TMPDIR-/tmp}/peers.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"
"$build"/tests/gen-lines "$lines" 1 600 >list 2>distinct
printf '%s lines, %s distinct, %s bytes; %s\n\n' "$lines" \
    "$(sed 's/ .*//' distinct)" "$(stat -c %s list)" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
cat list >/dev/null

# one COMMAND: "CPU WALL" of a run
one() {
	local TIMEFORMAT='%U %S %R'
	{ time "$build"/tests/peak-rss rss sh -c "exec $1" <list >out; } 2>cost
	awk '{ print $1 + $2, $3 }' cost
}

base=
row() {
	local name=$1 command=$2 i median cpu wall
	command -v "${command%% *}" >/dev/null || return 0
	for ((i = 0; i < runs; i++)); do one "$command"; done >all
	median=$(sort -n all | sed -n "$(((runs + 1) / 2))p")
	cpu=${median% *} wall=${median#* }
	base=${base:-$cpu}
	printf '%-26s %9.2f %9.2f %8d %10d %8.1f\n' "$name" "$cpu" "$wall" \
	    $(($(cat rss) / 1024)) "$(wc -l <out)" \
	    "$(awk -v a="$cpu" -v b="$base" 'BEGIN { print a / b }')"
}

printf '%-26s %9s %9s %8s %10s %8s\n' tool 'CPU s' 'wall s' MiB lines '× CPU'
row 'urlseen -n' "$build/urlseen -n $lines -p 0.01"
row 'urlseen -n -r' "$build/urlseen -r -n $lines -p 0.01"
row 'urlseen' "$build/urlseen"
row 'urlseen -K exact' "$build/urlseen -K exact -n $lines"
row 'sort -u (C locale)' 'env LC_ALL=C sort -u'
row "mawk '!s[\$0]++'" "mawk '!s[\$0]++'"
row "gawk '!s[\$0]++'" "gawk '!s[\$0]++'"
row "perl -ne '!\$s{\$_}++'" "perl -ne 'print unless \$s{\$_}++'"
