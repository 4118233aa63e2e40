/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-image.c - a frontier's image, whole or as its lines alone
 *
 * Input that does not begin with a block's length becomes one block, so that
 * lines can be changed without their lengths.  What can be loaded must give
 * the same image twice, show what it says it has, and hand it out.
 */

#include "config.h"

#include <string.h>

#include "frontier/image.h"
#include "snapshot/limits.h"
#include "tests/fuzz.h"
#include "tests/membuf.h"

#define NOW  1000000
#define JOBS 300 /* taken from what was loaded */

static int
put(void *ctx, const void *p, size_t n)
{
	fuzz_check(n > 0 && n <= IMAGE_PIECE);
	return membuf_put(ctx, p, n);
}

/* Load `in'; NULL if that is a fault. */
static struct frontier *
load(struct membuf *in)
{
	struct frontier_opts o;
	struct frontier *f;
	int rc;

	memset(&o, 0, sizeof o);
	o.delay = 10;
	o.dirfd = -1;
	rc = frontier_new(&f, &o);
	fuzz_check(rc == 0);
	in->at = 0;
	rc = image_load(f, membuf_get, in, NOW);
	fuzz_check(rc <= 0);
	if (rc == 0)
		return f;
	frontier_free(f);
	return NULL;
}

static void
save(struct frontier *f, struct membuf *out)
{
	int rc = 1;

	memset(out, 0, sizeof *out);
	image_begin(f);
	while (rc == 1)
		rc = image_save(f, put, out, 5, 1000);
	fuzz_check(rc == 0);
}

static int
count(void *ctx, const struct frontier_url *u)
{
	uint64_t *n = ctx;

	fuzz_check(u->url.len > 0 && u->url.len <= LIMIT_URL);
	++*n;
	return 0;
}

/* Is the frontier what it says? */
static void
look(struct frontier *f)
{
	struct frontier_stat st;
	struct frontier_job j;
	uint64_t cursor = 0, n = 0;
	int64_t now = NOW;
	int rc = 1;

	frontier_stat(f, &st);
	while (rc == 1)
		rc = frontier_pending(f, &cursor, 7, count, &n);
	fuzz_check(rc == 0 && n == st.queued);
	fuzz_check((st.queued == 0) == frontier_empty(f));
	for (int i = 0; i < JOBS; i++) {
		now += 10;
		rc = frontier_next(f, now, &j);
		fuzz_check(rc >= 0);
		if (rc == 0)
			continue;
		if (j.kind == FRONTIER_RESOLVE)
			rc = frontier_resolved(f, j.id, NULL, 0, -1, now);
		else
			rc = frontier_done(f, j.id, FRONTIER_OK, -1, now);
		fuzz_check(rc >= 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct membuf in = { .b = NULL }, once, again;
	struct frontier *f;
	char head[16];

	if (size > LIMIT_IMAGE_BLOCK - 1)
		return 0;
	if (size < 9 || data[8] != '\n') {
		(void)snprintf(head, sizeof head, "%08zx\n", size + 1);
		(void)put(&in, head, 9);
		if (size > 0)
			(void)put(&in, data, size);
		(void)put(&in, "\n", 1);
	} else {
		(void)put(&in, data, size);
	}
	f = load(&in);
	if (f != NULL) {
		save(f, &once);
		frontier_free(f);
		f = load(&once);
		fuzz_check(f != NULL);
		save(f, &again);
		fuzz_check(once.len == again.len &&
		    memcmp(once.b, again.b, once.len) == 0);
		look(f);
		frontier_free(f);
		free(once.b);
		free(again.b);
	}
	free(in.b);
	return 0;
}
