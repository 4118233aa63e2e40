#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Rows of public test suites for srcset and meta refresh, where they are to
# be had.

suites=${SUITES:-${top_srcdir:-.}/../shared/suites}

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ -r "$suites/srcset.jsonl" ] && [ -r "$suites/meta_refresh.jsonl" ] ||
    skip "no suites in $suites"
command -v jq >/dev/null || skip "jq is not installed"

{
	grep -v '^#' "$suites/srcset.jsonl" | jq -r \
	    '["srcset", .srcset, (.crawler_urls | map(. + "|") | join("")),
	    (.valid_candidates | map(. + "|") | join(""))] | @tsv'
	grep -v '^#' "$suites/meta_refresh.jsonl" | jq -r \
	    '["refresh", .content,
	    if .delay == null then "-" else "\(.delay):\(.url)" end] | @tsv'
} | "${top_builddir:-.}/tests/rows-html"
