#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# No page of the test webs is taken for a trap.

: "${top_builddir=.}"
bin=$top_builddir/tests
run=0
bad=0

for web in '--hosts=40 --pages=6000' '--hosts=1 --pages=2000' \
    '--profile=hostile --hosts=30 --pages=1000 --seeds=30 --embeds=yes'; do
	run=$((run + 1))
	# $web is to be split
	lost=$("$bin/testweb" $web --truth | "$bin/show-traps") || exit 2
	n=$("$bin/testweb" $web --truth | wc -l)
	name="of $((n)) pages of $web none is refused or deferred"
	if [ -z "$lost" ] && [ "$n" -gt 100 ]; then
		echo "ok $run - $name"
	else
		bad=1
		echo "not ok $run - $name"
		printf '%s\n' "$lost" | sed 's/^/# /' | head -20
	fi
done
run=$((run + 1))
lost=$(seq -f 'http://a/t/calendar/2000/%.0f' 1 2000 | "$bin/show-traps" |
    wc -l)
if [ "$lost" -eq 1000 ]; then
	echo "ok $run - a calendar is seen for what it is"
else
	bad=1
	echo "not ok $run - a calendar is seen for what it is ($lost)"
fi
echo "1..$run"
exit $bad
