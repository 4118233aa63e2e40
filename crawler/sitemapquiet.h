/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemapquiet.h - libxml2's error channels, while a sitemap is parsed
 *
 * What libxml2 has to say is seen by its return values, with one exception:
 * bytes that the declared encoding doesn't have.  Of these 2.9 drops some
 * and stops at others, by where its buffers happen to end, and calls the
 * document well-formed either way.  Only the message tells.
 *
 * Threads	The channels are the thread's: begin and end on the same one,
 *		and what begins last ends first.
 */

#ifndef CRAWLER_SITEMAPQUIET_H
#define CRAWLER_SITEMAPQUIET_H

#include <libxml/xmlerror.h>

struct sitemapquiet {
	int garbled;                /* bytes could not be converted */
	xmlStructuredErrorFunc was; /* the thread's, to put back */
	void *was_arg;
	xmlGenericErrorFunc was_printed;
	void *was_printed_arg;
};

/* From now on errors are not printed but go to `q', which must stay there. */
void sitemapquiet_begin(struct sitemapquiet *q);

/* Put back what was before. */
void sitemapquiet_end(struct sitemapquiet *q);

#endif
