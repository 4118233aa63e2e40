#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# From JSON objects a line those whose .url is new, as they came:
#
#	json-lines.sh SEEN <items.jsonl
#
# jq puts the URL before the object, urlseen looks at that field alone, and
# cut takes it off again.  (jq -r keeps tabs in strings escaped: there is one.)

set -eu
jq --unbuffered -r '[.url, tojson] | join("\t")' |
    urlseen -q -f "$1" -k 1 | cut -f 2-
