/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * scope.c - which URLs belong to the crawl
 *
 * What a seed stands for becomes one key in an open-addressing table.  For a
 * prefix it is the end of a chain: the key of the host, then of each
 * directory with the key before it.  So a URL is looked up by walking down
 * its own path once, no deeper than the deepest seed, whatever their number.
 *
 * An image of it is	"SCOPE\0\0\1", kind u32, deepest u32, hash seed u64,
 *			count u64, and the keys, 16 bytes each.
 */

#include "config.h"

#include <libpsl.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/urlkey.h"
#include "frontier/bytes.h"
#include "frontier/pattern.h"
#include "frontier/scope.h"
#include "snapshot/limits.h"

#define DNS_NAME    253 /* bytes: a name, RFC 1035 */
#define SLOTS_FIRST 16
#define HEAD        32 /* bytes of an image before the keys */

static const unsigned char magic[8] = { 'S', 'C', 'O', 'P', 'E', 0, 0, 1 };

struct scope {
	enum scope_kind kind;
	psl_ctx_t *psl;
	struct urlkey_hasher hash;
	struct urlkey *slot; /* all zeroes: empty */
	uint64_t slots;      /* a power of two, or 0 */
	uint64_t count;
	uint32_t deepest; /* directories of the deepest prefix */
	struct pattern_list include;
	struct pattern_list exclude;
};

struct scope_scratch {
	struct pattern_scratch pattern;
};

struct scope *
scope_new(enum scope_kind kind, uint64_t seed)
{
	struct scope *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->kind = kind;
	urlkey_init(&s->hash, seed);
	/* The system's list if it is newer than the one built in. */
	s->psl = psl_latest(NULL);
	if (s->psl == NULL) {
		free(s);
		return NULL;
	}
	return s;
}

void
scope_free(struct scope *s)
{
	if (s == NULL)
		return;
	psl_free(s->psl);
	pattern_clear(&s->include);
	pattern_clear(&s->exclude);
	free(s->slot);
	free(s);
}

struct scope_scratch *
scope_scratch_new(void)
{
	struct scope_scratch *x = calloc(1, sizeof *x);

	if (x != NULL && pattern_scratch_init(&x->pattern) < 0) {
		free(x);
		x = NULL;
	}
	return x;
}

void
scope_scratch_free(struct scope_scratch *x)
{
	if (x != NULL)
		pattern_scratch_clear(&x->pattern);
	free(x);
}

static int
none(struct urlkey k)
{
	return (k.hi | k.lo) == 0;
}

/* The key of `len' bytes; never the one of an empty slot. */
static struct urlkey
key(const struct scope *s, const void *p, size_t len)
{
	struct urlkey k = urlkey_of(&s->hash, p, len);

	k.lo |= none(k);
	return k;
}

/* Where `k' is, or would be. */
static struct urlkey *
probe(const struct scope *s, struct urlkey k)
{
	uint64_t i = k.hi & (s->slots - 1);

	while (!none(s->slot[i]) && !urlkey_same(s->slot[i], k))
		i = (i + 1) & (s->slots - 1);
	return &s->slot[i];
}

static int
has(const struct scope *s, struct urlkey k)
{
	return s->slots > 0 && !none(*probe(s, k));
}

static int
grow(struct scope *s)
{
	struct urlkey *old = s->slot;
	uint64_t was = s->slots;

	s->slots = was == 0 ? SLOTS_FIRST : was * 2;
	s->slot = calloc(s->slots, sizeof *s->slot);
	if (s->slot == NULL) {
		s->slot = old;
		s->slots = was;
		return FAULT_NOMEM;
	}
	for (uint64_t i = 0; i < was; i++)
		if (!none(old[i]))
			*probe(s, old[i]) = old[i];
	free(old);
	return 0;
}

/* 1 if `k' is new. */
static int
add(struct scope *s, struct urlkey k)
{
	if (has(s, k))
		return 0;
	if (s->count == LIMIT_SCOPE_KEYS)
		return FAULT_FULL;
	if (s->count >= s->slots / 4 * 3 && grow(s) < 0)
		return FAULT_NOMEM;
	*probe(s, k) = k;
	s->count++;
	return 1;
}

/* A name that the public suffix list says nothing about.  In normal form only
   an IPv4 address ends in a digit-only label. */
static int
stands_alone(const char *host, size_t len)
{
	size_t i = len;

	if (len > DNS_NAME || host[0] == '[')
		return 1;
	while (i > 0 && host[i - 1] >= '0' && host[i - 1] <= '9')
		i--;
	return i < len && (i == 0 || host[i - 1] == '.');
}

/* The key of the host's registrable domain. */
static struct urlkey
domain_key(const struct scope *s, const char *host, size_t len)
{
	char name[DNS_NAME + 1];
	const char *domain;

	if (len > 1 && host[len - 1] == '.')
		len--; /* of a name that is written with its root */
	if (stands_alone(host, len))
		return key(s, host, len);
	memcpy(name, host, len);
	name[len] = '\0';
	domain = psl_registrable_domain(s->psl, name);
	if (domain == NULL)
		return key(s, host, len);
	return key(s, domain, strlen(domain));
}

/* Where a chain of prefixes is. */
struct walk {
	struct urlkey at;
	const char *s; /* what follows the "/" it has come to */
	const char *end;
};

/* Start at the root: the host, and a port that is not the scheme's. */
static void
walk_start(const struct scope *s, struct walk *w, struct url_span url,
    const struct url_parts *p)
{
	struct {
		struct urlkey host;
		uint64_t port;
	} k;

	k.host = key(s, url.s + p->host, p->host_end - p->host);
	k.port = p->port == (p->https ? 443 : 80) ? 0 : p->port + 1U;
	w->at = key(s, &k, sizeof k);
	w->s = url.s + p->path + 1;
	w->end = url.s + p->query;
}

/* One directory down: 1, or 0 if only a file's name is left. */
static int
walk_next(const struct scope *s, struct walk *w)
{
	const char *slash = memchr(w->s, '/', (size_t)(w->end - w->s));
	struct {
		struct urlkey up, name;
	} k;

	if (slash == NULL)
		return 0;
	k.up = w->at;
	k.name = key(s, w->s, (size_t)(slash - w->s));
	w->at = key(s, &k, sizeof k);
	w->s = slash + 1;
	return 1;
}

int
scope_seed(struct scope *s, struct url_span url, const struct url_parts *parts)
{
	const char *host = url.s + parts->host;
	size_t len = parts->host_end - parts->host;
	uint32_t deep = 0;
	struct walk w;
	int rc;

	switch (s->kind) {
	case SCOPE_HOST:
		return add(s, key(s, host, len));
	case SCOPE_DOMAIN:
		return add(s, domain_key(s, host, len));
	case SCOPE_PREFIX:
		walk_start(s, &w, url, parts);
		while (walk_next(s, &w))
			deep++;
		rc = add(s, w.at);
		if (rc > 0 && deep > s->deepest)
			s->deepest = deep;
		return rc;
	case SCOPE_ANY:
		break;
	}
	return 0;
}

static int
inside(const struct scope *s, struct url_span url,
    const struct url_parts *parts)
{
	const char *host = url.s + parts->host;
	size_t len = parts->host_end - parts->host;
	struct walk w;

	switch (s->kind) {
	case SCOPE_HOST:
		return has(s, key(s, host, len));
	case SCOPE_DOMAIN:
		return has(s, domain_key(s, host, len));
	case SCOPE_PREFIX:
		walk_start(s, &w, url, parts);
		for (uint32_t i = 0; !has(s, w.at); i++)
			if (i == s->deepest || !walk_next(s, &w))
				return 0;
		return 1;
	case SCOPE_ANY:
		break;
	}
	return 1;
}

enum scope_verdict
scope_check(const struct scope *s, struct scope_scratch *x, struct url_span url,
    const struct url_parts *parts)
{
	return inside(s, url, parts) ? scope_patterns(s, x, url) : SCOPE_OUT;
}

enum scope_verdict
scope_patterns(const struct scope *s, struct scope_scratch *x,
    struct url_span url)
{
	int rc;

	rc = pattern_match(&s->exclude, &x->pattern, url.s, url.len);
	if (rc != 0)
		return rc > 0 ? SCOPE_EXCLUDED : SCOPE_COSTLY;
	if (s->include.n == 0)
		return SCOPE_IN;
	rc = pattern_match(&s->include, &x->pattern, url.s, url.len);
	if (rc != 0)
		return rc > 0 ? SCOPE_IN : SCOPE_COSTLY;
	return SCOPE_MISSED;
}

int
scope_include(struct scope *s, const char *pattern, struct scope_error *err)
{
	return pattern_add(&s->include, pattern, &err->offset, err->text,
	    sizeof err->text);
}

int
scope_exclude(struct scope *s, const char *pattern, struct scope_error *err)
{
	return pattern_add(&s->exclude, pattern, &err->offset, err->text,
	    sizeof err->text);
}

void
scope_swap(struct scope *a, struct scope *b)
{
	struct pattern_list l = a->include;

	a->include = b->include;
	b->include = l;
	l = a->exclude;
	a->exclude = b->exclude;
	b->exclude = l;
}

int
scope_save(const struct scope *s, scope_write_fn *write, void *ctx)
{
	unsigned char b[HEAD], *p = b + sizeof magic;
	int rc;

	memcpy(b, magic, sizeof magic);
	p = bytes_put32(p, s->kind);
	p = bytes_put32(p, s->deepest);
	p = bytes_put64(p, s->hash.seed);
	(void)bytes_put64(p, s->count);
	rc = write(ctx, b, HEAD);
	for (uint64_t i = 0; rc >= 0 && i < s->slots; i++) {
		if (none(s->slot[i]))
			continue;
		p = bytes_put64(b, s->slot[i].hi);
		p = bytes_put64(p, s->slot[i].lo);
		rc = write(ctx, b, (size_t)(p - b));
	}
	return rc < 0 ? rc : 0;
}

/* The `n' keys of an image. */
static int
load_keys(struct scope *s, uint64_t n, scope_read_fn *read, void *ctx)
{
	unsigned char b[16];
	struct urlkey k;
	int rc = 0;

	/* The table grows as keys come, not as a damaged count claims. */
	for (; n > 0; n--) {
		rc = read(ctx, b, sizeof b);
		if (rc < 0)
			return rc;
		k.hi = bytes_get64(b);
		k.lo = bytes_get64(b + 8);
		if (none(k))
			return FAULT_DAMAGED;
		rc = add(s, k);
		if (rc < 0)
			return rc;
		if (rc == 0)
			return FAULT_DAMAGED;
	}
	return 0;
}

int
scope_load(struct scope *s, scope_read_fn *read, void *ctx)
{
	unsigned char b[HEAD];
	uint64_t n;
	int rc = read(ctx, b, HEAD);

	if (rc < 0)
		return rc;
	if (memcmp(b, magic, sizeof magic) != 0)
		return FAULT_MAGIC;
	if (bytes_get32(b + 8) != (uint32_t)s->kind)
		return FAULT_MISMATCH;
	n = bytes_get64(b + 24);
	if (s->count > 0 || n > LIMIT_SCOPE_KEYS)
		return FAULT_DAMAGED;
	urlkey_init(&s->hash, bytes_get64(b + 16));
	s->deepest = bytes_get32(b + 12);
	rc = load_keys(s, n, read, ctx);
	if (rc < 0) {
		free(s->slot);
		s->slot = NULL;
		s->slots = 0;
		s->count = 0;
		s->deepest = 0;
	}
	return rc;
}

const char *
scope_verdict_str(enum scope_verdict v)
{
	static const char *const name[SCOPE_VERDICTS] = {
		"in",
		"scope",
		"exclude",
		"include",
		"pattern-limit",
	};

	return (unsigned int)v < SCOPE_VERDICTS ? name[v] : "unknown";
}

static const char *const kinds[] = { "host", "domain", "prefix", "any" };

unsigned int
scope_kind(const char *name)
{
	for (unsigned int i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i], name) == 0)
			return i + 1;
	return 0;
}

const char *
scope_kind_name(enum scope_kind kind)
{
	unsigned int i = (unsigned int)kind - 1;

	return i < sizeof kinds / sizeof *kinds ? kinds[i] : "unknown";
}
