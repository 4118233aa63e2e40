/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fault.h - what can go wrong, as one list of codes below zero
 *
 * Functions of the library that can fail return int: zero or more is
 * success, below zero one of these.  fault_str() words a code; whoever
 * prints adds the file, line or option and what would be right.  After
 * FAULT_SYS, errno says more.
 */

#ifndef SNAPSHOT_FAULT_H
#define SNAPSHOT_FAULT_H

#if defined(__GNUC__)
#define must_check __attribute__((warn_unused_result))
#else
#define must_check
#endif

enum fault {
	FAULT_SYS = -1,           /* a system call failed: see errno */
	FAULT_NOMEM = -2,         /* memory could not be had */
	FAULT_FULL = -3,          /* a table or buffer is at its ceiling */
	FAULT_TOOBIG = -4,        /* input beyond its limit */
	FAULT_LOCKED = -5,        /* another process holds the lock */
	FAULT_MAGIC = -6,         /* not a file of this kind */
	FAULT_VERSION = -7,       /* written by a newer version */
	FAULT_DAMAGED = -8,       /* checksum or structure is wrong */
	FAULT_TRUNCATED = -9,     /* the file ends too early */
	FAULT_MISMATCH = -10,     /* parameters differ from the file's */
	FAULT_UNCLEAN = -11,      /* not closed before a reboot */
	FAULT_ARG = -12,          /* an argument is out of range */
	FAULT_NOTFILE = -13,      /* a folder, link, FIFO in a file's place */
	FAULT_URL_EMPTY = -20,    /* nothing to parse and no base */
	FAULT_URL_SCHEME = -21,   /* no scheme, or neither http nor https */
	FAULT_URL_HOST = -22,     /* the host is missing or not valid */
	FAULT_URL_PORT = -23,     /* the port is not 0 to 65535 */
	FAULT_URL_TOOLONG = -24,  /* beyond LIMIT_URL */
	FAULT_URL_RELATIVE = -25, /* relative, and there is no base */
};

/* A short phrase for `code' (< 0), without a full stop.  Never NULL. */
const char *fault_str(int code);

/* The same, but what errno says after FAULT_SYS. */
const char *fault_why(int code);

#endif
