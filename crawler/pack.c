/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "crawler/pack.h"

#define ZST_LEVEL 1  /* 3 packs 5 % better and costs half as much again */
#define GZ_LEVEL  6  /* zlib's own default */
#define GZ_BITS   31 /* 32 KiB window, gzip wrapper */

struct pack {
	enum archive_kind kind;
	ZSTD_CCtx *zst;
	z_stream gz;
	int gz_open;
	const void *dict; /* the caller's; NULL = none */
	size_t dict_len;
};

void
pack_free(struct pack *p)
{
	if (p == NULL)
		return;
	(void)ZSTD_freeCCtx(p->zst);
	if (p->gz_open)
		(void)deflateEnd(&p->gz);
	free(p);
}

static int
open_zst(struct pack *p, int level, const void *dict, size_t dict_len)
{
	p->zst = ZSTD_createCCtx();
	if (p->zst == NULL)
		return FAULT_NOMEM;
	if (level == 0)
		level = ZST_LEVEL;
	if (ZSTD_isError(ZSTD_CCtx_setParameter(p->zst, ZSTD_c_compressionLevel,
		level)) ||
	    ZSTD_isError(
		ZSTD_CCtx_setParameter(p->zst, ZSTD_c_checksumFlag, 1)))
		return FAULT_ARG;
	if (dict == NULL)
		return 0;
	if (ZSTD_getDictID_fromDict(dict, dict_len) == 0 ||
	    dict_len > UINT32_MAX)
		return FAULT_ARG;
	if (ZSTD_isError(ZSTD_CCtx_loadDictionary(p->zst, dict, dict_len)))
		return FAULT_NOMEM;
	p->dict = dict;
	p->dict_len = dict_len;
	return 0;
}

static int
open_gz(struct pack *p, int level)
{
	if (level < 0 || level > 9)
		return FAULT_ARG;
	if (deflateInit2(&p->gz, level == 0 ? GZ_LEVEL : level, Z_DEFLATED,
		GZ_BITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return FAULT_NOMEM;
	p->gz_open = 1;
	return 0;
}

int
pack_new(struct pack **out, enum archive_kind kind, int level, const void *dict,
    size_t dict_len)
{
	struct pack *p;
	int rc = 0;

	p = calloc(1, sizeof *p);
	if (p == NULL)
		return FAULT_NOMEM;
	p->kind = kind;
	if (kind == ARCHIVE_ZST)
		rc = open_zst(p, level, dict, dict_len);
	else if (kind == ARCHIVE_GZ)
		rc = open_gz(p, level);
	if (rc < 0) {
		pack_free(p);
		return rc;
	}
	*out = p;
	return 0;
}

static int
add_gz(struct pack *p, struct buf *out, const void *s, size_t len)
{
	unsigned char *in;
	int rc;

	if (len > UINT_MAX || out->size - out->len > UINT_MAX)
		return FAULT_TOOBIG;
	/* zlib never writes through next_in, it only lacks the const */
	memcpy(&in, &s, sizeof in);
	(void)deflateReset(&p->gz);
	p->gz.next_in = in;
	p->gz.avail_in = (uInt)len;
	p->gz.next_out = (Bytef *)out->s + out->len;
	p->gz.avail_out = (uInt)(out->size - out->len);
	rc = deflate(&p->gz, Z_FINISH);
	if (rc != Z_STREAM_END)
		return FAULT_NOMEM;
	out->len += p->gz.total_out;
	return 0;
}

int
pack_add(struct pack *p, struct buf *out, const void *s, size_t len)
{
	size_t n;
	int rc;

	n = p->kind == ARCHIVE_ZST ? ZSTD_compressBound(len) :
				     deflateBound(&p->gz, len);
	rc = buf_room(out, n);
	if (rc < 0)
		return rc;
	if (p->kind == ARCHIVE_GZ)
		return add_gz(p, out, s, len);
	n = ZSTD_compress2(p->zst, out->s + out->len, out->size - out->len, s,
	    len);
	if (ZSTD_isError(n))
		return FAULT_NOMEM;
	out->len += n;
	return 0;
}

static void
put32(unsigned char *p, uint32_t v)
{
	p[0] = (unsigned char)v;
	p[1] = (unsigned char)(v >> 8);
	p[2] = (unsigned char)(v >> 16);
	p[3] = (unsigned char)(v >> 24);
}

/* Append the dictionary's frame; there is room. */
static int
pack_dict(const struct pack *p, struct buf *out)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t n;

	if (c == NULL)
		return FAULT_NOMEM;
	n = ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	if (!ZSTD_isError(n))
		n = ZSTD_compress2(c, out->s + out->len, out->size - out->len,
		    p->dict, p->dict_len);
	(void)ZSTD_freeCCtx(c);
	if (ZSTD_isError(n))
		return FAULT_NOMEM;
	out->len += n;
	return 0;
}

int
pack_head(const struct pack *p, struct buf *out)
{
	unsigned char head[8];
	size_t from = out->len;
	int rc;

	if (p->dict == NULL)
		return 0;
	rc = buf_room(out, sizeof head + ZSTD_compressBound(p->dict_len));
	if (rc < 0)
		return rc;
	out->len += sizeof head;
	rc = pack_dict(p, out);
	if (rc < 0)
		return rc;
	put32(head, PACK_DICT_MAGIC);
	put32(head + 4, (uint32_t)(out->len - from - sizeof head));
	memcpy(out->s + from, head, sizeof head);
	return 0;
}
