#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The main job on bundled input, with the result shown: `./bootstrap demo'.
# Run from the build folder.

set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
site=$top/tests/data/site.urls
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp ./urlseen "$site" "$dir"
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
