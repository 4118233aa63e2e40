#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Fetch the pages of a list and nothing that they link to, each once, politely
# and whatever hosts they are of:
#
#	crawl-list.sh LIST DIR [OPTION]...
#
# Redirects are followed.  Add URLs to the list and run it again: only those
# are fetched.  The URLs that could not be had are printed at the end.

set -eu
list=$1 dir=$2
shift 2
crawl -q -S any -D 0 --sitemaps=no -o "$dir.tsv" -d "$dir" "$@" "$list"
crawl --export=failed -d "$dir"
