#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# crawl's options: what is wrong is one line that says what would be right,
# and nothing that was accepted spoils the state directory.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
crawl=$top_builddir/crawl
nobody=http://127.0.0.1:1/ # where nothing listens
cd "$T" || exit 2

# wrong PATTERN OPTION...: refused with a line that matches, nothing made
wrong() {
	pattern=$1
	shift
	fails 2 "wrong: $pattern" "$crawl" "$@" -d state "$nobody"
	like "$err" "$pattern" "says so"
	[ ! -e state ] || {
		ok 1 "and makes no directory"
		rm -rf state
	}
}

nl='
'
wrong "-A 'x\?E: 1' .*one line" -A "x${nl}E: 1"
wrong "one line without blanks at its ends" -A " x"
wrong "--include 'a\?b' .*one line" "--include=a${nl}b"
wrong "--exclude 'x ' .*blanks at its ends" "--exclude=x "
wrong "-H 'no colon' is wrong: it takes a header line" -H "no colon"
wrong "-H 'Host: x' .*but not Host" -H "Host: x"
wrong "-H 'A: b\?C: d' .*header line" -H "A: b${nl}C: d"
wrong "--proxy 'gopher://x' .*socks5h" --proxy=gopher://x
wrong "^crawl: --cacert=no/such: No such file" --cacert=no/such
mkfifo fifo
mkdir folder
head -c 100000 "$crawl" >garbage
: >empty
for file in fifo folder; do
	wrong "^crawl: --cacert=$file: not a regular file" --cacert=$file
done
for file in garbage empty; do
	wrong "--cacert=$file: there is no certificate .* a PEM file" \
	    --cacert=$file
done
wrong "'\?\[2J'" --scope="$(printf '\033[2J')"

"$crawl" --include=nothing -d state "$nobody" 2>err
is "$?$(cat err)" "2crawl: none of the seeds is let in: --include and \
--exclude refuse them" "seeds that the patterns refuse: status 2 and why"
rm -rf state
printf '%s\n' "${nobody}yes" "${nobody}no" |
    "$crawl" --exclude='no$' --retries=0 -d state - 2>err
is "$?$(grep -c '^crawl: 1 seed is refused by --include or --exclude' err)" \
    11 "one of two: the other is tried, and it is said"
rm -rf state

for host in . .. ...; do
	fails 2 "a host of dots is no folder's name" "$crawl" "http://$host/"
	like "$err" "names no folder: give -d DIR" "and it says so"
done

# ---- an end that is told, also if nothing could be fetched ----

"$crawl" --retries=0 -d state "$nobody" 2>err
is $? 1 "a seed where nobody answers: status 1"
like "$(tail -n 1 err)" "every seed failed" "it says why"
"$crawl" --retries=0 -d state 2>err
is "$?$(cat err)" "1crawl: state: complete already: 0 pages
crawl: state: every seed failed" "so does the next run"
"$crawl" --retries=0 -S any -d state http://127.0.0.1:2/ 2>err
is $? 1 "a further seed that fails, too"
like "$(cat err)" "0 pages in .* complete$" "is a run that tells its end"

is "$("$crawl" --status -d state | sed -n 's/^last snapshot *//p')" 3 \
    "--status knows the snapshot that was written at the end"
is "$(find state/snapshot -name '*.zst' | sort | tail -n 1)" \
    state/snapshot/0000000003.zst "by its number"

"$crawl" -S host -D 3 -d state 2>err
is "$(sed -n 2p err)" "crawl: state: scope, depth: not for links in pages \
fetched before; give another -d DIR to follow these anew" \
    "another scope has nothing left to work on, which is said"
"$crawl" -S host -D 3 -d state 2>err
is "$(grep -c scope err)" 0 "once"
done_testing
