#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# README's lines that begin with "$", typed into one shell, and what it says
# that they print.  Hosts are those of the bundled site, on loopback.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"
. "$top_srcdir/tests/session.sh"
for tool in curl jq make; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
if ! grep -q '^#define HAVE_MICROHTTPD 1' "$top_builddir/config.h"; then
	skip_all 'built without libmicrohttpd'
fi
# The reader's make is not one that a make has started, as ours is: with its
# flags it would name folders, and miss its job server.
unset MAKEFLAGS MFLAGS MAKELEVEL
build=$(cd "$top_builddir" && pwd) source=$(cd "$top_srcdir" && pwd)
bin=$build/tests
cd "$T" || exit 2
mkdir d here here/bin here/tests
session_cut "$source/README.md" d

# Two ports that nobody has.
web_start --site="$source/tests/data/site"
port1=$port first=$web_pid
web_start --site="$source/tests/data/site"
port2=$port
kill "$first"
web_stop

# ---- the folder that the reader is in

web_start --site="$source/tests/data/site"
for f in "$source"/tests/data "$build/tests/testweb"; do
	ln -s "$f" here/tests/
done
ln -s "$source/examples" "$source/README.md" here/
printf 'tests/testweb:\n' >here/Makefile
ln -s "$build/urlseen" here/bin/
# The recipes' site is ours, for all that ask.  Modes take no such option.
for tool in crawl curl; do
	real=$(PATH=$build:$PATH command -v $tool)
	printf '#!/bin/sh\nset -f\n' >here/bin/$tool
	case $tool in
	crawl)
		option=$to
		echo 'case $* in *--export*|*--status*|*--verify*|*seed.txt)' \
		    "exec $real \"\$@\" ;; esac" >>here/bin/crawl
		;;
	curl) option="--noproxy * --connect-to site.test::127.0.0.1:$port" ;;
	esac
	echo "exec $real $option \"\$@\"" >>here/bin/$tool
	chmod +x here/bin/$tool
done
cd here || exit 2
cat >urls.txt <<'END'
http://example.com/
HTTP://EXAMPLE.com:80
http://example.com/a/../#top
http://example.com/caf%C3%A9
http://example.com/café
http://example.com/a%2Fb
http://example.com/a/b
END
cat >list.txt <<'END'
http://site.test/visit.html
http://site.test:80/visit.html
http://site.test/cafe.html
END
echo http://site.test/cafe.html >known.txt
echo www.site.test/tables/ >some.url
cat >items.jsonl <<'END'
{"url":"http://site.test/visit.html"}
{"url":"http://SITE.test/visit.html"}
{"url":"http://site.test/cafe.html"}
END
for path in / /visit.html /#top /visit.html; do
	echo "127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] \"GET $path HTTP/1.1\""
done >access.log
gzip >cdx-00000.gz <<'END'
test,site)/ 20240101000000 {"url": "http://site.test/", "status": "200"}
test,site)/ 20240301000000 {"url": "http://site.test", "status": "200"}
test,site)/a 20240101000000 {"url": "http://site.test/a", "status": "404"}
END

# ---- all of it in one shell, whose output has marks in it

cat >../script <<'END'
until_in() {
	until_tries=0
	until grep -qs -e "$2" "$1" || [ $until_tries -gt 200 ]; do
		until_tries=$((until_tries + 1))
		sleep 0.05
	done
}
END
total=0
while [ -f "../d/cmd$((total + 1))" ]; do
	total=$((total + 1))
	cmd=$(sed "s/8099/$port1/g; s/8098/$port2/g" "../d/cmd$total")
	printf 'echo "@@ %s"\n%s\necho "@= $?"\n' $total "$cmd"
	# somebody types the next line once there is something to see
	case $cmd in
	*testweb*'&') echo 'web=$!; until_in ../all ^port' ;;
	*--http*'&') echo 'until_in ../all "goes on"' ;;
	*'&') echo 'until_in pages.txt visit' ;;
	esac
done >>../script
echo 'kill $web' >>../script
PATH=$T/here/bin:$PATH
timeout 100 sh ../script >../all 2>&1
# what some shells say of a job that was killed is theirs
awk '/^@@ / { n = $2; printf "" >("../d/got" n); next }
    /^@= / { print $2 >("../d/rc" n); next }
    !/Killed/ { print >("../d/got" n) }' ../all

i=0
while [ $i -lt $total ]; do
	i=$((i + 1)) how=exact
	cmd=$(cat "../d/cmd$i")
	name=$(printf %s "$cmd" | tr '#\\\n' '   ' | cut -c 1-60)
	case $cmd in
	*--stats* | *crawl* | *local*/* | *testweb* | wait* | *pages.txt*)
		how=numbers
		;;
	*parallel*)
		command -v parallel >/dev/null || {
			skip "$name" 'there is no parallel'
			continue
		}
		;;
	esac
	session_same "../d/got$i" "../d/want$i" $how && grep -qx 0 "../d/rc$i"
	ok $? "$name"
done

# What they leave.
site=$source/tests/data/site
for f in visit.html cafe.html; do
	cmp -s $f "$site/$f"
	ok $? "$f is as on the server"
done
is "$(cat seeds.txt)" 'http://site.test/
http://site.test/a' 'seeds of an index'
ok "$(urlseen -f c.db --dry-run known.txt | cmp -s - known.txt; echo $?)" \
    'what was deleted is new again'
ok "$([ "$(wc -l <country.tsv)" -gt 20 ]; echo $?)" 'a country'
is "$(cut -f 6 some.tsv | sorted)" 'http://site.test/cafe.html
http://site.test/visit.html' 'a list'
ok "$([ $total -gt 30 ]; echo $?)" "$total lines"
done_testing
