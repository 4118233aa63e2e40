#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# urlseen beside other tools that drop repeated lines, on one list in one run:
#
#	bench/peers.sh [LINES [RUNS]]		(10M, 3), from the build folder
#
# A table of the median run of each: CPU and wall seconds, peak memory, lines
# that came out, CPU and wall time as multiples of the floor's (bench/floor.c:
# reading, hashing, touching memory and copying out alone, on one thread).  The
# others compare bytes; `urlseen -r' does just that, `urlseen' normalises too.
# Tools that are not installed are left out.
#
# Two have no way to print what is new in one go, and only insert: `bloom', and
# Redis, whose SETBIT is given seven bits of each line by a perl program, for a
# twentieth of the lines, with its figures times twenty.

set -eu
lines=${1-10000000} runs=${2-3}
make -s tests/gen-lines tests/peak-rss bench/floor urlseen
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
	{
		time "$build"/tests/peak-rss rss sh -c "exec $1" \
		    <"${2-list}" >out
	} 2>cost
	awk '{ print $1 + $2, $3 }' cost
}

cat >setbits.pl <<'E'
use Digest::MD5 'md5';
my $m = shift;
while (<STDIN>) {
	my ($x, $y) = unpack 'QQ', md5($_);
	for (1 .. 7) {
		print 'SETBIT f ', ($x >> 1) % $m, " 1\r\n";
		$x += $y;
	}
}
E
cat >redis.sh <<'E'
redis-server --port 0 --unixsocket "$PWD/sock" --save '' >log &
until [ -S sock ]; do sleep 0.02; done
perl setbits.pl $(($1 * 48 / 5)) | redis-cli -s "$PWD/sock" --pipe >>log
redis-cli -s "$PWD/sock" shutdown nosave
wait
E
cat >bloom.sh <<'E'
bloom create -n "$1" -p 0.01 filter && bloom insert filter
rm filter
E

base='' base_wall=''
row() {
	local name=$1 command=$2 i median cpu wall
	local times=${3-1} needs=${4-${command%% *}}
	command -v "$needs" >/dev/null || return 0
	for ((i = 0; i < runs; i++)); do one "$command" "${5-list}"; done >all
	median=$(sort -n all | sed -n "$(((runs + 1) / 2))p")
	cpu=$(awk -v a="${median% *}" -v b="$times" 'BEGIN { print a * b }')
	wall=$(awk -v a="${median#* }" -v b="$times" 'BEGIN { print a * b }')
	base=${base:-$cpu} base_wall=${base_wall:-$wall}
	printf '%-26s %9.2f %9.2f %8d %10d %8.2f %8.2f\n' "$name" "$cpu" \
	    "$wall" $(($(cat rss) / 1024)) "$(wc -l <out)" \
	    "$(awk -v a="$cpu" -v b="$base" 'BEGIN { print a / b }')" \
	    "$(awk -v a="$wall" -v b="$base_wall" 'BEGIN { print a / b }')"
}

n=$((lines / 2)) # four tenths of the lines are distinct
printf '%-26s %9s %9s %8s %10s %8s %8s\n' tool 'CPU s' 'wall s' MiB lines \
    '× CPU' '× wall'
row floor "$build/bench/floor $((n * 12640256 / 10000000))"
row 'urlseen -n -r -j 1' "$build/urlseen -r -j 1 -n $n -p 0.01"
row 'urlseen -n -j 1' "$build/urlseen -j 1 -n $n -p 0.01"
row 'urlseen -n -r' "$build/urlseen -r -n $n -p 0.01"
row 'urlseen -n' "$build/urlseen -n $n -p 0.01"
row 'urlseen' "$build/urlseen"
row 'urlseen -K exact' "$build/urlseen -K exact -n $n"
row 'sort -u (C locale)' 'env LC_ALL=C sort -u'
row "mawk '!s[\$0]++'" "mawk '!s[\$0]++'"
row "gawk '!s[\$0]++'" "gawk '!s[\$0]++'"
row "perl -ne '!\$s{\$_}++'" "perl -ne 'print unless \$s{\$_}++'"
row 'bloom insert' "sh bloom.sh $n" 1 bloom
head -n $((lines / 20)) list >some
row 'redis SETBIT' "sh redis.sh $lines" 20 redis-server some
