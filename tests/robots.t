#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Our own rows for robots.txt.  Lines that begin with "#" are comments.

grep -v '^#' "${top_srcdir:-.}/tests/data/robots.tsv" |
    "${top_builddir:-.}/tests/rows-robots"
