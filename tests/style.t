#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What can be checked of the house style without reading: storeys, headers,
# sizes, banned calls, mutable state, layout.  tests/data/style.tsv lists what
# may differ, each with its reason; a line there that is no longer needed is
# an error, too.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
LC_ALL=C
export LC_ALL
top_builddir=$(cd "$top_builddir" && pwd)
cd "$top_srcdir" || exit 1

storeys='snapshot dedup frontier crawler'
product=$(for d in $storeys; do ls "$d"/*.[ch]; done)
code=$(ls ./*/*.[ch] | sed 's,^\./,,')
{
	echo "$code"
	ls ./*.ac ./*.am bootstrap */*.mk */*.py */*.sh */*.t man/*.[15]
	ls .ci/run debian/rules debian/*/* examples/*
} 2>/dev/null | sed 's,^\./,,' >"$T/there"
grep -Ev '^_|^debian/source/|^build-aux/|^tests/unit-[a-z-]*\.t$' \
    "$T/there" >"$T/sources"

# have COMMAND NAME: there, or else the test is skipped
have() {
	command -v "$1" >/dev/null || {
		skip "$2" "no $1"
		return 1
	}
}

# clean RULE NAME: file raw holds a finding "FILE[:LINE]<tab>WHAT" a line; it
# passes if the table allows exactly these
clean() {
	awk -F '\t' -v OFS='\t' -v rule="$1" '
	    { at = $1; sub(/:[0-9]+$/, "", at); key = rule OFS at OFS $2 }
	    NR == FNR { allowed[$1 OFS $2 OFS $3] = $1 == rule; next }
	    key in allowed { allowed[key] = 0; met[key]; next }
	    !(key in met) { print "# " $1, $2 }
	    END { for (k in allowed)
		if (allowed[k])
			print "# no longer so, take it out of style.tsv:", k }
	    ' tests/data/style.tsv "$T/raw" >"$T/wrong"
	ok "$([ ! -s "$T/wrong" ]; echo $?)" "$2"
	sed 40q "$T/wrong"
}

# matches RULE NAME PATTERN FILES: no line has the (awk) pattern, comments
# and texts aside
matches() {
	rule=$1 name=$2 pattern=$3
	shift 3
	awk -v pattern="$pattern" -v OFS='\t' '
	    FNR == 1 { comment = 0 }
	    {
		gsub(/\\./, ""); gsub(/"[^"]*"/, "\"\"")
		gsub(/\/\*([^*]|\*[^\/])*\*\//, "")
		if (comment && !sub(/^.*\*\//, "")) next
		comment = sub(/\/\*.*/, "")
		if (!match($0, pattern)) next
		what = substr($0, RSTART, RLENGTH)
		gsub(/\t/, " ", what)
		print FILENAME ":" FNR, what
	    }' "$@" >"$T/raw"
	clean "$rule" "$name"
}

# ---- storeys

# A folder includes itself and those below, all from the root.
# shellcheck disable=SC2086 # lists of files
awk -v OFS='\t' -v list="$storeys" '
    BEGIN { n = split(list, name, " ")
	for (i = 1; i <= n; i++) height[name[i]] = i }
    /^#[ \t]*include "/ {
	split($0, q, "\""); split(q[2], to, "/"); split(FILENAME, from, "/")
	if (q[2] != "config.h" && !(to[1] in height &&
	    height[to[1]] <= height[from[1]]))
		print FILENAME, q[2]
    }
    /^#[ \t]*include <(curl|libxml|ares)/ && !/^crawler/ {
	if (FILENAME !~ /^crawler/)
		print FILENAME, $2
    }' $product >"$T/raw"
clean storey 'a folder includes itself and those below'

# What a storey's objects ask the system for.
nm -u "$top_builddir/frontier/libfrontier.a" | awk -v OFS='\t' '
    $2 ~ /^(socket|connect|send|recv|poll|epoll_.*|getaddrinfo)$/ ||
    $2 ~ /^(time|gettimeofday|clock_gettime|sleep|nanosleep|usleep)$/ {
	print "frontier", $2 }' >"$T/raw"
clean imports 'the frontier has no socket and no clock'
banned='strcpy|strcat|v?sprintf|gets|ato[ilf]|strtok|alloca|system|popen'
prints='v?printf|puts|putchar|perror|exit|errx?|warnx?'
for a in "$top_builddir"/*/lib*.a; do
	nm -u "$a" | awk -v OFS='\t' -v a="$(basename "$a")" \
	    -v calls="^_*($banned|$prints)(_chk)?\$" '
	    $2 ~ calls && $2 != "_exit" { print a, $2 }'
done >"$T/raw"
clean calls 'libraries neither print, nor exit, nor call what is banned'

if have ldd 'urlseen links nothing of the crawler'; then
	ldd "$top_builddir/urlseen" |
	    awk -v OFS='\t' '/lib(curl|xml2|cares|psl|pcre2|ssl|crypto)/ {
		print "urlseen", $1 }' >"$T/raw"
	clean links 'urlseen links nothing of the crawler'
fi

# ---- headers

# Each compiles alone, and twice.
setting() {
	sed -n "s/^$1 = //p" "$top_builddir/Makefile"
}
mkdir "$T/alone"
n=0
for h in */*.h; do
	printf '#include "%s"\n' config.h "$h" "$h" >"$T/alone/$n.c"
	echo 'extern int not_empty;' >>"$T/alone/$n.c"
	n=$((n + 1))
done
flags=$(for lib in XXHASH IDN2 ZSTD PSL PCRE2 CURL XML2 CARES ZLIB BROTLI \
    CRYPTO; do setting ${lib}_CFLAGS; done)
flags="$flags $(setting WARN_CFLAGS) -Werror -Wno-unused-function"
# shellcheck disable=SC2086 # lists of words
printf '%s\n' "$T"/alone/*.c |
    xargs -P 2 -n 24 ${CC:-$(setting CC)} -fsyntax-only -I"$top_builddir" -I. \
    $flags 2>"$T/alone.err"
rc=$?
grep -q . "$T/alone.err" && rc=1
ok $rc 'each header compiles by itself, and twice'
head -n 20 "$T/alone.err" | sed 's/^/# /'

awk -v OFS='\t' '/^#ifndef [A-Z0-9_]*_H$/ {
	want = toupper(FILENAME); gsub(/[^A-Z0-9]/, "_", want)
	if ($2 != want)
		print FILENAME, $2
    }' */*.h >"$T/raw"
clean guard 'a header is guarded by its name'

# file name = symbol prefix: the first word of a public name is its header's
for a in "$top_builddir"/*/lib*.a; do
	dir=$(basename "$(dirname "$a")")
	nm -g --defined-only "$a" | awk -v OFS='\t' -v dir="$dir" 'NF == 3 {
		split($3, w, "_")
		if ((getline line <(dir "/" w[1] ".h")) <= 0)
			print dir, $3
		close(dir "/" w[1] ".h")
	    }' | grep -v '	_'
done >"$T/raw"
clean prefix 'a public name begins with the name of its header'

# ---- sizes

grep -E '\.([ch]|sh|t)$' "$T/sources" | xargs awk -v OFS='\t' '
    FNR == 1 { if (last > 499) print name ":" last, "long"
	name = FILENAME }
    { last = FNR }
    END { if (last > 499) print name ":" last, "long" }' >"$T/raw"
clean lines 'files have fewer than 500 lines'

# A function is from its name at the left edge to the brace there.
# shellcheck disable=SC2086
awk -v OFS='\t' '/^[a-z_][A-Za-z0-9_]*\(/ { name = $1; sub(/\(.*/, "", name) }
    /^{/ { start = FNR }
    /^}$/ { print FILENAME, name, FNR - start + 1 }' $code >"$T/functions"
awk -F '\t' -v OFS='\t' '$3 > 60 && $1 !~ /^tests\// { print $1, $2 }' \
    "$T/functions" >"$T/raw"
clean long 'functions have no more than 60 lines'
awk -F '\t' -v OFS='\t' '$3 > 100 { print $1, $2 }' "$T/functions" >"$T/raw"
clean verylong 'and those of tests no more than 100'
awk -F '\t' '$3 > 60 { print "# " $3 " lines: " $2 " in " $1 }' \
    "$T/functions"
ok "$([ "$(wc -l <"$T/functions")" -gt 500 ]; echo $?)" \
    "$(wc -l <"$T/functions" | tr -d ' ') functions were measured"

# ---- state

# Read-only tables of pointers lie in .data.rel.ro and are no state.
if grep -q '^SANITIZE_FLAGS = .\|^CFLAGS = .*\(coverage\|-p\b\)' \
    "$top_builddir/Makefile" || [ -n "${FUZZING-}" ]; then
	skip 'nothing static is mutable' 'instrumented build'
elif have objdump 'nothing static is mutable'; then
	for a in "$top_builddir"/*/lib*.a; do
		objdump -t "$a" | awk -v OFS='\t' -v a="$(basename "$a")" '
		    / O (\.t?(data|bss)|\*COM\*)/ && !/ O \.data\.rel\.ro/ {
			print a, $NF }'
	done >"$T/raw"
	clean state 'nothing static is mutable'
fi

# ---- words

# shellcheck disable=SC2086,SC2046
{
matches banned 'no banned calls' \
    "(^|[^a-zA-Z0-9_>.])($banned) ?[(]" $code
matches typedef 'no typedef of a struct, union or enum' \
    'typedef (struct|union|enum)' $code
matches assign 'no assignment inside if' \
    '(^|[^a-z_])if [(](.*[^=!<>])?[]a-z_)0-9] = ' $product
matches limit 'limits stand in snapshot/limits.h' \
    '#[ \t]*define[ \t]+(LIMIT_[A-Z_0-9]+|[A-Z_0-9]+_(MAX|LIMIT))' \
    $(echo "$product" | grep -v '^snapshot/limits.h$')
}

# Nobody is held to a limit that nobody reads.
sed -n 's/^#define \(LIMIT_[A-Z_0-9]*\).*/\1/p' snapshot/limits.h >"$T/limits"
# shellcheck disable=SC2086
awk -v OFS='\t' 'NR == FNR { unread[$1]; next }
    { n = split($0, w, /[^A-Z0-9_]+/)
	for (i = 1; i <= n; i++)
		if (w[i] in unread && $0 !~ "^#define " w[i])
			delete unread[w[i]] }
    END { for (l in unread) print "snapshot/limits.h", l }' \
    "$T/limits" $code >"$T/raw"
clean unread 'each limit is obeyed somewhere'

# What every source begins with, and what none contains; this one has the
# patterns.
while read -r f; do
	head -n 3 "$f" | grep -q 'SPDX-License-Identifier: BSD-2-Clause' ||
	    echo "$f"
done <"$T/sources" >"$T/raw"
clean spdx 'every source names its licence'
grep -v '^tests/style.t$' "$T/sources" >"$T/others"
xargs grep -nE '(^|[^A-Za-z])(TODO|FIXME|XXX)([^A-Za-z]|$)' <"$T/others" |
    awk -F : -v OFS='\t' '{ print $1 ":" $2, "left to do" }' >"$T/raw"
clean todo 'nothing is left to do in comments'
xargs grep -nE '/(home|root|work|Users)/[a-z]' <"$T/others" |
    awk -F : -v OFS='\t' '{ print $1 ":" $2, "path" }' >"$T/raw"
clean path 'no path of one machine'
xargs awk -v OFS='\t' '{ line = $0; gsub(/[\200-\277]/, "", line)
	match(line, /^\t*/)
	if (length(line) + 7 * RLENGTH > 80) print FILENAME ":" FNR, "wide"
	if (/[ \t]$/) print FILENAME ":" FNR, "blank at the end" }' \
    <"$T/sources" | grep -Ev '^[^:]*\.(1|5)' >"$T/raw"
clean wide 'lines of 80 columns without blanks at their ends'

# ---- tools

if have clang-format 'layout'; then
	case $(clang-format --version) in
	*'version 14.'*)
		clang-format --dry-run */*.[ch] 2>&1 |
		    awk -F : -v OFS='\t' '/clang-format-violations/ {
			print $1, "line " $2 }' >"$T/raw"
		clean layout 'clang-format would change nothing'
		;;
	*)
		skip layout 'another clang-format than 14 lays out otherwise'
		;;
	esac
fi
if have mandoc 'manual pages'; then
	# whether what a page refers to is installed here says nothing
	mandoc -T lint -W style man/*.[15] 2>&1 |
	    grep -Ev 'outdated mandoc.db|referenced manual not found' \
	    >"$T/lint"
	ok "$([ ! -s "$T/lint" ]; echo $?)" \
	    'mandoc has nothing to say about the manual pages'
	sed 's/^/# /' "$T/lint"
fi
if have shellcheck 'shell scripts'; then
	grep -E '^bootstrap$|^.ci/run$|\.(sh|t)$' "$T/sources" |
	    xargs shellcheck -e SC2238,SC3013,SC2216 -S warning \
	    >"$T/shellcheck" 2>&1
	ok $? 'shellcheck has no warning'
	head -n 40 "$T/shellcheck" | sed 's/^/# /'
fi
if [ -e .git ] && git rev-parse >/dev/null 2>&1; then
	for f in */local.mk; do
		sed -n "s,%D%,${f%/*},g; s/^[A-Za-z]*_PROGRAMS += //p" "$f"
	done | tr -s ' ' '\n' | while read -r f; do
		git check-ignore -q "$f" || echo "$f	not in .gitignore"
	done >"$T/raw"
	clean ignored 'git ignores the programs that are built'
fi
done_testing
