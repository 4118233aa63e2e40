/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Archive files whose dictionary is torn, damaged, or not what it says.
 */

#include "config.h"

#include <sys/stat.h>

#include <stdint.h>
#include <unistd.h>

#include "crawler/archive.h"
#include "snapshot/limits.h"
#include "tests/tap.h"
#include "tests/warcbox.h"
#include "tests/warccheck.h"
#include "tests/warcpages.h"

/* The first file with a dictionary of a small archive, into `path'. */
static char *
one_file(struct warcbox *b, size_t *len, char *path, size_t size)
{
	static struct archive_at at[WARCPAGES];
	struct archive *a = warcpages_archive(b, ARCHIVE_ZST, 50);
	char *s;

	warcpages_fill(a, 0, 300, at);
	if (archive_close(a) < 0)
		exit(99);
	(void)warcbox_file(b, ".warc.zst", 1, path, size);
	s = warcbox_read(path, len);
	(void)snprintf(path, size, "%s/t.warc.zst", b->dir);
	return s;
}

static void
store(const char *path, const void *s, size_t len)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(s, 1, len, f) != len || fclose(f) != 0)
		exit(99);
}

static uint32_t
get32(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

/* Torn at any length: the whole records before the cut are left. */
static void
torn(struct tap *t)
{
	char path[512];
	struct warcbox b;
	size_t len, at, dict, whole;
	struct warccheck w;
	struct stat st;
	char *s;
	uint64_t cut;
	int bad = 0, within = 0, n = 0;

	warcbox_open(&b);
	s = one_file(&b, &len, path, sizeof path);
	dict = 8 + get32(s + 4);
	for (at = 1; at < len; at += at < dict + 3000 ? 149 : 3001) {
		store(path, s, len);
		if (warccheck_open(&w, path) < 0)
			exit(99);
		for (whole = 0; warccheck_next(&w) == 1 && w.at <= at;)
			whole = w.at;
		warccheck_close(&w);
		store(path, s, at);
		within += at < dict;
		n++;
		if (archive_recover(b.fd, "t.warc.zst", &cut) != 0 ||
		    cut != at - (whole == 0 && at >= dict ? dict : whole))
			bad++;
		if (whole == 0 ?
			stat(path, &st) == 0 :
			stat(path, &st) < 0 || (size_t)st.st_size != whole)
			bad++;
	}
	tap_ok(t, bad == 0 && within > 20 && n > within + 20,
	    "torn at %d lengths, %d of them in the dictionary", n, within);
	free(s);
	warcbox_close(&b);
}

/* 1 if the file begins with the same dictionary as `s' does. */
static int
same_dict(const char *path, const char *s)
{
	struct warccheck w, old;
	int same;

	memset(&old, 0, sizeof old);
	if (warccheck_open(&w, path) < 0 ||
	    warccheck_dict(&old, s, 8 + get32(s + 4)) < 0)
		exit(99);
	same = warccheck_next(&w) == 1 && w.dict_len == old.dict_len &&
	    memcmp(w.dict, old.dict, w.dict_len) == 0;
	warccheck_close(&w);
	free(old.dict);
	return same;
}

/* A bit of the dictionary's frame is turned: told, and nothing thrown away. */
static void
damaged(struct tap *t)
{
	char path[512], aside[520], *s;
	struct warcbox b;
	size_t len, at, dict;
	uint64_t where, cut;
	int bad = 0, kept = 0, told = 0, n = 0;
	struct stat st;

	warcbox_open(&b);
	s = one_file(&b, &len, path, sizeof path);
	(void)snprintf(aside, sizeof aside, "%s.broken", path);
	dict = 8 + get32(s + 4);
	for (at = 0; at < dict; at += at < 40 ? 1 : 97) {
		s[at] ^= 0x10;
		store(path, s, len);
		s[at] ^= 0x10;
		n++;
		if (archive_verify(b.fd, "t.warc.zst", &where) >= 0) {
			/* some bits of a zstd frame mean nothing */
			bad += !same_dict(path, s);
			continue;
		}
		bad += where != 0;
		told++;
		if (at < 8) /* the frame's head: it may look cut off */
			continue;
		kept++;
		if (archive_recover_all(b.fd, &cut) != 1 || cut != 0 ||
		    stat(aside, &st) < 0 || (size_t)st.st_size != len)
			bad++;
		(void)unlink(aside);
	}
	tap_ok(t, bad == 0 && kept > 20 && told > n - 5,
	    "damage at %d places of it, %d of them tell", n, told);
	free(s);
	warcbox_close(&b);
}

/* A dictionary frame that holds `n' bytes at `s', the file's rest behind. */
static int64_t
with(const struct warcbox *b, const char *path, uint32_t says, const void *s,
    size_t n, const char *rest, size_t rest_len)
{
	char head[8] = "\x5d\x2a\x4d\x18";
	uint64_t where;
	FILE *f = fopen(path, "wb");
	int i;

	for (i = 0; i < 4; i++)
		head[4 + i] = (char)(says >> 8 * i);
	if (f == NULL || fwrite(head, 1, 8, f) != 8 ||
	    fwrite(s, 1, n, f) != n || fwrite(rest, 1, rest_len, f) != rest_len)
		exit(99);
	fclose(f);
	return archive_verify(b->fd, "t.warc.zst", &where);
}

/* Dictionary frames by others, and by nobody with good intentions. */
static void
foreign(struct tap *t)
{
	static char big[LIMIT_ARCHIVE_DICT + 64];
	char path[512], packed[4096], *s, *rest;
	struct warccheck w;
	struct warcbox b;
	size_t len, n;
	int64_t want;
	uint64_t where;

	warcbox_open(&b);
	s = one_file(&b, &len, path, sizeof path);
	store(path, s, len);
	want = archive_verify(b.fd, "t.warc.zst", &where);
	if (warccheck_open(&w, path) < 0 || warccheck_next(&w) != 1)
		exit(99);
	rest = s + 8 + get32(s + 4);
	len -= (size_t)(rest - s);
	tap_ok(t,
	    want > 10 &&
		with(&b, path, (uint32_t)w.dict_len, w.dict, w.dict_len, rest,
		    len) == want,
	    "a dictionary that is not compressed is read, too");
	tap_ok(t,
	    with(&b, path, UINT32_MAX, w.dict, w.dict_len, rest, len) < 0 &&
		with(&b, path, 0, "", 0, rest, len) < 0 &&
		with(&b, path, 7, w.dict, 7, rest, len) < 0 &&
		with(&b, path, LIMIT_ARCHIVE_DICT + 1, big,
		    LIMIT_ARCHIVE_DICT + 1, rest, len) == FAULT_DAMAGED,
	    "one of a length that can't be is not");
	tap_ok(t, with(&b, path, 5000, big, 5000, rest, len) == FAULT_DAMAGED,
	    "bytes that are no dictionary are none");
	memcpy(big, w.dict, w.dict_len);
	n = ZSTD_compress(packed, sizeof packed, big, 0, 1);
	tap_ok(t,
	    with(&b, path, (uint32_t)n, packed, n, rest, len) == FAULT_DAMAGED,
	    "nor is nothing");
	memset(big, 'x', sizeof big);
	n = ZSTD_compress(packed, sizeof packed, big, sizeof big, 1);
	tap_ok(t,
	    !ZSTD_isError(n) &&
		with(&b, path, (uint32_t)n, packed, n, rest, len) ==
		    FAULT_DAMAGED,
	    "%zu bytes that would become more than 8 MiB", n);
	warccheck_close(&w);
	free(s);
	warcbox_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	torn(&t);
	damaged(&t);
	foreign(&t);
	return tap_done(&t);
}
