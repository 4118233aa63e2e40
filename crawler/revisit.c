/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/digest.h"
#include "crawler/revisit.h"

#define URL_KEPT 2048 /* bytes: captures of longer URLs are not referred to */

struct slot {
	char digest[DIGEST_TEXT]; /* "" = empty */
	char *url;
	size_t url_len;
	int64_t start_us;
};

struct revisit {
	struct slot *slot;
	size_t mask;
};

int
revisit_new(struct revisit **out, size_t slots)
{
	struct revisit *r;

	r = calloc(1, sizeof *r);
	if (r == NULL)
		return FAULT_NOMEM;
	r->slot = calloc(slots, sizeof *r->slot);
	r->mask = slots - 1;
	if (r->slot == NULL) {
		free(r);
		return FAULT_NOMEM;
	}
	*out = r;
	return 0;
}

void
revisit_free(struct revisit *r)
{
	size_t i;

	if (r == NULL)
		return;
	for (i = 0; i <= r->mask; i++)
		free(r->slot[i].url);
	free(r->slot);
	free(r);
}

/* A digest is random, so eight of its characters are a hash as they are. */
static struct slot *
place(const struct revisit *r, const char *digest)
{
	size_t h = 0, i;

	for (i = 0; i < 8; i++)
		h = h * 32 + ((unsigned char)digest[i] & 31);
	return &r->slot[h & r->mask];
}

int
revisit_find(const struct revisit *r, const char *digest,
    struct warc_refers *first)
{
	const struct slot *s = place(r, digest);

	if (memcmp(s->digest, digest, sizeof s->digest) != 0)
		return 0;
	first->url = s->url;
	first->url_len = s->url_len;
	first->start_us = s->start_us;
	return 1;
}

void
revisit_add(struct revisit *r, const char *digest, const struct warc_capture *c)
{
	struct slot *s = place(r, digest);
	char *url;

	if (c->url_len > URL_KEPT)
		return;
	url = realloc(s->url, c->url_len);
	if (url == NULL)
		return;
	memcpy(url, c->url, c->url_len);
	s->url = url;
	s->url_len = c->url_len;
	s->start_us = c->start_us;
	memcpy(s->digest, digest, sizeof s->digest);
}
