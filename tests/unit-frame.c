/* SPDX-License-Identifier: BSD-2-Clause */

/* Series of zstd frames, whole, cut at every byte, and damaged. */

#include "config.h"

#include <zstd.h>

#include "snapshot/frame.h"
#include "snapshot/limits.h"
#include "tests/scratch.h"
#include "tests/tap.h"

#define FRAMES 4

static const size_t sizes[FRAMES] = { 100, 0, 200000, 7 };

static char *content[FRAMES];
static size_t ends[FRAMES]; /* offset behind frame i */

/* Lines that pack a bit, and differ from frame to frame. */
static void
fill(char *p, size_t n, unsigned int seed)
{
	size_t i;

	for (i = 0; i < n; i++) {
		seed = seed * 1103515245 + 12345;
		p[i] = i % 40 == 39 ? '\n' : (char)('a' + (seed >> 16) % 20);
	}
}

/* The frames one behind the other; malloc'd. */
static char *
build(struct tap *t, size_t *len)
{
	struct frame_packer *p = NULL;
	const void *frame;
	char *all = malloc(1 << 20);
	long n;
	int i;

	*len = 0;
	if (all == NULL || frame_packer_new(&p, 200000, 3) < 0)
		abort();
	for (i = 0; i < FRAMES; i++) {
		content[i] = malloc(sizes[i] + 1);
		fill(content[i], sizes[i], (unsigned int)i);
		n = frame_pack(p, content[i], sizes[i], &frame);
		tap_ok(t, n > 0, "frame %d packs to %ld bytes", i, n);
		memcpy(all + *len, frame, (size_t)n);
		*len += (size_t)n;
		ends[i] = *len;
	}
	tap_ok(t, frame_pack(p, content[2], 200001, &frame) == FAULT_TOOBIG,
	    "too much for a packer");
	frame_packer_free(p);
	tap_ok(t,
	    frame_packer_new(&p, LIMIT_FRAME + 1, 3) == FAULT_ARG &&
		frame_packer_new(&p, 10, 0) == FAULT_ARG &&
		frame_packer_new(&p, 10, 23) == FAULT_ARG,
	    "no such packer");
	return all;
}

/* Read from `offset' on: frames that were good, `rc' what came then. */
static int
count(struct frame_reader *r, int fd, uint64_t offset, int from, int *rc)
{
	size_t n = 0;
	char *s;
	int i;

	frame_reader_start(r, fd, offset);
	for (i = from;; i++) {
		*rc = frame_next(r, &s, &n);
		if (*rc <= 0)
			return i - from;
		if (i >= FRAMES || n != sizes[i] || s[n] != '\0' ||
		    memcmp(s, content[i], n) != 0 || frame_end(r) != ends[i])
			return -1;
		memset(s, 'x', n); /* it is ours */
	}
}

static int
file_of(int dir, const void *p, size_t n)
{
	int fd;

	scratch_put(dir, "f", p, n);
	fd = openat(dir, "f", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		abort();
	return fd;
}

static void
cuts(struct tap *t, struct frame_reader *r, int dir, const char *all,
    size_t len)
{
	int fd = file_of(dir, all, len), i, n, rc = 0, bad = 0;
	uint64_t at = 0;
	size_t cut, start;

	tap_ok(t, count(r, fd, 0, 0, &rc) == FRAMES && rc == 0, "all read");
	for (i = 0; i < FRAMES - 1; i++)
		bad |= count(r, fd, ends[i], i + 1, &rc) != FRAMES - 1 - i;
	tap_ok(t, !bad, "from each frame on");
	for (cut = len; cut-- > 0;) {
		/* the long frame's middle would take all day */
		if (cut > ends[1] + 200 && cut < ends[2] - 200)
			continue;
		if (ftruncate(fd, (off_t)cut) != 0)
			abort();
		for (n = 0; n < FRAMES && ends[n] <= cut; n++)
			;
		i = count(r, fd, 0, 0, &rc);
		start = n > 0 ? ends[n - 1] : 0;
		if (i != n || frame_offset(r) != start ||
		    rc != (start == cut ? 0 : FAULT_TRUNCATED))
			bad++;
		if (rc < 0 && frame_find(r, &at) != 0)
			bad++;
	}
	tap_ok(t, bad == 0, "cut at any byte: %d wrong", bad);
	close(fd);
}

/* The same reader goes on when the rest of a frame comes, or when what was
   there is written again, as a writer does after a fault. */
static void
growing(struct tap *t, struct frame_reader *r, int dir, const char *all,
    size_t len)
{
	int fd = file_of(dir, all, ends[0] - 3);
	size_t n = 0;
	char *s;

	if (pwrite(fd, "????", 4, 40) != 4)
		abort();
	frame_reader_start(r, fd, 0);
	tap_ok(t,
	    frame_next(r, &s, &n) == FAULT_TRUNCATED &&
		frame_detail(r)[0] != '\0',
	    "not yet whole: %s", frame_detail(r));
	if (pwrite(fd, all, len, 0) != (ssize_t)len)
		abort();
	tap_ok(t, frame_next(r, &s, &n) == 1 && n == sizes[0], "whole now");
	close(fd);
}

static void
damage(struct tap *t, struct frame_reader *r, int dir, char *all, size_t len)
{
	int fd = file_of(dir, all, len), n, got, rc;
	unsigned int bad = 0, idle = 0, missed = 0, turned = 0;
	uint64_t at = 0;
	size_t i;
	char c;

	for (i = 0; i < len; i++) {
		if (i > ends[1] + 100 && i < ends[2] - 100)
			continue;
		turned++;
		c = (char)(all[i] ^ (1 << i % 8));
		if (pwrite(fd, &c, 1, (off_t)i) != 1)
			abort();
		for (n = 0; n < FRAMES && ends[n] <= i; n++)
			;
		got = count(r, fd, 0, 0, &rc);
		if (got == FRAMES && rc == 0)
			idle++; /* a bit that no decoder looks at */
		else if (got != n || rc >= 0)
			bad++;
		else if (n < FRAMES - 1 &&
		    (frame_find(r, &at) != 1 || at != ends[n]))
			missed++;
		if (pwrite(fd, &all[i], 1, (off_t)i) != 1)
			abort();
	}
	tap_ok(t, bad == 0 && idle < turned / 50,
	    "of %u bits turned %u were missed, %u are idle", turned, bad, idle);
	tap_ok(t, missed == 0, "the next whole frame is found: %u not", missed);
	close(fd);
}

/* Frames that zstd makes and we don't take. */
static void
foreign(struct tap *t, struct frame_reader *r, int dir)
{
	static const unsigned char skip[] = { 0x50, 0x2a, 0x4d, 0x18, 4, 0, 0,
		0, 'a', 'b', 'c', 'd' };
	/* claims 2^60 bytes; claims LIMIT_FRAME bytes and has none */
	static const unsigned char huge[] = { 0x28, 0xb5, 0x2f, 0xfd, 0xe4, 0,
		0, 0, 0, 0, 0, 0, 0x10, 1, 0, 0, 0, 0, 0, 0 };
	static const unsigned char claim[] = { 0x28, 0xb5, 0x2f, 0xfd, 0xa4, 0,
		0, 0x80, 0, 1, 0, 0, 0, 0, 0, 0 };
	/* names dictionary 7 */
	static const unsigned char dict[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x25, 7,
		0, 1, 0, 0, 0, 0, 0, 0 };
	char out[1000], *s;
	size_t n;
	int fd, rc;

	n = ZSTD_compress(out, sizeof out, "hello", 5, 1);
	fd = file_of(dir, out, n);
	frame_reader_start(r, fd, 0);
	rc = frame_next(r, &s, &n);
	tap_ok(t, rc == FAULT_DAMAGED, "without a checksum: %s",
	    frame_detail(r));
	close(fd);
	fd = file_of(dir, skip, sizeof skip);
	frame_reader_start(r, fd, 0);
	rc = frame_next(r, &s, &n);
	tap_ok(t, rc == FAULT_DAMAGED, "skippable: %s", frame_detail(r));
	close(fd);
	fd = file_of(dir, huge, sizeof huge);
	frame_reader_start(r, fd, 0);
	tap_ok(t, frame_next(r, &s, &n) == FAULT_TOOBIG, "huge: %s",
	    frame_detail(r));
	close(fd);
	fd = file_of(dir, claim, sizeof claim);
	frame_reader_start(r, fd, 0);
	rc = frame_next(r, &s, &n);
	tap_ok(t, rc == FAULT_DAMAGED, "less than it claims: %s",
	    frame_detail(r));
	close(fd);
	fd = file_of(dir, dict, sizeof dict);
	frame_reader_start(r, fd, 0);
	rc = frame_next(r, &s, &n);
	tap_ok(t,
	    rc == FAULT_DAMAGED &&
		strcmp(frame_detail(r), "no frame of ours") == 0,
	    "with a dictionary: %s", frame_detail(r));
	close(fd);
	frame_reader_start(r, -1, 0);
	tap_ok(t, frame_next(r, &s, &n) == FAULT_SYS, "unreadable: %s",
	    frame_detail(r));
}

/* A frame of blocks without end, all of them empty. */
static void
endless(struct tap *t, struct frame_reader *r, int dir)
{
	static const unsigned char head[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x24, 0 };
	size_t n = 3 * LIMIT_FRAME;
	char *p = calloc(1, n), *s;
	int fd, rc;

	memcpy(p, head, sizeof head);
	fd = file_of(dir, p, n);
	frame_reader_start(r, fd, 0);
	rc = frame_next(r, &s, &n);
	tap_ok(t, rc == FAULT_DAMAGED, "endless: %s", frame_detail(r));
	close(fd);
	free(p);
}

/* A file full of magic numbers is not searched for ever, nor cut. */
static void
tries(struct tap *t, struct frame_reader *r, int dir)
{
	size_t n = 4 * (LIMIT_FRAME_TRIES + 100), i;
	char *p = malloc(n), *s;
	uint64_t at = 0;
	int fd;

	for (i = 0; i < n; i += 4)
		memcpy(p + i, "\x28\xb5\x2f\xfd", 4);
	fd = file_of(dir, p, n);
	frame_reader_start(r, fd, 0);
	tap_ok(t,
	    frame_next(r, &s, &n) < 0 && frame_find(r, &at) == 1 &&
		at == 4 * (LIMIT_FRAME_TRIES + 1),
	    "the search is bounded");
	close(fd);
	free(p);
}

static void
largest(struct tap *t, struct frame_reader *r, int dir)
{
	struct frame_packer *p = NULL;
	const void *frame;
	char *big = malloc(LIMIT_FRAME), *s;
	size_t i, n = 0;
	uint64_t seed = 1;
	long len;
	int fd;

	for (i = 0; i < LIMIT_FRAME; i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		big[i] = (char)(seed >> 56);
	}
	if (frame_packer_new(&p, LIMIT_FRAME, 1) < 0)
		abort();
	len = frame_pack(p, big, LIMIT_FRAME, &frame);
	fd = file_of(dir, frame, (size_t)len);
	frame_reader_start(r, fd, 0);
	tap_ok(t,
	    len > LIMIT_FRAME && frame_next(r, &s, &n) == 1 &&
		n == LIMIT_FRAME && memcmp(s, big, n) == 0,
	    "the largest frame, packed to %ld bytes", len);
	frame_packer_free(p);
	free(big);
	close(fd);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct frame_reader *r = NULL;
	struct scratch s;
	size_t len;
	char *all;
	int i;

	scratch_make(&s);
	all = build(&t, &len);
	if (frame_reader_new(&r) < 0)
		abort();
	cuts(&t, r, s.fd, all, len);
	growing(&t, r, s.fd, all, len);
	damage(&t, r, s.fd, all, len);
	foreign(&t, r, s.fd);
	endless(&t, r, s.fd);
	tries(&t, r, s.fd);
	largest(&t, r, s.fd);
	frame_reader_free(r);
	for (i = 0; i < FRAMES; i++)
		free(content[i]);
	free(all);
	scratch_remove(&s);
	return tap_done(&t);
}
