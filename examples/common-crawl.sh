#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# From an index of Common Crawl (CDXJ lines, as its index server and its files
# have them) the lines whose URL is new:
#
#	zcat cdx-00000.gz | common-crawl.sh SEEN >new.cdxj
#	common-crawl.sh SEEN urls <some.cdxj >seed.txt
#
# A line is like  com,example)/ 20240102030405 {"url": "https://example.com/"}
# The second form prints the URLs alone, as seeds for crawl.  Two captures of
# one page are one URL: only the first comes through.

set -eu
what=${2-lines}
tab=$(printf '\t')
sed -n "s/^.*\"url\": *\"\\([^\"\\\\]*\\)\".*\$/\\1$tab&/p" |
    urlseen -q -f "$1" -k 1 |
    case $what in
    urls) cut -f 1 ;;
    *) cut -f 2- ;;
    esac
