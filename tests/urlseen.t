#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# urlseen(1) as its users meet it: every option and sentence of the manual.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
cd "$T" || exit 1

# u ARGS...: run on standard input, output and errors kept apart
u() {
	rc=0
	"$urlseen" "$@" >out 2>err || rc=$?
}

# --- lines in, lines out

got=$(printf '%s\n' http://a/1 http://a/2 http://a/1 http://a/3 | $urlseen)
is "$got" "$(printf '%s\n' http://a/1 http://a/2 http://a/3)" \
    'the first of each is printed, in order'

printf '%s\n' 'HTTP://Example.COM:80/a/./b/../c#x' 'http://example.com/a/c' \
    'http://example.com/%7euser' 'http://example.com/~user' \
    'http://example.com' 'http://example.com/' >spell
is "$($urlseen <spell)" "$(printf '%s\n' \
    'HTTP://Example.COM:80/a/./b/../c#x' 'http://example.com/%7euser' \
    'http://example.com')" 'equal spellings: the first is printed, unchanged'
is "$($urlseen -N <spell)" "$(printf '%s\n' http://example.com/a/c \
    'http://example.com/~user' http://example.com/)" \
    '-N prints the normal form'
is "$($urlseen -N <spell | $urlseen -N)" "$($urlseen -N <spell)" \
    'the normal form is its own normal form'
is "$($urlseen -d <spell)" "$(printf '%s\n' 'http://example.com/a/c' \
    'http://example.com/~user' 'http://example.com/')" \
    '-d prints the seen ones'
printf 'http://a/%%2Fb\nhttp://a//b\nhttp://a/%%2fb\n' >enc
is "$($urlseen -N <enc)" "$(printf 'http://a/%%2Fb\nhttp://a//b\n')" \
    '%2F is never decoded'

got=$(printf 'http://a/1\r\nhttp://a/1\n' | $urlseen | od -An -c | tr -d ' \n')
is "$got" 'http://a/1\r\n' 'a trailing CR is no part of the key, but printed'
got=$(printf 'http://a/1\nhttp://a/2' | $urlseen | tail -c 11 | od -An -c |
    tr -d ' \n')
is "$got" 'http://a/2\n' 'an unterminated last line counts'
got=$(printf 'http://a/1' >one; printf 'http://a/2\n' >two
    $urlseen one two)
is "$got" "$(printf 'http://a/1\nhttp://a/2\n')" \
    'the last line of one file is not glued to the next file'
is "$(printf 'http://a/3\n' | $urlseen one - two)" \
    "$(printf 'http://a/1\nhttp://a/3\nhttp://a/2\n')" '- is standard input'
is "$($urlseen </dev/null)" '' 'empty input, empty output'

# --- closed descriptors: no file may take their numbers

rc=0
timeout 20 "$urlseen" <&- >out 2>err || rc=$?
is "$rc:$(cat err)" '2:urlseen: (standard input): Bad file descriptor' \
    'without a standard input'
rc=0
"$urlseen" -f closed.filter spell >&- 2>err || rc=$?
is "$rc:$(cat err)" '2:urlseen: standard output: Bad file descriptor' \
    'without a standard output'
echo 'no URL' >odd
"$urlseen" -o out -f closed.filter odd spell 2>&-
is "$(wc -l <out):$(grep -c urlseen: closed.filter)" 3:0 \
    'without a standard error nothing is said, least of all in the filter'

# --- the filter file

u -f s.filter <spell
is "$rc:$(wc -l <out):$(cat err)" 0:3: '-f makes the filter'
u -f s.filter <spell
is "$rc:$(wc -c <out):$(cat err)" 0:0: 'a second run prints nothing, status 0'
u -f s.filter -d <spell
is "$(wc -l <out)" 6 'and all of it with -d'
cp s.filter before
printf 'http://new/\nhttp://new/\nhttp://example.com/\n' >more
u -f s.filter --dry-run <more
is "$rc:$(cat out)" 0:http://new/ '--dry-run prints what would be printed'
cmp -s s.filter before
ok $? '--dry-run leaves the file as it was'
u -f absent.filter --dry-run <more
is "$rc:$(wc -l <out)" 0:2 '--dry-run without a file'
ok "$([ ! -e absent.filter ]; echo $?)" 'makes none'
u -f s.filter --load <more
is "$rc:$(wc -c <out)" 0:0 '--load prints nothing'
u -f s.filter <more
is "$rc:$(wc -c <out)" 0:0 'and adds everything'

fails 2 'another capacity than the file has' $urlseen -f s.filter -n 5
like "$err" '10000000.*5' 'names both capacities'
fails 2 'another rate' $urlseen -f s.filter -p 0.5
like "$err" '0\.001.*0\.5' 'names both rates'
fails 2 'another kind' $urlseen -f s.filter -K bloom
like "$err" 'blocked.*bloom' 'names both kinds'
fails 2 'other rules' $urlseen -f s.filter -R strip-www
like "$err" 'none.*strip-www' 'names both sets of rules'
fails 2 'another seed' $urlseen -f s.filter --seed=1
fails 2 'raw lines in a filter of URLs' $urlseen -f s.filter -r
u -f s.filter -n 10M -p 0.001 -K blocked <more
is "$rc" 0 'what agrees may be given'
for kind in blocked bloom counting cuckoo exact; do
	u -f k.$kind -K $kind -n 1000 <spell
	is "$rc:$(wc -l <out)" 0:3 "-K $kind: first run"
	u -f k.$kind <spell
	is "$rc:$(wc -l <out)" 0:0 "-K $kind: second run"
	u -K $kind <spell
	is "$rc:$(wc -l <out)" 0:3 "-K $kind without a file"
	u --verify -f k.$kind </dev/null
	is "$rc" 0 "--verify of $kind"
	u --info --stats=json -f k.$kind </dev/null
	if command -v jq >/dev/null; then
		fields='[.kind,.capacity,.fp_rate,.count,.clean] | @csv'
		is "$(jq -r "$fields" out)" \
		    "\"$kind\",1000,0.001,3,true" "--info of $kind as JSON"
		is "$(jq -r 'keys_unsorted | join(" ")' out)" \
"kind capacity fp_rate count bits k layers fill estimated_fp_rate bytes seed\
 rules clean format" '--info names every field'
	fi
done
u --info -f k.bloom </dev/null
like "$(cat out)" '^k +10$' '--info as text'
dd if=/dev/urandom of=k.bloom bs=1 seek=2097160 count=8 conv=notrunc 2>/dev/null
fails 1 '--verify of damaged data' $urlseen --verify -f k.bloom
printf 'http://x/\n' >text
fails 2 'a foreign file is no filter' $urlseen -f text
is "$(cat text)" http://x/ 'and stays as it was'
: >empty
fails 2 'an empty file is no filter' $urlseen -f empty
head -c 3000 k.blocked >short
fails 2 'a short file is damaged' $urlseen -f short
fails 2 '--info of no file' $urlseen --info -f nofile
ok "$([ ! -e nofile ]; echo $?)" 'makes none'
fails 2 'a filter in no folder' $urlseen -f no/such/filter
mkdir dir
fails 2 'a folder is no filter' $urlseen -f dir

# --- the lock

mkfifo hold
$urlseen -f s.filter <hold >/dev/null &
holder=$!
exec 9>hold
sleep 0.3
fails 2 'a filter in use is refused' $urlseen -f s.filter
like "$err" 'lock.*-w' 'and the way to wait is named'
printf 'http://waited/\n' | $urlseen -w -f s.filter >waited 9>&- &
waiter=$!
sleep 0.3
is "$(cat waited)" '' '-w waits'
exec 9>&-
wait $holder
wait $waiter
is "$?:$(cat waited)" 0:http://waited/ 'and goes on when the lock is free'

printf '%s\n' http://a/ 'not a url' ftp://a/ http://b/ >bad
for also in '-o both' '-o ./both' "--rejects=$T/both"; do
	# shellcheck disable=SC2086 # an option and its value
	u -f both $also bad
	is "$rc:$(wc -l <err)$([ -e both ] || echo none)" 2:1none \
	    "-f both $also is refused before the file is made"
done
u -f both -o both bad
like "$(cat err)" 'both is output and filter at once' 'and why'

u -p 1e-18 bad
is "$rc:$(wc -l <err)" 2:1 'a rate that no filter has is one line'
like "$(cat err)" 'a rate of 1e-18 is beyond' 'that names the rate alone'

# --- lines that are no URL

u bad
is "$rc:$(cat out)" "0:$(printf 'http://a/\nhttp://b/\n')" \
    'invalid lines are dropped'
is "$(wc -l <err)" 1 'one line says so'
like "$(cat err)" '2 invalid lines.*bad:2:' 'how many, and the first one'
u -q bad
is "$(cat err)" '' '-q says nothing'
u --invalid=pass bad
is "$rc:$(cat out)" "0:$(cat bad)" '--invalid=pass lets them through'
u --invalid=fail bad
is "$rc:$(cat out):$(wc -l <err)" 2:http://a/:1 '--invalid=fail stops there'
like "$(cat err)" 'bad:2:' 'and says where'
u -f f.filter --invalid=fail bad
u -f f.filter --invalid=drop bad
is "$(cat out)" http://b/ 'what came before it is remembered, the rest is not'
u --rejects=rej bad
is "$(cat rej)" "$(printf 'not a url\nftp://a/\n')" '--rejects keeps them'
rc=0
"$urlseen" --rejects=both bad >both 2>err || rc=$?
is "$rc:$(wc -l <err):$(wc -c <both)" 2:1:0 \
    '--rejects may not be the file that standard output is'
printf '\n\nhttp://a/\n' | $urlseen >out 2>err
like "$(cat err)" '2 invalid.*\(standard input\):1' 'an empty line is no URL'
{ head -c 70000 /dev/zero | tr '\0' x; echo; echo http://a/; } >long
u long
is "$rc:$(cat out)" 0:http://a/ 'a line over 64 KiB is invalid'
u --invalid=pass long
cmp -s out long
ok $? 'and let through whole by --invalid=pass'
{ printf 'http://a/'; head -c 300000 /dev/zero | tr '\0' x; echo
  echo http://a/; printf 'y'; head -c 400000 /dev/zero | tr '\0' y; } >longer
u --rejects=rej longer
is "$rc:$(cat out)" 0:http://a/ 'so is one beyond every buffer'
like "$(cat err)" '2 invalid lines' 'and counts once'
is "$(wc -c <rej)" "$((300010 + 400002))" '--rejects takes it whole'
{ printf 'http://a/'; head -c 65527 /dev/zero | tr '\0' x; echo; } >max
u max
is "$(wc -c <out)" 65537 'a line of exactly 64 KiB is a line'

# --- what is the key

printf 'http://A/\nhttp://a/\nx y\nx y\n' | $urlseen -r >out
is "$(cat out)" "$(printf 'http://A/\nhttp://a/\nx y\n')" '-r compares bytes'
printf '\377\376\n\377\376\n\n\n' | $urlseen -r | od -An -tx1 >out
is "$(tr -d ' \n' <out)" fffe0a0a '-r takes any bytes, and empty lines'
printf '1\thttp://a/\tx\n2\thttp://A/\ty\n3\n' >tab
u -k 2 tab
is "$(cat out)" "$(printf '1\thttp://a/\tx')" '-k takes the Nth field'
like "$(cat err)" '1 invalid.*tab:3' 'a line without it is invalid'
printf 'a,http://a/\nb,http://a/#x\r\n' | $urlseen -t , -k 2 >out
is "$(cat out)" a,http://a/ '-t separates fields'
printf 'http://a/\0http://b/\nc\0http://a/\0' | $urlseen -z | od -An -c |
    tr -d ' \n' >out
is "$(cat out)" 'http://a/\0http://b/\nc\0' '-z: lines end in NUL'
printf 'http://a/\0http://a/\0' | $urlseen -0 | od -An -c | tr -d ' \n' >out
is "$(cat out)" 'http://a/\0' '-0 too'
printf '/x\n../y\nhttp://h/x\n?q\n//g/z\n' |
    $urlseen -N -b http://h/a/b >out
is "$(cat out)" "$(printf '%s\n' http://h/x http://h/y 'http://h/a/b?q' \
    http://g/z)" '-b resolves relative lines'
printf 'example.com/a\nhttps://example.com/a\nexample.com:8080/b\n' |
    $urlseen -N --default-scheme=https >out
is "$(cat out)" "$(printf '%s\n' https://example.com/a \
    https://example.com:8080/b)" '--default-scheme'
printf '%s\n' 'http://www.a.org/b?y=2&x=1' 'http://a.org/b?x=1&y=2' >rules
is "$($urlseen -N -R sort-query,strip-www rules)" 'http://a.org/b?x=1&y=2' \
    '-R adds rules'
is "$($urlseen -R sort-query,strip-www rules)" 'http://www.a.org/b?y=2&x=1' \
    'which never change the line that is printed'
u -f r.filter -R strip-www rules
u -f r.filter rules
is "$rc:$(wc -c <out)" 0:0 'rules not given come from the file'
u --rules=help
for rule in keep-fragment sort-query strip-params strip-session \
    drop-empty-query drop-userinfo merge-slashes strip-slash strip-index \
    strip-www fold-scheme; do
	like "$(cat out)" "^$rule +[^ ]" "--rules=help explains $rule"
done

# --- output

u -o o.out spell
is "$rc:$(wc -c <out):$(wc -l <o.out)" 0:0:3 '-o writes to a file'
printf 'torn' >torn
$urlseen spell >>torn
is "$(head -n 1 torn)" torn 'nothing is glued to a torn line'
fails 2 'output is not input' $urlseen -o spell spell
is "$(wc -l <spell)" 6 'and is left whole'
fails 2 'output is not the filter' $urlseen -o s.filter -f s.filter spell
fails 2 'output in no folder' $urlseen -o no/such spell
$urlseen --line-buffered spell >out
is "$(wc -l <out)" 3 '--line-buffered'
$urlseen --sync -f y.filter spell >out
is "$(wc -l <out):$($urlseen --sync -f y.filter spell)" 3: '--sync'
mkfifo in outp
$urlseen <in >outp 2>/dev/null &
live=$!
exec 8>in 7<outp
printf 'http://live/\n' >&8
read -r line <&7
is "$line" http://live/ 'a line into a live pipe comes out at once'
printf 'http://li' >&8
sleep 0.1
printf 've/2\n' >&8
read -r line <&7
is "$line" http://live/2 'one that comes in pieces, too'
exec 8>&- 7<&-
wait $live
seq -f 'http://h/%.0f' 200000 >many
for j in 1 2 3 7; do
	$urlseen -j $j many many >out
	cmp -s out many
	ok $? "order is kept with -j $j"
done
seq 300000 | sed 's/.*/\n/' | $urlseen -r -j 4 >out
is "$(wc -l <out)" 1 'the same line over all threads is printed once'

# --- reports

u --stats spell
like "$(cat err)" '6 lines, 3 new, 3 seen, 0 invalid' '--stats'
u --stats=json -f s2.filter bad
if command -v jq >/dev/null; then
	is "$(tail -n 1 err | jq -r '[.lines,.new,.seen,.invalid] | @csv')" \
	    4,2,0,2 '--stats=json'
fi
u --progress many
is "$(cat err)" '' '--progress is for terminals only'
u --help
is "$rc:$(cat err)" 0: '--help is on stdout, status 0'
like "$(awk 'length > 80' out)" '^$' '--help is 80 columns wide'
for o in filter capacity fp-rate kind repeated dry-run load normalized raw \
    rules base field field-separator zero-terminated default-scheme output \
    invalid rejects threads no-grow wait sync line-buffered stats quiet \
    progress seed info verify delete repair merge plan; do
	like "$(cat out)" "--$o" "--help names --$o"
done
u --version
like "$rc:$(cat out)" '^0:urlseen [0-9]' '--version'
seq -f 'http://h/%.0f' 3000 >over
u -n 1000 --no-grow over
is "$rc:$(wc -l <err)" 0:1 '--no-grow warns once past the capacity'
like "$(cat err)" 'rate is' 'and shows the real rate'

# --- mistakes: one line that says what would be right, status 2

while IFS='|' read -r pattern args; do
	# shellcheck disable=SC2086 # a list of words
	fails 2 "urlseen $args" $urlseen $args
	like "$err" "$pattern" "says $pattern"
done <<'ROWS'
did you mean --repeated|--repaeted
--help|--nonesuch
--help|-Q
whole number|-n 0
whole number|-n x
whole number|-n -5
between 0 and 1|-p 0
between 0 and 1|-p 1
between 0 and 1|-p nan
blocked|-K fancy
did you mean 'strip-www'|-R strip-wwww
--rules=help|-R quark
needs an argument|-n
takes no argument|--load=1
drop, pass or fail|--invalid=maybe
json|--stats=xml
http or https|--default-scheme=ftp
absolute|-b /relative
whole number|-k 0
one byte|-k 1 -t ab
-k N|-t ,
goes without|--load -d
give one of them|--load --dry-run
goes without|-r -N
goes without|-r -R sort-query
goes without|-r -b http://a/
give -f|--info
give -f|--verify
No such file|nonesuch
directory|/
-n N|--no-grow
whole number|-j 0
beyond|-n 9000T
beyond|-n 1e15 -p 1e-300
ROWS

# r-oneline: a name with a newline made two lines of the message
fails 2 "a name with a newline: one line" "$urlseen" "no
file"
is "$err" "urlseen: no?file: No such file or directory" "that shows it as ?"
done_testing
