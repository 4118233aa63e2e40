#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A filter for a thousand million URLs at 1 % (1.26 GB) in less memory:
#
#	bench/memory.sh [LINES [MIB [N]]]	(20M, 400, 1000M), from the
#						build folder
#
# urlseen runs in a memory cgroup of MIB without swap, made below the one that
# this shell is in and taken away at the end; that needs root and version 1 of
# the interface, or systemd-run.  The limit counts the filter's pages, too.
# Lines come through a pipe, from outside, and go to a file.  First all are
# new, into a file never written; then all are new once more; then six of ten
# came before; then all did.

set -eu
lines=${1-20000000} mib=${2-400} n=${3-1000000000}
make -s tests/gen-lines urlseen
gen=$PWD/tests/gen-lines urlseen=$PWD/urlseen
dir=$(mktemp -d "${TMPDIR-/var/tmp}/memory.XXXXXX")
group=
clean() {
	rm -rf "$dir"
	[ -z "$group" ] || rmdir "$group"
}
trap clean EXIT
cd "$dir"

own=$(sed -n 's/^[0-9]*:memory:\///p' /proc/self/cgroup)
if [ -n "$own" ] || grep -q ':memory:/$' /proc/self/cgroup; then
	group=/sys/fs/cgroup/memory/$own/urlseen-bench-$$
	mkdir "$group" || { group=; exit 1; }
	echo $((mib << 20)) >"$group/memory.limit_in_bytes"
	# limited COMMAND...: in the group
	limited() {
		bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' bash \
		    "$group" "$@"
	}
elif command -v systemd-run >/dev/null; then
	limited() {
		systemd-run -q --scope -p MemoryMax="${mib}M" \
		    -p MemorySwapMax=0 "$@"
	}
else
	echo 'no memory cgroup can be made here: neither version 1 nor' \
	    'systemd-run' >&2
	exit 77
fi

# forget FILE: its pages belong to who reads them next
forget() {
	dd of="$1" oflag=nocache conv=notrunc,fdatasync count=0 status=none
}

# run NAME GEN-ARGUMENTS
run() {
	local name=$1 TIMEFORMAT='%R %U %S'
	shift
	[ ! -e f ] || forget f
	{ time "$gen" "$@" 2>/dev/null |
	    limited "$urlseen" -f f -n "$n" -p 0.01 --stats=json -o out \
		2>stats; } 2>cost
	awk -v name="$name" -v lines="$1" -v peak="$(cat \
	    "$group/memory.max_usage_in_bytes" 2>/dev/null || echo 0)" '
		{ printf "%-26s %7.1f s %6.2f M lines/s %7.1f CPU s", name,
		    $1, lines / $1 / 1e6, $2 + $3
		if (peak > 0) printf " %5d MiB", peak / 1048576
		print "" }' cost
	rm -f out
}

echo "$lines lines, a filter for $n, $mib MiB; time with the generator," \
    "opening and closing:"
run 'all new, a new file' "$lines" 1 0
run 'all new' "$lines" 1 0 "$lines"
run 'six of ten seen' "$lines" 1 600 $((2 * lines))
run 'all seen' "$lines" 1 0
stat -c 'the file: %s bytes' f
