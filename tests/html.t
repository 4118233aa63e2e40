#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Encodings, srcset, refresh, robots tags and links: our own cases.

cat "${top_srcdir:-.}"/tests/data/charset.tsv \
    "${top_srcdir:-.}"/tests/data/html.tsv \
    "${top_srcdir:-.}"/tests/data/links.tsv |
    "${top_builddir:-.}/tests/rows-html"
