/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * emit.h - output that knows how much of it is safe
 *
 * Offsets count the bytes given to emit_write() since emit_open().  What is
 * safe depends on what the descriptor is: a regular file's bytes once
 * write(2) took them (with `sync', once fdatasync(2) did), a pipe's once its
 * reader has taken them (bytes written minus FIONREAD; what other writers put
 * into the same pipe only makes the answer more careful), a socket's once its
 * peer has (SIOCOUTQ), anything else's once written.
 *
 * Threads	One thread at a time writes and syncs; emit_stop() may come
 *		from any.
 * Errors	FAULT_SYS and errno: EPIPE when the reader is gone, ENOSPC ...,
 *		EINTR after emit_stop().  After a fault nothing more is
 *		written, and emit_safe() still tells what went out.
 */

#ifndef DEDUP_EMIT_H
#define DEDUP_EMIT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

enum emit_kind {
	EMIT_OTHER,
	EMIT_FILE,
	EMIT_PIPE,
	EMIT_SOCKET,
};

struct emit {
	int fd;
	enum emit_kind kind;
	int sync;                 /* fdatasync before anything is safe */
	_Atomic uint64_t written; /* bytes that write(2) took */
	_Atomic uint64_t synced;  /* of these, bytes known to be durable */
	uint64_t safe;            /* greatest answer of emit_safe() so far */
	char end;                 /* of lines */
	size_t pages;             /* that a pipe holds; 0 = not known */
	size_t since, writes;     /* bytes, calls since it was empty */
	_Atomic int stop;         /* emit_stop() was called */
};

/*
 * Write to `fd', which stays the caller's.  A regular file that does not end
 * in `end' where the next byte would go gets one first, so that nothing is
 * glued to a torn line.
 */
must_check int emit_open(struct emit *e, int fd, char end, int sync);

/*
 * Write all `len' bytes, which end a line.  Into a pipe go only as many whole
 * lines at once as it has room for, so that a kill leaves no torn line there
 * (but for lines over PIPE_BUF, and pipes that others write to).
 */
must_check int emit_write(struct emit *e, const char *s, size_t len);

/* Make what is written durable if that was asked for, else nothing. */
must_check int emit_sync(struct emit *e);

/*
 * Bytes that are safe now.  May be asked beside a write, by one thread at a
 * time.
 */
uint64_t emit_safe(struct emit *e);

/* Wait up to `ms' ms, or until all that was written is safe.  FAULT_SYS. */
must_check int emit_wait(struct emit *e, int ms);

/* Wait until all that was written is safe, or the reader is gone. */
must_check int emit_drain(struct emit *e);

/* Make a write or drain that waits, now or later, give up with EINTR. */
void emit_stop(struct emit *e);

#endif
