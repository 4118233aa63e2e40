#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What urlseen does with whole filters: deleting from them, merging them,
# planning them, and taking one that a crash of the system left.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
data=$(cd "$top_srcdir/tests/data/filter" && pwd)
top_builddir=$(cd "$top_builddir" && pwd)
urlseen=$top_builddir/urlseen
cd "$T" || exit 1

u() {
	rc=0
	"$urlseen" "$@" >out 2>err </dev/null || rc=$?
}

# info FILE FIELD: of --info
info() {
	$urlseen --info -f "$1" | awk -v f="$2" '$1 == f { print $2 }'
}

seq -f 'http://h/%.0f' 1 1000 >a
seq -f 'http://h/%.0f' 501 1500 >b
seq -f 'http://h/%.0f' 501 1000 >both

# --- --delete

for kind in counting cuckoo exact; do
	u -f d.$kind -K $kind -n 2000 -p 1e-9 --load a
	u -f d.$kind --delete b
	is "$rc:$(wc -c <out)" 0:0 "$kind: --delete prints nothing"
	is "$(cat err)" \
    "urlseen: 500 of 1000 URLs were not in d.$kind and were skipped" \
	    "$kind: what is absent is counted"
	is "$(info d.$kind count)" 500 "$kind: the rest is there"
	u -f d.$kind a
	is "$(cat out)" "$(cat both)" "$kind: what was deleted comes again"
	u -f d.$kind --delete -q --stats=json a a b
	if command -v jq >/dev/null; then
		is "$(jq -c '[.lines,.deleted,.absent,.count]' err)" \
		    '[3000,1000,2000,0]' "$kind: --stats of --delete"
	fi
	u --verify -f d.$kind
	is $rc 0 "$kind: verifies"
	u -f d.$kind -j 3 --load a
	u -f d.$kind -j 3 --delete a
	is "$rc:$(cat err):$(info d.$kind count)" 0::0 "$kind: by threads, too"
	printf '%s\n' http://h/1 http://h/2 nonsense http://h/3 >bad
	u -f d.$kind --load bad
	u -f d.$kind --delete --invalid=fail bad
	is "$rc:$(info d.$kind count)" 2:1 \
	    "$kind: what follows an invalid line that ends all stays"
	# HTTP://H:80/3 is the same URL
	echo HTTP://H:80/x/../3 >same
	u -f d.$kind --delete same
	is "$(info d.$kind count)" 0 "$kind: another spelling deletes"
	u -f d.$kind --delete --dry-run same
	is $rc 2 "$kind: --delete --dry-run is refused"
done
for kind in blocked bloom; do
	u -f d.$kind -K $kind -n 2000 --load a
	cp d.$kind before
	fails 2 "$kind: --delete" $urlseen -f d.$kind --delete a
	like "$err" "of kind $kind.*counting, cuckoo or exact" \
	    "$kind: says which kinds can"
	cmp -s before d.$kind
	ok $? "$kind: and changes nothing"
done
fails 2 '--delete without a file' $urlseen --delete a
like "$err" 'give -f' 'asks for it'
fails 2 '--delete from no file' $urlseen -f nofile --delete a
ok "$([ ! -e nofile ]; echo $?)" 'makes none'

# a table that may not grow is full before anything is lost
u -f full -K cuckoo -n 1000 -p 1e-9 --no-grow b
$urlseen -f full --no-grow a >part 2>err
is "$?:$(wc -l <err)" 2:1 'a full cuckoo table ends the run'
like "$(cat err)" 'the filter is full' 'says that it is full'
u -f full -d a b part
is "$(wc -l <out)" "$((1000 + 500 + $(wc -l <part)))" 'and has lost nothing'
u -f grown -K cuckoo -n 100 -p 1e-9 a b
is "$rc:$(wc -l <out):$(info grown layers)" 0:1500:3 'otherwise it grows'

# --- --merge

for kind in blocked bloom exact; do
	for f in a b; do
		u -f $f.$kind -K $kind -n 2000 -p 1e-6 --seed=5 --load $f
	done
	u -f ab.$kind -K $kind -n 2000 -p 1e-6 --seed=5 --load a b
	u --merge -f m.$kind a.$kind b.$kind
	is "$rc:$(cat out err)" 0: "$kind: --merge"
	u -f m.$kind a b
	is "$(wc -l <out)" 0 "$kind: both are there"
	$urlseen --verify -f m.$kind >/dev/null
	ok $? "$kind: verifies"
	n=$(info m.$kind count)
	ok "$([ "$n" -gt 1480 ] && [ "$n" -lt 1520 ]; echo $?)" \
	    "$kind: some 1500 are counted: $n"
	[ $kind = exact ] && continue
	for f in m ab; do
		tail -c +2097153 $f.$kind | cksum >sum.$f
	done
	cmp -s sum.m sum.ab
	ok $? "$kind: the bits are those of one that saw both"
done
u --merge -f a.blocked b.blocked
is "$rc:$($urlseen -f a.blocked b | wc -l)" 0:0 'merging into one that is there'
u -f g1 -n 100 --seed=5 -p 0.5 --load a
u -f g2 -n 100 --seed=5 -p 0.5 </dev/null
u --merge -f g3 g2 g1
is "$rc:$(info g3 layers)" "0:$(info g1 layers)" 'layers are merged, too'
is "$($urlseen -f g3 a | wc -l)" 0 'all of them'
u -f c.blocked -n 2000 -p 1e-6 --seed=5 --load a
seq -f 'http://g/%.0f' 2000 >c
u -f g.blocked -n 2000 -p 1e-6 --seed=5 --load c
fails 2 'too many for the promise' $urlseen --merge -f x c.blocked g.blocked
like "$err" 'rate of .* and 1e-06 is promised' 'says so'
ok "$([ ! -e x ]; echo $?)" 'makes nothing'
cp c.blocked before
fails 2 'nor if one is there' $urlseen --merge -f c.blocked g.blocked
cmp -s before c.blocked
ok $? 'and leaves it as it was'
u -f s.blocked -n 2000 -p 1e-6 --seed=6 </dev/null
fails 2 'another seed' $urlseen --merge -f x c.blocked s.blocked
like "$err" 'c.blocked and s.blocked .*--seed=5 and --seed=6' 'names both'
fails 2 'another kind' $urlseen --merge -f x c.blocked a.bloom
like "$err" 'blocked and -K bloom' 'names both kinds'
fails 2 'counters' $urlseen --merge -f x d.counting d.counting
like "$err" 'cannot be merged' 'cannot be merged'
fails 2 'no filter' $urlseen --merge -f x a
fails 2 'no file' $urlseen --merge -f x nofile
ok "$([ ! -e x ]; echo $?)" 'nothing was made'
is "$(find . -name '*.new.*')" '' 'and nothing is left lying'

# --- --plan

u --plan -n 1M -p 0.01
is "$rc:$(cat err)" 0: '--plan'
is "$(awk '$1 == "bloom" { print $2, $5 }' out)" '9585059 7' \
    'a classic filter for 1e6 at 1 %'
is "$(awk '$1 == "bloom" { print $7, $8, $9 }' out)" '0.01 0.157 0.995' \
    'its rates at 1, 2 and 10 times'
is "$(awk 'NR > 1 { printf "%s ", $1 }' out)" \
    'blocked bloom counting cuckoo exact ' 'has a row for each kind'
for kind in blocked bloom counting cuckoo exact; do
	u --plan -n 10k -p 1e-4
	want=$(awk -v k=$kind '$1 == k { print $4 }' out)
	bits=$(awk -v k=$kind '$1 == k { print $2 }' out)
	u -f size.$kind -K $kind -n 10k -p 1e-4
	is "$(wc -c <size.$kind)" "$want" "$kind: the file is as planned"
	is "$(info size.$kind bits)" "$bits" "$kind: and has the bits"
done
# 2e5 lines, no two alike: what is lost is what was planned, or a little less,
# as lines are looked up some thousands at a time
seq -f 'http://plan.example/%.0f' 200000 >distinct
for kind in blocked bloom cuckoo; do
	u --plan -n 200000 -p 0.05
	want=$(awk -v k=$kind '$1 == k { print $10 / 1e6 * 200000 }' out)
	u -n 200000 -p 0.05 -K $kind --no-grow distinct
	lost=$((200000 - $(wc -l <out)))
	awk -v w="$want" -v l=$lost \
	    'BEGIN { exit !(l > w / 2 && l < w + 5 * sqrt(w)) }'
	ok $? "$kind: $lost lost as it fills, $want by the plan"
done
u --plan -n 1M -p 0.9
is "$(awk '$1 == "bloom" { print ($7 <= 0.9) }' out)" 1 \
    'a rate above a half is kept, too'
if command -v jq >/dev/null; then
	u --plan -n 1M -p 0.01 --stats=json
	is "$(jq -c '[.capacity, (.kinds | map(.kind)), .kinds[1].bits,
	    .kinds[1].k, .kinds[3].rate_2n]' out)" \
'[1000000,["blocked","bloom","counting","cuckoo","exact"],9585059,7,null]' \
	    '--plan as JSON'
fi

# --- --repair

if command -v zstd >/dev/null; then
	zstd -qdc "$data/crashed.zst" >crashed
	cp crashed before
	fails 2 'an exact filter that a crash left' $urlseen -f crashed
	like "$err" 'not closed cleanly before a reboot.*--repair' \
	    'says what would take it'
	cmp -s before crashed
	ok $? 'and leaves it as it was'
	is "$(info crashed clean)" no 'one may look at it'
	u --repair -f crashed a
	is "$rc:$(wc -l <out)" 0:500 '--repair takes it'
	u -f crashed a
	is "$rc:$(wc -l <out):$(info crashed clean)" 0:0:yes 'and it is whole'
fi

# --- mistakes

while IFS='|' read -r pattern args; do
	# shellcheck disable=SC2086 # a list of words
	fails 2 "urlseen $args" $urlseen $args
	like "$err" "$pattern" "says $pattern"
done <<'ROWS'
give one of them|--delete --load -f d.exact
give one of them|--delete --dry-run -f d.exact
goes without|--delete -d -f d.exact
goes without|--delete -N -f d.exact
goes without|--delete -o x -f d.exact
give -f|--merge a.blocked
name them|--merge -f x
goes without|--merge -f x -n 5 a.blocked
goes without|--merge -f x -K bloom a.blocked
give -n|--plan
goes without|--plan -n 5 a
ask for less|--plan -n 1e15 -p 1e-9 -q
give -f|--repair
--verify goes without another mode|--info --verify -f d.exact
--info goes without another mode|--merge -f d.exact --info d.exact
ROWS

done_testing
