/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frame.c - zstd frames, one at a time
 *
 * A reader finds a frame's end by itself, walking the block headers, before
 * anything is decoded (RFC 8878, section 3.1.1):
 *
 *	4	magic number FD2FB528
 *	1	descriptor: bits 7-6 size of the content size, 5 single
 *		segment, 3 reserved, 2 checksum, 1-0 size of the dictionary id
 *	0-1	window descriptor, absent in a single segment
 *	1-8	content size
 *	3+n	blocks: bit 0 last, 2-1 type, 23-3 size; until the last one
 *	4	checksum
 *
 * So the buffers grow by what is there, not by what a header claims, and a
 * cut file is told from a damaged one.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/limits.h"

#define MAGIC_LEN  4
#define HEAD_MOST  18           /* bytes of a frame header */
#define BLOCK_MOST (128 * 1024) /* bytes in a block, packed or not */
#define READ_STEP  (64 * 1024)  /* bytes asked for in one read */

/* bytes: a frame of ours, packed; what zstd makes at worst, and some more */
#define PACKED_MOST (LIMIT_FRAME + LIMIT_FRAME / 128 + 1024)

static const unsigned char magic[MAGIC_LEN] = { 0x28, 0xb5, 0x2f, 0xfd };

struct frame_packer {
	ZSTD_CCtx *zstd;
	size_t max; /* bytes of content */
	size_t room;
	char *out;
};

struct frame_reader {
	ZSTD_DCtx *zstd;
	int fd;
	unsigned char *in; /* bytes of the file from offset `base' on */
	size_t in_size;
	size_t in_len;
	size_t step; /* bytes asked for in one read, at least */
	uint64_t base;
	uint64_t start; /* offset of the frame in hand */
	uint64_t end;   /* behind it */
	char *content;  /* content_size bytes */
	size_t content_size;
	const char *detail; /* static */
};

/* What a frame's header and block headers say. */
struct shape {
	size_t packed;  /* bytes of the whole frame */
	size_t content; /* bytes in it */
};

int
frame_packer_new(struct frame_packer **to, size_t max, int level)
{
	struct frame_packer *p;

	*to = NULL;
	if (max > LIMIT_FRAME || level < 1 || level > 22)
		return FAULT_ARG;
	p = calloc(1, sizeof *p);
	if (p == NULL)
		return FAULT_NOMEM;
	p->max = max;
	p->room = ZSTD_compressBound(max);
	p->out = malloc(p->room);
	p->zstd = ZSTD_createCCtx();
	if (p->out == NULL || p->zstd == NULL ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd,
		ZSTD_c_compressionLevel, level)) ||
	    ZSTD_isError(
		ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1))) {
		frame_packer_free(p);
		return FAULT_NOMEM;
	}
	*to = p;
	return 0;
}

void
frame_packer_free(struct frame_packer *p)
{
	if (p == NULL)
		return;
	ZSTD_freeCCtx(p->zstd);
	free(p->out);
	free(p);
}

long
frame_pack(struct frame_packer *p, const void *content, size_t n,
    const void **frame)
{
	size_t len;

	*frame = p->out;
	if (n > p->max)
		return FAULT_TOOBIG;
	/* the size of the content is in the header, as it is known here */
	len = ZSTD_compress2(p->zstd, p->out, p->room, content, n);
	return ZSTD_isError(len) ? FAULT_NOMEM : (long)len;
}

int
frame_reader_new(struct frame_reader **to)
{
	struct frame_reader *r;

	*to = NULL;
	r = calloc(1, sizeof *r);
	if (r == NULL)
		return FAULT_NOMEM;
	r->fd = -1;
	r->detail = "";
	r->zstd = ZSTD_createDCtx();
	r->in_size = r->step = READ_STEP;
	r->in = malloc(r->in_size);
	if (r->zstd == NULL || r->in == NULL) {
		frame_reader_free(r);
		return FAULT_NOMEM;
	}
	*to = r;
	return 0;
}

void
frame_reader_free(struct frame_reader *r)
{
	if (r == NULL)
		return;
	ZSTD_freeDCtx(r->zstd);
	free(r->in);
	free(r->content);
	free(r);
}

void
frame_reader_start(struct frame_reader *r, int fd, uint64_t offset)
{
	r->fd = fd;
	r->in_len = 0;
	r->base = r->start = r->end = offset;
	r->detail = "";
}

void
frame_reader_step(struct frame_reader *r, size_t n)
{
	r->step = n;
}

uint64_t
frame_offset(const struct frame_reader *r)
{
	return r->start;
}

uint64_t
frame_end(const struct frame_reader *r)
{
	return r->end;
}

const char *
frame_detail(const struct frame_reader *r)
{
	return r->detail;
}

static int
fault(struct frame_reader *r, int code, const char *detail)
{
	r->detail = detail;
	return code;
}

/* Room for `n' bytes from the frame's start on in r->in. */
static int
grow(struct frame_reader *r, size_t n)
{
	size_t size = r->in_size;
	unsigned char *p;

	while (size < n)
		size *= 2;
	if (size == r->in_size)
		return 0;
	p = realloc(r->in, size);
	if (p == NULL)
		return fault(r, FAULT_NOMEM, "");
	r->in = p;
	r->in_size = size;
	return 0;
}

/*
 * Have `n' bytes of the file from the frame's start on; `*s' is where they
 * are, until the next call.  1, 0 if the file ends before, or a fault.
 */
static int
need(struct frame_reader *r, size_t n, const unsigned char **s)
{
	size_t had = (size_t)(r->start - r->base), ask;
	long got;
	int rc;

	if (r->in_len < had + n) {
		memmove(r->in, r->in + had, r->in_len - had);
		r->in_len -= had;
		r->base = r->start;
		rc = grow(r, n);
		if (rc < 0)
			return rc;
		ask = r->in_size - r->in_len;
		if (ask > r->step)
			ask = n - r->in_len > r->step ? n - r->in_len : r->step;
		got = file_read(r->fd, r->in + r->in_len, ask,
		    r->base + r->in_len);
		if (got < 0)
			return fault(r, FAULT_SYS, "cannot be read");
		r->in_len += (size_t)got;
		if (r->in_len < n)
			return 0;
		had = 0;
	}
	*s = r->in + had;
	return 1;
}

/* As need(), where the end of the file is a fault. */
static int
want(struct frame_reader *r, size_t n, const unsigned char **s)
{
	int rc = need(r, n, s);

	return rc == 0 ? fault(r, FAULT_TRUNCATED, "ends within a frame") : rc;
}

static uint64_t
little(const unsigned char *s, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | s[n];
	return v;
}

/* Read the header: its length and the content's, or a fault. */
static long
header(struct frame_reader *r, size_t *content)
{
	static const size_t size_len[4] = { 0, 2, 4, 8 };
	const unsigned char *s;
	size_t at = MAGIC_LEN + 1, n;
	uint64_t size;
	int rc, single;

	rc = want(r, at, &s);
	if (rc < 0)
		return rc;
	single = s[4] >> 5 & 1;
	n = size_len[s[4] >> 6];
	if (n == 0 && single)
		n = 1;
	if (n == 0 || !(s[4] & 4) || (s[4] & 0x1b) != 0)
		return fault(r, FAULT_DAMAGED, "no frame of ours");
	at += single ? 0 : 1;
	rc = want(r, at + n, &s);
	if (rc < 0)
		return rc;
	size = little(s + at, n) + (n == 2 ? 256 : 0);
	if (size > LIMIT_FRAME)
		return fault(r, FAULT_TOOBIG, "a frame with too much in it");
	*content = (size_t)size;
	return (long)(at + n);
}

/* Walk to the frame's end.  All of it is in r->in then. */
static int
walk(struct frame_reader *r, struct shape *f)
{
	const unsigned char *s;
	uint32_t block, size;
	long head;
	size_t at;
	int rc;

	head = header(r, &f->content);
	if (head < 0)
		return (int)head;
	at = (size_t)head;
	do {
		rc = want(r, at + 3, &s);
		if (rc < 0)
			return rc;
		block = (uint32_t)little(s + at, 3);
		size = (block >> 1 & 3) == 1 ? 1 : block >> 3;
		if ((block >> 1 & 3) == 3 || block >> 3 > BLOCK_MOST)
			return fault(r, FAULT_DAMAGED, "a bad block");
		at += 3 + size;
		if (at > PACKED_MOST)
			return fault(r, FAULT_DAMAGED, "a frame too long");
	} while (!(block & 1));
	f->packed = at + 4;
	return want(r, f->packed, &s);
}

/* Have room for `n' bytes of content and a NUL. */
static int
make_room(struct frame_reader *r, size_t n)
{
	char *p;

	if (n < r->content_size)
		return 0;
	p = realloc(r->content, n + 1);
	if (p == NULL)
		return fault(r, FAULT_NOMEM, "");
	r->content = p;
	r->content_size = n + 1;
	return 0;
}

static int
decode(struct frame_reader *r, size_t *n)
{
	const unsigned char *s;
	struct shape f = { 0, 0 };
	size_t got;
	int rc;

	rc = want(r, MAGIC_LEN, &s);
	if (rc < 0)
		return rc;
	if (memcmp(s, magic, MAGIC_LEN) != 0)
		return fault(r, FAULT_DAMAGED, "no frame here");
	rc = walk(r, &f);
	if (rc < 0)
		return rc;
	rc = make_room(r, f.content);
	if (rc < 0)
		return rc;
	got = ZSTD_decompressDCtx(r->zstd, r->content, f.content,
	    r->in + (r->start - r->base), f.packed);
	if (ZSTD_isError(got) || got != f.content)
		return fault(r, FAULT_DAMAGED, "a frame that does not decode");
	r->content[got] = '\0';
	r->end = r->start + f.packed;
	*n = got;
	return 1;
}

int
frame_next(struct frame_reader *r, char **content, size_t *n)
{
	const unsigned char *s;
	int rc;

	r->start = r->end;
	r->detail = "";
	rc = need(r, 1, &s);
	if (rc > 0)
		rc = decode(r, n);
	if (rc <= 0) {
		/* read afresh next time: the file may have changed */
		r->in_len = 0;
		r->base = r->start;
		return rc;
	}
	*content = r->content;
	return 1;
}

/* Try the frame at `at'. */
static int
try_at(struct frame_reader *r, uint64_t at)
{
	size_t n;
	int rc;

	if (at < r->base || at > r->base + r->in_len) {
		r->in_len = 0;
		r->base = at;
	}
	r->start = at;
	rc = decode(r, &n);
	return rc == FAULT_SYS || rc == FAULT_NOMEM ? rc : rc > 0;
}

/* Offset of the next magic number from `*at' on: 1, 0 or a fault. */
static int
seek_magic(struct frame_reader *r, uint64_t *at)
{
	unsigned char buf[4096];
	const unsigned char *hit;
	long got;

	for (;;) {
		got = file_read(r->fd, buf, sizeof buf, *at);
		if (got < 0)
			return FAULT_SYS;
		if (got < MAGIC_LEN)
			return 0;
		hit = memmem(buf, (size_t)got, magic, MAGIC_LEN);
		if (hit != NULL)
			break;
		*at += (uint64_t)got - (MAGIC_LEN - 1);
	}
	*at += (uint64_t)(hit - buf);
	return 1;
}

int
frame_find(struct frame_reader *r, uint64_t *offset)
{
	const uint64_t start = r->start, end = r->end;
	const char *detail = r->detail;
	uint64_t at = start + 1;
	unsigned int tries = 0;
	int rc;

	for (;;) {
		rc = seek_magic(r, &at);
		if (rc <= 0)
			break;
		rc = tries++ < LIMIT_FRAME_TRIES ? try_at(r, at) : 1;
		if (rc != 0)
			break;
		at++;
	}
	*offset = at;
	r->in_len = 0;
	r->base = r->start = start;
	r->end = end;
	r->detail = detail;
	return rc;
}
