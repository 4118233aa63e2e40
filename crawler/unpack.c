/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "crawler/buf.h"
#include "crawler/digest.h"
#include "crawler/pack.h"
#include "crawler/unpack.h"
#include "snapshot/limits.h"

#define IN_SIZE    (128 * 1024)
#define OUT_SIZE   (128 * 1024)
#define GZ_BITS    31
#define ZST_WINDOW 23 /* log2 of bytes: the IIPC rules' limit */

struct unpack {
	int fd;
	int gzip;
	uint64_t at;   /* file offset of in[0] */
	uint64_t good; /* one past the last whole frame */
	unsigned char *in, *out;
	size_t in_pos, in_len;
	int eof;
	ZSTD_DCtx *zst;
	z_stream gz;
	int gz_open;
	void *dict;

	/* the record being read */
	struct buf head;
	uint64_t total;   /* bytes that came out of the frame */
	uint64_t payload; /* where the payload starts, once it is known */
	int parsed;       /* head and digests are set up */
	char tail[4];     /* the last bytes that came */
	struct warc_record rec;
	struct digest *block_sum, *payload_sum;
};

void
unpack_free(struct unpack *u)
{
	if (u == NULL)
		return;
	(void)ZSTD_freeDCtx(u->zst);
	if (u->gz_open)
		(void)inflateEnd(&u->gz);
	digest_free(u->block_sum);
	digest_free(u->payload_sum);
	buf_free(&u->head);
	free(u->dict);
	free(u->in);
	free(u->out);
	free(u);
}

/* Read on; what is unused is kept.  0 or FAULT_SYS; `eof' at the end. */
static int
fill(struct unpack *u)
{
	ssize_t n;

	if (u->in_pos > 0) {
		memmove(u->in, u->in + u->in_pos, u->in_len - u->in_pos);
		u->at += u->in_pos;
		u->in_len -= u->in_pos;
		u->in_pos = 0;
	}
	do
		n = pread(u->fd, u->in + u->in_len, IN_SIZE - u->in_len,
		    (off_t)(u->at + u->in_len));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return FAULT_SYS;
	if (n == 0)
		u->eof = 1;
	u->in_len += (size_t)n;
	return 0;
}

static uint32_t
get32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

static int
read_at(int fd, void *to, size_t len, off_t at)
{
	char *p = to;
	ssize_t n;

	while (len > 0) {
		n = pread(fd, p, len, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? FAULT_SYS : FAULT_TRUNCATED;
		p += n;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Undo a dictionary's own compression: a frame without a dictionary. */
static int
expand_dict(void **dict, size_t *len)
{
	unsigned long long n = ZSTD_getFrameContentSize(*dict, *len);
	void *big;
	size_t got;

	if (n == 0 ||
	    n > LIMIT_ARCHIVE_DICT) /* unknown and error are huge numbers */
		return FAULT_DAMAGED;
	big = malloc((size_t)n);
	if (big == NULL)
		return FAULT_NOMEM;
	got = ZSTD_decompress(big, (size_t)n, *dict, *len);
	free(*dict);
	*dict = big;
	*len = got;
	return ZSTD_isError(got) ? FAULT_DAMAGED : 0;
}

/* The dictionary frame at the file's beginning, `u->in' holds its head. */
static int
load_dict(struct unpack *u)
{
	size_t len = get32(u->in + 4);
	int rc;

	if (len < 8 || len > LIMIT_ARCHIVE_DICT)
		return FAULT_DAMAGED;
	u->dict = malloc(len);
	if (u->dict == NULL)
		return FAULT_NOMEM;
	rc = read_at(u->fd, u->dict, len, 8);
	if (rc == 0 && get32(u->dict) == ZSTD_MAGICNUMBER)
		rc = expand_dict(&u->dict, &len);
	/* without an id it would be none, only bytes (RFC 8878 section 5) */
	if (rc == 0 &&
	    (ZSTD_getDictID_fromDict(u->dict, len) == 0 ||
		ZSTD_isError(ZSTD_DCtx_loadDictionary(u->zst, u->dict, len))))
		rc = FAULT_DAMAGED;
	return rc;
}

/* What kind of file it is, by its first bytes. */
static int
sniff(struct unpack *u)
{
	uint32_t magic;

	if (u->in_len < 8)
		return u->in_len == 0 ? 0 : FAULT_TRUNCATED;
	magic = get32(u->in);
	if ((magic & 0xffff) == 0x8b1f) {
		u->gzip = 1;
		if (inflateInit2(&u->gz, GZ_BITS) != Z_OK)
			return FAULT_NOMEM;
		u->gz_open = 1;
		return 0;
	}
	if (magic != ZSTD_MAGICNUMBER && magic != PACK_DICT_MAGIC)
		return FAULT_MAGIC;
	u->zst = ZSTD_createDCtx();
	if (u->zst == NULL)
		return FAULT_NOMEM;
	if (ZSTD_isError(ZSTD_DCtx_setParameter(u->zst, ZSTD_d_windowLogMax,
		ZST_WINDOW)))
		return FAULT_ARG;
	return magic == PACK_DICT_MAGIC ? load_dict(u) : 0;
}

int
unpack_new(struct unpack **out, int fd)
{
	struct unpack *u;
	int rc;

	u = calloc(1, sizeof *u);
	if (u == NULL)
		return FAULT_NOMEM;
	u->fd = fd;
	buf_init(&u->head, LIMIT_UNPACK_HEAD);
	u->in = malloc(IN_SIZE);
	u->out = malloc(OUT_SIZE);
	rc = u->in == NULL || u->out == NULL ? FAULT_NOMEM : 0;
	if (rc == 0)
		rc = digest_new(&u->block_sum);
	if (rc == 0)
		rc = digest_new(&u->payload_sum);
	if (rc == 0)
		rc = fill(u);
	if (rc == 0)
		rc = sniff(u);
	if (rc < 0) {
		unpack_free(u);
		return rc;
	}
	*out = u;
	return 0;
}

/* Where the HTTP head in `u->head' ends; 0 if there is none. */
static size_t
http_end(const struct unpack *u)
{
	const char *from = u->head.s + u->rec.head_len, *p;
	size_t len = u->head.len - u->rec.head_len;

	if (len < 5 || memcmp(from, "HTTP/", 5) != 0)
		return 0;
	p = memmem(from, len, "\r\n\r\n", 4);
	if (p != NULL)
		return (size_t)(p + 4 - u->head.s);
	p = memmem(from, len, "\n\n", 2);
	return p == NULL ? 0 : (size_t)(p + 2 - u->head.s);
}

/* Feed bytes `from' to `to' of the frame's output, which lie at `s'. */
static int
sums(struct unpack *u, const char *s, uint64_t from, uint64_t to)
{
	uint64_t end = u->rec.head_len + u->rec.block_len, a;
	int rc = 0;

	if (to > end)
		to = end;
	a = from > u->rec.head_len ? from : u->rec.head_len;
	if (a < to)
		rc = digest_more(u->block_sum, s + (a - from), to - a);
	a = from > u->payload ? from : u->payload;
	if (rc == 0 && u->payload != 0 && a < to)
		rc = digest_more(u->payload_sum, s + (a - from), to - a);
	return rc;
}

/* The head is as complete as it gets: understand it. */
static int
parse(struct unpack *u)
{
	int rc = warc_read(&u->rec, u->head.s, u->head.len);

	if (rc < 0)
		return FAULT_DAMAGED;
	u->parsed = 1;
	u->payload = http_end(u);
	rc = digest_begin(u->block_sum);
	if (rc == 0)
		rc = digest_begin(u->payload_sum);
	return rc == 0 ? sums(u, u->head.s, 0, u->head.len) : rc;
}

/* `len' bytes came out of the frame. */
static int
take(struct unpack *u, const char *s, size_t len)
{
	uint64_t from = u->total;
	size_t n, i;
	int rc = 0;

	u->total += len;
	for (i = len > 4 ? len - 4 : 0; i < len; i++) {
		memmove(u->tail, u->tail + 1, 3);
		u->tail[3] = s[i];
	}
	if (!u->parsed) {
		n = LIMIT_UNPACK_HEAD - u->head.len;
		n = len < n ? len : n;
		rc = buf_add(&u->head, s, n);
		if (rc == 0 && u->head.len == LIMIT_UNPACK_HEAD)
			rc = parse(u);
		s += n;
		len -= n;
		from += n;
	}
	return rc == 0 && u->parsed ? sums(u, s, from, from + len) : rc;
}

/* Does the digest that the record states hold?  Other kinds are not ours. */
static int
holds(struct digest *d, const struct warc_text *stated)
{
	char sum[DIGEST_TEXT];
	int rc = digest_end(d, sum);

	if (rc < 0 || stated->len < 5 || memcmp(stated->s, "sha1:", 5) != 0)
		return rc;
	if (stated->len != 5 + DIGEST_TEXT - 1 ||
	    memcmp(stated->s + 5, sum, DIGEST_TEXT - 1) != 0)
		return FAULT_DAMAGED;
	return 0;
}

/* The frame is over: is it one whole record?  1, 0 if it is empty. */
static int
finish(struct unpack *u)
{
	int rc = 0;

	if (u->total == 0)
		return 0;
	if (!u->parsed)
		rc = parse(u);
	if (rc < 0)
		return rc;
	if (u->total != u->rec.head_len + u->rec.block_len + 4 ||
	    memcmp(u->tail, WARC_END, 4) != 0)
		return FAULT_DAMAGED;
	rc = holds(u->block_sum, &u->rec.block);
	if (rc == 0 && u->rec.type.len == 8 &&
	    memcmp(u->rec.type.s, "response", 8) == 0)
		rc = holds(u->payload_sum, &u->rec.payload);
	return rc < 0 ? rc : 1;
}

/* One step of zstd: 1 at a frame's end, 0 if it goes on, or a fault. */
static int
step_zst(struct unpack *u)
{
	ZSTD_inBuffer in = { u->in, u->in_len, u->in_pos };
	ZSTD_outBuffer out = { u->out, OUT_SIZE, 0 };
	size_t rc;
	int err;

	rc = ZSTD_decompressStream(u->zst, &out, &in);
	u->in_pos = in.pos;
	if (ZSTD_isError(rc))
		return FAULT_DAMAGED;
	err = take(u, (const char *)u->out, out.pos);
	return err < 0 ? err : rc == 0;
}

static int
step_gz(struct unpack *u)
{
	int rc, err;

	u->gz.next_in = u->in + u->in_pos;
	u->gz.avail_in = (uInt)(u->in_len - u->in_pos);
	u->gz.next_out = u->out;
	u->gz.avail_out = OUT_SIZE;
	rc = inflate(&u->gz, Z_NO_FLUSH);
	u->in_pos = u->in_len - u->gz.avail_in;
	if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
		return FAULT_DAMAGED;
	err = take(u, (const char *)u->out, OUT_SIZE - u->gz.avail_out);
	if (err < 0)
		return err;
	if (rc == Z_STREAM_END)
		(void)inflateReset(&u->gz);
	return rc == Z_STREAM_END;
}

/* Go through one frame.  1, 0 if there is no further one, or a fault. */
static int
one_frame(struct unpack *u)
{
	uint64_t before;
	size_t pos;
	int rc, begun = 0;

	for (;;) {
		if (u->in_pos == u->in_len) {
			rc = fill(u);
			if (rc < 0)
				return rc;
			if (u->eof && u->in_pos == u->in_len && !begun)
				return 0;
		}
		before = u->total;
		pos = u->in_pos;
		rc = u->gzip ? step_gz(u) : step_zst(u);
		if (rc != 0)
			return rc;
		begun = 1;
		/* no more bytes in, none out: it ends too early */
		if (u->eof && u->total == before && u->in_pos == pos)
			return FAULT_TRUNCATED;
	}
}

int
unpack_next(struct unpack *u, struct unpack_record *r)
{
	uint64_t start;
	int rc;

	do {
		start = u->good;
		buf_clear(&u->head);
		u->total = u->payload = 0;
		u->parsed = 0;
		rc = one_frame(u);
		if (rc <= 0)
			return rc;
		rc = finish(u);
		if (rc < 0)
			return rc;
		u->good = u->at + u->in_pos;
	} while (rc == 0); /* a dictionary or an empty frame */
	r->offset = start;
	r->length = u->good - start;
	r->head = u->rec;
	r->http = u->payload == 0 ? NULL : u->head.s + u->rec.head_len;
	r->http_len = u->payload == 0 ? 0 : u->payload - u->rec.head_len;
	return 1;
}

uint64_t
unpack_good(const struct unpack *u)
{
	return u->good;
}
