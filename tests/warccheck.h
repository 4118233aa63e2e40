/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * warccheck.h - a small WARC reader that shares no code with the crawler
 *
 * Takes a whole file into memory, undoes one frame (or member) after the
 * other and hands out records.  For tests, so it is strict: anything odd ends
 * the reading.
 */

#ifndef TESTS_WARCCHECK_H
#define TESTS_WARCCHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

struct warccheck {
	char *file;
	size_t file_len;
	size_t at;   /* in the file: where the next frame starts */
	size_t from; /* ... where this record's frame started */
	char *text;  /* this record */
	size_t text_len;
	char *block; /* in `text' */
	size_t block_len;
	char *dict; /* of the frame that the file begins with, or NULL */
	size_t dict_len;
};

static inline int
warccheck_open(struct warccheck *w, const char *path)
{
	FILE *f = fopen(path, "rb");
	long n;

	memset(w, 0, sizeof *w);
	if (f == NULL)
		return -1;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	w->file = malloc((size_t)n + 1);
	w->file_len = fread(w->file, 1, (size_t)n, f);
	fclose(f);
	return w->file_len == (size_t)n ? 0 : -1;
}

static inline void
warccheck_close(struct warccheck *w)
{
	free(w->file);
	free(w->text);
	free(w->dict);
}

/* The dictionary in a frame of `n' bytes: a zstd frame of its own, checked. */
static inline int
warccheck_dict(struct warccheck *w, const char *p, size_t n)
{
	unsigned long long size = ZSTD_getFrameContentSize(p + 8, n - 8);

	if (size > 1U << 23 || (p[12] & 4) == 0)
		return -1;
	free(w->dict);
	w->dict = malloc((size_t)size + 1);
	w->dict_len = ZSTD_decompress(w->dict, (size_t)size, p + 8, n - 8);
	return w->dict_len == size ? 0 : -1;
}

static inline int
warccheck_zst(struct warccheck *w)
{
	const char *p = w->file + w->at;
	size_t n = ZSTD_findFrameCompressedSize(p, w->file_len - w->at), got;
	unsigned long long size;
	ZSTD_DCtx *d;

	if (ZSTD_isError(n))
		return -1;
	if (((const unsigned char *)p)[0] == 0x5d && w->at == 0) {
		w->at += n;
		return warccheck_dict(w, p, n) < 0 ? -1 : warccheck_zst(w);
	}
	/* the IIPC rules: every frame of such a file names the dictionary */
	if (ZSTD_getDictID_fromFrame(p, n) !=
	    (w->dict == NULL ? 0 :
			       ZSTD_getDictID_fromDict(w->dict, w->dict_len)))
		return -1;
	size = ZSTD_getFrameContentSize(p, n);
	if (size > 1U << 30 || (p[4] & 4) == 0) /* sizes and checksums stand */
		return -1;
	w->text = malloc((size_t)size + 1);
	d = ZSTD_createDCtx();
	got = ZSTD_decompress_usingDict(d, w->text, (size_t)size, p, n, w->dict,
	    w->dict_len);
	ZSTD_freeDCtx(d);
	if (got != size)
		return -1;
	w->text_len = got;
	w->at += n;
	return 0;
}

static inline int
warccheck_gz(struct warccheck *w)
{
	size_t room = 64 * 1024 * 1024;
	z_stream z;
	int rc;

	memset(&z, 0, sizeof z);
	if (inflateInit2(&z, 31) != Z_OK)
		return -1;
	w->text = malloc(room);
	z.next_in = (Bytef *)w->file + w->at;
	z.avail_in = (uInt)(w->file_len - w->at);
	z.next_out = (Bytef *)w->text;
	z.avail_out = (uInt)room;
	rc = inflate(&z, Z_FINISH);
	w->text_len = z.total_out;
	w->at += z.total_in;
	inflateEnd(&z);
	return rc == Z_STREAM_END ? 0 : -1;
}

/* The value of a field of the record's head, into `out'; "" if absent. */
static inline const char *
warccheck_field(const struct warccheck *w, const char *name, char *out,
    size_t size)
{
	size_t n = strlen(name), i = 0;
	const char *p = w->text;

	out[0] = '\0';
	for (; p < w->block; p = strchr(p, '\n') + 1) {
		if (strncmp(p, name, n) != 0 || strncmp(p + n, ": ", 2) != 0)
			continue;
		for (p += n + 2; *p != '\r' && i + 1 < size; i++)
			out[i] = *p++;
		out[i] = '\0';
		break;
	}
	return out;
}

/* The next record: 1, 0 at the end, -1 if something is wrong. */
static inline int
warccheck_next(struct warccheck *w)
{
	char text[64];

	free(w->text);
	w->text = NULL;
	w->from = w->at;
	if (w->at == w->file_len)
		return 0;
	if (((unsigned char)w->file[0] == 0x1f ? warccheck_gz(w) :
						 warccheck_zst(w)) < 0)
		return -1;
	w->block = memmem(w->text, w->text_len, "\r\n\r\n", 4);
	if (w->block == NULL || memcmp(w->text, "WARC/1.1\r\n", 10) != 0)
		return -1;
	w->block += 4;
	w->block_len =
	    strtoul(warccheck_field(w, "Content-Length", text, sizeof text),
		NULL, 10);
	if (w->block + w->block_len + 4 != w->text + w->text_len ||
	    memcmp(w->block + w->block_len, "\r\n\r\n", 4) != 0)
		return -1;
	return 1;
}

#endif
