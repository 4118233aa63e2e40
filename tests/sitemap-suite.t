#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Rows of a public sitemap test suite, where it is to be had.
#
# Three differences are meant:
# - a namespace that is not the protocol's is accepted;
# - of a file that breaks off, what stands before the damage is kept;
# - entries for other hosts and folders are left to the crawl's scope.

suites=${SUITES:-${top_srcdir:-.}/../shared/suites}
show=${top_builddir:-.}/tests/show-sitemap

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ -r "$suites/sitemaps.jsonl" ] || skip "no suites in $suites"
command -v jq >/dev/null || skip "jq is not installed"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
grep -v '^#' "$suites/sitemaps.jsonl" >"$tmp/rows"

# The lines that show-sitemap should print for the row in $tmp/row.
expected() {
	case $1 in
	*WithWrongNamespace)
		printf 'http://www.example.com/%s\t-1\t500\n' 1 2
		return
		;;
	*ParserBrokenXml)
		printf '%s\t-1\t500\n' \
		    http://cs.harding.edu/fmccown/sitemaps/something.html
		return
		;;
	*MobileSitemap)
		printf 'http://www.example.com/%s/\t-1\t500\n' \
		    mobile-friendly-1 mobile-friendly-2 no-mobile
		return
		;;
	esac
	jq -r '.entries[]? | [.loc,
	    (if .lastmod then .lastmod | fromdateiso8601 else -1 end),
	    ((.priority // 0.5) * 1000 | round)] | @tsv' "$tmp/row"
}

n=0
while IFS= read -r row; do
	n=$((n + 1))
	printf '%s\n' "$row" >"$tmp/row"
	name=$(jq -r .test "$tmp/row")
	expected "$name" >"$tmp/want"
	jq -r .body_b64 "$tmp/row" | base64 -d | "$show" >"$tmp/out"
	grep -v '^fault: ' "$tmp/out" >"$tmp/got"
	ok=ok
	cmp -s "$tmp/want" "$tmp/got" || ok='not ok'
	# what the suite refuses is at least reported
	jq -e 'has("error") and (.error | contains("Namespace") | not)' \
	    "$tmp/row" >/dev/null && ! grep -q '^fault: ' "$tmp/out" &&
	    ok='not ok'
	echo "$ok $n - $name"
	[ "$ok" = ok ] || diff "$tmp/want" "$tmp/out" | sed 's/^/# /'
done <"$tmp/rows"
echo "1..$n"
