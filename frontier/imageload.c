/* SPDX-License-Identifier: BSD-2-Clause */

/* imageload.c - blocks of lines, from whatever holds an image */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/image.h"
#include "frontier/imageline.h"
#include "snapshot/limits.h"

#define HEAD 9 /* bytes of a block's length and its newline */

_Static_assert(LIMIT_IMAGE_BLOCK >= 64 * 1024 + LIMIT_IMAGE_LINE,
    "what image.c writes can be read");

struct imageload {
	struct imageline line;
	char *block; /* LIMIT_IMAGE_BLOCK bytes */
};

/* The next block: its length, or a fault. */
static int
block_read(struct imageload *l, image_read_fn *read, void *ctx)
{
	char head[HEAD];
	int len = 0, d, rc = read(ctx, head, HEAD);

	if (rc < 0)
		return rc;
	for (int i = 0; i < HEAD - 1; i++) {
		d = imageline_hex(head[i]);
		if (d < 0 || len > LIMIT_IMAGE_BLOCK)
			return l->line.started ? FAULT_DAMAGED : FAULT_MAGIC;
		len = len * 16 + d;
	}
	if (head[HEAD - 1] != '\n' || len == 0 || len > LIMIT_IMAGE_BLOCK)
		return l->line.started ? FAULT_DAMAGED : FAULT_MAGIC;
	rc = read(ctx, l->block, (size_t)len);
	if (rc == 0 && l->block[len - 1] != '\n')
		rc = FAULT_DAMAGED;
	return rc < 0 ? rc : len;
}

static int
load_all(struct imageload *l, image_read_fn *read, void *ctx)
{
	int rc = 0;

	while (rc == 0 && !l->line.ended) {
		const char *s = l->block, *end, *eol;
		int len = block_read(l, read, ctx);

		if (len < 0)
			return len;
		for (end = s + len; rc == 0 && s < end; s = eol + 1) {
			eol = memchr(s, '\n', (size_t)(end - s));
			if (eol - s > LIMIT_IMAGE_LINE)
				return FAULT_DAMAGED;
			rc = imageline_take(&l->line, s, eol);
		}
	}
	return rc;
}

int
image_load(struct frontier *f, image_read_fn *read, void *ctx, int64_t now)
{
	struct imageload l = { .line = { .f = f } };
	int rc;

	if (host_count(&f->hosts) > 0)
		return FAULT_ARG;
	core_clock(f, now);
	/* Nothing waits in it yet, and it may be far from now. */
	wheel_init(&f->wheel, f->now);
	l.block = malloc(LIMIT_IMAGE_BLOCK);
	if (l.block == NULL)
		return FAULT_NOMEM;
	rc = load_all(&l, read, ctx);
	if (rc == 0 && f->spill != NULL)
		spill_settle(f->spill);
	free(l.block);
	free(l.line.rules);
	return rc;
}
