#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# crawl --verify holds the index of each archive file against the file.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

truth --hosts=2 --pages=20
web_start --hosts=2 --pages=20
cd "$T" || exit 2
cp "$T/seeds" seed.txt

verify() { # its status, and what it says of indexes
	rc=0
	"$crawl" --verify -d seed.crawl >all 2>&1 || rc=$?
	echo "$rc $(grep '\.cdxj: ' all)"
}

for kind in zst gz; do
	rm -rf seed.crawl
	"$crawl" "$to" --delay=0 --ip-delay=0 --scope=any --archive=$kind \
	    -j1 seed.txt >/dev/null 2>err
	is "$?" 0 "$kind: a crawl"
	set -- seed.crawl/archive/*.cdxj
	[ $# -eq 1 ] && [ "$(wc -l <"$1")" -ge 20 ]
	ok $? 'and its index'
	cp "$1" keep
	is "$(verify)" '0 ' '--verify is content'

	sed '3s/"status": "200"/"status": "201"/' keep >"$1"
	cmp -s keep "$1"
	is $? 1 'a digit is another'
	like "$(verify)" "^1 $1: is not the archive file's index: without it" \
	    'which is found'
	sed 3d keep >"$1"
	like "$(verify)" "^1 $1: is not the archive" 'a line is missing'
	sed '3{h;d};4G' keep >"$1"
	like "$(verify)" "^1 $1: damaged: without it" 'two are out of order'
	head -c -1 keep >"$1"
	like "$(verify)" "^1 $1: damaged: without it" 'the last is cut'
	rm "$1"
	mkdir "$1"
	like "$(verify)" "^1 $1: not a regular file" 'it is a folder'
	rmdir "$1"
	is "$(verify)" "0 $1: is not made yet, the next run does it" 'none'
	"$crawl" "$to" seed.txt >/dev/null 2>err
	is "$?" 0 'the next run'
	cmp keep "$1"
	ok $? 'makes the same anew'
done
done_testing
