#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A newcomer's first five minutes, in a clone of this tree:
#
#	tests/newcomer.sh [CLONE]	(a temporary folder), needs git
#
# ./bootstrap demo, whose lines are compared with tests/data/demo.txt, then
# the two tours and the recipes of README.md, as tests/readme.t runs them.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/session.sh"
clone=${1-$T/clone}

# Elsewhere than in a repository the tree as it is becomes one.
if [ -e "$top_srcdir/.git" ]; then
	git -c safe.directory='*' clone -q "$top_srcdir" "$clone"
else
	cp -R "$top_srcdir" "$T/origin"
	(
		cd "$T/origin" && git init -q && git add -A &&
		    git -c user.name=x -c user.email=x@example.com \
			commit -q -m x
	) && git clone -q "$T/origin" "$clone"
fi
ok $? 'git clone'
cd "$clone" || exit 2
./bootstrap demo >"$T/out" 2>&1
ok $? './bootstrap demo'
[ "$tap_failed" -eq 0 ] || tail -n 20 "$T/out" | sed 's/^/# /'

# What it prints once it is built.
sed -n "/^One URL in several/,\$p" "$T/out" | grep -v Killed >"$T/demo"
session_same "$T/demo" tests/data/demo.txt numbers
ok $? 'each line of it is as it should be'
git status --porcelain --untracked-files=normal >"$T/status"
is "$(cat "$T/status")" '' 'git calls none of what was built new'

top_builddir=$clone top_srcdir=$clone sh tests/readme.t >"$T/tour"
ok $? "README's tours and recipes, $(grep -c '^ok' "$T/tour") of them well"
like "$(cat "$T/tour")" '^ok .* lines$' 'none is skipped as a whole'
grep -B 2 '^not ok' "$T/tour" | sed 's/^/# /'
done_testing
