#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Software that is not ours: nginx serves the HTML of Debian's python3-doc,
# and crawl asks it for what `wget2 -r' asks for.  Two things wget2 has beyond
# ours, and no more: it reads style sheets, and it follows each link element,
# whatever its type.  (On other trees it also takes "a//b" for "a/b", and
# spells "+" and "@" in a path as %2B and %40.)
# shellcheck disable=SC1091,SC2154

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"

crawl=$top_builddir/crawl
PATH=$PATH:/usr/sbin
for tool in nginx wget2; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
for root in /usr/share/doc/python3*/html ''; do
	[ ! -f "$root/index.html" ] || break
done
[ -n "$root" ] || skip_all "there is no python3-doc"
root=$(readlink -f "$root")
case $top_builddir in
/*) ;;
*) crawl=$PWD/$crawl ;;
esac
cd "$T" || exit 2

# ---- a server on a port that nobody has

nginx_pid=
nginx_stop() {
	[ -z "$nginx_pid" ] || {
		kill "$nginx_pid" && wait "$nginx_pid"
	}
	nginx_pid=
}
trap 'nginx_stop; rm -rf "$T"' EXIT

user=
[ "$(id -u)" -ne 0 ] || user='user root;'
mkdir temp
cat >mime.types <<'END'
types {
	text/html html;
	text/css css;
	text/plain txt;
	text/javascript js;
	image/png png;
	image/svg+xml svg;
}
END
write_conf() {
	cat >conf <<END
daemon off; worker_processes 1; $user
pid $T/pid; error_log $T/errors;
events {}
http {
	include $T/mime.types; default_type application/octet-stream;
	client_body_temp_path $T/temp; proxy_temp_path $T/temp;
	fastcgi_temp_path $T/temp; uwsgi_temp_path $T/temp;
	scgi_temp_path $T/temp;
	log_format ours '\$status \$request_uri \$http_user_agent';
	access_log $T/log ours;
	gzip on; gzip_types text/css;
	server { listen 127.0.0.1:$port; root $root; }
$tls
}
END
}

# A second server for HTTP/2, which takes no cleartext from us.
tls=
tls_conf() {
	tls="	log_format second '\$server_protocol \$connection \$request_uri';
	server {
		listen 127.0.0.1:$((port + 1)) ssl http2; root $root;
		ssl_certificate $T/cert; ssl_certificate_key $T/key;
		access_log $T/log2 second;
	}"
}
if command -v openssl >/dev/null && nginx -V 2>&1 | grep -q http_v2_module &&
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
	-addext subjectAltName=IP:127.0.0.1 -keyout key -out cert \
	>openssl.out 2>&1; then
	secure=1
else
	secure=0
fi

# 1 if it does not start here
nginx_start() {
	write_conf
	nginx -e "$T/errors" -c "$T/conf" >nginx.out 2>&1 &
	nginx_pid=$!
	tries=0
	until [ -s pid ]; do
		tries=$((tries + 1))
		if [ $tries -eq 200 ] || ! kill -0 $nginx_pid 2>/dev/null; then
			nginx_stop 2>/dev/null
			return 1
		fi
		sleep 0.02
	done
}

for attempt in 1 2 3 4 5; do
	port=$((20000 + ($$ * 10 + attempt * 2) % 12000))
	[ $secure -eq 0 ] || tls_conf
	! nginx_start || break
done
[ -n "$nginx_pid" ] || {
	sed 's/^/# /' nginx.out errors
	skip_all "nginx does not start"
}

# ---- the same tree, twice

echo "http://127.0.0.1:$port/" >seed
"$crawl" --allow-private --delay=0 --per-host=4 --embeds=yes --nofollow=ignore \
    --pages=2000 seed >lines 2>err
is $? 0 "crawl is content"
mkdir copy
(cd copy && wget2 -q -r -l inf "http://127.0.0.1:$port/" -o /dev/null)

# ---- HTTP/2: many requests at once, one connection ----

base=https://127.0.0.1:$((port + 1))
if [ $secure -eq 1 ]; then
	"$crawl" --allow-private --delay=0 --per-host=4 --cacert="$T/cert" \
	    --pages=100 -d h2 $base/library/ 2>err2 >lines2
	is "$? $(cut -f1 lines2 | sort | uniq -c | tr -s ' ')" '0  100 200' \
	    "100 pages by HTTPS"
	is "$(cut -d ' ' -f1 log2 | sort -u)" HTTP/2.0 "all of them by HTTP/2"
	[ "$(cut -d ' ' -f2 log2 | sort -u | wc -l)" -le 4 ]
	ok $? "on $(cut -d ' ' -f2 log2 | sort -u | wc -l) connections"
	"$crawl" --allow-private --delay=0 --retries=0 -d h3 $base/ \
	    2>err2 >lines2
	is "$?" 1 "not where the certificate is nobody's"
else
	skip "HTTP/2" "no openssl, or nginx lacks the module"
fi

nginx_stop
awk '$3 ~ /^crawl/ { print $2 }' log | LC_ALL=C sort >ours.all
awk '$3 ~ /^[Ww]get/ { print $2 }' log | LC_ALL=C sort -u >theirs
LC_ALL=C sort -u ours.all >ours

is "$(awk '$3 ~ /^crawl/ { print $2; exit }' log)" /robots.txt \
    "robots.txt comes first"
is "$(uniq -d ours.all)" "" "nothing is fetched twice"
[ "$(wc -l <ours)" -gt 100 ]
ok $? "$(wc -l <ours) URLs of $root"
is "$(LC_ALL=C comm -23 ours theirs)" "" "wget2 knows each of them"
is "$(wc -l <lines)" "$(grep -vxc /robots.txt ours)" "each has a line"

# what a style sheet names, or a link element of a type that leads nowhere
find "$root" -name '*.css' -exec cat {} + >sheets
tr '\n' ' ' <"$root/index.html" | grep -o '<link[^>]*>' | sort -u >elements
idle='search|help|author|up|home|license'
LC_ALL=C comm -13 ours theirs | while read -r url; do
	name=${url##*/}
	grep -Fq "$name" sheets ||
	    grep -F "$name" elements | grep -Eq "rel=\"($idle)\"" ||
	    echo "$url"
done >missed
is "$(cat missed)" "" "what else wget2 fetches is no link to us"
awk '$3 ~ /^[Ww]get/ && $1 == 404 { print $2 }' log |
    LC_ALL=C sort -u >gone
awk '$3 ~ /^crawl/ && $1 >= 400 { print $2 }' log | LC_ALL=C sort -u >failed
is "$(LC_ALL=C comm -23 failed gone)" "" "what is not there is so for both"

done_testing
