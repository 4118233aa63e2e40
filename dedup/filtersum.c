/* SPDX-License-Identifier: BSD-2-Clause */

/* filtersum.c - the sums of a filter's file, and the clean end */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dedup/filterdisk.h"
#include "snapshot/file.h"

static uint64_t
sum_of(const struct layer *l, size_t mib)
{
	const char *p = (const char *)layer_plain(l->word) + mib * LAYER_MIB;
	uint64_t left = l->bytes - mib * LAYER_MIB;

	return XXH3_64bits(p, left < LAYER_MIB ? left : LAYER_MIB);
}

/* Bring the sums of one layer up to date, in sums[] as in the file. */
static void
fresh_sums(const struct layer *l, uint64_t *sums, size_t mibs, const void *zero)
{
	uint64_t whole = XXH3_64bits(zero, LAYER_MIB);
	size_t i;

	for (i = 0; i < mibs; i++) {
		if (l->dirt[i] == LAYER_SUMMED)
			continue;
		/* What nobody touched needs no reading, but for a short end. */
		if (l->dirt[i] == LAYER_FRESH && i + 1 < mibs)
			sums[i] = layer_le(whole);
		else
			sums[i] = layer_le(sum_of(l, i));
		l->dirt[i] = LAYER_SUMMED;
	}
}

static int
write_sums(struct filterfile *f, const struct layer *l,
    const struct filterhead_layer *h)
{
	size_t mibs = (l->bytes + LAYER_MIB - 1) / LAYER_MIB;
	size_t size = mibs * sizeof(uint64_t);
	long got;
	uint64_t *sums = malloc(size);
	void *zero = calloc(1, LAYER_MIB);
	int rc = FAULT_NOMEM;

	if (sums == NULL || zero == NULL)
		goto out;
	got = file_read(f->fd, sums, size, filterhead_sums(h));
	rc = got < 0 ? (int)got : FAULT_TRUNCATED;
	if (got != (long)size)
		goto out;
	fresh_sums(l, sums, mibs, zero);
	rc = file_write(f->fd, sums, size, filterhead_sums(h));
out:
	free(zero);
	free(sums);
	return rc;
}

int
filterfile_finish(struct filterfile *f, const struct layer *all, unsigned int n)
{
	unsigned int i;
	int rc;

	if (filterdisk_read_only(f) || (!f->marked && f->head.clean))
		return 0;
	if (f->broken) {
		errno = EIO;
		return FAULT_SYS;
	}
	rc = filterdisk_write_back(f, all, n);
	for (i = 0; i < n && rc == 0; i++)
		rc = write_sums(f, &all[i], &f->head.layer[i]);
	if (rc == 0 && fdatasync(f->fd) != 0)
		rc = FAULT_SYS;
	if (rc < 0)
		return rc;
	filterdisk_counts(f, all, n);
	f->head.clean = 1;
	rc = filterdisk_head(f);
	if (rc == 0 && fsync(f->fd) != 0)
		rc = FAULT_SYS;
	return rc == 0 ? filterdisk_head(f) : rc;
}

/* One layer: read, not by its map, so that a check of what is larger than
   memory takes none, and a bad disk is a fault. */
static int
verify_layer(const struct filterfile *f, const struct filterhead_layer *h,
    void *buf, uint64_t *where)
{
	uint64_t sum, left, from = h->offset, at = filterhead_sums(h);
	size_t want;
	long got;

	for (left = h->bytes; left > 0; left -= want, from += want) {
		want = left < LAYER_MIB ? (size_t)left : LAYER_MIB;
		*where = from / LAYER_MIB;
		got = file_read(f->fd, &sum, sizeof sum, at);
		if (got < 0)
			return FAULT_SYS;
		if (got != (long)sizeof sum)
			return FAULT_DAMAGED;
		got = file_read(f->fd, buf, want, from);
		if (got < 0)
			return FAULT_SYS;
		if (got != (long)want ||
		    layer_le(sum) != XXH3_64bits(buf, want))
			return FAULT_DAMAGED;
		at += sizeof sum;
	}
	return 0;
}

int
filterfile_verify(const struct filterfile *f, unsigned int n, uint64_t *where)
{
	void *buf;
	unsigned int i;
	int rc = 0, saved;

	*where = 0;
	if (f->head.torn)
		return FAULT_DAMAGED;
	buf = malloc(LAYER_MIB);
	if (buf == NULL)
		return FAULT_NOMEM;
	for (i = 0; i < n && rc == 0; i++)
		rc = verify_layer(f, &f->head.layer[i], buf, where);
	saved = errno;
	free(buf);
	errno = saved;
	return rc;
}
