#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Live lines on real terminals of several widths: one line that never wraps,
# is gone at the end, and is not there at all where stderr is no terminal.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/term.sh"
. "$top_srcdir/tests/crawl.sh"
trap 'term_end; web_stop; rm -rf "$T"' EXIT
top_builddir=$(cd "$top_builddir" && pwd)
bin=$top_builddir/tests
PATH=$top_builddir:$PATH
export PATH
cd "$T" || exit 2

# one_line NAME: the screen has nothing but the line, and no escapes
one_line() {
	is "$(printf '%s\n' "$screen" | grep -c .)" 1 "$1: one line"
	wide=$(printf '%s\n' "$screen" | awk '{ if (length > n) n = length }
	    END { print n + 0 }')
	ok "$([ "$wide" -lt "$term_columns" ]; echo $?)" \
	    "$1: $wide of $term_columns columns"
}

# ---- urlseen, which waits for its input ----

mkfifo in
for width in 40 80 200; do
	term_start $width sh -c \
	    'clear; urlseen --progress <in >out; echo; echo END; cat'
	exec 3>in
	i=0
	while [ $i -lt 30 ]; do
		echo "http://example.com/$width/$i"
		i=$((i + 1))
		[ $i -ne 15 ] || sleep 0.4
	done >&3
	term_wait '[0-9] lines  '
	ok $? "urlseen: its line is there"
	one_line "urlseen at $width"
	exec 3>&-
	term_like '^END' 'urlseen ends'
	is "$(term_screen | grep -c lines)" 0 'and its line is gone'
	is "$(wc -l <out)" 30 'the output has only URLs'
	term_end
done

# Numbers are whole on the narrowest terminal, and nothing wraps.
term_start 1 sh -c 'urlseen --progress <in >out; sleep 1000'
exec 3>in
seq 30 | sed 's,^,http://example.com/,' >&3
sleep 0.4
echo http://example.com/31 >&3
wait_for 31 out
ok $? 'urlseen on one column'
is "$(term_screen | grep -c .)" 0 'shows nothing there'
exec 3>&-
term_end
"$bin/gen-lines" 123456 1 0 2>/dev/null >list
for width in 13 23 31 43; do
	term_start $width sh -c 'urlseen --progress <in >out; cat'
	exec 3>in
	cat list >&3
	sleep 0.3
	echo http://example.com/ >&3
	term_wait '123457 lines'
	case $width in
	13) want='123457 lines' ;;
	23) want='123457 lines  M/s' ;;
	31) want='123457 lines  M/s  0 seen' ;;
	43) want='123457 lines  M/s  123457 new  0 seen' ;;
	esac
	is "$(printf '%s\n' "$screen" | sed '1s/[0-9.]* M/M/;q')" "$want" \
	    "urlseen on $width columns: what has room, whole"
	exec 3>&-
	term_end
done

# On one terminal lines and the live line do not meet.
term_start 100 sh -c 'clear; urlseen --progress <in; echo END; cat'
exec 3>in
for i in 1 2 3 4 5; do
	echo "http://example.com/$i"
	sleep 0.25
done >&3
term_wait '^5 lines  .* 5 new'
ok $? 'urlseen: the line is below the lines'
is "$(printf '%s\n' "$screen" | grep . | sed 's/ lines .*/ lines/')" \
    "$(seq 5 | sed 's,^,http://example.com/,')
5 lines" 'and each of these is one of its own'
exec 3>&-
term_like '^END' 'urlseen ends'
is "$(term_screen | grep .)" "$(seq 5 | sed 's,^,http://example.com/,')
END" 'and the line is gone'
term_end

# A file of known length: how far it is, and what the rate is by now.  The
# output's reader stops half-way, so the line stands still.
"$bin/gen-lines" 200000 1 0 2>/dev/null >list
mkfifo slow
term_start 100 sh -c \
    'clear; urlseen --progress -n 1000 -p 0.01 list >slow; echo; echo END; cat'
exec 3<slow
{
	head -c 2000000
	sleep 0.4
	head -c 2000000
} <&3 >/dev/null
term_like ' seen  [1-9][0-9]?%, [0-9]+ s left  fp rate 0\.01[0-5]*  0 inv' \
    'urlseen: how far in a file, and the false-positive rate'
cat <&3 >/dev/null
exec 3<&-
term_like '^END' 'urlseen ends'
term_end

# In the background the terminal is the shell's, and "dumb" can't erase.
for how in 'set -m; cat <in | urlseen --progress >out & wait' \
    'TERM=dumb urlseen --progress <in >out'; do
	: >out
	term_start 80 sh -c "clear; $how; echo END; cat"
	exec 3>in
	echo http://example.com/ >&3
	wait_for 1 out
	sleep 0.1
	is "$(term_screen | grep -c .)" 0 "no line: $how"
	exec 3>&-
	term_like '^END' 'urlseen ends'
	term_end
done
echo http://example.com/ | urlseen --progress 2>err >out
is "$(cat err out)" http://example.com/ 'no line where stderr is no terminal'

# ---- crawl ----

web='--hosts=5 --pages=2000 --page-bytes=1000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web
}
cp seeds seed.txt
run="crawl $to --delay=0.05 --ip-delay=0 --scope=any --progress"
for width in 40 80 200; do
	term_start $width sh -c "trap : INT; clear
	    $run -d state$width seed.txt >out; echo; echo END; cat"
	term_wait '[1-9][0-9.]* pages/s  [0-9]+ done'
	ok $? "crawl: its line is there"
	one_line "crawl at $width"
	case $width in
	200) like "$screen" 'slowest http.* [0-9]+ s .*GB left  snapshot in ' \
	    'a wide one has all of it' ;;
	esac
	term_keys C-c
	term_like '^END' 'crawl ends'
	is "$(term_screen | grep -c pages/s)" 0 'and its line is gone'
	is "$(grep -c 'pages/s' out)" 0 'none of it in the output'
	term_end
done

# Pages and the line on one terminal: each line begins at the left edge.
term_start 100 sh -c "clear; NO_COLOR=1 $run -d both seed.txt; echo END; cat"
term_wait '^END' & # the screen rolls on meanwhile
sleep 1.5
screen=$(term_screen | grep .)
wait $!
is "$(printf '%s\n' "$screen" | grep -Evc '^(200|404|301|302|-)|pages/s')" 0 \
    'pages stand in lines of their own'
ok "$([ "$(printf '%s\n' "$screen" | grep -c 'pages/s')" -le 1 ]; echo $?)" \
    'the live line is one, if it is there'
is "$(term capture-pane -p -e | grep -c "$(printf '\033')\[[0-9;]*m")" 0 \
    'no colours'
term_end
$run --pages=20 -d piped seed.txt >out 2>err
is "$(grep -c "$(printf '\r')" err out | tr '\n' ' ')" 'err:0 out:0 ' \
    'no line where stderr is no terminal'
done_testing
