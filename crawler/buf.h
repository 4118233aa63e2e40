/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * buf.h - bytes that grow up to a ceiling
 *
 * Every buffer is born with its ceiling; nothing that comes from outside can
 * make it larger.  After a fault the buffer is as it was before the call.
 *
 * Memory	Doubles from 256 bytes.  buf_clear() keeps the memory,
 *		buf_free() gives it back.
 * Threads	No locks inside.
 * Errors	FAULT_NOMEM, FAULT_TOOBIG past the ceiling.
 */

#ifndef CRAWLER_BUF_H
#define CRAWLER_BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "snapshot/fault.h"

struct buf {
	char *s;     /* not NUL-terminated; NULL before the first byte */
	size_t len;  /* bytes used */
	size_t size; /* bytes there are */
	size_t max;  /* ceiling of `size' */
};

/* An empty buffer of at most `max' bytes; allocates nothing. */
void buf_init(struct buf *b, size_t max);

/* Give the memory back; `b' is then as after buf_init(). */
void buf_free(struct buf *b);

/* Forget the bytes, keep the memory. */
static inline void
buf_clear(struct buf *b)
{
	b->len = 0;
}

/* Make room for `n' more bytes behind the used ones: 0 or a fault. */
must_check int buf_room(struct buf *b, size_t n);

/* Append `n' bytes (`s' may be NULL if `n' is 0): 0 or a fault. */
must_check int buf_add(struct buf *b, const void *s, size_t n);

/* Append a C string: 0 or a fault. */
must_check int buf_str(struct buf *b, const char *s);

/* Append as printf() does, without the NUL: 0 or a fault. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
must_check int
buf_fmt(struct buf *b, const char *fmt, ...);

#endif
