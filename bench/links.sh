#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The links of `crawl --extract' beside those of an HTML5 parser (parse5, from
# the npm registry), page by page, over the HTML that Debian packages ship:
#
#	bench/links.sh [FOLDER...]	(/usr/share), from the build folder
#
# With DAMAGE=N in the environment N of 1,000 bytes of markup go missing first.
# For enough pages: apt-get install python3-doc libstdc++-12-doc
# postgresql-doc-15 debian-handbook debian-reference.  Prints what differs and
# then the counts; status 1 if less than 98 % of the pages are equal.

set -eu
src=$(cd "$(dirname "$0")" && pwd)
build=$PWD
for tool in node npm; do
	command -v $tool >/dev/null || {
		echo "links.sh: skipped, there is no $tool" >&2
		exit 0
	}
done
make -s urlseen crawl
dir=$(mktemp -d "${TMPDIR-/tmp}/links.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cp "$src/links.mjs" "$dir/"
[ $# -gt 0 ] || set -- /usr/share
# a page that several folders lead to counts once
find -L "$@" -type f \( -name '*.html' -o -name '*.htm' \) \
    -exec realpath {} + 2>/dev/null | LC_ALL=C sort -u >"$dir/list"
cd "$dir"
echo '{ "private": true }' >package.json
timeout 120 npm install --silent --no-audit --no-fund parse5 || {
	echo "links.sh: skipped, parse5 is not to be had" >&2
	exit 0
}
node links.mjs "$build/crawl" "$build/urlseen" "${DAMAGE-0}" <list
