#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Rows of public robots.txt test suites, where they are to be had.

suites=${SUITES:-${top_srcdir:-.}/../shared/suites}

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ -r "$suites/robots.jsonl" ] || skip "no suites in $suites"
command -v jq >/dev/null || skip "jq is not installed"

# A BOM within a row is part of it; "*" names no agent, as does an empty one.
{
	grep -v '^#' "$suites/robots.jsonl" | jq -r \
	    '[.robots, .agent, .url,
	    if .allowed then "allow" else "disallow" end] | @tsv'
	grep -v '^#' "$suites/crawl_delay.jsonl" | jq -r \
	    '[.robots, (.agents | if type == "array" then .[0] else . end), "/",
	    "delay:\(.crawl_delay_ms // -1)"] | @tsv'
} | "${top_builddir:-.}/tests/rows-robots"
