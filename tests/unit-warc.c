/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <zdict.h>

#include "crawler/archive.h"
#include "crawler/cdxj.h"
#include "tests/tap.h"
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

static const char head[] = "HTTP/1.1 200 OK\r\n"
			   "Content-Type: text/HTML; charset=utf-8\r\n"
			   "Transfer-Encoding: chunked\r\n"
			   " , odd\r\n"
			   "Content-Length: 17\r\n"
			   "X-Last: 1\r\n\r\n";
static const char request[] = "GET /a HTTP/1.1\r\nHost: e.com\r\n\r\n";

struct box {
	char dir[64];
	int fd;
};

static void
box_open(struct box *b)
{
	(void)snprintf(b->dir, sizeof b->dir, "warc-XXXXXX");
	if (mkdtemp(b->dir) == NULL)
		exit(99);
	b->fd = open(b->dir, O_RDONLY | O_DIRECTORY);
}

/* The `n'th file (by name) that ends in `suffix', into `name'. */
static int
box_file(const struct box *b, const char *suffix, int n, char *name,
    size_t size)
{
	struct dirent **e;
	int count, i, found = 0;

	count = scandir(b->dir, &e, NULL, alphasort);
	name[0] = '\0';
	for (i = 0; i < count; i++) {
		size_t len = strlen(e[i]->d_name), s = strlen(suffix);

		if (len > s && strcmp(e[i]->d_name + len - s, suffix) == 0) {
			if (found++ == n)
				(void)snprintf(name, size, "%s/%s", b->dir,
				    e[i]->d_name);
		}
		free(e[i]);
	}
	free(e);
	return found;
}

static void
box_close(struct box *b)
{
	char name[512];

	while (box_file(b, "", 2, name, sizeof name) > 2) /* . and .. first */
		(void)unlink(name);
	(void)close(b->fd);
	(void)rmdir(b->dir);
}

static struct archive *
start(const struct box *b, enum archive_kind kind)
{
	struct archive_opts o;
	struct archive *a = NULL;

	memset(&o, 0, sizeof o);
	o.dirfd = b->fd;
	o.kind = kind;
	o.worker = 7;
	o.info = "software: test\r\n";
	if (archive_open(&a, &o) < 0)
		exit(99);
	return a;
}

static void
capture(struct warc_capture *c, const char *url, const void *body, size_t len)
{
	memset(c, 0, sizeof *c);
	c->url = url;
	c->url_len = strlen(url);
	c->start_us = INT64_C(1767225600123456); /* 2026-01-01T00:00:00 */
	(void)ip_parse(&c->ip, "192.0.2.1", 9);
	c->request = request;
	c->request_len = sizeof request - 1;
	c->head = head;
	c->head_len = sizeof head - 1;
	c->body = body;
	c->body_len = len;
}

/* base 32 by the book: 5 bits at a time from a big number */
static void
sha1_text(const void *s, size_t len, char out[33])
{
	unsigned char sum[20];
	int i, j, v;

	(void)EVP_Digest(s, len, sum, NULL, EVP_sha1(), NULL);
	for (i = 0; i < 32; i++) {
		for (v = 0, j = i * 5; j < i * 5 + 5; j++)
			v = v * 2 + (sum[j / 8] >> (7 - j % 8) & 1);
		out[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[v];
	}
	out[32] = '\0';
}

static int
field_is(const struct warccheck *w, const char *name, const char *want)
{
	char got[512];

	warccheck_field(w, name, got, sizeof got);
	if (strcmp(got, want) == 0)
		return 1;
	tap_diag("%s: got '%s', want '%s'", name, got, want);
	return 0;
}

static void
check_response(struct tap *t, struct warccheck *w, const char *body, size_t len,
    const char *kind)
{
	static const char want[] = "HTTP/1.1 200 OK\r\n"
				   "Content-Type: text/HTML; charset=utf-8\r\n"
				   "X-Last: 1\r\n\r\n";
	char sum[33], text[64];

	tap_ok(t, field_is(w, "WARC-Type", "response"), "%s: response", kind);
	tap_ok(t,
	    field_is(w, "WARC-Date", "2026-01-01T00:00:00.123456Z") &&
		field_is(w, "WARC-Target-URI", "http://e.com/a") &&
		field_is(w, "WARC-IP-Address", "192.0.2.1") &&
		field_is(w, "Content-Type",
		    "application/http;msgtype=response"),
	    "%s: its fields", kind);
	tap_ok(t,
	    w->block_len == sizeof want - 1 + len &&
		memcmp(w->block, want, sizeof want - 1) == 0 &&
		memcmp(w->block + sizeof want - 1, body, len) == 0,
	    "%s: head without transfer coding, whole payload", kind);
	sha1_text(body, len, sum);
	(void)snprintf(text, sizeof text, "sha1:%s", sum);
	tap_ok(t, field_is(w, "WARC-Payload-Digest", text),
	    "%s: payload digest", kind);
	sha1_text(w->block, w->block_len, sum);
	(void)snprintf(text, sizeof text, "sha1:%s", sum);
	tap_ok(t, field_is(w, "WARC-Block-Digest", text), "%s: block digest",
	    kind);
}

/* One page of each sort through a file, read by the other reader. */
static void
round_trip(struct tap *t, enum archive_kind kind, const char *suffix)
{
	char body[4000], name[512], id[64];
	struct archive_at at, again, failed;
	struct warc_capture c;
	struct warccheck w;
	struct archive *a;
	struct box b;
	uint64_t where;
	size_t i;

	for (i = 0; i < sizeof body; i++)
		body[i] = (char)("<a href=x>\n"[i % 11] ^ (i / 97 % 3));
	box_open(&b);
	a = start(&b, kind);
	capture(&c, "http://e.com/a", body, sizeof body);
	tap_ok(t, archive_put(a, &c, &at) == 0 && at.length > 0,
	    "%s: put a page", suffix);
	c.url = "http://www.e.com/B/?z=1&a=2";
	c.url_len = strlen(c.url);
	c.start_us += 1000000;
	tap_ok(t, archive_put(a, &c, &again) == 0 && again.revisit,
	    "%s: the same payload again is a revisit", suffix);
	c.head_len = 0;
	c.error = "timeout-connect: no connection in time";
	tap_ok(t, archive_put(a, &c, &failed) == 0 && failed.digest[0] == '\0',
	    "%s: put a failure", suffix);
	tap_ok(t,
	    archive_unsynced(a) > 0 && archive_sync(a) == 0 &&
		archive_unsynced(a) == 0,
	    "%s: one sync for all three", suffix);
	tap_ok(t, archive_close(a) == 0, "%s: close", suffix);

	tap_ok(t, box_file(&b, suffix, 0, name, sizeof name) == 1,
	    "%s: one file", suffix);
	tap_ok(t, strcmp(name + strlen(b.dir) + 1, at.file) == 0,
	    "%s: with its final name", suffix);
	tap_ok(t,
	    warccheck_open(&w, name) == 0 && warccheck_next(&w) == 1 &&
		field_is(&w, "WARC-Type", "warcinfo") &&
		field_is(&w, "WARC-Filename", at.file) && w.from == 0,
	    "%s: warcinfo comes first", suffix);
	tap_ok(t,
	    warccheck_next(&w) == 1 && w.from == at.offset &&
		w.at - w.from == at.length,
	    "%s: the page is where archive_put() says", suffix);
	check_response(t, &w, body, sizeof body, suffix);
	warccheck_field(&w, "WARC-Record-ID", id, sizeof id);
	tap_ok(t,
	    warccheck_next(&w) == 1 && field_is(&w, "WARC-Type", "request") &&
		field_is(&w, "WARC-Concurrent-To", id) &&
		w.block_len == sizeof request - 1 &&
		memcmp(w.block, request, w.block_len) == 0,
	    "%s: its request", suffix);
	tap_ok(t,
	    warccheck_next(&w) == 1 && w.from == again.offset &&
		field_is(&w, "WARC-Type", "revisit") &&
		field_is(&w, "WARC-Refers-To-Target-URI", "http://e.com/a") &&
		field_is(&w, "WARC-Refers-To-Date",
		    "2026-01-01T00:00:00.123456Z") &&
		field_is(&w, "WARC-Date", "2026-01-01T00:00:01.123456Z") &&
		w.block_len < 100,
	    "%s: the revisit, without a payload", suffix);
	tap_ok(t,
	    warccheck_next(&w) == 1 && warccheck_next(&w) == 1 &&
		w.from == failed.offset &&
		field_is(&w, "WARC-Type", "metadata") &&
		memmem(w.block, w.block_len, c.error, strlen(c.error)) != NULL,
	    "%s: the failure says why", suffix);
	tap_ok(t, warccheck_next(&w) == 0, "%s: and no more", suffix);
	warccheck_close(&w);
	tap_ok(t, archive_verify(b.fd, at.file, &where) == 6,
	    "%s: our own verification counts six records", suffix);
	box_close(&b);
}

static char *
slurp(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *s = calloc(1, 1 << 20);

	*len = f == NULL ? 0 : fread(s, 1, (1 << 20) - 1, f);
	if (f != NULL)
		fclose(f);
	return s;
}

/* The index: sorted, as written and as rebuilt. */
static void
index_file(struct tap *t)
{
	static const char *const url[] = { "http://e.com/b", "http://e.com/a",
		"https://www.e.com:8443/A/?b=1&a", "http://a.e.com/" };
	static const char *const key[] = { "com,e)/a ", "com,e)/b ",
		"com,e,a)/ ", "com,e:8443)/a?a&b=1 " };
	char name[512], cdxj[600], body[] = "some page", *one, *two, *p;
	struct archive_at at;
	struct warc_capture c;
	struct archive *a;
	size_t i, n, m;
	struct box b;
	int good = 1;

	box_open(&b);
	a = start(&b, ARCHIVE_ZST);
	for (i = 0; i < 4; i++) {
		capture(&c, url[i], body, sizeof body - 1);
		if (archive_put(a, &c, &at) < 0)
			exit(99);
	}
	tap_ok(t, archive_sync(a) == 0, "index: sync");
	tap_ok(t,
	    box_file(&b, ".cdxj.open", 0, cdxj, sizeof cdxj) == 1 &&
		box_file(&b, ".cdxj", 0, cdxj, sizeof cdxj) == 0,
	    "index: open while the file is");
	tap_ok(t,
	    archive_close(a) == 0 &&
		box_file(&b, ".cdxj", 0, cdxj, sizeof cdxj) == 1 &&
		box_file(&b, ".cdxj.open", 0, name, sizeof name) == 0,
	    "index: closed with it");
	one = slurp(cdxj, &n);
	for (p = one, i = 0; i < 4; i++) {
		good = good && strncmp(p, key[i], strlen(key[i])) == 0;
		p = strchr(p, '\n');
		p = p == NULL ? one + n : p + 1;
	}
	if (!tap_ok(t, good && p == one + n, "index: sorted by key"))
		tap_diag("%s", one);
	tap_ok(t,
	    strstr(one,
		" 20260101000000 {\"url\": \"http://e.com/a\", "
		"\"mime\": \"text/html\", \"status\": \"200\", "
		"\"digest\": \"sha1:") != NULL,
	    "index: the fields that replay tools read");
	(void)unlink(cdxj);
	tap_ok(t, archive_reindex(b.fd, at.file) == 0, "index: rebuilt");
	two = slurp(cdxj, &m);
	tap_ok(t, n == m && memcmp(one, two, n) == 0, "index: the same bytes");
	free(one);
	free(two);
	box_close(&b);
}

static void
copy(const char *from, const char *to, off_t len)
{
	size_t n;
	char *s = slurp(from, &n);
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, s, (size_t)len) != len)
		exit(99);
	(void)close(fd);
	free(s);
}

/* Three pages in one file of `b', its path into `name'. */
static void
three(const struct box *b, enum archive_kind kind, const char *suffix,
    char *name, size_t size)
{
	struct archive *a = start(b, kind);
	struct warc_capture c;
	struct archive_at at;
	char body[300];
	int i;

	memset(body, 'x', sizeof body);
	for (i = 0; i < 3; i++) {
		body[0] = (char)('a' + i);
		capture(&c, "http://e.com/a", body, sizeof body);
		if (archive_put(a, &c, &at) < 0)
			exit(99);
	}
	if (archive_close(a) < 0)
		exit(99);
	(void)box_file(b, suffix, 0, name, size);
}

/* Cut at many lengths: what is left is the whole records before the cut. */
static void
torn(struct tap *t, enum archive_kind kind, const char *suffix)
{
	char name[512], path[600];
	uint64_t end[16], cut, where, want, whole;
	struct warccheck w;
	struct stat st;
	struct box b, d;
	size_t i, n = 0;
	int bad = 0;
	int64_t got;
	off_t len;

	box_open(&b);
	box_open(&d);
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
	box_close(&b);
	box_close(&d);
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
	struct box b, d;
	uint64_t where;
	int bad = 0, fd;
	off_t at;

	box_open(&b);
	box_open(&d);
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
	box_close(&b);
	box_close(&d);
}

static void
recover_all(struct tap *t)
{
	char name[512], open_name[600];
	struct archive_at at;
	struct warc_capture c;
	struct archive *a;
	struct box b;
	uint64_t cut;
	int fd;

	box_open(&b);
	a = start(&b, ARCHIVE_ZST);
	capture(&c, "http://e.com/a", "x", 1);
	if (archive_put(a, &c, &at) < 0 || archive_close(a) < 0)
		exit(99);
	(void)box_file(&b, ".cdxj", 0, name, sizeof name);
	(void)unlink(name);
	(void)box_file(&b, ".zst", 0, name, sizeof name);
	fd = open(name, O_WRONLY | O_APPEND);
	(void)!write(fd, "\x28\xb5\x2f\xfdtorn", 8);
	(void)close(fd);
	(void)snprintf(open_name, sizeof open_name, "%s/zero.warc.zst", b.dir);
	fd = open(open_name, O_WRONLY | O_CREAT, 0666);
	(void)!write(fd, "\0\0\0\0\0\0\0\0\0", 9);
	(void)close(fd);
	tap_ok(t, archive_recover_all(b.fd, &cut) == 2 && cut == 8,
	    "both unclosed files are seen to, 8 bytes cut");
	tap_ok(t, box_file(&b, ".cdxj", 0, name, sizeof name) == 1,
	    "the index is back");
	tap_ok(t, box_file(&b, ".broken", 0, name, sizeof name) == 1,
	    "a file of zeros is set aside");
	tap_ok(t, archive_recover_all(b.fd, &cut) == 0, "nothing more to do");
	box_close(&b);
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
	struct box b;
	uint64_t where;
	int i;

	memset(body, 'y', sizeof body);
	box_open(&b);
	a = start(&b, ARCHIVE_ZST);
	capture(&c, "http://e.com/a", body, 100);
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
	tap_ok(t, box_file(&b, ".cdxj", 0, name, sizeof name) == 2,
	    "both indexes are closed");
	box_close(&b);
}

/* A sync that keeps failing loses nothing and can be tried again. */
static void
sync_stuck(struct tap *t)
{
	struct archive_at at;
	struct warc_capture c;
	struct archive *a;
	struct box b;
	uint64_t where;

	box_open(&b);
	a = start(&b, ARCHIVE_GZ);
	capture(&c, "http://e.com/a", "page", 4);
	sync_fails = 100;
	tap_ok(t, archive_put(a, &c, &at) == 0 && archive_sync(a) == FAULT_SYS,
	    "a disk that is gone is a fault");
	tap_ok(t, archive_unsynced(a) > 0, "and what was put still waits");
	sync_fails = 0;
	tap_ok(t, archive_sync(a) == 0 && archive_unsynced(a) == 0,
	    "once it is back the next sync writes it");
	tap_ok(t, archive_verify(b.fd, at.file, &where) >= 3, "whole");
	tap_ok(t, archive_close(a) == 0, "close");
	box_close(&b);
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
	struct box b;
	uint64_t where, before;
	unsigned int noise = 1;
	size_t i;

	for (i = 0; i < sizeof body; i++) {
		noise = noise * 1664525 + 1013904223;
		body[i] = (char)(noise >> 24);
	}
	(void)signal(SIGXFSZ, SIG_IGN);
	box_open(&b);
	a = start(&b, ARCHIVE_ZST);
	capture(&c, "http://e.com/a", "page", 4);
	if (archive_put(a, &c, &at) < 0)
		exit(99);
	before = archive_bytes(a);
	(void)getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 20000;
	(void)setrlimit(RLIMIT_FSIZE, &small);
	capture(&c, "http://e.com/b", body, sizeof body);
	tap_ok(t, archive_put(a, &c, &at) == FAULT_SYS && errno == EFBIG,
	    "no room: a fault");
	(void)setrlimit(RLIMIT_FSIZE, &old);
	tap_ok(t, archive_bytes(a) == before, "nothing of it stays");
	tap_ok(t, archive_put(a, &c, &at) == 0 && archive_close(a) == 0,
	    "room again: the same put works");
	tap_ok(t, archive_verify(b.fd, at.file, &where) == 5, "whole");
	box_close(&b);
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
	int i, files, bad = 0;
	size_t k;
	struct box b;

	box_open(&b);
	memset(&o, 0, sizeof o);
	o.dirfd = b.fd;
	o.kind = ARCHIVE_ZST;
	o.rotate = 64 * 1024;
	if (archive_open(&p.a, &o) < 0)
		exit(99);
	capture(&c, "http://e.com/a", body, sizeof body);
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
	files = box_file(&b, ".warc.zst", 0, name, sizeof name);
	tap_ok(t,
	    files > 5 && box_file(&b, ".cdxj", 0, name, sizeof name) == files,
	    "%d files, each with its index", files);
	for (i = 0; i < files; i++) {
		(void)box_file(&b, ".warc.zst", i, name, sizeof name);
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
		}
		w.at = at[i].offset;
		if (warccheck_next(&w) != 1 ||
		    w.at - at[i].offset != at[i].length ||
		    memcmp(w.block + w.block_len - 600, &i, sizeof i) != 0)
			bad++;
	}
	warccheck_close(&w);
	tap_ok(t, bad == 0, "each is where it should be");
	box_close(&b);
}

static void
dictionary(struct tap *t)
{
	static char samples[200 * 500], dict[4096];
	size_t sizes[200], i, n;
	struct archive_opts o;
	struct archive_at at;
	struct warc_capture c;
	struct warccheck w;
	struct archive *a = NULL;
	char name[512];
	uint64_t where;
	struct box b;

	for (i = 0; i < 200; i++) {
		(void)snprintf(samples + i * 500, 500,
		    "WARC/1.1\r\nWARC-Type: response\r\nHTTP/1.1 200 OK\r\n"
		    "Content-Type: text/html\r\nX: %zu %zu %zu %zu\r\n",
		    i, i * i, i * 77777, i * i * i);
		sizes[i] = 500;
	}
	n = ZDICT_trainFromBuffer(dict, sizeof dict, samples, sizes, 200);
	if (ZDICT_isError(n)) {
		tap_skip(t, "no dictionary could be trained");
		return;
	}
	box_open(&b);
	memset(&o, 0, sizeof o);
	o.dirfd = b.fd;
	o.kind = ARCHIVE_ZST;
	o.dict = "not one";
	o.dict_len = 7;
	tap_ok(t, archive_open(&a, &o) == FAULT_ARG,
	    "only a real dictionary is taken");
	o.dict = dict;
	o.dict_len = n;
	if (archive_open(&a, &o) < 0)
		exit(99);
	capture(&c, "http://e.com/a", "page", 4);
	tap_ok(t, archive_put(a, &c, &at) == 0 && archive_close(a) == 0,
	    "put with a dictionary");
	(void)box_file(&b, ".zst", 0, name, sizeof name);
	tap_ok(t,
	    warccheck_open(&w, name) == 0 && warccheck_next(&w) == 1 &&
		w.dict_len == n && warccheck_next(&w) == 1 &&
		w.from == at.offset &&
		ZSTD_getDictID_fromFrame(w.file + w.from, 64) ==
		    ZSTD_getDictID_fromDict(dict, n),
	    "its frame is first, and the others name it");
	warccheck_close(&w);
	tap_ok(t, archive_verify(b.fd, at.file, &where) == 3, "whole");
	box_close(&b);
}

static void
small_things(struct tap *t)
{
	static const char h2[] = "HTTP/2 404 \r\na: b\r\n\r\n";
	struct archive_at at;
	struct warc_capture c;
	struct archive *a;
	struct warccheck w;
	char name[512];
	struct box b;

	tap_ok(t,
	    archive_kind("zst") == ARCHIVE_ZST &&
		archive_kind("gz") == ARCHIVE_GZ &&
		archive_kind("none") == ARCHIVE_NONE &&
		archive_kind("xz") == -1,
	    "names of kinds");
	tap_ok(t,
	    warc_time("2026-01-01T00:00:00.123456Z", 27) ==
		    INT64_C(1767225600123456) &&
		warc_time("2026-01-01T00:00:00Z", 20) ==
		    INT64_C(1767225600000000) &&
		warc_time("yesterday", 9) == -1,
	    "dates are read");
	box_open(&b);
	a = start(&b, ARCHIVE_NONE);
	capture(&c, "http://e.com/a", "page", 4);
	tap_ok(t,
	    archive_put(a, &c, &at) == 0 && at.file[0] == '\0' &&
		strlen(at.digest) == 32 && archive_sync(a) == 0 &&
		archive_close(a) == 0 &&
		box_file(&b, ".cdxj", 0, name, sizeof name) == 0,
	    "no archive: only a digest");
	a = start(&b, ARCHIVE_ZST);
	capture(&c, "http://e.com/a", "page", 4);
	c.head = h2;
	c.head_len = sizeof h2 - 1;
	c.http2 = 1;
	c.cut = WARC_TIME;
	if (archive_put(a, &c, &at) < 0 || archive_close(a) < 0)
		exit(99);
	(void)box_file(&b, ".zst", 0, name, sizeof name);
	tap_ok(t,
	    warccheck_open(&w, name) == 0 && warccheck_next(&w) == 1 &&
		warccheck_next(&w) == 1 &&
		field_is(&w, "WARC-Protocol", "h2") &&
		field_is(&w, "WARC-Truncated", "time") && w.block_len == 27 &&
		memcmp(w.block, "HTTP/1.1 404 \r\na: b\r\n\r\npage", 27) == 0,
	    "HTTP/2 is written as HTTP/1.1, and says so");
	warccheck_close(&w);
	box_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	round_trip(&t, ARCHIVE_ZST, ".warc.zst");
	round_trip(&t, ARCHIVE_GZ, ".warc.gz");
	index_file(&t);
	torn(&t, ARCHIVE_ZST, ".warc.zst");
	torn(&t, ARCHIVE_GZ, ".warc.gz");
	damage(&t, ARCHIVE_ZST, ".warc.zst");
	damage(&t, ARCHIVE_GZ, ".warc.gz");
	recover_all(&t);
	sync_failure(&t);
	sync_stuck(&t);
	full_disk(&t);
	two_threads(&t);
	dictionary(&t);
	small_things(&t);
	return tap_done(&t);
}
