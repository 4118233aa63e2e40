#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write dedup/urlucdtab.c: python3 dedup/urlucd.py UCD > dedup/urlucdtab.c

UCD is a folder with these files of one Unicode version: IdnaMappingTable.txt
(of UTS 46), DerivedBidiClass.txt, DerivedJoiningType.txt,
DerivedGeneralCategory.txt, DerivedCombiningClass.txt.

The second table is what libidn2 does not know yet.  Run this with the oldest
libidn2 that configure takes (2.3.3): with a newer one the table only says
some things twice, so that every library gives the same names.
"""

import ctypes
import ctypes.util
import sys
import unicodedata

BIDI = ['L', 'R', 'AL', 'AN', 'EN', 'ES', 'ET', 'CS', 'NSM', 'BN', 'ON']
OTHER = len(BIDI)
JOIN = ['U', 'L', 'R', 'D', 'T', 'virama']
MARK = 0x80
DEVIATION = (0xDF, 0x3C2, 0x200C, 0x200D)
VALID, IGNORED, MAX = 1, 0, 0x110000


def rows(name):
    """First, last and the other columns of each row of a UCD file."""
    with open(f'{sys.argv[1]}/{name}', encoding='utf-8') as file:
        for line in file:
            cols = [c.strip() for c in line.split('#')[0].split(';')]
            if len(cols) < 2:
                continue
            ends = cols[0].split('..')
            yield int(ends[0], 16), int(ends[-1], 16), cols[1:]


def mapping():
    """For each code point: itself, '' or what it becomes; None: invalid."""
    to = [None] * MAX
    for first, last, cols in rows('IdnaMappingTable.txt'):
        for c in range(first, last + 1):
            if cols[0] in ('valid', 'deviation'):
                to[c] = chr(c)
            elif cols[0] == 'ignored':
                to[c] = ''
            elif cols[0] == 'mapped':
                s = ''.join(chr(int(x, 16)) for x in cols[1].split())
                to[c] = unicodedata.normalize('NFC', s)
    return to


def properties(to):
    """The flags of each valid code point; None where they do not matter."""
    prop = [0 if to[c] == chr(c) else None for c in range(MAX)]
    flags = [0] * MAX
    for first, last, cols in rows('DerivedBidiClass.txt'):
        n = BIDI.index(cols[0]) if cols[0] in BIDI else OTHER
        for c in range(first, last + 1):
            flags[c] |= n
    for first, last, cols in rows('DerivedJoiningType.txt'):
        if cols[0] in JOIN:
            for c in range(first, last + 1):
                flags[c] |= JOIN.index(cols[0]) << 4
    for first, last, cols in rows('DerivedCombiningClass.txt'):
        if cols[0] == '9':
            for c in range(first, last + 1):
                flags[c] = flags[c] & ~0x70 | JOIN.index('virama') << 4
    for first, last, cols in rows('DerivedGeneralCategory.txt'):
        if cols[0] in ('Mn', 'Mc', 'Me'):
            for c in range(first, last + 1):
                flags[c] |= MARK
    return [None if p is None else f for p, f in zip(prop, flags)]


def starts(prop):
    """Where a run of equal flags starts, and the flags."""
    out, now = [], None
    for c, p in enumerate(prop):
        if p is not None and p != now:
            out.append(c << 8 | p)
            now = p
    out[0] = out[0] & 0xFF
    return out


def libidn2():
    """What libidn2 makes of a code point, as in mapping()."""
    lib = ctypes.CDLL(ctypes.util.find_library('idn2'))
    out = ctypes.c_char_p()

    def one(c):
        rc = lib.idn2_to_ascii_8z(f'0{chr(c)}0'.encode(),
                                  ctypes.byref(out), 4 | 128)
        if rc != 0:
            return None
        s = out.value.decode()
        s = '.'.join(x[4:].encode().decode('punycode')
                     if x.startswith('xn--') else x for x in s.split('.'))
        return s[1:-1]
    return one


def news(to):
    """Runs that libidn2 has otherwise: first, last, what becomes of them."""
    old, out = libidn2(), []
    for c in range(0x80, MAX):
        if 0xD800 <= c < 0xE000 or c in DEVIATION or old(c) == to[c]:
            continue
        if to[c] is None:
            sys.exit(f'U+{c:04X} is no longer valid: that needs code')
        what = VALID if to[c] == chr(c) else IGNORED
        if to[c] not in (chr(c), ''):
            if len(to[c]) > 1:
                sys.exit(f'U+{c:04X} becomes a sequence: that needs code')
            what = ord(to[c])
        if out and out[-1][1] == c - 1 and (
                out[-1][2] == what if what in (VALID, IGNORED) else
                out[-1][2] not in (VALID, IGNORED) and
                out[-1][2] + c - out[-1][0] == what):
            out[-1][1] = c
        else:
            out.append([c, c, what])
    return out


def table(items, per_line):
    for i in range(0, len(items), per_line):
        print('\t' + ' '.join(items[i:i + per_line]))


def main():
    to = mapping()
    runs, new = starts(properties(to)), news(to)
    print('''/* SPDX-License-Identifier: BSD-2-Clause */

/* Made by dedup/urlucd.py from Unicode 17.0.0: do not edit. */

#include "config.h"

#include "dedup/urlucd.h"

/* clang-format off */
''')
    print(f'const size_t urlucd_runs = {len(runs)};')
    print('const uint32_t urlucd_run[] = {')
    table([f'0x{x:x},' for x in runs], 7)
    print('};\n')
    print(f'const size_t urlucd_news = {len(new)};')
    print('const struct urlucd_new urlucd_new[] = {')
    table([f'{{ 0x{a:x}, 0x{b:x}, 0x{c:x} }},' for a, b, c in new], 2)
    print('};')


main()
