/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "crawler/archive.h"
#include "tests/tap.h"
#include "tests/warcbox.h"
#include "tests/warccheck.h"

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
	struct warcbox b;
	uint64_t where;
	size_t i;

	for (i = 0; i < sizeof body; i++)
		body[i] = (char)("<a href=x>\n"[i % 11] ^ (i / 97 % 3));
	warcbox_open(&b);
	a = warcbox_archive(&b, kind);
	warcbox_capture(&c, "http://e.com/a", body, sizeof body);
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

	tap_ok(t, warcbox_file(&b, suffix, 0, name, sizeof name) == 1,
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
		w.block_len == sizeof warcbox_request - 1 &&
		memcmp(w.block, warcbox_request, w.block_len) == 0,
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
	warcbox_close(&b);
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
	struct warcbox b;
	int good = 1;

	warcbox_open(&b);
	a = warcbox_archive(&b, ARCHIVE_ZST);
	for (i = 0; i < 4; i++) {
		warcbox_capture(&c, url[i], body, sizeof body - 1);
		if (archive_put(a, &c, &at) < 0)
			exit(99);
	}
	tap_ok(t, archive_sync(a) == 0, "index: sync");
	tap_ok(t,
	    warcbox_file(&b, ".cdxj.open", 0, cdxj, sizeof cdxj) == 1 &&
		warcbox_file(&b, ".cdxj", 0, cdxj, sizeof cdxj) == 0,
	    "index: open while the file is");
	tap_ok(t,
	    archive_close(a) == 0 &&
		warcbox_file(&b, ".cdxj", 0, cdxj, sizeof cdxj) == 1 &&
		warcbox_file(&b, ".cdxj.open", 0, name, sizeof name) == 0,
	    "index: closed with it");
	one = warcbox_read(cdxj, &n);
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
	two = warcbox_read(cdxj, &m);
	tap_ok(t, n == m && memcmp(one, two, n) == 0, "index: the same bytes");
	free(one);
	free(two);
	warcbox_close(&b);
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
	struct warcbox b;

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
	warcbox_open(&b);
	a = warcbox_archive(&b, ARCHIVE_NONE);
	warcbox_capture(&c, "http://e.com/a", "page", 4);
	tap_ok(t,
	    archive_put(a, &c, &at) == 0 && at.file[0] == '\0' &&
		strlen(at.digest) == 32 && archive_sync(a) == 0 &&
		archive_close(a) == 0 &&
		warcbox_file(&b, ".cdxj", 0, name, sizeof name) == 0,
	    "no archive: only a digest");
	a = warcbox_archive(&b, ARCHIVE_ZST);
	warcbox_capture(&c, "http://e.com/a", "page", 4);
	c.head = h2;
	c.head_len = sizeof h2 - 1;
	c.http2 = 1;
	c.cut = WARC_TIME;
	if (archive_put(a, &c, &at) < 0 || archive_close(a) < 0)
		exit(99);
	(void)warcbox_file(&b, ".zst", 0, name, sizeof name);
	tap_ok(t,
	    warccheck_open(&w, name) == 0 && warccheck_next(&w) == 1 &&
		warccheck_next(&w) == 1 &&
		field_is(&w, "WARC-Protocol", "h2") &&
		field_is(&w, "WARC-Truncated", "time") && w.block_len == 27 &&
		memcmp(w.block, "HTTP/1.1 404 \r\na: b\r\n\r\npage", 27) == 0,
	    "HTTP/2 is written as HTTP/1.1, and says so");
	warccheck_close(&w);
	warcbox_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	round_trip(&t, ARCHIVE_ZST, ".warc.zst");
	round_trip(&t, ARCHIVE_GZ, ".warc.gz");
	index_file(&t);
	small_things(&t);
	return tap_done(&t);
}
