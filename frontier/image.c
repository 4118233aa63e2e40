/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * image.c - the frontier as bytes, for a snapshot
 *
 * What is written collects in a buffer first: a host must be whole as of one
 * journal position, but whoever takes the bytes may have no room for all of
 * them at that moment.
 *
 * Marks come first.  While the image is being written the crawl passes over
 * marked URLs and forgets their marks; an image that holds such a URL must
 * have its mark, while a mark without its URL does no harm.
 */

#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/blob.h"
#include "frontier/core.h"
#include "frontier/image.h"
#include "frontier/words.h"
#include "snapshot/limits.h"

#define HEAD  9           /* bytes of a block's length and its newline */
#define BLOCK (64 * 1024) /* bytes: a block ends with the line that is there */
#define HEX   2048        /* bytes of rules in a line */

enum stage {
	NONE = 0,
	START,
	MARKS,
	HOSTS,
	SUMS,
	DRAIN, /* nothing more to come */
};

void
image_begin(struct frontier *f)
{
	image_abort(f);
	f->image.stage = START;
	if (f->spill != NULL)
		spill_begin(f->spill);
}

void
image_abort(struct frontier *f)
{
	free(f->image.buf);
	memset(&f->image, 0, sizeof f->image);
	if (f->spill != NULL)
		spill_abort(f->spill);
}

/* Room for a line of `n' bytes in the open block; NULL without memory. */
static char *
line_room(struct image *m, size_t n)
{
	size_t want = m->len + HEAD + n, room;
	char *buf;

	if (want > m->room) {
		for (room = 2 * BLOCK; room < want; room *= 2)
			continue;
		buf = realloc(m->buf, room);
		if (buf == NULL)
			return NULL;
		m->buf = buf;
		m->room = room;
	}
	if (m->block == m->len)
		m->len += HEAD;
	return m->buf + m->len;
}

/* The open block is complete. */
static void
block_end(struct image *m)
{
	char head[HEAD + 1];

	if (m->block == m->len)
		return;
	(void)snprintf(head, sizeof head, "%08zx\n", m->len - m->block - HEAD);
	memcpy(m->buf + m->block, head, HEAD);
	m->block = m->len;
}

/* The line that line_room() made room for ends at `end'. */
static void
line_end(struct image *m, char *end)
{
	*end++ = '\n';
	m->len = (size_t)(end - m->buf);
	if (m->len - m->block >= BLOCK)
		block_end(m);
}

/* A short line.  FAULT_NOMEM. */
static int
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    line(struct image *m, const char *fmt, ...)
{
	char *to = line_room(m, 512);
	va_list ap;
	int n;

	if (to == NULL)
		return FAULT_NOMEM;
	va_start(ap, fmt);
	n = vsnprintf(to, 511, fmt, ap);
	va_end(ap);
	line_end(m, to + n);
	return 0;
}

static int
put_entry(void *ctx, const struct entry *e)
{
	struct image *m = ctx;
	char *p = line_room(m, e->len + 4 * (WORDS_NUMBER + 1));

	if (p == NULL)
		return FAULT_NOMEM;
	*p++ = 'u';
	*p++ = ' ';
	p = words_put(p, e->ordinal);
	*p++ = ' ';
	p = words_put(p, e->depth);
	*p++ = ' ';
	p = words_put(p, e->tries);
	*p++ = ' ';
	memcpy(p, e->text, e->len);
	line_end(m, p + e->len);
	return 0;
}

/* A piece on disk, of which the first `gone' entries are done with. */
static int
put_ref(void *ctx, struct ref r, unsigned int gone)
{
	return line(ctx, "c %u %u %u", r.file, r.offset, gone);
}

/* What host `h' has in flight, as if it were queued. */
static int
put_flight(struct frontier *f, const struct host *h)
{
	const struct job *j;
	struct url_span url;
	struct entry e;
	int rc = 0;

	for (uint32_t at = h->job; rc == 0 && at != 0; at = j->next) {
		j = job_at(&f->jobs, at);
		if (j->kind != FRONTIER_PAGE && j->kind != FRONTIER_DROP)
			continue;
		url.s = j->text;
		url.len = j->len;
		e.ordinal = j->ordinal;
		e.depth = j->depth;
		e.tries = j->tries;
		core_entry(f, url, &j->parts, &e);
		rc = put_entry(&f->image, &e);
	}
	return rc;
}

static int
put_rules(struct frontier *f, const struct host *h)
{
	static const char digit[] = "0123456789abcdef";
	const unsigned char *from, *end;
	char *p;

	if (h->rules_len == 0)
		return 0;
	from = f->rules;
	end = from + h->rules_len;
	blob_get(&f->hosts.blob, h->rules, h->rules_len, f->rules);
	while (from < end) {
		p = line_room(&f->image, 2 * HEX + 8);
		if (p == NULL)
			return FAULT_NOMEM;
		*p++ = 'r';
		*p++ = ' ';
		for (int i = 0; i < HEX && from < end; i++, from++) {
			*p++ = digit[*from >> 4];
			*p++ = digit[*from & 15];
		}
		line_end(&f->image, p);
	}
	return 0;
}

/* The host's address as 32 hex digits, or "-". */
static void
put_addr(struct frontier *f, const struct host *h, char to[33])
{
	const struct addr *a;

	(void)snprintf(to, 33, "-");
	if (h->addr == 0)
		return;
	a = addr_at(&f->addrs, h->addr);
	for (size_t i = 0; i < sizeof a->ip.b; i++)
		(void)snprintf(to + 2 * i, 3, "%02x", a->ip.b[i]);
}

/* A time as it is written: those before the origin are all the same. */
static long long
time_of(int64_t t)
{
	return t > 0 ? t : 0;
}

/* URLs and pages of `h' that are in flight. */
static void
in_flight(struct frontier *f, const struct host *h, uint64_t *urls,
    uint32_t *pages)
{
	const struct job *j;

	*urls = 0;
	*pages = 0;
	for (uint32_t at = h->job; at != 0; at = j->next) {
		j = job_at(&f->jobs, at);
		*pages += j->kind == FRONTIER_PAGE;
		*urls += j->kind == FRONTIER_PAGE || j->kind == FRONTIER_DROP;
	}
}

/*
 * h ORIGIN/ NUMBER POSITION ADDRESS NEXT DELAY ROBOTS_UNTIL ADDR_UNTIL PAGES
 *   FAILED REFUSED DEFERRED QUEUED FLAGS REASON TURN FAILURES BUSY TRIES
 *   BYTES_OF_RULES
 */
static int
put_head(struct frontier *f, uint32_t id, uint64_t pos)
{
	struct host *h = host_at(&f->hosts, id);
	char *p = line_room(&f->image, HOST_ORIGIN + 512), addr[33];
	uint64_t urls;
	uint32_t pages;
	int n;

	if (p == NULL)
		return FAULT_NOMEM;
	in_flight(f, h, &urls, &pages);
	put_addr(f, h, addr);
	*p++ = 'h';
	*p++ = ' ';
	p += host_origin(&f->hosts, h, "", 0, p);
	n = snprintf(p, 500,
	    "/ %u %llu %s %lld %u %u %u %u %u %u %u %llu %u %u %u %u %u %u %u",
	    id, (unsigned long long)pos, addr, time_of(h->next), h->delay,
	    h->robots_until, h->addr_until, h->pages - pages, h->failed,
	    h->refused, h->deferred, (unsigned long long)(h->queued + urls),
	    (unsigned int)(h->flags & HOST_KEPT), h->reason, h->turn,
	    h->failures, h->busy, h->tries, h->rules_len);
	line_end(&f->image, p + n);
	return 0;
}

/* Host `id' as it is, journal position `pos' being passed. */
static int
put_host(struct frontier *f, uint32_t id, uint64_t pos)
{
	struct host *h;
	int rc = table_reserve(f->pager);

	if (rc == 0)
		rc = put_head(f, id, pos);
	if (rc < 0)
		return rc;
	h = host_at(&f->hosts, id);
	rc = put_rules(f, h);
	for (unsigned int lane = 0; rc == 0 && lane < FRONTIER_LANES; lane++) {
		if (h->queue[lane] == 0 && (lane > 0 || h->job == 0))
			continue;
		rc = line(&f->image, "q %u", lane);
		if (rc == 0)
			rc = store_save(f->store, h->queue[lane], put_ref,
			    put_entry, &f->image);
		if (rc == 0 && lane == 0) /* as frontier_undone() does it */
			rc = put_flight(f, h);
	}
	return rc;
}

static int
put_mark(void *ctx, uint64_t ordinal)
{
	return line(ctx, "m %llu", (unsigned long long)ordinal);
}

static int
put_sums(struct frontier *f, uint64_t pos)
{
	const struct frontier_stat *s = &f->sum;

	return line(&f->image,
	    "s %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu",
	    (unsigned long long)pos, (unsigned long long)s->pushed,
	    (unsigned long long)s->finished, (unsigned long long)s->failed,
	    (unsigned long long)s->retried, (unsigned long long)s->dropped[1],
	    (unsigned long long)s->dropped[2],
	    (unsigned long long)s->dropped[3],
	    (unsigned long long)s->dropped[4],
	    (unsigned long long)s->dropped[5],
	    (unsigned long long)s->dropped[6]);
}

_Static_assert(FRONTIER_REASONS == 7, "put_sums() writes all of them");

static int
put_file(void *ctx, const struct spill_told *t)
{
	return line(ctx, "f %u %llu %u %u", t->file,
	    (unsigned long long)t->size, t->urls, t->left);
}

/* The sums, and the files that the places on disk are in. */
static int
put_end(struct frontier *f, uint64_t pos)
{
	int rc = put_sums(f, pos);

	if (rc == 0 && f->spill != NULL)
		rc = spill_flush(f->spill);
	if (rc == 0 && f->spill != NULL)
		rc = spill_files(f->spill, put_file, &f->image);
	if (rc == 0)
		rc = line(&f->image, "end");
	return rc;
}

/* One step more into the buffer. */
static int
step(struct frontier *f, uint64_t pos)
{
	struct image *m = &f->image;
	int rc = 0;

	switch ((enum stage)m->stage) {
	case START:
		m->stage = MARKS;
		m->next = 1;
		return line(m, "frontier %d %lld", IMAGE_VERSION,
		    time_of(f->now));
	case MARKS:
		if (m->next <= marks_records(&f->marks)) {
			rc = table_reserve(f->pager);
			if (rc == 0)
				rc = marks_each(&f->marks, m->next++, put_mark,
				    m);
			return rc;
		}
		m->stage = HOSTS;
		m->next = 1;
		return 0;
	case HOSTS:
		if (m->next <= host_count(&f->hosts))
			return put_host(f, m->next++, pos);
		m->stage = SUMS;
		return 0;
	case SUMS:
		rc = put_end(f, pos);
		block_end(m);
		m->stage = DRAIN;
		return rc;
	case NONE:
	case DRAIN:
		break;
	}
	return FAULT_ARG;
}

/* Write what has collected: 0, FAULT_FULL if some of it has to wait. */
static int
drain(struct image *m, image_write_fn *write, void *ctx)
{
	size_t n;
	int rc;

	/* The open block's length is not known yet. */
	while (m->sent < m->block) {
		n = m->block - m->sent;
		rc = write(ctx, m->buf + m->sent,
		    n < IMAGE_PIECE ? n : IMAGE_PIECE);
		if (rc < 0)
			return rc;
		m->sent += n < IMAGE_PIECE ? n : IMAGE_PIECE;
	}
	memmove(m->buf, m->buf + m->block, m->len - m->block);
	m->len -= m->block;
	m->sent = 0;
	m->block = 0;
	return 0;
}

int
image_save(struct frontier *f, image_write_fn *write, void *ctx, uint64_t pos,
    size_t max)
{
	struct image *m = &f->image;
	int rc = 0;

	if (m->stage == NONE)
		return FAULT_ARG;
	if (m->block > 0)
		rc = drain(m, write, ctx);
	while (rc == 0 && m->stage != DRAIN && m->len < max)
		rc = step(f, pos);
	block_end(m);
	if (rc == 0 && m->block > 0)
		rc = drain(m, write, ctx);
	if (rc == FAULT_FULL)
		return 1;
	if (rc < 0) {
		image_abort(f);
		return rc;
	}
	if (m->stage != DRAIN || m->len > 0)
		return 1;
	free(m->buf);
	memset(m, 0, sizeof *m);
	return 0;
}

int
image_sync(struct frontier *f, int (*fn)(void *ctx, int fd), void *ctx)
{
	return f->spill == NULL ? 0 : spill_sync(f->spill, fn, ctx);
}

void
image_named(struct frontier *f)
{
	if (f->spill != NULL)
		spill_named(f->spill);
}
