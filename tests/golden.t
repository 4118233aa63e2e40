#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Filters of every layout, kept for good: what an older version wrote is read,
# and filter-ask, which knows urlseen-filter(5) and nothing else, reads the
# same from them and from what is written today.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
data=$(cd "$top_srcdir/tests/data/filter" && pwd)
top_builddir=$(cd "$top_builddir" && pwd)
urlseen=$top_builddir/urlseen
cd "$T" || exit 1
command -v zstd >/dev/null || skip_all 'zstd is not installed'

seq -f 'http://ghost/%.0f' 20000 >ghosts

# both FILE NAME: filter-ask and the library give the same answers; in $both
both() {
	cat members ghosts | "$top_builddir/tests/filter-ask" "$1" >ask 2>err
	ok $? "$2: filter-ask reads it"
	cat members ghosts | "$top_builddir/tests/filter-probe" "$1" >probe
	cmp -s ask probe
	ok $? "$2: both give the same answers"
	both="$(grep -c /h/ ask):$(grep -c /ghost/ ask)"
}

# info FILE: what the rows of golden.tsv name
info() {
	$urlseen --info -f "$1" | awk '{ v[$1] = $2 } END {
	    print v["kind"], v["capacity"], v["fp_rate"], v["count"],
	    v["bits"], v["k"], v["layers"], v["rules"], v["clean"] }'
}

tab=$(printf '\t')
while IFS=$tab read -r name lines ghosts shown; do
	case $name in '' | \#*) continue ;; esac
	zstd -qdc "$data/$name.zst" >f
	cp f before
	seq -f 'http://h/%.0f' "$lines" >members
	is "$(info f)" "$shown" "$name: its header"
	both f "$name"
	is "$both" "$lines:$ghosts" "$name: as on the day it was written"
	$urlseen --verify -f f >/dev/null
	ok $? "$name: verifies"
	cmp -s f before
	ok $? "$name: looking changes nothing"
	case $shown in *raw*) raw=-r ;; *) raw= ;; esac
	is "$($urlseen $raw -f f members | wc -l)" 0 "$name: prints nothing"
	# and what is added today
	seq -f 'http://h/%.0f' "$((lines * 3))" >members
	$urlseen $raw -f f --load members
	ok $? "$name: takes more"
	both f "$name, larger"
	is "${both%:*}" "$((lines * 3))" "$name: and filter-ask finds it"
done <"$data/golden.tsv"

# what is damaged stays damaged: a patch to a file, and what is said of it
zstd -qdc "$data/split.zst" >whole
while IFS=$tab read -r at bytes status pattern name; do
	case $at in '' | \#*) continue ;; esac
	cp whole f
	for place in $(echo "$at" | tr , ' '); do
		if [ "$bytes" = cut ]; then
			truncate -s "$place" f
		else
			# shellcheck disable=SC2059 # an escape per byte
			printf "$bytes" | dd of=f bs=1 seek="$place" \
			    conv=notrunc 2>/dev/null
		fi
	done
	rc=0
	timeout 10 $urlseen --verify -f f >out 2>err || rc=$?
	is "$rc:$(wc -l <err)" "$status:1" "$name: status $status, one line"
	like "$(cat err)" "$pattern" "$name: says so"
done <"$data/damage.tsv"

done_testing
