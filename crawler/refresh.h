/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * refresh.h - meta refresh and the Refresh header
 *
 * "Shared declarative refresh steps", HTML Standard section 4.2.5.3.
 */

#ifndef CRAWLER_REFRESH_H
#define CRAWLER_REFRESH_H

#include <stddef.h>

struct refresh {
	unsigned long delay; /* seconds, cut at 1e9; the fraction is lost */
	const char *url;     /* within the value; for the URL parser */
	size_t len;          /* 0: the document itself */
};

/* 1 and `r' filled in, or 0 if `len' bytes at `s' are no refresh. */
int refresh_parse(const char *s, size_t len, struct refresh *r);

#endif
