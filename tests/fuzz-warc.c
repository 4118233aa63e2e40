/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-warc.c - reading archive files back, and the heads of records
 *
 * The first byte says what follows: 'r' a record's head, 'u' a URL to make a
 * sort key of, anything else an archive file (with that byte) that is
 * verified, recovered and verified again.
 */

#include "config.h"

#include <sys/mman.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/cdxj.h"
#include "crawler/unpack.h"
#include "crawler/warc.h"
#include "tests/fuzz.h"

static void
within(const struct warc_text *t, const uint8_t *s, size_t len)
{
	if (t->len > 0 &&
	    ((const uint8_t *)t->s < s ||
		(const uint8_t *)t->s + t->len > s + len))
		abort();
}

static void
head(const uint8_t *s, size_t len)
{
	struct warc_record r;

	if (warc_read(&r, (const char *)s, len) < 0)
		return;
	if (r.head_len > len || r.type.len == 0)
		abort();
	within(&r.type, s, len);
	within(&r.url, s, len);
	within(&r.date, s, len);
	within(&r.payload, s, len);
	within(&r.block, s, len);
	(void)warc_time(r.date.s, r.date.len);
}

static void
key(const uint8_t *s, size_t len)
{
	struct buf b;

	buf_init(&b, 4 * len + 1000);
	if (cdxj_key(&b, (const char *)s, len) < 0 || b.len > 2 * len + 100)
		abort();
	buf_free(&b);
}

/* Read `fd' through; the end of the whole part, `rc' what ended it. */
static uint64_t
through(int fd, uint64_t size, int *rc, unsigned int *records)
{
	struct unpack *u = NULL;
	struct unpack_record r;
	uint64_t end = 0;

	*records = 0;
	*rc = unpack_new(&u, fd);
	if (*rc < 0)
		return 0;
	for (;;) {
		*rc = unpack_next(u, &r);
		if (*rc <= 0)
			break;
		if (r.offset < end || r.length == 0 ||
		    r.offset + r.length != unpack_good(u) ||
		    unpack_good(u) > size || r.head.type.len == 0)
			abort();
		end = unpack_good(u);
		++*records;
	}
	end = unpack_good(u);
	unpack_free(u);
	return end;
}

static void
file(const uint8_t *s, size_t len)
{
	unsigned int n, m;
	uint64_t good, again;
	int fd, rc, rc2;

	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, s, len) != (ssize_t)len)
		abort();
	good = through(fd, len, &rc, &n);
	/* cut behind the last whole frame it must read to its end */
	if (ftruncate(fd, (off_t)good) < 0)
		abort();
	again = through(fd, good, &rc2, &m);
	if (rc != FAULT_MAGIC && (rc2 != 0 || again != good || n != m))
		abort();
	(void)close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 1 && data[0] == 'r')
		head(data + 1, size - 1);
	else if (size > 1 && data[0] == 'u')
		key(data + 1, size - 1);
	else if (size > 0)
		file(data, size);
	return 0;
}
