/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Archives after kills, damage, failed syncs and full disks: nothing whole is
 * lost, and nothing is taken for whole that is not.
 */

#include "config.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "crawler/archive.h"
#include "tests/tap.h"
#include "tests/warcbox.h"
#include "tests/warccheck.h"

/* How often the next syncs fail; the library calls the function below. */
static int sync_fails;
static unsigned int syncs;

int
fdatasync(int fd)
{
	syncs++;
	if (sync_fails > 0) {
		sync_fails--;
		errno = EIO;
		return -1;
	}
	(void)fd; /* the disk itself is not what is tested */
	return 0;
}

static void
copy(const char *from, const char *to, off_t len)
{
	size_t n;
	char *s = warcbox_read(from, &n);
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, s, (size_t)len) != len)
		exit(99);
	(void)close(fd);
	free(s);
}

/* Three pages in one file of `b', its path into `name'. */
static void
three(const struct warcbox *b, enum archive_kind kind, const char *suffix,
    char *name, size_t size)
{
	struct archive *a = warcbox_archive(b, kind);
	struct warc_capture c;
	struct archive_at at;
	char body[300];
	int i;

	memset(body, 'x', sizeof body);
	for (i = 0; i < 3; i++) {
		body[0] = (char)('a' + i);
		warcbox_capture(&c, "http://e.com/a", body, sizeof body);
		if (archive_put(a, &c, &at) < 0)
			exit(99);
	}
	if (archive_close(a) < 0)
		exit(99);
	(void)warcbox_file(b, suffix, 0, name, size);
}

/* Cut at many lengths: what is left is the whole records before the cut. */
static void
torn(struct tap *t, enum archive_kind kind, const char *suffix)
{
	char name[512], path[600];
	uint64_t end[16], cut, where, want, whole;
	struct warccheck w;
	struct stat st;
	struct warcbox b, d;
	size_t i, n = 0;
	int bad = 0;
	int64_t got;
	off_t len;

	warcbox_open(&b);
	warcbox_open(&d);
	three(&b, kind, suffix, name, sizeof name);
	(void)warccheck_open(&w, name);
	while (warccheck_next(&w) == 1)
		end[n++] = w.at;
	warccheck_close(&w);
	(void)stat(name, &st);
	(void)snprintf(path, sizeof path, "%s/t%s", d.dir, suffix);
	for (len = 1; len < st.st_size && bad < 5; len += 7) {
		want = whole = 0;
		for (i = 0; i < n && end[i] <= (uint64_t)len; i++) {
			want = end[i];
			whole = i + 1;
		}
		copy(name, path, len);
		if (archive_recover(d.fd, path + strlen(d.dir) + 1, &cut) < 0 ||
		    cut != (uint64_t)len - want)
			bad++;
		got = archive_verify(d.fd, path + strlen(d.dir) + 1, &where);
		if (whole > 0 ? got != (int64_t)whole : got != FAULT_SYS)
			bad++;
	}
	tap_ok(t, bad == 0 && n == 7, "%s: cut at many of %d lengths", suffix,
	    (int)st.st_size);
	warcbox_close(&b);
	warcbox_close(&d);
}

/* 1 if both files hold the same records. */
static int
same(const char *one, const char *two)
{
	struct warccheck a, b;
	int ra, rb;

	(void)warccheck_open(&a, one);
	(void)warccheck_open(&b, two);
	do {
		ra = warccheck_next(&a);
		rb = warccheck_next(&b);
	} while (ra == 1 && rb == 1 && a.text_len == b.text_len &&
	    memcmp(a.text, b.text, a.text_len) == 0);
	warccheck_close(&a);
	warccheck_close(&b);
	return ra == 0 && rb == 0;
}

/* A bit turned anywhere is noticed, unless it changes no record's bytes. */
static void
damage(struct tap *t, enum archive_kind kind, const char *suffix)
{
	char name[512], path[600], ch;
	struct stat st;
	struct warcbox b, d;
	uint64_t where;
	int bad = 0, fd;
	off_t at;

	warcbox_open(&b);
	warcbox_open(&d);
	three(&b, kind, suffix, name, sizeof name);
	(void)stat(name, &st);
	(void)snprintf(path, sizeof path, "%s/t%s", d.dir, suffix);
	for (at = 0; at < st.st_size; at++) {
		copy(name, path, st.st_size);
		fd = open(path, O_RDWR);
		if (pread(fd, &ch, 1, at) != 1)
			exit(99);
		ch ^= 0x02;
		if (pwrite(fd, &ch, 1, at) != 1)
			exit(99);
		(void)close(fd);
		if (archive_verify(d.fd, path + strlen(d.dir) + 1, &where) >=
			0 &&
		    !same(name, path))
			bad++;
	}
	tap_ok(t, bad == 0, "%s: damage anywhere is noticed", suffix);
	warcbox_close(&b);
	warcbox_close(&d);
}

static void
recover_all(struct tap *t)
{
	char name[512], open_name[600];
	struct archive_at at;
	struct warc_capture c;
	struct archive *a;
	struct warcbox b;
	uint64_t cut;
	int fd;

	warcbox_open(&b);
	a = warcbox_archive(&b, ARCHIVE_ZST);
	warcbox_capture(&c, "http://e.com/a", "x", 1);
	if (archive_put(a, &c, &at) < 0 || archive_close(a) < 0)
		exit(99);
	(void)warcbox_file(&b, ".cdxj", 0, name, sizeof name);
	(void)unlink(name);
	(void)warcbox_file(&b, ".zst", 0, name, sizeof name);
	fd = open(name, O_WRONLY | O_APPEND);
	(void)!write(fd, "\x28\xb5\x2f\xfdtorn", 8);
	(void)close(fd);
	(void)snprintf(open_name, sizeof open_name, "%s/zero.warc.zst", b.dir);
	fd = open(open_name, O_WRONLY | O_CREAT, 0666);
	(void)!write(fd, "\0\0\0\0\0\0\0\0\0", 9);
	(void)close(fd);
	tap_ok(t, archive_recover_all(b.fd, &cut) == 2 && cut == 8,
	    "both unclosed files are seen to, 8 bytes cut");
	tap_ok(t, warcbox_file(&b, ".cdxj", 0, name, sizeof name) == 1,
	    "the index is back");
	tap_ok(t, warcbox_file(&b, ".broken", 0, name, sizeof name) == 1,
	    "a file of zeros is set aside");
	tap_ok(t, archive_recover_all(b.fd, &cut) == 0, "nothing more to do");
	warcbox_close(&b);
}

/* A failed sync: everything since the last good one stands in a new file. */
static void
sync_failure(struct tap *t)
{
	char name[512], body[2000];
	struct archive_at at[3];
	struct warc_capture c;
	struct archive *a;
	struct warccheck w;
	struct warcbox b;
	uint64_t where;
	int i;

	memset(body, 'y', sizeof body);
	warcbox_open(&b);
	a = warcbox_archive(&b, ARCHIVE_ZST);
	warcbox_capture(&c, "http://e.com/a", body, 100);
	for (i = 0; i < 3; i++) {
		body[0] = (char)i;
		if (archive_put(a, &c, &at[i]) < 0)
			exit(99);
		if (i == 0 && archive_sync(a) < 0)
			exit(99);
	}
	sync_fails = 1;
	syncs = 0;
	tap_ok(t, archive_sync(a) == 0 && syncs >= 2,
	    "a sync that fails is made good on another descriptor");
	tap_ok(t,
	    strcmp(at[0].file, at[1].file) != 0 &&
		strcmp(at[1].file, at[2].file) == 0,
	    "what was not synced moved, what was did not");
	tap_ok(t, archive_unsynced(a) == 0, "nothing waits");
	tap_ok(t, archive_close(a) == 0, "close");
	(void)snprintf(name, sizeof name, "%s/%s", b.dir, at[2].file);
	(void)warccheck_open(&w, name);
	while (warccheck_next(&w) == 1 && w.from != at[2].offset)
		;
	tap_ok(t,
	    w.from == at[2].offset && w.text != NULL &&
		w.block[w.block_len - 100] == 2,
	    "the new place is right");
	warccheck_close(&w);
	tap_ok(t,
	    archive_verify(b.fd, at[0].file, &where) == 7 &&
		archive_verify(b.fd, at[1].file, &where) == 5,
	    "both files are whole");
	tap_ok(t, warcbox_file(&b, ".cdxj", 0, name, sizeof name) == 2,
	    "both indexes are closed");
	warcbox_close(&b);
}

/* A sync that keeps failing loses nothing and can be tried again. */
static void
sync_stuck(struct tap *t)
{
	struct archive_at at;
	struct warc_capture c;
	struct archive *a;
	struct warcbox b;
	uint64_t where;

	warcbox_open(&b);
	a = warcbox_archive(&b, ARCHIVE_GZ);
	warcbox_capture(&c, "http://e.com/a", "page", 4);
	sync_fails = 100;
	tap_ok(t, archive_put(a, &c, &at) == 0 && archive_sync(a) == FAULT_SYS,
	    "a disk that is gone is a fault");
	tap_ok(t, archive_unsynced(a) > 0, "and what was put still waits");
	sync_fails = 0;
	tap_ok(t, archive_sync(a) == 0 && archive_unsynced(a) == 0,
	    "once it is back the next sync writes it");
	tap_ok(t, archive_verify(b.fd, at.file, &where) >= 3, "whole");
	tap_ok(t, archive_close(a) == 0, "close");
	warcbox_close(&b);
}

/* A full disk (here: a file size limit) cuts nothing off and passes. */
static void
full_disk(struct tap *t)
{
	struct rlimit old, small;
	struct archive_at at;
	struct warc_capture c;
	struct archive *a;
	static char body[60000];
	struct warcbox b;
	uint64_t where, before;
	unsigned int noise = 1;
	size_t i;

	for (i = 0; i < sizeof body; i++) {
		noise = noise * 1664525 + 1013904223;
		body[i] = (char)(noise >> 24);
	}
	(void)signal(SIGXFSZ, SIG_IGN);
	warcbox_open(&b);
	a = warcbox_archive(&b, ARCHIVE_ZST);
	warcbox_capture(&c, "http://e.com/a", "page", 4);
	if (archive_put(a, &c, &at) < 0)
		exit(99);
	before = archive_bytes(a);
	(void)getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 20000;
	(void)setrlimit(RLIMIT_FSIZE, &small);
	warcbox_capture(&c, "http://e.com/b", body, sizeof body);
	tap_ok(t, archive_put(a, &c, &at) == FAULT_SYS && errno == EFBIG,
	    "no room: a fault");
	(void)setrlimit(RLIMIT_FSIZE, &old);
	tap_ok(t, archive_bytes(a) == before, "nothing of it stays");
	tap_ok(t, archive_put(a, &c, &at) == 0 && archive_close(a) == 0,
	    "room again: the same put works");
	tap_ok(t, archive_verify(b.fd, at.file, &where) == 5, "whole");
	warcbox_close(&b);
}

/* Puts in one thread, syncs in another, files of 64 KiB. */
struct pair {
	struct archive *a;
	int stop;
	pthread_mutex_t lock;
	int bad;
};

static void *
syncing(void *arg)
{
	struct pair *p = arg;
	int stop = 0;

	while (!stop) {
		(void)pthread_mutex_lock(&p->lock);
		stop = p->stop;
		(void)pthread_mutex_unlock(&p->lock);
		if (archive_sync(p->a) < 0)
			p->bad = 1;
	}
	return NULL;
}

static void
two_threads(struct tap *t)
{
	static struct archive_at at[2000];
	struct pair p = { NULL, 0, PTHREAD_MUTEX_INITIALIZER, 0 };
	struct archive_opts o;
	char body[600], name[512], file[ARCHIVE_NAME] = "";
	struct warc_capture c;
	int64_t records = 0, n;
	struct warccheck w;
	uint64_t where;
	pthread_t th;
	int i, files, with = 0, bad = 0;
	size_t k;
	struct warcbox b;

	warcbox_open(&b);
	memset(&o, 0, sizeof o);
	o.dirfd = b.fd;
	o.kind = ARCHIVE_ZST;
	o.rotate = 64 * 1024;
	o.records = 200; /* the later files may have the dictionary */
	if (archive_open(&p.a, &o) < 0)
		exit(99);
	warcbox_capture(&c, "http://e.com/a", body, sizeof body);
	(void)pthread_create(&th, NULL, syncing, &p);
	for (i = 0; i < 2000; i++) {
		for (k = 0; k < sizeof body; k++)
			body[k] = (char)((i * 31 + (int)k) * 2654435761U >> 20);
		memcpy(body, &i, sizeof i);
		if (archive_put(p.a, &c, &at[i]) < 0)
			bad++;
	}
	(void)pthread_mutex_lock(&p.lock);
	p.stop = 1;
	(void)pthread_mutex_unlock(&p.lock);
	(void)pthread_join(th, NULL);
	tap_ok(t, bad == 0 && p.bad == 0 && archive_close(p.a) == 0,
	    "2000 puts beside a syncing thread");
	files = warcbox_file(&b, ".warc.zst", 0, name, sizeof name);
	tap_ok(t,
	    files > 5 &&
		warcbox_file(&b, ".cdxj", 0, name, sizeof name) == files,
	    "%d files, each with its index", files);
	for (i = 0; i < files; i++) {
		(void)warcbox_file(&b, ".warc.zst", i, name, sizeof name);
		n = archive_verify(b.fd, name + strlen(b.dir) + 1, &where);
		records += n;
	}
	tap_ok(t, records == 4000 + files, "all records are there");
	memset(&w, 0, sizeof w);
	for (bad = 0, i = 0; i < 2000; i++) {
		if (strcmp(file, at[i].file) != 0) {
			warccheck_close(&w);
			memcpy(file, at[i].file, sizeof file);
			(void)snprintf(name, sizeof name, "%s/%s", b.dir, file);
			(void)warccheck_open(&w, name);
			(void)warccheck_next(&w);
			with += w.dict != NULL;
		}
		w.at = at[i].offset;
		if (warccheck_next(&w) != 1 ||
		    w.at - at[i].offset != at[i].length ||
		    memcmp(w.block + w.block_len - 600, &i, sizeof i) != 0)
			bad++;
	}
	warccheck_close(&w);
	tap_ok(t, bad == 0, "each is where it should be, %d with a dictionary",
	    with);
	warcbox_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	torn(&t, ARCHIVE_ZST, ".warc.zst");
	torn(&t, ARCHIVE_GZ, ".warc.gz");
	damage(&t, ARCHIVE_ZST, ".warc.zst");
	damage(&t, ARCHIVE_GZ, ".warc.gz");
	recover_all(&t);
	sync_failure(&t);
	sync_stuck(&t);
	full_disk(&t);
	two_threads(&t);
	return tap_done(&t);
}
