#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Take one page out of a crawl's archive, headers and all:
#
#	warc-page.sh DIR URL
#
# The index (CDXJ) says in which file, where and how long its record is; each
# record is a frame of its own, so nothing else is unpacked.

set -eu
dir=$1 url=$2
# The index of a file that is still written is not there yet.
cat "$dir"/archive/*.cdxj | sed 's/^[^{]*//' |
    jq -r --arg url "$url" 'select(.url == $url) |
	[.filename, .offset, .length] | @tsv' | tail -n 1 |
    {
	read -r file offset length || {
		echo "$url: not in $dir/archive" >&2
		exit 1
	}
	tail -c "+$((offset + 1))" "$dir/archive/$file" | head -c "$length" |
	    case $file in
	    *.zst) zstd -dcq ;;
	    *.gz) gzip -dcq ;;
	    esac
    }
