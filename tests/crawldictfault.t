#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tests/crawlfault.t over archive files with a dictionary: each call that
# changes something in the archive, and power cuts.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
SMALL=1
[ -n "$LONG" ] || : "${STEP:=43}" "${CUTS:=200}"
. "$top_srcdir/tests/crawlfault.t"
