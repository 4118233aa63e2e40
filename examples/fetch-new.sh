#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Fetch the URLs of a list that no earlier run has fetched, several at a time,
# into a folder:
#
#	fetch-new.sh SEEN FOLDER <urls.txt
#
# A URL is remembered once it is there, so what failed, or was cut off by a
# kill, is fetched by the next run.  A file's name begins with a sum of the
# URL, as a/b and a_b are to be two files.  The status is 1 if any failed.
#
# For pages that link to each other take crawl; this is for lists of files.
# $CURL_OPTIONS go to curl.

set -eu
seen=$1 folder=$2
mkdir -p "$folder"
new=$(mktemp)
trap 'rm -f "$new" "$new.failed"' EXIT
tr '\n' '\0' | urlseen -q -z -N --dry-run -f "$seen" >"$new"
# shellcheck disable=SC2016 # for the inner shell
(
	cd "$folder" &&
	    xargs -0 -r -n 1 -P 4 sh -c '
		name=$(printf %s "$1" | tr -c "A-Za-z0-9.\n-" _ | cut -c 1-200)
		name=$(printf %s "$1" | cksum | cut -d " " -f 1)-$name
		curl -fsS ${CURL_OPTIONS-} -o "$name.part" -- "$1" &&
		    mv "$name.part" "$name" && printf "%s\0" "$1"' sh <"$new" ||
	    : >"$new.failed"
) | urlseen -q -z --load -f "$seen"
[ ! -e "$new.failed" ]
