/* SPDX-License-Identifier: BSD-2-Clause */

/* Files, atomic files, numbered files: snapshot/file.h and its neighbours. */

#include "config.h"

#include <errno.h>

#include "snapshot/atomicfile.h"
#include "snapshot/file.h"
#include "snapshot/series.h"
#include "tests/scratch.h"
#include "tests/tap.h"

static void
files(struct tap *t, int dir)
{
	char buf[16] = "";
	uint64_t size = 0;
	int fd;

	fd = file_create(dir, "a");
	tap_ok(t, fd >= 0, "a new file");
	tap_ok(t, file_create(dir, "a") == FAULT_SYS && errno == EEXIST,
	    "not a second time");
	tap_ok(t,
	    file_write(fd, "hello, world", 12, 3) == 0 && file_sync(fd) == 0 &&
		file_size(fd, &size) == 0 && size == 15,
	    "written at an offset");
	tap_ok(t, file_read(fd, buf, 5, 3) == 5 && memcmp(buf, "hello", 5) == 0,
	    "and read there");
	tap_ok(t, file_read(fd, buf, sizeof buf, 10) == 5, "to its end");
	tap_ok(t, file_read(fd, buf, sizeof buf, 99) == 0, "behind it");
	tap_ok(t,
	    file_cut(fd, 4) == 0 && file_size(fd, &size) == 0 && size == 4,
	    "cut");
	file_close(fd);
	tap_ok(t, file_rename(dir, "a", "b") == 0 && file_sync_dir(dir) == 0,
	    "renamed");
	errno = 7;
	file_close(-1);
	tap_ok(t, errno == 7, "closing keeps errno");
	fd = file_open(dir, "b", 0);
	tap_ok(t, fd >= 0 && file_write(fd, "x", 1, 0) == FAULT_SYS,
	    "open for reading only");
	file_close(fd);
	tap_ok(t, file_remove(dir, "b") == 0 && file_remove(dir, "b") == 0,
	    "removed, twice");
	tap_ok(t, file_open(dir, "b", 0) == FAULT_SYS && errno == ENOENT,
	    "and gone");
}

/* What stands where a file should. */
static void
odd_files(struct tap *t, int dir)
{
	if (mkfifoat(dir, "fifo", 0600) != 0 ||
	    symlinkat("/etc/passwd", dir, "link") != 0)
		abort();
	tap_ok(t, file_open(dir, "fifo", 0) == FAULT_NOTFILE,
	    "a FIFO is refused at once");
	tap_ok(t, file_open(dir, "link", 0) == FAULT_NOTFILE,
	    "a symbolic link is refused");
	tap_ok(t, file_open(dir, ".", 0) == FAULT_NOTFILE,
	    "a folder is refused");
	tap_ok(t, file_open_dir(dir, "fifo") == FAULT_SYS && errno == ENOTDIR,
	    "a FIFO is no folder");
}

static void
atomic(struct tap *t, int dir)
{
	char buf[16], name[300];

	scratch_put(dir, "small.tmp", "left by a crash", 15);
	tap_ok(t,
	    atomicfile_write(dir, "small", "one", 3) == 0 &&
		atomicfile_write(dir, "small", "second", 6) == 0,
	    "replaced");
	tap_ok(t,
	    atomicfile_read(dir, "small", buf, sizeof buf) == 6 &&
		memcmp(buf, "second", 6) == 0,
	    "the new content");
	tap_ok(t, atomicfile_read(dir, "small", buf, 6) == 6, "just fits");
	tap_ok(t, atomicfile_read(dir, "small", buf, 5) == FAULT_TOOBIG,
	    "too big");
	tap_ok(t, faccessat(dir, "small.tmp", F_OK, 0) != 0, "nothing beside");
	tap_ok(t,
	    atomicfile_read(dir, "none", buf, 5) == FAULT_SYS &&
		errno == ENOENT,
	    "none there");
	memset(name, 'n', sizeof name);
	name[251] = '\0';
	tap_ok(t, atomicfile_write(dir, name, "", 0) == 0, "the longest name");
	name[251] = 'n';
	name[252] = '\0';
	tap_ok(t, atomicfile_write(dir, name, "", 0) == FAULT_ARG,
	    "a name too long");
	tap_ok(t,
	    atomicfile_write(dir, "a/b", "", 0) == FAULT_ARG &&
		atomicfile_write(dir, "", "", 0) == FAULT_ARG,
	    "no name");
	/* a folder in the way: the rename fails, the rest is cleaned up */
	if (mkdirat(dir, "way", 0700) != 0)
		abort();
	tap_ok(t,
	    atomicfile_write(dir, "way", "x", 1) == FAULT_SYS &&
		errno == EISDIR && faccessat(dir, "way.tmp", F_OK, 0) != 0,
	    "a fault leaves nothing beside");
}

static void
series_names(struct tap *t)
{
	static const struct {
		const char *name;
		uint64_t n;
	} rows[] = {
		{ "0000000001.zst", 1 },
		{ "9999999999.zst", SERIES_MAX },
		{ "0000000000.zst", 0 },
		{ "0000000001.zst.tmp", 0 },
		{ "000000001.zst", 0 },
		{ "00000000001.zst", 0 },
		{ "0000000001.zs", 0 },
		{ "0000000001", 0 },
		{ "+000000001.zst", 0 },
		{ "", 0 },
	};
	char name[SERIES_NAME];
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		tap_ok(t, series_number(rows[i].name) == rows[i].n,
		    "number of \"%s\"", rows[i].name);
		if (rows[i].n == 0)
			continue;
		series_name(name, rows[i].n);
		tap_ok(t, strcmp(name, rows[i].name) == 0, "name %s", name);
	}
	series_tmp(name, 42);
	tap_ok(t, strcmp(name, "0000000042.zst.tmp") == 0, "%s", name);
}

static void
series_steps(struct tap *t, const struct scratch *s)
{
	static const char *const names[] = { "0000000002.zst", "0000000003.zst",
		"0000000007.zst", "0000000005.zst.tmp", "notes.zst" };
	int dir = scratch_folder(s, "series");
	uint64_t n = 0;
	size_t i;

	tap_ok(t, series_next(dir, 0, &n) == 0, "none in an empty folder");
	tap_ok(t, series_prev(dir, UINT64_MAX, &n) == 0, "nor the last");
	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		scratch_put(dir, names[i], "", 0);
	tap_ok(t, series_next(dir, 0, &n) == 1 && n == 2, "the first");
	tap_ok(t, series_next(dir, 2, &n) == 1 && n == 3, "the next");
	tap_ok(t, series_next(dir, 3, &n) == 1 && n == 7, "over a hole");
	tap_ok(t, series_next(dir, 7, &n) == 0, "no more");
	tap_ok(t, series_next(dir, SERIES_MAX, &n) == 0, "nor ever");
	tap_ok(t, series_prev(dir, UINT64_MAX, &n) == 1 && n == 7, "the last");
	tap_ok(t, series_prev(dir, 7, &n) == 1 && n == 3, "the one before");
	tap_ok(t, series_prev(dir, 3, &n) == 1 && n == 2, "and before");
	tap_ok(t, series_prev(dir, 2, &n) == 0, "no more");
	tap_ok(t,
	    series_clean(dir) == 0 && faccessat(dir, names[3], F_OK, 0) != 0 &&
		faccessat(dir, names[2], F_OK, 0) == 0 &&
		faccessat(dir, names[4], F_OK, 0) == 0,
	    "only temporary files are removed");
	close(dir);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct scratch s;

	scratch_make(&s);
	files(&t, s.fd);
	odd_files(&t, s.fd);
	atomic(&t, s.fd);
	series_names(&t);
	series_steps(&t, &s);
	scratch_remove(&s);
	return tap_done(&t);
}
