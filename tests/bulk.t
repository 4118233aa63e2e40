#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# --memory: a filter larger than it may be, in sorted batches.  The same lines
# come out in the same order, nothing is remembered before it was written, and
# a live pipe gets its lines.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
top_builddir=$(cd "$top_builddir" && pwd)
urlseen=$top_builddir/urlseen
cd "$T" || exit 1
LC_ALL=C
export LC_ALL

lines=100000
[ -z "${LONG-}" ] || lines=3000000
"$top_builddir/tests/gen-lines" $lines 7 >list 2>/dev/null
sort -u list >want
head -n 1000 list >few
head -n 30000 list >some
n=$(wc -l <want)

# 4 MiB and more, so that it goes through several windows
make="-n 4M -p 1e-4 --seed=5"

# same NAME OPTION...: with and without --memory, on equal files
same() {
	name=$1
	shift
	$urlseen -q "$@" -f a.filter >a 2>a.err
	echo $? >>a.err
	$urlseen -q "$@" -f b.filter --memory=1M >b 2>b.err
	echo $? >>b.err
	sed 's/[ab][.]filter/filter/' b.err >c.err
	sed 's/[ab][.]filter/filter/' a.err | cmp -s - c.err && cmp -s a b
	ok $? "$kind: $name"
}

# info FILE FIELD: of --info
info() {
	$urlseen --info -f "$1" | awk -v f="$2" '$1 == f { print $2 }'
}

printf '%s\n' 'no url' http://h/1 http://h/2 'HTTP://H:80/1' '' >mixed
for kind in blocked bloom counting cuckoo exact; do
	rm -f a.filter b.filter
	same 'the first lines' -K $kind $make few
	same 'lines seen and not' -K $kind some
	is "$(info a.filter count)" "$(info b.filter count)" \
	    "$kind: and as many are remembered"
	same 'the seen ones' -d few some few
	same 'normalised, invalid ones let through' -N --invalid=pass mixed some
	same 'the same, said by threads' -j 4 -d mixed
	same 'until an invalid one' --invalid=fail few mixed few
	$urlseen --verify -f b.filter >/dev/null
	ok $? "$kind: the filter verifies"
	cp b.filter before
	same 'a dry run' --dry-run -d mixed some
	cmp -s b.filter before
	ok $? "$kind: which leaves the file alone"
	rm -f a.filter b.filter
	same 'only loaded' -K $kind $make --load some
	same 'and then seen' -d some
	case $kind in counting | cuckoo | exact)
		same 'deleted' --delete few
		same 'and then new again' some
	esac
done

# it grows under way
kind=blocked
rm -f a.filter b.filter
$urlseen -n 20000 -p 1e-9 -f b.filter --memory=10k list >b
cmp -s b "$($urlseen list >a; echo a)"
ok $? 'a filter that grows meanwhile'
ok "$([ "$(info b.filter layers)" -gt 1 ]; echo $?)" 'by layers'

# without a file
$urlseen $make --memory=1M list | cmp -s - a
ok $? 'without a file of its own'
is "$(find . -name 'urlseen*' | wc -l)" 0 'and none is left behind'

# killed NAME OPTION...: SIGKILL, again and again
killed() {
	name=$1
	shift
	rm -f k.filter
	: >all
	for i in 1 2 3 4 5 6 7 8 9; do
		$urlseen "$@" -f k.filter list >>all &
		pid=$!
		sleep "0.$i"
		kill -9 $pid 2>/dev/null
		wait $pid 2>/dev/null
	done
	$urlseen "$@" -f k.filter list >>all
	sort -u all | comm -23 want - >lost
	is "$(wc -l <lost)" 0 "$name: killed, nothing is swallowed"
	is "$($urlseen "$@" -f k.filter list | wc -l)" 0 \
	    "$name: and all remembered"
	$urlseen --verify -f k.filter >/dev/null
	ok $? "$name: the filter verifies"
}
killed 'a few windows' -p 1e-9 -n 1M --memory=1M
[ -z "${LONG-}" ] || {
	killed 'a hundred windows' -p 1e-6 -n 200M --memory=64M
	killed 'layers' -p 1e-9 -n 1M --memory=1M
}

# readers that go, or take nothing
rm -f k.filter
$urlseen -p 1e-9 -n 1M -f k.filter --memory=1M list | sleep 0.2
$urlseen -f k.filter --memory=1M list >all
sort -u all | cmp -s - want
ok $? 'a reader that took nothing has swallowed nothing'
is "$(wc -l <all)" "$n" 'each once'
if [ -w /dev/full ]; then
	rm -f k.filter
	rc=0
	$urlseen -p 1e-9 -n 1M -f k.filter --memory=1M list \
	    >/dev/full 2>err || rc=$?
	is "$rc:$(wc -l <err)" 2:1 'a full disk is an error'
	is "$($urlseen -f k.filter list | wc -l)" "$n" 'and comes again'
fi

# a live pipe: a line comes out while the next is not yet there
mkfifo in out
rm -f k.filter
$urlseen -p 1e-9 -n 1M -f k.filter --memory=1M <in >out &
pid=$!
exec 6>in 7<out
got=
for i in 1 2 3; do
	seq -f "http://h$i/%.0f" 1 200 >&6
	for j in $(seq 1 200); do
		IFS= read -r line <&7
		[ "$line" = "http://h$i/$j" ] || got="$got $line"
	done
done
is "$got" '' 'a pipe that pauses gives its lines'
sleep 0.3
kill -9 $pid
wait $pid 2>/dev/null
exec 6>&- 7<&-
is "$(info k.filter count)" 600 'and has them remembered'

fails 2 'a size that is none' $urlseen --memory=much
like "$err" 'memory' 'is named'

done_testing
