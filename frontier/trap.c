/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * trap.c - URLs that a site makes without end
 *
 * The sketch's image is "TRAP\0\0\0\1", bits u32, 0 u32, hash seed u64, adds
 * since the last halving u64, and the counters, 4 bytes each.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/bytes.h"
#include "frontier/sketch.h"
#include "frontier/trap.h"
#include "snapshot/limits.h"

#define CYCLE      4    /* segments of a cycle, at most */
#define TIMES      3    /* that it comes in a row */
#define SHORT      2    /* bytes: such segments may repeat themselves */
#define HEX_LEAST  8    /* digits that make a word a hex word */
#define IMAGE_HEAD 32   /* bytes */
#define IMAGE_STEP 1024 /* counters written or read at a time */

static const unsigned char magic[8] = { 'T', 'R', 'A', 'P', 0, 0, 0, 1 };

struct trap {
	struct trap_opts opts;
	struct urlkey_hasher hash;
	struct sketch sketch;
};

void
trap_defaults(struct trap_opts *o)
{
	o->length = LIMIT_TRAP_LENGTH;
	o->depth = LIMIT_TRAP_DEPTH;
	o->repeat = LIMIT_TRAP_REPEAT;
	o->params = LIMIT_TRAP_PARAMS;
	o->shape = LIMIT_TRAP_SHAPE;
	o->facets = LIMIT_TRAP_FACETS;
	o->hops = LIMIT_TRAP_HOPS;
}

static int
digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int
hex(char c)
{
	return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Files spread over folders by their number (/00/00/00/17) repeat short
   segments and numbers, and there are map tiles. */
static int
harmless(struct url_span seg)
{
	size_t i = 0;

	while (i < seg.len && digit(seg.s[i]))
		i++;
	return seg.len > 0 && (i == seg.len || seg.len <= SHORT);
}

static int
same(struct url_span a, struct url_span b)
{
	return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}

/* A walk along the segments of a path. */
struct path {
	struct url_span last[CYCLE]; /* by number, modulo CYCLE */
	unsigned int n;              /* so far */
	/* by period: so many equal the one a period before them; of these,
	   the number of the last that is not harmless, + 1 */
	unsigned int run[CYCLE + 1];
	unsigned int strong;
};

/* Does the next segment, `seg', complete a repetition? */
static enum trap_verdict
path_next(const struct trap_opts *o, struct path *p, struct url_span seg)
{
	enum trap_verdict v = TRAP_NONE;

	if (!harmless(seg))
		p->strong = p->n + 1;
	for (unsigned int k = 1; k <= CYCLE; k++) {
		if (p->n < k || !same(seg, p->last[(p->n - k) % CYCLE])) {
			p->run[k] = 0;
			continue;
		}
		p->run[k]++;
		if (p->strong + k <= p->n + 1)
			continue; /* a whole period of harmless ones */
		if (k == 1 && p->run[k] + 1 >= o->repeat)
			v = TRAP_REPEAT;
		if (k > 1 && p->run[k] >= (TIMES - 1) * k && v == TRAP_NONE)
			v = TRAP_CYCLE;
	}
	p->last[p->n++ % CYCLE] = seg;
	return v;
}

static enum trap_verdict
path_check(const struct trap_opts *o, const char *s, const char *end)
{
	struct path p = { .n = 0 };
	enum trap_verdict v;
	struct url_span seg;
	const char *slash;

	for (; s < end; s = slash) {
		s++; /* the "/" */
		slash = memchr(s, '/', (size_t)(end - s));
		if (slash == NULL)
			slash = end;
		/* What is behind the last "/" is a segment if it is there. */
		if (s == end)
			break;
		seg.s = s;
		seg.len = (size_t)(slash - s);
		if (o->depth > 0 && p.n == o->depth)
			return TRAP_DEPTH;
		v = o->repeat > 0 ? path_next(o, &p, seg) : TRAP_NONE;
		if (o->repeat == 0)
			p.n++;
		if (v != TRAP_NONE)
			return v;
	}
	return TRAP_NONE;
}

/* FNV-1a: who makes two of his own parameters collide harms himself. */
static uint64_t
fnv(const char *s, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; len > 0; len--)
		h = (h ^ (unsigned char)*s++) * UINT64_C(0x100000001b3);
	return h;
}

/* The parameters from `s' on, behind the "?". */
static enum trap_verdict
query_check(const struct trap_opts *o, const char *s, const char *end)
{
	uint64_t pair[LIMIT_TRAP_COMPARE];
	unsigned int n = 0, kept = 0, times, i;
	const char *amp, *eq;

	for (; s < end; s = amp + 1) {
		amp = memchr(s, '&', (size_t)(end - s));
		if (amp == NULL)
			amp = end;
		if (amp > s && ++n > o->params && o->params > 0)
			return TRAP_QUERY;
		/* Forms have lists of fields that are all left empty. */
		eq = memchr(s, '=', (size_t)(amp - s));
		if (eq == NULL || eq + 1 == amp || o->repeat == 0 ||
		    kept == LIMIT_TRAP_COMPARE)
			continue;
		pair[kept] = fnv(s, (size_t)(amp - s));
		for (i = 0, times = 1; i < kept; i++)
			times += pair[i] == pair[kept];
		if (times >= o->repeat)
			return TRAP_QUERY;
		kept++;
	}
	return TRAP_NONE;
}

enum trap_verdict
trap_check(const struct trap_opts *o, struct url_span url,
    const struct url_parts *p)
{
	enum trap_verdict v;

	if (o->length > 0 && url.len > o->length)
		return TRAP_LENGTH;
	v = path_check(o, url.s + p->path, url.s + p->query);
	if (v == TRAP_NONE && p->query < p->end)
		v = query_check(o, url.s + p->query + 1, url.s + p->end);
	return v;
}

struct trap *
trap_new(const struct trap_opts *o, unsigned int bits, uint64_t seed)
{
	struct trap *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->opts = *o;
	urlkey_init(&t->hash, seed);
	if (sketch_init(&t->sketch, bits) < 0) {
		free(t);
		return NULL;
	}
	return t;
}

void
trap_free(struct trap *t)
{
	if (t == NULL)
		return;
	sketch_free(&t->sketch);
	free(t);
}

/* The shape of the word (letters and digits) from `s' to `end'. */
static char *
shape_word(char *to, const char *s, const char *end)
{
	int digits = 0, other = 0;
	const char *p;

	for (p = s; p < end; p++) {
		digits += digit(*p);
		other += !hex(*p);
	}
	if (digits > 0 && other == 0 && end - s >= HEX_LEAST) {
		*to++ = digits == end - s ? 'N' : 'H';
		return to;
	}
	while (s < end) {
		*to++ = digit(*s) ? 'N' : *s;
		if (!digit(*s++))
			continue;
		while (s < end && digit(*s))
			s++;
	}
	return to;
}

/*
 * Write the shape of path and query to `to', no longer than they are: 'N' for
 * a run of digits, 'H' for a word of hex digits with some numbers in it.
 */
static size_t
shape_of(const char *s, const char *end, char *to)
{
	const char *p;
	char *at = to;

	while (s < end) {
		if (*s == '%' && end - s >= 3) {
			memcpy(at, s, 3);
			at += 3;
			s += 3;
			continue;
		}
		for (p = s; p < end && (digit(*p) || letter(*p)); p++)
			continue;
		if (p == s) {
			*at++ = *s++;
			continue;
		}
		at = shape_word(at, s, p);
		s = p;
	}
	return (size_t)(at - to);
}

/* The key of `len' bytes of `what' at the URL's host. */
static struct urlkey
key_at(const struct trap *t, struct url_span url, const struct url_parts *p,
    const char *what, size_t len, uint64_t kind)
{
	struct {
		struct urlkey host, what;
		uint64_t kind;
	} k;

	k.host = urlkey_of(&t->hash, url.s + p->host, p->host_end - p->host);
	k.what = urlkey_of(&t->hash, what, len);
	k.kind = kind;
	return urlkey_of(&t->hash, &k, sizeof k);
}

enum trap_verdict
trap_count(struct trap *t, struct url_span url, const struct url_parts *p,
    uint32_t hops)
{
	const struct trap_opts *o = &t->opts;
	enum trap_verdict v = TRAP_NONE;
	struct urlkey shape, facets = { 0, 0 };
	const char *path = url.s + p->path;
	char text[LIMIT_TRAP_TEXT];
	size_t len = p->end - p->path;

	len = shape_of(path, path + (len < sizeof text ? len : sizeof text),
	    text);
	shape = key_at(t, url, p, text, len, 1);
	if (o->shape > 0 && sketch_get(&t->sketch, shape) >= o->shape)
		v = TRAP_SHAPE;
	if (p->query < p->end) {
		facets = key_at(t, url, p, path, p->query - p->path, 2);
		if (v == TRAP_NONE && o->facets > 0 &&
		    sketch_get(&t->sketch, facets) >= o->facets)
			v = TRAP_FACETS;
	}
	if (v != TRAP_NONE && o->hops > 0 && hops > o->hops)
		return TRAP_HOPS;
	sketch_add(&t->sketch, shape);
	if (p->query < p->end)
		sketch_add(&t->sketch, facets);
	return v;
}

int
trap_refused(enum trap_verdict v)
{
	return v != TRAP_NONE && v != TRAP_SHAPE && v != TRAP_FACETS;
}

int
trap_save(const struct trap *t, int (*write)(void *, const void *, size_t),
    void *ctx)
{
	unsigned char b[4 * IMAGE_STEP], *p = b + sizeof magic;
	const uint32_t *c = t->sketch.count;
	size_t left = (size_t)1 << t->sketch.bits;
	int rc;

	memcpy(b, magic, sizeof magic);
	p = bytes_put32(p, t->sketch.bits);
	p = bytes_put32(p, 0);
	p = bytes_put64(p, t->hash.seed);
	p = bytes_put64(p, t->sketch.added);
	rc = write(ctx, b, (size_t)(p - b));
	for (; rc >= 0 && left > 0; left -= IMAGE_STEP) {
		p = b;
		for (int i = 0; i < IMAGE_STEP; i++)
			p = bytes_put32(p, *c++);
		rc = write(ctx, b, sizeof b);
	}
	return rc < 0 ? rc : 0;
}

int
trap_load(struct trap *t, int (*read)(void *, void *, size_t), void *ctx)
{
	unsigned char b[4 * IMAGE_STEP];
	uint32_t *c = t->sketch.count;
	size_t left = (size_t)1 << t->sketch.bits;
	int rc;

	sketch_clear(&t->sketch);
	rc = read(ctx, b, IMAGE_HEAD);
	if (rc < 0)
		return rc;
	if (memcmp(b, magic, sizeof magic) != 0)
		return FAULT_MAGIC;
	if (bytes_get32(b + 8) != t->sketch.bits)
		return FAULT_MISMATCH;
	urlkey_init(&t->hash, bytes_get64(b + 16));
	t->sketch.added = bytes_get64(b + 24) & (((uint64_t)1 << 32) - 1);
	for (; left > 0; left -= IMAGE_STEP) {
		rc = read(ctx, b, sizeof b);
		if (rc < 0) {
			sketch_clear(&t->sketch);
			return rc;
		}
		for (int i = 0; i < IMAGE_STEP; i++)
			*c++ = bytes_get32(b + 4 * i);
	}
	return 0;
}

const char *
trap_verdict_str(enum trap_verdict v)
{
	static const char *const name[TRAP_VERDICTS] = {
		"none",
		"url-length",
		"path-depth",
		"path-repeat",
		"path-cycle",
		"query-repeat",
		"shape",
		"facets",
		"hops",
	};

	return (unsigned int)v < TRAP_VERDICTS ? name[v] : "unknown";
}
