/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * boot.h - which run of the system is this?
 *
 * What a process wrote into a mapped file survives the process whole, but
 * the system only in part.  Who finds the id of the present boot in a file
 * knows that the system did not crash since.
 */

#ifndef SNAPSHOT_BOOT_H
#define SNAPSHOT_BOOT_H

#define BOOT_ID 16 /* bytes */

/* This boot's id; all zero where the system doesn't tell. */
void boot_id(unsigned char id[BOOT_ID]);

/* 1 if what bears `id' may be older than this boot. */
int boot_differs(const unsigned char id[BOOT_ID]);

#endif
