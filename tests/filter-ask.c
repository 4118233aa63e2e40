/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filter-ask.c - is it in the filter?  A second reader of the file format
 *
 * filter-ask FILE <lines: prints the lines whose bytes were added.  It was
 * written from urlseen-filter(5) alone and shares no code with the library,
 * so it says whether the page tells all that is needed.  It must stay so.
 */

#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MOST ((size_t)256 << 20) /* bytes of a file that we read */

struct file {
	unsigned char *s;
	size_t len;
	const unsigned char *head; /* the copy that counts */
	unsigned char secret[192];
};

static void
die(const char *why)
{
	fprintf(stderr, "filter-ask: %s\n", why);
	exit(2);
}

static uint64_t
u64(const unsigned char *p)
{
	uint64_t v = 0;
	int i;

	for (i = 7; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

static uint32_t
u32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

/* The high half of x n, from four products of 32 bits. */
static uint64_t
place(uint64_t x, uint64_t n)
{
	uint64_t a = x >> 32, b = x & 0xffffffff;
	uint64_t c = n >> 32, d = n & 0xffffffff;
	uint64_t low = b * d, m1 = a * d, m2 = b * c;
	uint64_t carry =
	    ((low >> 32) + (m1 & 0xffffffff) + (m2 & 0xffffffff)) >> 32;

	return a * c + (m1 >> 32) + (m2 >> 32) + carry;
}

static uint64_t
mix(uint64_t i)
{
	uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t
odd(uint64_t i)
{
	return mix(i) | 1;
}

/* Bits are numbered within bytes as within little-endian words. */
static int
bit(const unsigned char *data, uint64_t b)
{
	return data[b / 8] >> (b % 8) & 1;
}

static int
copy_is_right(const unsigned char *copy)
{
	static const unsigned char magic[8] = { 0x89, 0x55, 0x52, 0x4c, 0x0d,
		0x0a, 0x1a, 0x0a };

	return memcmp(copy, magic, 8) == 0 &&
	    u64(copy + 2040) == XXH3_64bits(copy, 2040);
}

static void
load(struct file *f, const char *path)
{
	FILE *in = fopen(path, "rb");
	const unsigned char *a, *b;

	f->s = malloc(MOST);
	if (in == NULL || f->s == NULL)
		die("can't open the file");
	f->len = fread(f->s, 1, MOST, in);
	fclose(in);
	if (f->len < 2097152)
		die("too short");
	a = f->s;
	b = f->s + 2048;
	if (!copy_is_right(b))
		f->head = a;
	else if (!copy_is_right(a))
		f->head = b;
	else
		f->head = u64(a + 56) > u64(b + 56) ? a : b;
	if (!copy_is_right(f->head) || u32(f->head + 8) != 1 ||
	    u32(f->head + 16) != 1)
		die("no filter");
	XXH3_generateSecret_fromSeed(f->secret, u64(f->head + 24));
}

/* The sum of each MiB of a layer, and that it lies in the file. */
static void
check(const struct file *f, const unsigned char *layer)
{
	uint64_t at = u64(layer), bytes = u64(layer + 8), i, n;
	uint64_t sums = at + (bytes + 4095) / 4096 * 4096;

	if (bytes > f->len || at > f->len - bytes)
		die("a layer beyond the end");
	if (!(u32(f->head + 64) & 1))
		return;
	for (i = 0; i * 1048576 < bytes; i++) {
		n = bytes - i * 1048576;
		if (n > 1048576)
			n = 1048576;
		if (sums + i * 8 + 8 > f->len ||
		    u64(f->s + sums + i * 8) !=
			XXH3_64bits(f->s + at + i * 1048576, n))
			die("a sum is wrong");
	}
}

/* All bits of the layouts 1 to 4. */
static int
bits(const unsigned char *layer, const unsigned char *data, uint64_t hi,
    uint64_t lo)
{
	uint64_t size = u64(layer + 16), at = place(hi, size), b;
	unsigned int i, k = u32(layer + 60), layout = u32(layer + 56);

	for (i = 0; i < k; i++) {
		if (layout == 1)
			b = at * 512 + 64 * i + (lo >> 6 * i & 63);
		else if (layout == 2)
			b = at * 512 + (lo * odd(i) >> 55);
		else if (layout == 3)
			b = at * 1024 + (lo * odd(i) >> 54);
		else
			b = place(hi + lo * odd(i), size);
		if (!bit(data, b))
			return 0;
	}
	return 1;
}

static int
counters(const unsigned char *layer, const unsigned char *data, uint64_t hi,
    uint64_t lo)
{
	uint64_t c;
	unsigned int i;

	for (i = 0; i < u32(layer + 60); i++) {
		c = place(hi + lo * odd(i), u64(layer + 16));
		if ((data[c / 2] >> (c % 2 * 4) & 15) == 0)
			return 0;
	}
	return 1;
}

/* One of the four slots of bucket `b'. */
static int
bucket(const unsigned char *data, uint64_t b, unsigned int k, uint64_t f)
{
	uint64_t v;
	unsigned int i, j;

	for (j = 0; j < 4; j++) {
		for (v = 0, i = 0; i < k; i++)
			v |= (uint64_t)bit(data, (4 * b + j) * k + i) << i;
		if (v == f)
			return 1;
	}
	return 0;
}

static int
fingerprints(const unsigned char *layer, const unsigned char *data, uint64_t hi,
    uint64_t lo)
{
	uint64_t size = u64(layer + 16), b = place(hi, size), f, h;
	unsigned int k = u32(layer + 60);

	f = 1 + place(lo, ((uint64_t)1 << k) - 1);
	h = place(mix(f), size);
	return bucket(data, b, k, f) ||
	    bucket(data, h >= b ? h - b : h + size - b, k, f);
}

static int
keys(const unsigned char *layer, const unsigned char *data, uint64_t hi,
    uint64_t lo)
{
	uint64_t size = u64(layer + 16), at, n;

	hi = hi == 0 ? 1 : hi;
	at = place(hi, size);
	for (n = 0; n < size && n < 65536; n++, at = (at + 1) % size) {
		if (u64(data + at * 16 + 8) == 0)
			return 0;
		if (u64(data + at * 16 + 8) == hi && u64(data + at * 16) == lo)
			return 1;
	}
	return 0;
}

static int
ask(const struct file *f, const char *s, size_t len)
{
	XXH128_hash_t h = XXH3_128bits_withSecret(s, len, f->secret, 192);
	const unsigned char *layer, *data;
	unsigned int i;
	int in = 0;

	for (i = 0; i < u32(f->head + 68) && i < 20 && !in; i++) {
		layer = f->head + 128 + 64 * i;
		data = f->s + u64(layer);
		switch (u32(layer + 56)) {
		case 1:
		case 2:
		case 3:
		case 4:
			in = bits(layer, data, h.high64, h.low64);
			break;
		case 5:
			in = counters(layer, data, h.high64, h.low64);
			break;
		case 6:
			in = fingerprints(layer, data, h.high64, h.low64);
			break;
		case 7:
			in = keys(layer, data, h.high64, h.low64);
			break;
		default:
			die("no such layout");
		}
	}
	return in;
}

int
main(int argc, char **argv)
{
	struct file f;
	char line[65536];
	unsigned int i;
	size_t len;

	if (argc != 2)
		die("usage: filter-ask FILE <LINES");
	load(&f, argv[1]);
	for (i = 0; i < u32(f.head + 68) && i < 20; i++)
		check(&f, f.head + 128 + 64 * i);
	while (fgets(line, sizeof line, stdin) != NULL) {
		len = strcspn(line, "\n");
		if (ask(&f, line, len))
			fputs(line, stdout);
	}
	free(f.s);
	return fflush(stdout) == 0 ? 0 : 2;
}
