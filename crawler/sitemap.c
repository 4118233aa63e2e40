/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemap.c - what a sitemap is, and unpacking it
 *
 * Bytes go through in pieces: inflated if they are gzip, looked at until the
 * first that is not white space tells XML from text, then handed on.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "crawler/sitemap.h"
#include "crawler/sitemaptext.h"
#include "crawler/sitemapxml.h"
#include "snapshot/limits.h"

#define PIECE (16 * 1024) /* bytes inflated at once */

struct reader {
	sitemap_fn *fn;
	void *arg;
	uint64_t count; /* entries given */
	uint64_t bytes; /* unpacked so far */
	uint64_t allow; /* unpacked bytes that the packed ones may become */
	int begun;      /* what it is is known */
	struct sitemapxml *xml;
	struct sitemaptext *text;
};

static int
counted(void *arg, const struct sitemap_entry *e)
{
	struct reader *r = arg;

	if (r->count == LIMIT_SITEMAP_URLS)
		return FAULT_FULL;
	r->count++;
	return r->fn(r->arg, e);
}

/* UTF-16 and UTF-32 have a NUL or a byte above 0xfd in the first two. */
static int
is_wide(const unsigned char *s, size_t len)
{
	return len >= 2 && (s[0] == 0 || s[1] == 0 || s[0] >= 0xfe);
}

/* The first byte that counts: 0, or a fault.  Leading space is dropped. */
static int
begin(struct reader *r, const char **s, size_t *len)
{
	if (!is_wide((const unsigned char *)*s, *len))
		while (*len > 0 && strchr(" \t\r\n\xef\xbb\xbf", **s) != NULL &&
		    **s != '\0') {
			(*s)++;
			(*len)--;
		}
	if (*len == 0)
		return 0;
	r->begun = 1;
	if (**s == '<' || is_wide((const unsigned char *)*s, *len)) {
		r->xml = sitemapxml_new(counted, r);
		return r->xml == NULL ? FAULT_NOMEM : 0;
	}
	r->text = calloc(1, sizeof *r->text);
	if (r->text == NULL)
		return FAULT_NOMEM;
	r->text->fn = counted;
	r->text->arg = r;
	return 0;
}

static int
feed(struct reader *r, const char *s, size_t len)
{
	int rc;

	r->bytes += len;
	if (r->bytes > LIMIT_SITEMAP || r->bytes > r->allow)
		return FAULT_TOOBIG;
	if (!r->begun) {
		rc = begin(r, &s, &len);
		if (rc < 0 || !r->begun)
			return rc;
	}
	return r->xml != NULL ? sitemapxml_feed(r->xml, s, len) :
				sitemaptext_feed(r->text, s, len);
}

/* Inflate one member and feed it; `z' is left behind its end. */
static int
inflate_member(struct reader *r, z_stream *z, char *out)
{
	int zrc, rc;

	do {
		z->next_out = (unsigned char *)out;
		z->avail_out = PIECE;
		zrc = inflate(z, Z_NO_FLUSH);
		if (zrc == Z_MEM_ERROR)
			return FAULT_NOMEM;
		rc = feed(r, out, PIECE - z->avail_out);
		if (rc < 0)
			return rc;
		if (zrc == Z_BUF_ERROR)
			return FAULT_TRUNCATED;
		if (zrc != Z_OK && zrc != Z_STREAM_END)
			return FAULT_DAMAGED;
	} while (zrc != Z_STREAM_END);
	return 0;
}

static int
is_gzip(const unsigned char *s, size_t len)
{
	return len >= 2 && s[0] == 0x1f && s[1] == 0x8b;
}

/* Members follow each other (RFC 1952 section 2.2); what else does, is not. */
static int
gunzip(struct reader *r, const unsigned char *s, size_t len)
{
	z_stream z;
	char *out;
	int rc = FAULT_NOMEM;

	memset(&z, 0, sizeof z);
	out = malloc(PIECE);
	if (out == NULL || inflateInit2(&z, 15 + 16) != Z_OK)
		goto out;
	z.next_in = (unsigned char *)(uintptr_t)s;
	z.avail_in = (uInt)len;
	do {
		rc = inflate_member(r, &z, out);
	} while (rc == 0 && is_gzip(z.next_in, z.avail_in) &&
	    inflateReset(&z) == Z_OK);
	inflateEnd(&z);
out:
	free(out);
	return rc;
}

/* The end of the document: a fault that came before it goes first. */
static int
finish(struct reader *r, int rc)
{
	int end = FAULT_MAGIC;

	if (r->xml != NULL)
		end = sitemapxml_end(r->xml);
	else if (r->text != NULL)
		end = sitemaptext_end(r->text);
	return rc < 0 ? rc : end;
}

int
sitemap_parse(const void *body, size_t len, sitemap_fn *fn, void *arg)
{
	struct reader r;
	int rc;

	memset(&r, 0, sizeof r);
	r.fn = fn;
	r.arg = arg;
	r.allow = UINT64_MAX;
	if (len > LIMIT_SITEMAP)
		return FAULT_TOOBIG;
	if (is_gzip(body, len)) {
		r.allow =
		    LIMIT_SITEMAP_SMALL + (uint64_t)len * LIMIT_SITEMAP_RATIO;
		rc = gunzip(&r, body, len);
	} else {
		rc = feed(&r, body, len);
	}
	/* a fault in the middle still closes what is complete */
	if (rc == 0 || rc == FAULT_TRUNCATED || rc == FAULT_DAMAGED)
		rc = finish(&r, rc);
	sitemapxml_free(r.xml);
	free(r.text);
	return rc;
}
