#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The main job on bundled input, with the result shown: `./bootstrap demo'.
# Run from the build folder.

set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
site=$top/tests/data/site.urls
build=$PWD
make -s tests/testweb
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
cp ./urlseen ./crawl "$site" "$dir"
cd "$dir"
PATH=$dir:$PATH

# Show a command line, then what it does.
run() {
	printf '\n$ %s\n' "$*"
	eval "$*"
}

cat >spellings.txt <<'END'
http://site.test/
HTTP://SITE.test:80
http://site.test/gauges/../#top
http://site.test/caf%C3%A9.html
http://site.test/café.html
http://site.test/a%2Fb
http://site.test/a/b
not a URL
END

echo 'One URL in several spellings: the first of each comes through.'
run cat spellings.txt
run 'urlseen < spellings.txt'

printf '\nA list, remembered in a file: the second time, nothing is new.\n'
run 'wc -l < site.urls'
run 'urlseen -f seen.filter site.urls | tail -n 3'
run 'urlseen -f seen.filter site.urls | wc -l'
run 'urlseen -f seen.filter --stats site.urls'

printf '\nA crawl of the bundled site, served on loopback; killed half-way.\n'
"$build/tests/testweb" --site="$top/tests/data/site" \
    --port-file=port >/dev/null &
server=$!
i=0
while [ ! -s port ] && [ $i -lt 100 ]; do
	sleep 0.05
	i=$((i + 1))
done
port=$(cat port)
echo http://site.test/ >seed.txt
show="crawl --delay=0.05 --connect-to=::127.0.0.1:$port seed.txt"
# shellcheck disable=SC2016 # shown as it is
printf '\n$ %s & sleep 1; kill -9 $!\n' "$show"
$show >first.txt &
crawl=$!
sleep 1
while [ ! -s first.txt ] && [ $i -lt 200 ]; do # on a slow machine
	sleep 0.1
	i=$((i + 1))
done
kill -9 $crawl
wait $crawl 2>/dev/null || true
tail -n 3 first.txt

printf '\nThe same command again goes on where it stopped.\n'
run "$show > second.txt"
run 'tail -n 3 second.txt'

run 'crawl --status -d seed.crawl'
run 'crawl --verify -d seed.crawl && ls seed.crawl seed.crawl/archive'

printf '\nWhat the crawl has seen, urlseen knows.\n'
run 'crawl --export=done -d seed.crawl > done.txt; wc -l < done.txt'
run 'urlseen -f seed.crawl/seen --dry-run done.txt | wc -l'
run 'echo http://site.test/new | urlseen -f seed.crawl/seen --dry-run'
