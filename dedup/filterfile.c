/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterfile.c - the order in which a filter's file is written
 *
 * create	temporary file (nameless where the system can), lock, allocate
 *		all of it, header (unclean), fsync, link into place: whoever
 *		opens the path finds a whole file, and finds it locked.
 * change	header (unclean, this boot), fdatasync, then the first bit.
 * grow		allocate, fsync, then the header that names the layer.
 * close	msync data, sums, fdatasync, header (clean), fsync, and the
 *		clean header once more into the other copy.
 *
 * A header always replaces the older of two copies, so a valid one is there
 * at any time.  A kill can't tear a copy (it lies within a page of the page
 * cache); only a power cut can, and that means another boot.  One bad copy
 * in a file that this boot wrote is therefore damage, and refused.
 *
 * The counts of keys and bits are also kept in a mapped page of their own
 * behind the header: they survive a kill without a system call a batch.
 * They have no sum; who reads them compares them with a sample of the bits.
 */

#include "config.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dedup/filterfile.h"
#include "snapshot/lock.h"

#define LIVE_AT  512  /* words: the second page of 4 KiB */
#define LIVE_MAP 8192 /* bytes: header and counts */
#define REOPEN   16   /* times that a path may change under us */
#define REREAD   10   /* times that a header may change under us */
#define MODE     0666

static const char self_fds[] = "/proc/self/fd";

/* All bytes or FAULT_SYS. */
static int
write_at(int fd, const void *buf, size_t len, uint64_t at)
{
	const unsigned char *p = buf;
	ssize_t n;

	while (len > 0) {
		n = pwrite(fd, p, len, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FAULT_SYS;
		p += n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* As many bytes as there are, into `got', or FAULT_SYS. */
static int
read_at(int fd, void *buf, size_t len, uint64_t at, size_t *got)
{
	unsigned char *p = buf;
	ssize_t n;

	*got = 0;
	while (*got < len) {
		n = pread(fd, p + *got, len - *got, (off_t)(at + *got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FAULT_SYS;
		if (n == 0)
			break;
		*got += (size_t)n;
	}
	return 0;
}

static int
hex(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* This boot's id (16 bytes in hexadecimal and dashes), or zeroes. */
static void
boot_now(unsigned char id[FILTERHEAD_BOOT])
{
	char text[64];
	size_t i, got = 0, n = 0;
	int fd, h;

	memset(id, 0, FILTERHEAD_BOOT);
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (read_at(fd, text, sizeof text, 0, &got) < 0)
		got = 0;
	(void)close(fd);
	for (i = 0; i < got && n < 2 * FILTERHEAD_BOOT; i++) {
		h = hex(text[i]);
		if (h < 0)
			continue;
		id[n / 2] = (unsigned char)(id[n / 2] << 4 | h);
		n++;
	}
}

/* 1 if the file may have been written before this boot. */
static int
boot_differs(const unsigned char id[FILTERHEAD_BOOT])
{
	static const unsigned char none[FILTERHEAD_BOOT];
	unsigned char now[FILTERHEAD_BOOT];

	boot_now(now);
	return memcmp(now, none, sizeof now) == 0 ||
	    memcmp(now, id, sizeof now) != 0;
}

/* Allocate, so that no store into the mapping can fail later. */
static int
allocate(int fd, uint64_t from, uint64_t to)
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

/*
 * Fill holes that a copying program may have left.  Systems that can't say
 * have none or emulate it by writing, which is not safe here.
 */
static int
fill_holes(int fd, const struct filterhead *h)
{
	uint64_t end = filterhead_end(&h->layer[h->layers - 1]);

	if (fallocate(fd, 0, 0, (off_t)end) == 0)
		return 0;
	return errno == ENOSPC || errno == EDQUOT ? FAULT_SYS : 0;
}

/* Put the header into the copy that is not the current one. */
static int
write_head(struct filterfile *f)
{
	unsigned char copy[FILTERHEAD_COPY];
	int rc;

	f->head.sequence++;
	filterhead_encode(copy, &f->head);
	rc = write_at(f->fd, copy, sizeof copy,
	    filterhead_place(f->head.sequence));
	if (rc < 0)
		f->head.sequence--; /* the other copy must stay */
	return rc;
}

static void
head_counts(struct filterfile *f, const struct layer *all, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		f->head.layer[i].count = all[i].count;
		f->head.layer[i].ones = all[i].ones;
	}
}

/* Enter `l', whose shape is set, into the layer table at `offset'. */
static void
head_layer(struct filterhead_layer *h, struct layer *l, uint64_t offset)
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

static struct filterfile *
file_new(unsigned int flags)
{
	struct filterfile *f = calloc(1, sizeof *f);

	if (f == NULL)
		return NULL;
	f->fd = -1;
	f->flags = flags;
	return f;
}

static int
read_only(const struct filterfile *f)
{
	return (f->flags & (FILTER_PRIVATE | FILTER_LOOK)) != 0;
}

/* Map the layer at l->offset; its length was checked or allocated. */
static int
map_layer(const struct filterfile *f, struct layer *l, enum layer_dirt dirt)
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
	if (!read_only(f)) {
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

static int
map_live(struct filterfile *f)
{
	int prot = read_only(f) ? PROT_READ : PROT_READ | PROT_WRITE;
	void *p = mmap(NULL, LIVE_MAP, prot, MAP_SHARED, f->fd, 0);

	if (p == MAP_FAILED)
		return FAULT_SYS;
	f->map = p;
	f->live = (_Atomic uint64_t *)p + LIVE_AT;
	return 0;
}

/* The directory of `path', allocated. */
static char *
folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static void
sync_folder(const char *path)
{
	char *dir = folder(path);
	int fd;

	if (dir == NULL)
		return;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	if (fd < 0)
		return;
	(void)fsync(fd);
	(void)close(fd);
}

/*
 * A new file beside `path'.  Without a name if that can be linked later, so
 * that a kill leaves nothing behind; else *name is its name, allocated.
 */
static int
temp_open(const char *path, char **name)
{
	size_t size = strlen(path) + 32;
	int fd = -1;

	*name = NULL;
#ifdef O_TMPFILE
	if (access(self_fds, X_OK) == 0) {
		char *dir = folder(path);

		if (dir == NULL)
			return -1;
		fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, MODE);
		free(dir);
	}
#endif
	if (fd >= 0)
		return fd;
	*name = malloc(size);
	if (*name == NULL)
		return -1;
	(void)snprintf(*name, size, "%s.new.%ld", path, (long)getpid());
	return open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
}

/* Give the file its path unless there is one of that name. */
static int
temp_link(int fd, const char *name, const char *path)
{
	char self[64];

	if (name == NULL) {
		(void)snprintf(self, sizeof self, "%s/%d", self_fds, fd);
		return linkat(AT_FDCWD, self, AT_FDCWD, path,
			   AT_SYMLINK_FOLLOW) == 0 ?
		    0 :
		    FAULT_SYS;
	}
#ifdef HAVE_RENAMEAT2
	if (renameat2(AT_FDCWD, name, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST)
		return FAULT_SYS;
#endif
	if (link(name, path) != 0)
		return FAULT_SYS;
	(void)unlink(name);
	return 0;
}

/* Fill the new file that f->fd has open: allocation, header, mapping. */
static int
fill_new(struct filterfile *f, struct layer *l)
{
	int rc = lock_take(f->fd, 0);

	if (rc < 0)
		return rc;
	rc = allocate(f->fd, 0, filterhead_end(&f->head.layer[0]));
	if (rc < 0)
		return rc;
	boot_now(f->head.boot);
	rc = write_head(f);
	if (rc == 0)
		rc = write_head(f);
	if (rc == 0)
		rc = map_live(f);
	if (rc == 0)
		rc = map_layer(f, l, LAYER_FRESH);
	if (rc == 0 && fsync(f->fd) != 0)
		rc = FAULT_SYS;
	return rc;
}

int
filterfile_create(struct filterfile **f, const char *path,
    const struct filter_spec *spec, struct layer *l, unsigned int flags)
{
	struct filterfile *n = file_new(flags);
	char *name = NULL;
	int rc = FAULT_SYS, saved;

	if (n == NULL)
		return FAULT_NOMEM;
	n->head.spec = *spec;
	n->head.layers = 1;
	n->head.generation = 1;
	n->marked = 1;
	head_layer(&n->head.layer[0], l, LAYER_ALIGN);
	n->fd = temp_open(path, &name);
	if (n->fd < 0)
		goto out;
	rc = fill_new(n, l);
	if (rc == 0)
		rc = temp_link(n->fd, name, path);
	if (rc < 0 && name != NULL) {
		saved = errno;
		(void)unlink(name);
		errno = saved;
	}
	if (rc < 0)
		goto out;
	sync_folder(path);
	*f = n;
	n = NULL;
out:
	saved = errno;
	free(name);
	filterfile_free(n);
	errno = saved;
	return rc;
}

/* Read and check the header of f->fd. */
static int
load_head(struct filterfile *f)
{
	static const struct timespec ms = { 0, 1000000 };
	unsigned char page[FILTERHEAD_SIZE];
	unsigned int tries;
	struct stat st;
	size_t got;
	int rc = FAULT_DAMAGED;

	for (tries = 0; tries < REREAD; tries++) {
		if (fstat(f->fd, &st) != 0)
			return FAULT_SYS;
		if (!S_ISREG(st.st_mode))
			return FAULT_MAGIC;
		if (read_at(f->fd, page, sizeof page, 0, &got) < 0)
			return FAULT_SYS;
		rc = filterhead_decode(&f->head, page, got,
		    (uint64_t)st.st_size);
		if (rc < 0)
			break;
		f->other_boot = boot_differs(f->head.boot);
		if (!f->head.torn || f->other_boot || f->flags & FILTER_REPAIR)
			return 0;
		/* Without a lock we may have met a writer: look again. */
		rc = FAULT_DAMAGED;
		if (!read_only(f))
			break;
		(void)nanosleep(&ms, NULL);
	}
	return rc;
}

/* Open for reading, locked if the kind needs it. */
static int
open_shared(struct filterfile *f, const char *path)
{
	const struct layer_kind *kind;
	unsigned int how = LOCK_SHARED;
	int rc;

	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f->fd < 0)
		return FAULT_SYS;
	rc = load_head(f);
	if (rc < 0)
		return rc;
	kind = layer_kind(f->head.spec.kind);
	if (kind != NULL && kind->grow_only)
		return 0;
	if (f->flags & FILTER_WAIT)
		how |= LOCK_WAIT;
	rc = lock_take(f->fd, how);
	return rc < 0 ? rc : load_head(f);
}

/* Open for writing, alone, the file that the path names once we have it. */
static int
open_locked(struct filterfile *f, const char *path)
{
	unsigned int i;
	int rc;

	for (i = 0; i < REOPEN; i++) {
		f->fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (f->fd < 0)
			return FAULT_SYS;
		rc = lock_take(f->fd, f->flags & FILTER_WAIT ? LOCK_WAIT : 0);
		if (rc < 0)
			return rc;
		if (lock_names(f->fd, path))
			return load_head(f);
		(void)close(f->fd);
		f->fd = -1;
	}
	return FAULT_LOCKED;
}

static int
map_all(struct filterfile *f, struct layer *layer)
{
	const struct filterhead_layer *h;
	enum layer_dirt dirt = f->head.clean ? LAYER_SUMMED : LAYER_DIRTY;
	unsigned int i;
	int rc = map_live(f);

	for (i = 0; i < f->head.layers && rc == 0; i++) {
		h = &f->head.layer[i];
		layer[i].shape = h->shape;
		layer[i].rate = h->rate;
		layer[i].capacity = h->capacity;
		layer[i].count = h->count;
		layer[i].ones = h->ones;
		layer[i].offset = h->offset;
		layer[i].bytes = h->bytes;
		rc = map_layer(f, &layer[i], dirt);
	}
	return rc;
}

int
filterfile_open(struct filterfile **f, const char *path, struct layer *layer,
    unsigned int flags)
{
	struct filterfile *n = file_new(flags);
	const struct layer_kind *kind;
	int rc, saved;

	if (n == NULL)
		return FAULT_NOMEM;
	rc = read_only(n) ? open_shared(n, path) : open_locked(n, path);
	if (rc < 0)
		goto out;
	kind = layer_kind(n->head.spec.kind);
	rc = FAULT_VERSION;
	if (kind == NULL)
		goto out;
	rc = FAULT_UNCLEAN;
	if (!n->head.clean && !kind->grow_only && n->other_boot &&
	    !(flags & (FILTER_REPAIR | FILTER_LOOK)))
		goto out;
	rc = map_all(n, layer);
	if (rc < 0)
		goto out;
	*f = n;
	n = NULL;
out:
	saved = errno;
	filterfile_free(n);
	errno = saved;
	return rc;
}

int
filterfile_grow(struct filterfile *f, const struct layer *all, unsigned int n,
    struct layer *l)
{
	struct filterhead_layer *last = &f->head.layer[n - 1];
	uint64_t old = filterhead_end(last), at;
	int rc, saved;

	at = (old + LAYER_ALIGN - 1) / LAYER_ALIGN * LAYER_ALIGN;
	head_layer(&last[1], l, at);
	rc = filterfile_mark(f);
	if (rc == 0)
		rc = allocate(f->fd, old, filterhead_end(&last[1]));
	if (rc == 0)
		rc = map_layer(f, l, LAYER_FRESH);
	if (rc == 0 && fsync(f->fd) != 0) {
		f->broken = 1;
		rc = FAULT_SYS;
	}
	if (rc < 0) {
		saved = errno;
		(void)!ftruncate(f->fd, (off_t)old);
		errno = saved;
		return rc;
	}
	head_counts(f, all, n);
	f->head.layers = n + 1;
	f->head.generation++;
	rc = write_head(f);
	if (rc < 0)
		f->head.layers = n;
	return rc;
}

int
filterfile_mark(struct filterfile *f)
{
	int rc;

	if (f->marked)
		return 0;
	rc = fill_holes(f->fd, &f->head);
	if (rc < 0)
		return rc;
	f->head.clean = 0;
	boot_now(f->head.boot);
	rc = write_head(f);
	if (rc == 0 && fdatasync(f->fd) != 0)
		rc = FAULT_SYS;
	f->marked = rc == 0;
	return rc;
}

void
filterfile_count(struct filterfile *f, const struct layer *all, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		layer_store(f->live + 2 * i, all[i].count);
		layer_store(f->live + 2 * i + 1, all[i].ones);
	}
}

int
filterfile_counted(const struct filterfile *f, unsigned int i, uint64_t *count,
    uint64_t *ones)
{
	*count = layer_load(f->live + 2 * i);
	*ones = layer_load(f->live + 2 * i + 1);
	return *count <= INT64_MAX;
}

/* Data and counts to the medium. */
static int
write_back(struct filterfile *f, const struct layer *all, unsigned int n)
{
	unsigned int i;
	int bad = 0;

	for (i = 0; i < n; i++)
		if (msync(all[i].map, all[i].map_bytes, MS_SYNC) != 0)
			bad = 1;
	if (msync(f->map, LIVE_MAP, MS_SYNC) != 0)
		bad = 1;
	if (!bad)
		return 0;
	f->broken = 1;
	return FAULT_SYS;
}

int
filterfile_sync(struct filterfile *f, const struct layer *all, unsigned int n)
{
	int rc;

	if (read_only(f) || !f->marked)
		return 0;
	if (f->broken) {
		errno = EIO;
		return FAULT_SYS;
	}
	rc = write_back(f, all, n);
	if (rc < 0)
		return rc;
	head_counts(f, all, n);
	rc = write_head(f);
	if (rc == 0 && fdatasync(f->fd) != 0)
		rc = FAULT_SYS;
	f->broken = rc < 0;
	return rc;
}

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
	size_t size = mibs * sizeof(uint64_t), got;
	uint64_t *sums = malloc(size);
	void *zero = calloc(1, LAYER_MIB);
	int rc = FAULT_NOMEM;

	if (sums == NULL || zero == NULL)
		goto out;
	rc = read_at(f->fd, sums, size, filterhead_sums(h), &got);
	if (rc == 0 && got != size)
		rc = FAULT_TRUNCATED;
	if (rc < 0)
		goto out;
	fresh_sums(l, sums, mibs, zero);
	rc = write_at(f->fd, sums, size, filterhead_sums(h));
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

	if (read_only(f) || (!f->marked && f->head.clean))
		return 0;
	if (f->broken) {
		errno = EIO;
		return FAULT_SYS;
	}
	rc = write_back(f, all, n);
	for (i = 0; i < n && rc == 0; i++)
		rc = write_sums(f, &all[i], &f->head.layer[i]);
	if (rc == 0 && fdatasync(f->fd) != 0)
		rc = FAULT_SYS;
	if (rc < 0)
		return rc;
	head_counts(f, all, n);
	f->head.clean = 1;
	rc = write_head(f);
	if (rc == 0 && fsync(f->fd) != 0)
		rc = FAULT_SYS;
	return rc == 0 ? write_head(f) : rc;
}

int
filterfile_verify(const struct filterfile *f, const struct layer *all,
    unsigned int n, uint64_t *where)
{
	const struct filterhead_layer *h;
	uint64_t at, sum;
	unsigned int i;
	size_t j, got;

	*where = 0;
	if (f->head.torn)
		return FAULT_DAMAGED;
	for (i = 0; i < n; i++) {
		h = &f->head.layer[i];
		at = filterhead_sums(h);
		for (j = 0; j * LAYER_MIB < h->bytes; j++, at += sizeof sum) {
			if (read_at(f->fd, &sum, sizeof sum, at, &got) < 0)
				return FAULT_SYS;
			*where = h->offset / LAYER_MIB + j;
			if (got != sizeof sum ||
			    layer_le(sum) != sum_of(&all[i], j))
				return FAULT_DAMAGED;
		}
	}
	return 0;
}

void
filterfile_free(struct filterfile *f)
{
	if (f == NULL)
		return;
	if (f->map != NULL)
		(void)munmap(f->map, LIVE_MAP);
	if (f->fd >= 0)
		(void)close(f->fd);
	free(f);
}
