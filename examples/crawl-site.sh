#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Crawl one site until nothing is left, whatever interrupts it:
#
#	crawl-site.sh URL DIR [OPTION]...
#
# The lines of all pages are in DIR.tsv, the pages in DIR/archive.  Status 3
# is "interrupted with more to do", 2 an error: both may pass, so it is tried
# again after a while, ten times.

set -eu
url=$1 dir=$2
shift 2
tries=0
until crawl -q -S host -o "$dir.tsv" -d "$dir" "$@" "$url"; do
	status=$?
	tries=$((tries + 1))
	if [ $status -eq 1 ] || [ $tries -ge 10 ]; then
		exit $status
	fi
	sleep "${PAUSE-60}"
done
