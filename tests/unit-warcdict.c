/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Archives with a trained dictionary: which files have it, and that each of
 * them stands alone, whatever fails.
 */

#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "crawler/archive.h"
#include "snapshot/limits.h"
#include "tests/tap.h"
#include "tests/warcbox.h"
#include "tests/warccheck.h"
#include "tests/warcpages.h"

/* The descriptor whose sync fails: the file's that has this inode. */
static ino_t sync_bad;

int
fdatasync(int fd)
{
	struct stat st;

	if (sync_bad != 0 && fstat(fd, &st) == 0 && st.st_ino == sync_bad) {
		errno = EIO;
		return -1;
	}
	return 0;
}

/* 1 if the file of that name begins with a dictionary. */
static int
has_dict(const struct warcbox *b, const char *file)
{
	unsigned char s[4] = { 0 };
	char path[512];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/%s", b->dir, file);
	f = fopen(path, "rb");
	if (f == NULL || fread(s, 1, 4, f) != 4)
		exit(99);
	fclose(f);
	return memcmp(s, "\x5d\x2a\x4d\x18", 4) == 0;
}

/* 1 if page `n' is where `at' says, for a reader that is not ours. */
static int
is_there(const struct warcbox *b, unsigned int n, const struct archive_at *at)
{
	char path[512], body[WARCPAGES_MOST];
	size_t len = warcpages_make(n, body);
	struct warccheck w;
	int good;

	(void)snprintf(path, sizeof path, "%s/%s", b->dir, at->file);
	good = warccheck_open(&w, path) == 0 && warccheck_next(&w) == 1;
	w.at = at->offset;
	good = good && warccheck_next(&w) == 1 && w.at - w.from == at->length &&
	    w.block_len > len &&
	    memcmp(w.block + w.block_len - len, body, len) == 0;
	warccheck_close(&w);
	return good;
}

/* Records of all files, as another reader counts them; -1: one is bad. */
static int
count(const struct warcbox *b)
{
	char name[512];
	struct warccheck w;
	int i, n = 0, rc = 0, files;
	int64_t ours;
	uint64_t where;

	files = warcbox_file(b, ".warc.zst", 0, name, sizeof name);
	for (i = 0; i < files && rc == 0; i++) {
		(void)warcbox_file(b, ".warc.zst", i, name, sizeof name);
		ours = archive_verify(b->fd, name + strlen(b->dir) + 1, &where);
		(void)warccheck_open(&w, name);
		for (rc = warccheck_next(&w); rc == 1;
		     rc = warccheck_next(&w)) {
			n++;
			ours--;
		}
		warccheck_close(&w);
		if (ours != 0)
			rc = -1;
	}
	return rc < 0 ? -1 : n;
}

static void
end_to_end(struct tap *t)
{
	static struct archive_at at[WARCPAGES];
	char name[512];
	struct archive *a;
	struct warccheck w;
	struct warcbox b;
	unsigned int i, id, with = 0, without = 0;
	int files, bad = 0;

	warcbox_open(&b);
	a = warcpages_archive(&b, ARCHIVE_ZST, 50);
	warcpages_fill(a, 0, WARCPAGES, at);
	tap_ok(t, archive_close(a) == 0, "%d pages", WARCPAGES);
	files = warcbox_file(&b, ".warc.zst", 0, name, sizeof name);
	tap_ok(t, files >= 3 && !has_dict(&b, at[0].file),
	    "the first of %d files has no dictionary", files);
	for (i = 0; i < WARCPAGES; i++) {
		bad += !is_there(&b, i, &at[i]);
		bad += has_dict(&b, at[i].file) !=
		    (strcmp(at[i].file, at[0].file) != 0);
		with += strcmp(at[i].file, at[WARCPAGES / 2].file) == 0;
		without += strcmp(at[i].file, at[0].file) == 0;
	}
	tap_ok(t, bad == 0, "the others have one, and each page is in place");
	tap_ok(t, with > without * 3 / 2,
	    "a file holds %u pages with it, %u without", with, without);
	tap_ok(t, count(&b) == WARCPAGES * 2 + files,
	    "all records are readable");
	(void)warcbox_file(&b, ".warc.zst", 1, name, sizeof name);
	(void)warccheck_open(&w, name);
	id = warccheck_next(&w) != 1 ?
	    0 :
	    ZSTD_getDictID_fromDict(w.dict, w.dict_len);
	tap_ok(t, id >= 32768 && id <= INT32_MAX && w.dict_len <= LIMIT_DICT,
	    "its id is one of the free range");
	warccheck_close(&w);
	warcbox_close(&b);
}

/* Who has none. */
static void
none(struct tap *t)
{
	static struct archive_at at[WARCPAGES];
	struct warcbox b;
	struct archive *a;
	char name[512], *s;
	size_t n;
	int i, bad = 0;

	warcbox_open(&b);
	a = warcpages_archive(&b, ARCHIVE_ZST, WARCPAGES + 1);
	warcpages_fill(a, 0, WARCPAGES, at);
	if (archive_close(a) < 0)
		exit(99);
	for (i = 0; i < WARCPAGES; i++)
		bad += has_dict(&b, at[i].file);
	tap_ok(t, bad == 0, "none before there are enough samples");
	a = warcpages_archive(&b, ARCHIVE_GZ, 50);
	warcpages_fill(a, 0, WARCPAGES, at);
	tap_ok(t,
	    archive_close(a) == 0 &&
		strcmp(at[0].file, at[WARCPAGES - 1].file) != 0,
	    "gz: several files");
	(void)snprintf(name, sizeof name, "%s/%s", b.dir,
	    at[WARCPAGES - 1].file);
	s = warcbox_read(name, &n);
	tap_ok(t, n > 2 && memcmp(s, "\x1f\x8b", 2) == 0, "and no dictionary");
	free(s);
	warcbox_close(&b);
}

static ino_t
inode(const struct warcbox *b, const char *file)
{
	struct stat st;

	if (fstatat(b->fd, file, &st, 0) < 0)
		exit(99);
	return st.st_ino;
}

/* A sync of a file with a dictionary fails: the new one has it, too. */
static void
failed_with(struct tap *t)
{
	static struct archive_at at[WARCPAGES];
	struct archive_at old;
	struct warcbox b;
	struct archive *a;
	unsigned int i = 0;
	int files;
	char name[512];

	warcbox_open(&b);
	a = warcpages_archive(&b, ARCHIVE_ZST, 50);
	do {
		if (warcpages_put(a, i, &at[i]) < 0 || archive_sync(a) < 0)
			exit(99);
		i++;
	} while (i < WARCPAGES - 10 && strcmp(at[i - 1].file, at[0].file) == 0);
	if (warcpages_put(a, i, &at[i]) < 0 ||
	    warcpages_put(a, i + 1, &at[i + 1]) < 0)
		exit(99);
	old = at[i];
	sync_bad = inode(&b, old.file);
	tap_ok(t,
	    has_dict(&b, old.file) && archive_sync(a) == 0 &&
		strcmp(at[i].file, old.file) != 0 &&
		strcmp(at[i].file, at[i + 1].file) == 0,
	    "a sync fails: another file");
	sync_bad = 0;
	tap_ok(t, has_dict(&b, at[i].file), "which has the dictionary");
	tap_ok(t,
	    warcpages_put(a, i + 2, &at[i + 2]) == 0 && archive_close(a) == 0 &&
		strcmp(at[i + 2].file, at[i].file) == 0,
	    "and is gone on with");
	tap_ok(t,
	    is_there(&b, i - 1, &at[i - 1]) && is_there(&b, i, &at[i]) &&
		is_there(&b, i + 1, &at[i + 1]) &&
		is_there(&b, i + 2, &at[i + 2]),
	    "all of them are readable");
	files = warcbox_file(&b, ".warc.zst", 0, name, sizeof name);
	/* two records are in both files */
	tap_ok(t, count(&b) == (int)(i + 3) * 2 + 4 + files, "so is the rest");
	warcbox_close(&b);
}

/*
 * The full file without a dictionary fails when the next, with one, has been
 * begun: frames of the two sorts must not come into one file.
 */
static void
failed_without(struct tap *t)
{
	static struct archive_at at[WARCPAGES];
	struct archive_at old[2];
	struct warcbox b;
	struct archive *a;
	unsigned int i, last;
	int bad = 0;

	warcbox_open(&b);
	a = warcpages_archive(&b, ARCHIVE_ZST, 20);
	for (i = 0; i < WARCPAGES; i++) {
		if (warcpages_put(a, i, &at[i]) < 0)
			exit(99);
		if (strcmp(at[i].file, at[0].file) != 0)
			break;
		/* the last ones of the file wait */
		if (at[i].offset < WARCPAGES_ROTATE * 3 / 4 &&
		    archive_sync(a) < 0)
			exit(99);
	}
	last = i;
	old[0] = at[last - 1];
	old[1] = at[last];
	sync_bad = inode(&b, old[0].file);
	tap_ok(t,
	    last < WARCPAGES && has_dict(&b, old[1].file) &&
		archive_unsynced(a) > 0 && archive_sync(a) == 0,
	    "the full file fails when the next has begun");
	sync_bad = 0;
	tap_ok(t,
	    strcmp(at[last - 1].file, old[0].file) != 0 &&
		!has_dict(&b, at[last - 1].file),
	    "its frames come to a file without dictionary");
	tap_ok(t, strcmp(at[last].file, old[1].file) == 0,
	    "the others stay in theirs");
	warcpages_fill(a, last + 1, last + 100, at);
	tap_ok(t,
	    has_dict(&b, at[last + 1].file) && has_dict(&b, at[last + 99].file),
	    "what follows is in one with it");
	tap_ok(t, archive_close(a) == 0 && count(&b) > 0, "all is readable");
	for (i = 0; i < last + 100; i++)
		bad += !is_there(&b, i, &at[i]);
	tap_ok(t, bad == 0, "and each page is in place");
	warcbox_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	end_to_end(&t);
	none(&t);
	failed_with(&t);
	failed_without(&t);
	return tap_done(&t);
}
