/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webbuf.h - bytes that grow, up to a ceiling
 *
 * Memory	One malloc'd block, kept over webbuf_clear() for the next use.
 * Errors	Sticky: once memory or the ceiling is out, `failed' is set and
 *		further bytes are dropped, so a writer looks once, at the end.
 */

#ifndef TESTS_WEBBUF_H
#define TESTS_WEBBUF_H

#include <stddef.h>

#define WEBBUF_MAX (64 * 1024 * 1024) /* bytes */

/* All zero is an empty buffer. */
struct webbuf {
	char *s;
	size_t len; /* bytes held */
	size_t cap; /* bytes allocated */
	int failed; /* 1 once something was dropped */
};

/* Forget the bytes, keep the memory. */
void webbuf_clear(struct webbuf *b);

/* Give the memory back; `b' is an empty buffer again. */
void webbuf_free(struct webbuf *b);

/* Append `n' bytes, a string, one byte, or what `fmt' makes. */
void webbuf_put(struct webbuf *b, const char *s, size_t n);
void webbuf_str(struct webbuf *b, const char *s);
void webbuf_byte(struct webbuf *b, char c);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
webbuf_fmt(struct webbuf *b, const char *fmt, ...);

#endif
