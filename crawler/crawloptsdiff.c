/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include "crawler/crawloptsdiff.h"
#include "crawler/crawloptsvalue.h"

#define AT(field) offsetof(struct crawlopts, field)

/* What HUP takes up: crawlsetup.c hands these to the core. */
static const size_t tuned[] = { AT(include), AT(exclude), AT(delay),
	AT(ip_delay), AT(connections), AT(per_host) };

static const size_t follow[] = { AT(scope), AT(include), AT(exclude), AT(depth),
	AT(host_pages), AT(embeds), AT(forms), AT(nofollow), AT(sitemaps) };

static int
among(const size_t *list, size_t n, size_t at)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (list[i] == at)
			return 1;
	return 0;
}

static int
same_string(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static int
same_list(const struct crawlopts_list *a, const struct crawlopts_list *b)
{
	size_t i;

	if (a->n != b->n)
		return 0;
	for (i = 0; i < a->n; i++)
		if (strcmp(a->s[i], b->s[i]) != 0)
			return 0;
	return 1;
}

/* The row's field is the same; of a mode, which is none here, it is, too. */
static int
same(const struct optable_row *r, const void *a, const void *b)
{
	static const struct {
		optable_fn *take;
		size_t size;
	} plain[] = {
		{ optable_count, sizeof(uint64_t) },
		{ optable_count0, sizeof(uint64_t) },
		{ optable_bytes, sizeof(uint64_t) },
		{ optable_seconds, sizeof(int64_t) },
		{ optable_rate, sizeof(double) },
		{ optable_kind, sizeof(unsigned int) },
		{ optable_word, sizeof(int) },
		{ crawloptsvalue_scope, sizeof(int) },
	};
	const void *x = (const char *)a + r->at, *y = (const char *)b + r->at;
	size_t i;

	for (i = 0; i < sizeof plain / sizeof plain[0]; i++)
		if (r->take == plain[i].take)
			return memcmp(x, y, plain[i].size) == 0;
	if (r->take == optable_set) /* two rows may share a field */
		return (*(const int *)x == r->value) ==
		    (*(const int *)y == r->value);
	if (r->take == optable_string || r->take == crawloptsvalue_line ||
	    r->take == crawloptsvalue_proxy)
		return same_string(*(const char *const *)x,
		    *(const char *const *)y);
	if (r->take == crawloptsvalue_list ||
	    r->take == crawloptsvalue_pattern ||
	    r->take == crawloptsvalue_header)
		return same_list(x, y);
	return 1;
}

void
crawloptsdiff_names(const struct crawlopts *a, const struct crawlopts *b,
    enum crawloptsdiff kind, char *out, size_t size)
{
	const struct optable *t = &crawlopts_table;
	const struct optable_row *r;
	size_t len = 0;
	int asked;

	out[0] = '\0';
	for (r = t->row; r < t->row + t->rows && len < size; r++) {
		asked = kind == CRAWLOPTSDIFF_FOLLOW ?
		    among(follow, sizeof follow / sizeof follow[0], r->at) :
		    !among(tuned, sizeof tuned / sizeof tuned[0], r->at);
		if (asked && !same(r, a, b))
			len += (size_t)snprintf(out + len, size - len, "%s%s",
			    len == 0 ? "" : ", ", r->name);
	}
}
