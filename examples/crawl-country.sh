#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Crawl the hosts under a top-level domain, or under any other one, from some
# seeds and from there on whatever they link to:
#
#	crawl-country.sh ch SEEDS DIR [OPTION]...
#
# At most HOST_PAGES (10,000) pages of a host, so that large ones leave room.
# Run again, after whatever ended it, it goes on.  For a real country give it a
# name to be reached by (-A), room in the seen set (-n 100M) and what memory
# its queues may take (--memory=2G).
#
# A redirect to a host elsewhere is not followed; hosts that only have another
# ending (.com) are not found.  Where they matter, add their own --include.

set -eu
domain=$(printf %s "$1" | sed 's/[.]/[.]/g') seeds=$2 dir=$3
shift 3
exec crawl -q -S any --host-pages="${HOST_PAGES-10000}" \
    --include="^https?://([^/?#@]*[.])?$domain(:[0-9]+)?/" \
    -o "$dir.tsv" -d "$dir" "$@" "$seeds"
