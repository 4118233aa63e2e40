/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/mman.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dedup/filterdirect.h"
#include "dedup/filterint.h"
#include "snapshot/helper.h"

/* where one of these is missing filterdirect_new() finds no way */
#ifndef O_DIRECT
#define O_DIRECT 0
#endif
#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC        0
#define memfd_create(a, b) (errno = ENOSYS, -1)
#endif

#define PAGE  4096 /* bytes: what direct transfers are made of */
#define SLOTS 4    /* windows in memory: the one at i is in slot i % 4 */

struct filterdirect {
	struct filter *filter;
	unsigned int bits, layers;
	int fd;     /* the filter's file, for direct transfers */
	int memory; /* the memory file, and its bytes */
	char *ring;
	size_t ring_bytes;
	size_t offset[LIMIT_LAYERS]; /* of each layer's first slot */
	size_t stride[LIMIT_LAYERS]; /* from slot to slot */
	struct helper *reader, *writer;
	uint64_t loaded;  /* windows before this one are read, or being read */
	uint64_t retired; /* and before this one are written, or being */
	uint64_t reading, writing;   /* for the helpers: which window */
	int read_error, write_error; /* errno of the helpers */
	int changed[SLOTS];
};

/* Where window `i' begins in a layer: a page. */
static uint64_t
start_of(const struct filterdirect *d, const struct layer *l, uint64_t i)
{
	uint64_t at;

	if (i >> d->bits != 0)
		return l->bytes / PAGE * PAGE; /* the rest stays as it is */
	if (i == 0)
		return 0;
	at = layer_place(i << (64 - d->bits), l->shape.size);
	return at * (l->bytes / l->shape.size) / PAGE * PAGE;
}

static char *
slot_of(const struct filterdirect *d, unsigned int layer, uint64_t i)
{
	return d->ring + d->offset[layer] + i % SLOTS * d->stride[layer];
}

/* Read or write window `i' of all layers: 0, or an errno. */
static int
transfer(const struct filterdirect *d, uint64_t i, int out)
{
	uint64_t at, end;
	unsigned int j;
	ssize_t n;
	char *p;

	for (j = 0; j < d->layers; j++) {
		const struct layer *l = &d->filter->layer[j];

		at = start_of(d, l, i);
		end = start_of(d, l, i + 1);
		p = slot_of(d, j, i);
		for (; at < end; at += (uint64_t)n, p += n) {
			off_t where = (off_t)(l->offset + at);

			n = out ? pwrite(d->fd, p, end - at, where) :
				  pread(d->fd, p, end - at, where);
			if (n < 0 && errno != EINTR)
				return errno;
			if (n == 0)
				return EIO;
			n = n < 0 ? 0 : n;
		}
	}
	return 0;
}

static void
read_window(void *arg)
{
	struct filterdirect *d = arg;

	d->read_error = transfer(d, d->reading, 0);
}

static void
write_window(void *arg)
{
	struct filterdirect *d = arg;

	d->write_error = transfer(d, d->writing, 1);
}

/* Let `h' finish what it does.  0, or FAULT_SYS. */
static int
await(struct helper *h, const int *error)
{
	if (helper_wait(h, LIMIT_HELPER_MS) < 0)
		return FAULT_SYS;
	if (*error == 0)
		return 0;
	errno = *error;
	return FAULT_SYS;
}

/* Lay window `i' over its place, or, with `in' 0, the file itself again. */
static int
overlay(const struct filterdirect *d, uint64_t i, int in)
{
	unsigned int j;

	for (j = 0; j < d->layers; j++) {
		const struct layer *l = &d->filter->layer[j];
		uint64_t at = start_of(d, l, i), end = start_of(d, l, i + 1);
		int fd = in ? d->memory : d->filter->file->fd;
		void *to;
		off_t from =
		    in ? slot_of(d, j, i) - d->ring : (off_t)(l->offset + at);

		if (at == end)
			continue;
		to = mmap((char *)l->map + at, end - at, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED | (in ? MAP_POPULATE : 0), fd, from);
		if (to == MAP_FAILED)
			return FAULT_SYS;
	}
	return 0;
}

/* Begin to read the next window, if there is one. */
static int
load(struct filterdirect *d)
{
	int rc = await(d->reader, &d->read_error);

	if (rc < 0 || d->loaded >> d->bits != 0)
		return rc;
	d->reading = d->loaded++;
	d->changed[d->reading % SLOTS] = 0;
	helper_give(d->reader, read_window, d);
	return 0;
}

/* Take the oldest window off its place, and begin to write it. */
static int
retire(struct filterdirect *d)
{
	int rc = await(d->writer, &d->write_error);

	if (rc == 0)
		rc = overlay(d, d->retired, 0);
	if (rc < 0)
		return rc;
	d->writing = d->retired++;
	if (d->changed[d->writing % SLOTS])
		helper_give(d->writer, write_window, d);
	return 0;
}

int
filterdirect_step(struct filterdirect *d, uint64_t i)
{
	int rc = 0;

	if (i == 0) {
		rc = load(d);
		if (rc == 0)
			rc = load(d); /* waits for window 0 */
		if (rc == 0)
			rc = overlay(d, 0, 1);
	} else {
		rc = retire(d);
	}
	/* in the last window an exact table's steps may come to the first */
	if (rc == 0 && (i + 1) >> d->bits != 0)
		rc = await(d->writer, &d->write_error);
	/* window i + 1, if there is one, was asked for in the last step */
	if (rc == 0)
		rc = await(d->reader, &d->read_error);
	if (rc == 0 && i + 1 < d->loaded)
		rc = overlay(d, i + 1, 1);
	/* window i + 2 takes the slot of i - 2, which retire() saw written */
	return rc < 0 ? rc : load(d);
}

void
filterdirect_changed(struct filterdirect *d)
{
	d->changed[d->retired % SLOTS] = 1;
	d->changed[(d->retired + 1) % SLOTS] = 1;
}

static void
discard(struct filterdirect *d)
{
	helper_free(d->reader);
	helper_free(d->writer);
	if (d->ring != NULL)
		(void)munmap(d->ring, d->ring_bytes);
	if (d->memory >= 0)
		close(d->memory);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

int
filterdirect_end(struct filterdirect *d)
{
	int rc = await(d->reader, &d->read_error), saved;

	/* what was only read is not mapped, unless it is the next */
	while (rc == 0 && d->retired >> d->bits == 0 && d->retired < d->loaded)
		rc = retire(d);
	if (rc == 0)
		rc = await(d->writer, &d->write_error);
	saved = errno;
	if (rc < 0)
		d->filter->file->broken = 1;
	discard(d);
	errno = saved;
	return rc;
}

/* Room for the windows of all layers, the largest of each. */
static int
make_ring(struct filterdirect *d)
{
	unsigned int j;

	for (j = 0; j < d->layers; j++) {
		d->offset[j] = d->ring_bytes;
		d->stride[j] = (size_t)(d->filter->layer[j].bytes >> d->bits) /
			PAGE * PAGE +
		    2 * PAGE;
		d->ring_bytes += SLOTS * d->stride[j];
	}
	d->memory = memfd_create("urlseen", MFD_CLOEXEC);
	if (d->memory < 0 || ftruncate(d->memory, (off_t)d->ring_bytes) != 0)
		return FAULT_SYS;
	d->ring = mmap(NULL, d->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
	    d->memory, 0);
	if (d->ring == MAP_FAILED)
		d->ring = NULL;
	return d->ring == NULL ? FAULT_SYS : 0;
}

struct filterdirect *
filterdirect_new(struct filter *f, unsigned int bits)
{
	struct filterdirect *d = calloc(1, sizeof *d);
	char self[64];

	if (d == NULL)
		return NULL;
	d->filter = f;
	d->bits = bits;
	d->layers = filter_layers(f);
	d->memory = -1;
	snprintf(self, sizeof self, "/proc/self/fd/%d", f->file->fd);
	d->fd = open(self, O_RDWR | O_DIRECT | O_CLOEXEC);
	if (d->fd < 0 || make_ring(d) < 0 || helper_new(&d->reader) < 0 ||
	    helper_new(&d->writer) < 0) {
		discard(d);
		return NULL;
	}
	/* what is in the page cache would be in nobody's way but ours */
	(void)posix_fadvise(f->file->fd, 0, 0, POSIX_FADV_DONTNEED);
	return d;
}
