#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What ./bootstrap would do with each package manager, played by a script that
# writes down how it is called.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
top_srcdir=$(cd "$top_srcdir" && pwd)
cd "$T" || exit 2
cp "$top_srcdir/bootstrap" .
mkdir bin
for tool in sh dirname env tr cat grep; do
	ln -s "$(command -v $tool)" bin/
done
printf '#!/bin/sh\necho 0\n' >bin/id # root
printf '#!/bin/sh\necho here >>%s\nexit 9\n' "$T/calls" >bin/autoreconf
cat >play <<END
#!/bin/sh
case \$1 in
--prefix) echo "/opt/\$2"; exit ;;
info | list | -q) [ "\${*#*zstd}" != "\$*" ]; exit ;;
esac
echo "\$(basename "\$0") \$*" >>$T/calls
END
ln -s "$(command -v basename)" bin/
chmod +x play bin/id bin/autoreconf
for m in dnf apk brew; do
	cp play bin/$m
	[ $m != dnf ] || cp play bin/rpm
	: >calls
	rc=0
	PATH=$T/bin sh ./bootstrap >out 2>err || rc=$?
	case $m in
	dnf) like "$(cat calls)" '^dnf install -y -q gcc .*libcurl-devel' $m ;;
	apk) like "$(cat calls)" '^apk add -q build-base .*curl-dev' $m ;;
	brew) like "$(cat calls)" '^brew install -q autoconf .*openssl@3' $m ;;
	esac
	is "$(grep -c zstd calls)" 0 "$m: not what is there already"
	is "$rc$(sed -n '$p' calls)" 9here "$m: then it goes on to build"
	is "$(PATH=$T/bin sh ./bootstrap list | wc -l)" \
	    "$("$top_srcdir/bootstrap" list $m | wc -l)" "$m: list"
	rm bin/$m
done
for m in apt-get dnf apk; do
	list=$("$top_srcdir/bootstrap" list $m)
	for lib in idn2 psl pcre2 curl xml2 ares xxhash microhttpd zstd; do
		case $list in
		*$lib*) ;;
		*) ok 1 "$m: $lib is missing" ;;
		esac
	done
done
like "$("$top_srcdir/bootstrap" nonsense 2>&1)" "unknown word 'nonsense'" \
    'a word that it does not know'
done_testing
