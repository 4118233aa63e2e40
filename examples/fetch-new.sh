#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Fetch the URLs of a list that no earlier run has fetched, several at a time,
# into a folder:
#
#	fetch-new.sh SEEN FOLDER <urls.txt
#
# For pages that link to each other take crawl; this is for lists of files.
# With GNU parallel the last line is: parallel -0 -j 4 --retries 3 curl ... {}
# $CURL_OPTIONS go to curl.

set -eu
seen=$1 folder=$2
mkdir -p "$folder"
# shellcheck disable=SC2016 # for the inner shell
tr '\n' '\0' | urlseen -q -z -N -f "$seen" | (
	cd "$folder" &&
	    xargs -0 -r -n 1 -P 4 sh -c '
		name=$(printf %s "$1" | tr -c "A-Za-z0-9.\n-" _ | cut -c 1-200)
		exec curl -fsS ${CURL_OPTIONS-} -o "$name" -- "$1"' sh
)
