/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * floor.c - the plainest program that drops repeated lines, to measure against
 *
 *	floor [BYTES] <LINES >OUT	(12,640,256: 10 M URLs at 1 %)
 *
 * Reads, splits, hashes (XXH3-128), sets one bit in one 64-byte line of
 * BYTES of memory, and copies out the lines whose bit was not set: a filter
 * of one probe, without normalising, options, counts or guarantees, one
 * thread, in separate passes as urlseen has them, with what the C library
 * gives and no vectors of its own.
 */

#include "config.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER (128 * 1024)
#define BATCH  256 /* lines */
#define LINE   64  /* bytes */

struct floor {
	uint64_t *memory;
	uint64_t lines; /* of LINE bytes */
	char in[2 * BUFFER];
	char out[2 * BUFFER];
	size_t out_len;
	const char *start[BATCH + 1];
	uint64_t *word[BATCH];
	uint64_t bit[BATCH];
};

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static void
flush(struct floor *f)
{
	const char *s = f->out;
	ssize_t n;

	for (; f->out_len > 0; f->out_len -= (size_t)n, s += n) {
		n = write(STDOUT_FILENO, s, f->out_len);
		if (n < 0)
			die("write");
	}
}

/* Up to BATCH lines from `s' on: how many. */
static size_t
split(struct floor *f, const char *s, const char *end)
{
	size_t n = 0;

	f->start[0] = s;
	while (n < BATCH && s < end) {
		s = memchr(s, '\n', (size_t)(end - s));
		f->start[++n] = ++s;
	}
	return n;
}

static void
hash(struct floor *f, size_t n)
{
	XXH128_hash_t h;
	size_t i;
	uint64_t at;

	for (i = 0; i < n; i++) {
		h = XXH3_128bits(f->start[i],
		    (size_t)(f->start[i + 1] - f->start[i]) - 1);
		at = (h.high64 >> 32) * f->lines >> 32;
		f->word[i] = f->memory + at * (LINE / 8) +
		    (h.low64 >> 6 & (LINE / 8 - 1));
		f->bit[i] = UINT64_C(1) << (h.low64 & 63);
		__builtin_prefetch(f->word[i], 1);
	}
}

/* Bits not set before stay in bit[]. */
static void
touch(struct floor *f, size_t n)
{
	uint64_t old;
	size_t i;

	for (i = 0; i < n; i++) {
		old = *f->word[i];
		*f->word[i] = old | f->bit[i];
		f->bit[i] &= ~old;
	}
}

static void
copy(struct floor *f, size_t n)
{
	size_t i, len;

	for (i = 0; i < n; i++) {
		if (f->bit[i] == 0)
			continue;
		len = (size_t)(f->start[i + 1] - f->start[i]);
		memcpy(f->out + f->out_len, f->start[i], len);
		f->out_len += len;
	}
}

/* All whole lines of `len' bytes: how many bytes they are. */
static size_t
lines(struct floor *f, size_t len)
{
	const char *last = memrchr(f->in, '\n', len), *s = f->in;
	size_t n;

	if (last == NULL)
		return 0;
	for (last++; s < last; s = f->start[n]) {
		n = split(f, s, last);
		hash(f, n);
		touch(f, n);
		copy(f, n);
	}
	flush(f);
	return (size_t)(last - f->in);
}

int
main(int argc, char **argv)
{
	size_t bytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 12640256;
	struct floor *f = calloc(1, sizeof *f);
	size_t len = 0, done;
	ssize_t n;

	if (f == NULL || bytes < LINE)
		die("memory");
	f->lines = bytes / LINE;
	f->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (f->memory == MAP_FAILED)
		die("mmap");
	(void)madvise(f->memory, bytes, MADV_HUGEPAGE);
	for (;;) {
		n = read(STDIN_FILENO, f->in + len, BUFFER);
		if (n <= 0)
			break;
		len += (size_t)n;
		done = lines(f, len);
		len -= done;
		memmove(f->in, f->in + done, len);
		if (len > BUFFER)
			die("a line is too long");
	}
	if (n < 0)
		die("read");
	return 0;
}
