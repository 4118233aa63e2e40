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

/* Take a line: 1 if it was the last, 0, or a fault. */
typedef int take_fn(void *to, const char *s, const char *end);

struct imageload {
	image_read_fn *read;
	void *ctx;
	int begun;   /* a block has come */
	char *block; /* LIMIT_IMAGE_BLOCK bytes */
};

/* The next block: its length, or a fault. */
static int
block_read(struct imageload *l)
{
	char head[HEAD];
	int len = 0, d, rc = l->read(l->ctx, head, HEAD);

	if (rc < 0)
		return rc;
	for (int i = 0; i < HEAD - 1; i++) {
		d = imageline_hex(head[i]);
		if (d < 0 || len > LIMIT_IMAGE_BLOCK)
			return l->begun ? FAULT_DAMAGED : FAULT_MAGIC;
		len = len * 16 + d;
	}
	if (head[HEAD - 1] != '\n' || len == 0 || len > LIMIT_IMAGE_BLOCK)
		return l->begun ? FAULT_DAMAGED : FAULT_MAGIC;
	rc = l->read(l->ctx, l->block, (size_t)len);
	if (rc == 0 && l->block[len - 1] != '\n')
		rc = FAULT_DAMAGED;
	l->begun = 1;
	return rc < 0 ? rc : len;
}

/* Every line of the image, up to the last one's block. */
static int
each_line(image_read_fn *read, void *ctx, take_fn *take, void *to)
{
	struct imageload l = { .read = read, .ctx = ctx };
	int rc = 0, last = 0;

	l.block = malloc(LIMIT_IMAGE_BLOCK);
	if (l.block == NULL)
		return FAULT_NOMEM;
	while (rc == 0 && !last) {
		const char *s = l.block, *end, *eol;
		int len = block_read(&l);

		rc = len < 0 ? len : 0;
		for (end = s + len; rc == 0 && s < end; s = eol + 1) {
			eol = memchr(s, '\n', (size_t)(end - s));
			rc = FAULT_DAMAGED;
			if (!last && eol - s <= LIMIT_IMAGE_LINE)
				rc = take(to, s, eol);
			if (rc > 0) {
				last = 1;
				rc = 0;
			}
		}
	}
	free(l.block);
	return rc;
}

static int
load_line(void *to, const char *s, const char *end)
{
	struct imageline *l = to;
	int rc = imageline_take(l, s, end);

	return rc < 0 ? rc : l->ended;
}

int
image_load(struct frontier *f, image_read_fn *read, void *ctx, int64_t now)
{
	struct imageline l = { .f = f };
	int rc;

	if (host_count(&f->hosts) > 0)
		return FAULT_ARG;
	core_clock(f, now);
	/* Nothing waits in it yet, and it may be far from now. */
	wheel_init(&f->wheel, f->now);
	rc = each_line(read, ctx, load_line, &l);
	if (rc == 0 && f->spill != NULL)
		spill_settle(f->spill);
	free(l.rules);
	return rc;
}

struct look {
	image_file_fn *fn;
	void *ctx;
};

static int
look_line(void *to, const char *s, const char *end)
{
	const struct look *l = to;
	struct spill_told t;
	int rc;

	if (end - s == 3 && memcmp(s, "end", 3) == 0)
		return 1;
	if (end - s < 3 || memcmp(s, "f ", 2) != 0)
		return 0;
	rc = imageline_file(s + 2, end, &t);
	return rc < 0 ? rc : l->fn(l->ctx, t.file, t.size);
}

int
image_files(image_read_fn *read, void *ctx, image_file_fn *fn, void *fn_ctx)
{
	struct look l = { fn, fn_ctx };

	return each_line(read, ctx, look_line, &l);
}
