#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Run a command for each URL that turns up in a growing file and was not seen
# before, also in earlier runs:
#
#	follow-log.sh SEEN LOG COMMAND [ARGUMENT]...
#
# A URL is remembered once it has been read from the pipe; what happens to it
# after that is the command's affair.

set -eu
seen=$1 log=$2
shift 2
tail -n +1 -F "$log" 2>/dev/null | urlseen -q -f "$seen" |
    while IFS= read -r url; do
	"$@" "$url" </dev/null
    done
