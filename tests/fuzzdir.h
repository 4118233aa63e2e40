/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzzdir.h - a folder for a fuzz target whose input becomes files
 *
 * Made at the first call, removed when the target's process ends.
 */

#ifndef TESTS_FUZZDIR_H
#define TESTS_FUZZDIR_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/frame.h"
#include "snapshot/series.h"
#include "tests/fuzz.h"

static char fuzzdir_path[256];

/* Remove files 1 to 9. */
static inline void
fuzzdir_clear(int dir)
{
	char name[SERIES_NAME];
	uint64_t n;

	for (n = 1; n < 10; n++) {
		series_name(name, n);
		(void)unlinkat(dir, name, 0);
	}
}

static void
fuzzdir_remove(void)
{
	int dir = open(fuzzdir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	fuzzdir_clear(dir);
	(void)close(dir);
	(void)rmdir(fuzzdir_path);
}

/* The folder, empty. */
static inline int
fuzzdir_open(void)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	if (fuzzdir_path[0] == '\0') {
		snprintf(fuzzdir_path, sizeof fuzzdir_path, "%s/fuzz-XXXXXX",
		    dir == NULL ? "/tmp" : dir);
		fuzz_check(mkdtemp(fuzzdir_path) != NULL);
		fuzz_check(atexit(fuzzdir_remove) == 0);
	}
	fd = open(fuzzdir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fuzz_check(fd >= 0);
	fuzzdir_clear(fd);
	return fd;
}

/* File number `n' has these bytes. */
static inline void
fuzzdir_raw(int dir, uint64_t n, const void *p, size_t len)
{
	char name[SERIES_NAME];
	int fd;

	series_name(name, n);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	fuzz_check(fd >= 0 && write(fd, p, len) == (ssize_t)len);
	(void)close(fd);
}

/* File number `n' has one more frame, with these bytes in it. */
static inline void
fuzzdir_frame(int dir, uint64_t n, const void *p, size_t len)
{
	struct frame_packer *packer = NULL;
	char name[SERIES_NAME];
	const void *frame;
	long size;
	int fd;

	fuzz_check(frame_packer_new(&packer, len, 1) == 0);
	size = frame_pack(packer, p, len, &frame);
	series_name(name, n);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	fuzz_check(fd >= 0 && write(fd, frame, (size_t)size) == size);
	(void)close(fd);
	frame_packer_free(packer);
}

/*
 * Files from frames: `s' is their contents, with a byte 1 between two frames
 * and a 2 between two files (9 at most).
 */
static inline void
fuzzdir_files(int dir, const uint8_t *s, size_t len)
{
	const uint8_t *end = s + len, *at;
	uint64_t n = 1;

	while (s < end && n < 10) {
		for (at = s; at < end && *at != 1 && *at != 2; at++)
			;
		fuzzdir_frame(dir, n, s, (size_t)(at - s));
		if (at < end && *at == 2)
			n++;
		s = at + 1;
	}
}

#endif
