/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/mman.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/filterdisk.h"
#include "snapshot/file.h"

#define LIVE_AT  512 /* words: the second page of 4 KiB */
#define TURNS_AT 511 /* words behind that: the page's last one */

struct filterfile *
filterdisk_new(unsigned int flags)
{
	struct filterfile *f = calloc(1, sizeof *f);

	if (f == NULL)
		return NULL;
	f->fd = -1;
	f->flags = flags;
	return f;
}

int
filterdisk_read_only(const struct filterfile *f)
{
	return (f->flags & (FILTER_PRIVATE | FILTER_LOOK)) != 0;
}

int
filterdisk_allocate(int fd, uint64_t from, uint64_t to)
{
	int rc;

	do
		rc = posix_fallocate(fd, (off_t)from, (off_t)(to - from));
	while (rc == EINTR);
	if (rc == 0)
		return 0;
	errno = rc;
	return FAULT_SYS;
}

int
filterdisk_fill(int fd, uint64_t end)
{
	if (fallocate(fd, 0, 0, (off_t)end) == 0)
		return 0;
	return errno == ENOSPC || errno == EDQUOT ? FAULT_SYS : 0;
}

int
filterdisk_map(const struct filterfile *f, struct layer *l,
    enum layer_dirt dirt)
{
	int prot = f->flags & FILTER_LOOK ? PROT_READ : PROT_READ | PROT_WRITE;
	int how = f->flags & FILTER_PRIVATE ? MAP_PRIVATE | MAP_NORESERVE :
					      MAP_SHARED;
	size_t mibs = (l->bytes + LAYER_MIB - 1) / LAYER_MIB;
	void *p;

	if (l->bytes > SIZE_MAX / 2) {
		errno = ENOMEM;
		return FAULT_NOMEM;
	}
	if (!filterdisk_read_only(f)) {
		l->dirt = malloc(mibs);
		if (l->dirt == NULL)
			return FAULT_NOMEM;
		memset(l->dirt, dirt, mibs);
	}
	p = mmap(NULL, l->bytes, prot, how, f->fd, (off_t)l->offset);
	if (p == MAP_FAILED)
		return FAULT_SYS;
	l->map = p;
	l->map_bytes = l->bytes;
	l->word = p;
	return 0;
}

int
filterdisk_map_live(struct filterfile *f)
{
	int prot = filterdisk_read_only(f) ? PROT_READ : PROT_READ | PROT_WRITE;
	void *p = mmap(NULL, FILTERFILE_LIVE, prot, MAP_SHARED, f->fd, 0);

	if (p == MAP_FAILED)
		return FAULT_SYS;
	f->map = p;
	f->live = (_Atomic uint64_t *)p + LIVE_AT;
	if (f->flags & FILTER_SHARED)
		f->share.turns = f->live + TURNS_AT;
	return 0;
}

void
filterdisk_take(struct layer *l, const struct filterhead_layer *h)
{
	l->shape = h->shape;
	l->rate = h->rate;
	l->capacity = h->capacity;
	l->count = h->count;
	l->ones = h->ones;
	l->offset = h->offset;
	l->bytes = h->bytes;
}

void
filterdisk_enter(struct filterhead_layer *h, struct layer *l, uint64_t offset)
{
	l->offset = offset;
	l->bytes = rate_bytes(&l->shape);
	memset(h, 0, sizeof *h);
	h->shape = l->shape;
	h->rate = l->rate;
	h->capacity = l->capacity;
	h->offset = l->offset;
	h->bytes = l->bytes;
}

void
filterdisk_counts(struct filterfile *f, const struct layer *all, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		f->head.layer[i].count = all[i].count;
		f->head.layer[i].ones = all[i].ones;
	}
}

int
filterdisk_head(struct filterfile *f)
{
	unsigned char copy[FILTERHEAD_COPY];
	int rc;

	f->head.sequence++;
	filterhead_encode(copy, &f->head);
	rc = file_write(f->fd, copy, sizeof copy,
	    filterhead_place(f->head.sequence));
	if (rc < 0)
		f->head.sequence--; /* the other copy must stay */
	return rc;
}

int
filterdisk_write_back(struct filterfile *f, const struct layer *all,
    unsigned int n)
{
	unsigned int i;
	int bad = 0;

	for (i = 0; i < n; i++)
		if (msync(all[i].map, all[i].map_bytes, MS_SYNC) != 0)
			bad = 1;
	if (msync(f->map, FILTERFILE_LIVE, MS_SYNC) != 0)
		bad = 1;
	if (!bad)
		return 0;
	f->broken = 1;
	return FAULT_SYS;
}
