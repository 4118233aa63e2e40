/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <libxml/globals.h>
#include <stddef.h>

#include "crawler/sitemapquiet.h"

static void
on_error(void *arg, xmlErrorPtr error)
{
	struct sitemapquiet *q = arg;

	if (error->code == XML_I18N_CONV_FAILED ||
	    error->code == XML_IO_ENCODER)
		q->garbled = 1;
}

/* Some errors are printed without being structured first. */
static void
on_print(void *arg, const char *format, ...)
{
	(void)arg;
	(void)format;
}

void
sitemapquiet_begin(struct sitemapquiet *q)
{
	q->garbled = 0;
	q->was = xmlStructuredError;
	q->was_arg = xmlStructuredErrorContext;
	q->was_printed = xmlGenericError;
	q->was_printed_arg = xmlGenericErrorContext;
	xmlSetStructuredErrorFunc(q, on_error);
	xmlSetGenericErrorFunc(NULL, on_print);
}

void
sitemapquiet_end(struct sitemapquiet *q)
{
	xmlSetStructuredErrorFunc(q->was_arg, q->was);
	xmlSetGenericErrorFunc(q->was_printed_arg, q->was_printed);
}
