/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-filter.c - opening a filter's file, and working with what was opened
 *
 *	byte 0		bits: fix the sums of both header copies, open for
 *			writing, FILTER_REPAIR, FILTER_PRIVATE, verify, grow,
 *			the rest is one copy of the header and is used twice
 *	bytes 1, 2	length of the file beyond 2 MiB, in units of 256 bytes
 *	byte 3		what the data is filled with
 *	rest		the file from its start: the header, the counts
 *
 * Without fixed sums hardly an input would get past them.  The file lies in
 * memory and may not grow past a limit, so that an honest header that asks
 * for a huge further layer costs nothing.
 */

#include "config.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dedup/filter.h"
#include "dedup/filterhead.h"
#include "dedup/layer.h"
#include "tests/fuzz.h"

#define DATA ((uint64_t)2 << 20)
#define MOST ((uint64_t)40 << 20) /* bytes that the file may grow to */
#define KEYS 300

enum {
	FIX = 1,
	WRITE = 2,
	REPAIR = 4,
	PRIVATE = 8,
	VERIFY = 16,
	GROW = 32,
	TWICE = 64,
};

static void
fix(unsigned char *copy)
{
	uint64_t sum = XXH3_64bits(copy, FILTERHEAD_COPY - 8);
	unsigned int i;

	for (i = 0; i < 8; i++)
		copy[FILTERHEAD_COPY - 8 + i] = (unsigned char)(sum >> 8 * i);
}

/* What filterhead.h promises of a header that was accepted. */
static void
check_head(const unsigned char *page, size_t len, uint64_t size)
{
	struct filterhead h, again;
	unsigned char both[FILTERHEAD_SIZE];
	uint64_t end = DATA;
	unsigned int i;
	int rc = filterhead_decode(&h, page, len, size);

	fuzz_check(rc == 0 || rc == FAULT_MAGIC || rc == FAULT_VERSION ||
	    rc == FAULT_DAMAGED || rc == FAULT_TRUNCATED);
	if (rc < 0)
		return;
	fuzz_check(h.layers >= 1 && h.layers <= LIMIT_LAYERS);
	for (i = 0; i < h.layers; i++) {
		fuzz_check(h.layer[i].offset >= end);
		fuzz_check(h.layer[i].bytes == rate_bytes(&h.layer[i].shape));
		end = filterhead_end(&h.layer[i]);
		fuzz_check(end <= size);
	}
	filterhead_encode(both, &h);
	filterhead_encode(both + FILTERHEAD_COPY, &h);
	rc = filterhead_decode(&again, both, sizeof both, size);
	fuzz_check(rc == 0);
	h.torn = 0;
	/* field by field: padding may differ */
	fuzz_check(again.sequence == h.sequence && again.clean == h.clean);
	fuzz_check(memcmp(&again.spec.seed, &h.spec.seed, 8) == 0);
	fuzz_check(again.layers == h.layers);
}

/* One copy becomes two, as after a clean close.  The bytes of the page. */
static size_t
twice(unsigned char *head, size_t size)
{
	if (size > FILTERHEAD_COPY)
		size = FILTERHEAD_COPY;
	memset(head + size, 0, FILTERHEAD_COPY - size);
	memcpy(head + FILTERHEAD_COPY, head, FILTERHEAD_COPY);
	head[FILTERHEAD_COPY + 56] ^= 1; /* the sequence number */
	return FILTERHEAD_SIZE;
}

static int
file(const unsigned char *head, size_t len, uint64_t size, int fill)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	unsigned char *p;

	if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
		abort();
	if (write(fd, head, len) != (ssize_t)len)
		abort();
	if (fill != 0 && size > DATA) {
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p == MAP_FAILED)
			abort();
		memset(p + DATA, fill, size - DATA);
		munmap(p, size);
	}
	return fd;
}

static void
check_stat(const struct filter *f)
{
	struct filter_stat st;

	filter_stat(f, &st);
	fuzz_check(st.layers >= 1 && st.layers <= LIMIT_LAYERS);
	fuzz_check(st.fill >= 0 && isfinite(st.fill));
	fuzz_check(st.estimated >= 0 && st.estimated <= 1);
	fuzz_check(filter_kind_name(st.spec.kind) != NULL);
}

static void
work(struct filter *f, unsigned int how)
{
	struct urlkey key[KEYS];
	uint8_t seen[KEYS];
	uint64_t where;
	size_t i;
	long n;

	for (i = 0; i < KEYS; i++)
		key[i] = urlkey_of(filter_hasher(f), &i, sizeof i);
	key[0] = (struct urlkey){ 0, 0 };
	key[1] = (struct urlkey){ UINT64_MAX, UINT64_MAX };
	filter_probe(f, key, KEYS, seen);
	check_stat(f);
	if (how & VERIFY)
		fuzz_check(filter_verify(f, &where) <= 1);
	if (!(how & WRITE))
		return;
	n = filter_add(f, key, KEYS);
	if (n < 0)
		return;
	fuzz_check(n <= KEYS);
	filter_probe(f, key, KEYS, seen);
	for (i = 0; i < KEYS; i++)
		fuzz_check(seen[i] == 1);
	check_stat(f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct rlimit most = { MOST, MOST };
	unsigned char head[2 * FILTERHEAD_SIZE];
	struct filter *f = NULL;
	unsigned int how, flags;
	uint64_t bytes;
	char path[64];
	int fd, rc;

	if (size < 4)
		return 0;
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)setrlimit(RLIMIT_FSIZE, &most);
	how = data[0];
	bytes = DATA + 256 * (uint64_t)(data[1] | data[2] << 8);
	size -= 4;
	if (size > sizeof head)
		size = sizeof head;
	memcpy(head, data + 4, size);
	if (how & TWICE)
		size = twice(head, size);
	if (size < FILTERHEAD_SIZE)
		bytes = size;
	else if (how & FIX) {
		fix(head);
		fix(head + FILTERHEAD_COPY);
	}
	check_head(head, size, bytes);
	fd = file(head, size, bytes, data[3]);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	flags = (how & REPAIR ? FILTER_REPAIR : 0) |
	    (how & PRIVATE ? FILTER_PRIVATE : 0) |
	    (how & WRITE ? 0 : FILTER_LOOK) | (how & GROW ? 0 : FILTER_NO_GROW);
	rc = filter_open(&f, path, flags);
	fuzz_check((rc == 0) == (f != NULL));
	if (rc == 0) {
		work(f, how);
		(void)!filter_close(f);
	}
	(void)close(fd);
	return 0;
}
