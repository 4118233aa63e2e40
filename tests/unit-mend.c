/* SPDX-License-Identifier: BSD-2-Clause */

/* What crashes leave at a journal's end, and how start mends it. */

#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <signal.h>

#include "snapshot/frame.h"
#include "snapshot/journal_mend.h"
#include "tests/faultdisk.h"
#include "tests/journals.h"
#include "tests/scratch.h"
#include "tests/tap.h"

#define ONE "0000000001.zst"
#define TWO "0000000002.zst"

#define BATCHES 4
#define BATCH   10 /* records */

/* A journal of one segment of BATCHES batches, as bytes. */
struct sample {
	char *bytes;
	size_t len;
	size_t ends[BATCHES]; /* offset behind each batch */
};

static void
make_sample(const struct scratch *s, struct sample *a)
{
	struct journal_pos at = { 0, 0, 0 };
	int dir = scratch_folder(s, "sample"), i;
	struct journal *j = journals_open(dir, &at, 0);

	for (i = 0; i < BATCHES; i++) {
		if (journals_put_all(j, (uint64_t)(i + 1) * BATCH) < 0 ||
		    journal_drain(j, 0, JOURNALS_WAIT) < 0)
			abort();
		a->ends[i] = (size_t)journal_durable_pos(j).offset;
	}
	if (journal_close(j, 0, JOURNALS_WAIT) < 0)
		abort();
	a->bytes = scratch_get(dir, ONE, &a->len);
	close(dir);
}

/* Mend, write one more batch, read all: the number of records, or a fault. */
static long
mend_and_go_on(int dir, struct journal_mended *m, long *found)
{
	struct journal_pos end = { 0, 0, 0 };
	struct journal *j;
	int rc;

	rc = journal_mend(dir, 0, m);
	if (rc < 0)
		return rc;
	*found = journals_read(dir, NULL, &end, NULL);
	if (*found < 0)
		return *found;
	if (end.segment != m->segment)
		return -98;
	j = journals_open(dir, &end, 0);
	if (journals_put_all(j, end.seq + BATCH) < 0)
		abort();
	rc = journal_close(j, 0, JOURNALS_WAIT);
	return rc < 0 ? rc : journals_read(dir, NULL, NULL, NULL);
}

static void
torn(struct tap *t, const struct scratch *s, const struct sample *a)
{
	int dir = scratch_folder(s, "torn");
	struct journal_mended m;
	unsigned int bad = 0;
	size_t cut, n, end;
	long found, got;

	for (cut = 0; cut <= a->len; cut++) {
		scratch_empty(s->fd, "torn");
		scratch_put(dir, ONE, a->bytes, cut);
		for (n = 0; n < BATCHES && a->ends[n] <= cut; n++)
			;
		end = n == 0 ? 0 : a->ends[n - 1];
		got = mend_and_go_on(dir, &m, &found);
		if (found != (long)n * BATCH || got != found + BATCH ||
		    m.cut != cut - end || m.removed != (n == 0))
			bad++;
	}
	tap_ok(t, bad == 0, "torn at any of %zu bytes: %u wrong", a->len, bad);
	close(dir);
}

/* What was durable can't be torn: it is damage, and nothing is cut. */
static void
durable(struct tap *t, const struct scratch *s, const struct sample *a)
{
	int dir = scratch_folder(s, "durable");
	struct journal_mended m;
	size_t len = 0, cut = a->ends[BATCHES - 1] - 1;
	int least, refused, i, bad = 0;
	char *now;

	for (i = 0; i < 4; i++) {
		/* the last batch is torn; with i = 3 all is gone */
		scratch_empty(s->fd, "durable");
		if (i < 3)
			scratch_put(dir, ONE, a->bytes, cut);
		least = (BATCHES - 1) * BATCH + (i == 0 ? 0 : 1);
		refused = journal_mend(dir, (uint64_t)least, &m);
		bad += i == 0 ? refused != 0 || m.cut == 0 :
				refused != FAULT_DAMAGED || m.detail[0] == '\0';
		if (i == 0 || i == 3)
			continue;
		now = scratch_get(dir, ONE, &len);
		bad += len != cut || memcmp(now, a->bytes, len) != 0;
		free(now);
	}
	tap_ok(t, bad == 0, "what a snapshot relies on is not cut off");
	close(dir);
}

/* Other things than half a frame that a crash leaves behind a good one. */
static void
tails(struct tap *t, const struct scratch *s, const struct sample *a)
{
	int dir = scratch_folder(s, "tails");
	size_t half = (a->ends[1] + a->ends[2]) / 2, i;
	char buf[20000];
	struct journal_mended m;
	long found, got;

	memset(buf, 0, sizeof buf);
	memcpy(buf, a->bytes, a->ends[1]);
	scratch_put(dir, ONE, buf, sizeof buf);
	got = mend_and_go_on(dir, &m, &found);
	tap_ok(t,
	    got == 3 * BATCH && found == 2 * BATCH &&
		m.cut == sizeof buf - a->ends[1],
	    "zeros");
	memcpy(buf, a->bytes, half);
	scratch_put(dir, ONE, buf, sizeof buf);
	got = mend_and_go_on(dir, &m, &found);
	tap_ok(t, got == 3 * BATCH && found == 2 * BATCH,
	    "half a frame, then zeros");
	for (i = a->ends[1]; i < sizeof buf; i++)
		buf[i] = (char)(i * 2654435761U >> 13);
	scratch_put(dir, ONE, buf, sizeof buf);
	got = mend_and_go_on(dir, &m, &found);
	tap_ok(t, got == 3 * BATCH && found == 2 * BATCH, "noise");
	scratch_put(dir, TWO, "", 0);
	scratch_put(dir, "0000000003.zst", buf + a->ends[1], 500);
	scratch_put(dir, "0000000004.zst.tmp", "x", 1);
	got = mend_and_go_on(dir, &m, &found);
	tap_ok(t,
	    got == 4 * BATCH && found == 3 * BATCH && m.removed == 2 &&
		m.segment == 1 && faccessat(dir, TWO, F_OK, 0) != 0 &&
		faccessat(dir, "0000000004.zst.tmp", F_OK, 0) != 0,
	    "segments without a whole frame");
	scratch_empty(s->fd, "tails");
	tap_ok(t,
	    journal_mend(dir, 0, &m) == 0 && m.segment == 0 && m.cut == 0 &&
		m.removed == 0 && !m.copied,
	    "no journal, nothing to mend");
	close(dir);
}

/* A failed sync has left a tail in a segment that is not the last. */
static void
left_behind(struct tap *t, const struct scratch *s, const struct sample *a)
{
	int dir = scratch_folder(s, "behind");
	struct frame_packer *p = NULL;
	const void *frame;
	char text[1000], detail[128];
	size_t n;
	long len;
	int i;

	/* segment 2 begins where segment 1 has two batches */
	n = (size_t)snprintf(text, sizeof text, "J\t1\t20\t30\t5\tw\n");
	for (i = 20; i < 30; i++)
		n += (size_t)snprintf(text + n, sizeof text - n,
		    "A\t%d\thttp://h%d.example/\t1\t0\t-\n", i, i);
	if (frame_packer_new(&p, sizeof text, 1) < 0)
		abort();
	len = frame_pack(p, text, n, &frame);
	scratch_put(dir, TWO, frame, (size_t)len);
	scratch_put(dir, ONE, a->bytes, a->ends[1]);
	tap_ok(t, journals_read(dir, NULL, NULL, NULL) == 30, "no tail");
	scratch_put(dir, ONE, a->bytes, a->ends[1] + 20);
	tap_ok(t, journals_read(dir, NULL, NULL, NULL) == 30, "a torn tail");
	scratch_put(dir, ONE, a->bytes, a->ends[2]);
	tap_ok(t, journals_read(dir, NULL, NULL, NULL) == 30,
	    "its batch is whole in both");
	scratch_put(dir, ONE, a->bytes, a->ends[3]);
	tap_ok(t, journals_read(dir, NULL, NULL, detail) == FAULT_DAMAGED,
	    "numbers that go back: %s", detail);
	scratch_put(dir, ONE, a->bytes, a->ends[0]);
	tap_ok(t, journals_read(dir, NULL, NULL, detail) == FAULT_DAMAGED,
	    "a batch in neither: %s", detail);
	scratch_put(dir, ONE, a->bytes, a->ends[0] + 20);
	tap_ok(t, journals_read(dir, NULL, NULL, detail) == FAULT_DAMAGED,
	    "torn, and a batch in neither: %s", detail);
	if (unlinkat(dir, ONE, 0) != 0)
		abort();
	tap_ok(t, journals_read(dir, NULL, NULL, detail) == FAULT_DAMAGED,
	    "the first segment is gone: %s", detail);
	frame_packer_free(p);
	close(dir);
}

/* What a writer does while we read: the rest of segment 1, then segment 2. */
struct writer {
	int dir;
	int behind; /* reads until it does */
	const struct sample *sample;
};

static void
write_rest(void *arg)
{
	struct writer *w = arg;
	const struct sample *a = w->sample;

	if (w->behind-- != 0)
		return;
	scratch_put(w->dir, ONE, a->bytes, a->ends[2]);
	scratch_put(w->dir, TWO, a->bytes + a->ends[2], a->len - a->ends[2]);
}

/*
 * The reader finds segment 1 ended, or torn, and before it looks for the next
 * one the writer has ended it and begun that.
 */
static void
between(struct tap *t, const struct scratch *s, const struct sample *a)
{
	int dir = scratch_folder(s, "between");
	struct writer w = { .dir = dir, .sample = a };
	struct faultdisk f = { .after_read = write_rest, .arg = &w };
	size_t cut;
	unsigned int bad = 0, most = 0, reads;
	char detail[128];
	long n;

	for (cut = a->ends[1] - 10; cut < a->ends[2] - 5; cut += 5) {
		for (reads = 0; reads < 6; reads++) {
			scratch_empty(s->fd, "between");
			scratch_put(dir, ONE, a->bytes, cut);
			w.behind = (int)reads;
			faultdisk_use(&f);
			n = journals_read(dir, NULL, NULL, detail);
			faultdisk_use(NULL);
			most += n == BATCHES * BATCH;
			if (n >= BATCH && n % BATCH == 0)
				continue; /* it may have come too late */
			tap_diag("cut at %zu, %u reads: %ld %s", cut, reads, n,
			    detail);
			bad++;
		}
	}
	tap_ok(t, bad == 0 && most > 0,
	    "a writer that goes on between two looks");
	close(dir);
}

/* Damage that must not be cut away. */
static void
refused(struct tap *t, const struct scratch *s, const struct sample *a)
{
	int dir = scratch_folder(s, "refused");
	struct journal_mended m;
	char *now, detail[128];
	unsigned int bad = 0;
	size_t i, n = 0;

	for (i = 0; i < a->ends[BATCHES - 2]; i++) {
		a->bytes[i] ^= (char)(1 << i % 8);
		scratch_put(dir, ONE, a->bytes, a->len);
		if (journal_mend(dir, 0, &m) != FAULT_DAMAGED &&
		    journals_read(dir, NULL, NULL, NULL) != BATCHES * BATCH)
			bad++;
		now = scratch_get(dir, ONE, &n);
		if (n != a->len || memcmp(now, a->bytes, n) != 0)
			bad++;
		free(now);
		a->bytes[i] ^= (char)(1 << i % 8);
	}
	tap_ok(t, bad == 0, "damage before whole frames is left alone: %s",
	    m.detail);
	tap_ok(t, m.detail[0] != '\0', "and told");
	a->bytes[a->ends[1] - 1] ^= 1;
	scratch_put(dir, ONE, a->bytes, a->len);
	a->bytes[a->ends[1] - 1] ^= 1;
	tap_ok(t, journals_read(dir, NULL, NULL, detail) == FAULT_DAMAGED,
	    "nor read over: %s", detail);
	close(dir);
}

/* Read a journal with this in it, \1 between its frames: 0, or the fault. */
static int
read_one(int dir, const char *text, char detail[128])
{
	struct frame_packer *p = NULL;
	struct journal_read *r = NULL;
	struct record rec;
	const void *frame;
	char file[2000];
	size_t n, all = 0;
	long len;
	int rc;

	if (frame_packer_new(&p, 1000, 1) < 0)
		abort();
	for (;; text += n + 1) {
		n = strcspn(text, "\1");
		len = frame_pack(p, text, n, &frame);
		if (len < 0 || (size_t)len > sizeof file - all)
			abort();
		memcpy(file + all, frame, (size_t)len);
		all += (size_t)len;
		if (text[n] == '\0')
			break;
	}
	scratch_put(dir, ONE, file, all);
	frame_packer_free(p);
	rc = journal_read_open(&r, dir, NULL);
	if (rc == 0) {
		do {
			rc = journal_read_next(r, &rec, NULL);
		} while (rc > 0);
	}
	snprintf(detail, 128, "%s", journal_read_detail(r));
	journal_read_close(r);
	return rc;
}

static void
heads(struct tap *t, const struct scratch *s)
{
	static const struct {
		int want;
		const char *text;
	} rows[] = {
		{ 0, "J\t1\t0\t0\t5\tw\n" },
		{ 0, "J\t1\t0\t1\t5\tw\nX\t1\t-\ta\n" },
		{ 0, "J\t1\t0\t1\t5\tw\tmore\nQ\n" },
		{ 0, "J\t1\t0\t9\t5\tc\nX\t1\t-\ta\n" },
		{ FAULT_VERSION, "J\t2\t0\t0\t5\tw\n" },
		{ FAULT_VERSION, "J\t2 whatever\n" },
		{ FAULT_DAMAGED, "J\t0\t0\t0\t5\tw\n" },
		{ FAULT_DAMAGED, "J\t1\t1\t0\t5\tw\n" },
		{ FAULT_DAMAGED, "J\t1\t0\t0\t5\tx\n" },
		{ FAULT_DAMAGED, "J\t1\t0\t0\t5\tww\n" },
		{ FAULT_DAMAGED, "J\t1\t0\t0\t9223372036854775808\tw\n" },
		{ FAULT_DAMAGED, "J\t1\t0\t0\t5\n" },
		{ FAULT_DAMAGED, "J\t1\t0\t0\t5\tw" },
		{ FAULT_DAMAGED, "J" },
		{ FAULT_DAMAGED, "" },
		{ FAULT_DAMAGED, "\n" },
		{ FAULT_DAMAGED, "X\t1\t-\ta\n" },
	};
	int dir = scratch_folder(s, "heads"), rc;
	struct journal_mended m;
	char detail[128];
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		rc = read_one(dir, rows[i].text, detail);
		tap_ok(t, rc == rows[i].want, "row %zu read: %d %s", i, rc,
		    detail);
		rc = journal_mend(dir, 0, &m);
		tap_ok(t, rc == rows[i].want, "and mended: %d %s", rc,
		    m.detail);
	}
	close(dir);
}

/* What is wrong for the reader only, who looks at the records. */
static void
counts(struct tap *t, const struct scratch *s)
{
	static const char *const rows[] = { "J\t1\t0\t2\t5\tw\nX\t1\t-\ta\n",
		"J\t1\t0\t1\t5\tw\nX\t1\t-\ta\nX\t1\t-\ta\n",
		"J\t1\t0\t1\t5\tw\nX\t1\t-\ta", "J\t1\t0\t1\t5\tw\nbad\n",
		"J\t1\t3\t3\t5\tw\n",
		/* a compacted batch, some of which was there before */
		"J\t1\t0\t1\t5\tw\nX\t1\t-\ta\n\1J\t1\t0\t9\t5\tc\n" };
	int dir = scratch_folder(s, "counts");
	char detail[128];
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
		tap_ok(t, read_one(dir, rows[i], detail) == FAULT_DAMAGED,
		    "count %zu: %s", i, detail);
	close(dir);
}

/* The sync at start fails; then everything after it, in turn. */
static void
syncs(struct tap *t, const struct scratch *s, const struct sample *a)
{
	struct faultdisk f = { .how = FAULTDISK_ERRNO, .err = EIO };
	int dir = scratch_folder(s, "syncs");
	unsigned int bad = 0, told = 0;
	struct journal_mended m;
	long found;

	f.ops = FAULTDISK_SYNC;
	f.at = 1;
	scratch_put(dir, ONE, a->bytes, a->len - 1);
	faultdisk_use(&f);
	tap_ok(t,
	    mend_and_go_on(dir, &m, &found) == BATCHES * BATCH && m.copied &&
		m.cut > 0,
	    "a segment that can't be synced is copied");
	f.ops = 0;
	f.more = 1; /* the sync, and one operation of the copy */
	for (f.at = 1; f.at < 40; f.at++) {
		scratch_put(dir, ONE, a->bytes, a->len - 1);
		f.count = f.hits = 0;
		faultdisk_use(&f);
		told += journal_mend(dir, 0, &m) < 0;
		faultdisk_use(NULL);
		bad += mend_and_go_on(dir, &m, &found) != BATCHES * BATCH;
		if (f.hits == 0)
			break;
	}
	tap_ok(t, bad == 0 && f.at > 3 && f.at < 40 && told > 2,
	    "two operations fail: %u wrong", bad);
	close(dir);
}

/* Killed while mending, anywhere: mending again does it. */
static void
kills(struct tap *t, const struct scratch *s, const struct sample *a,
    enum faultdisk_how how)
{
	struct faultdisk f = { .how = how };
	unsigned int bad = 0;
	struct journal_mended m;
	int dir, status;
	char name[32];
	long found;
	pid_t pid;

	snprintf(name, sizeof name, "mend%d", how);
	dir = scratch_folder(s, name);
	for (f.at = 1; f.at < 40; f.at++) {
		scratch_empty(s->fd, name);
		scratch_put(dir, ONE, a->bytes, a->len - 1);
		scratch_put(dir, TWO, a->bytes + 1, 50);
		scratch_put(dir, "0000000003.zst.tmp", a->bytes, 10);
		pid = fork();
		if (pid == 0) {
			faultdisk_use(&f);
			_exit(journal_mend(dir, 0, &m) != 0);
		}
		(void)waitpid(pid, &status, 0);
		bad += mend_and_go_on(dir, &m, &found) != BATCHES * BATCH;
		if (!WIFSIGNALED(status))
			break;
	}
	tap_ok(t, bad == 0 && f.at > 4 && f.at < 40,
	    "killed at any of %lu operations, way %d", f.at - 1, how);
	close(dir);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct sample a;
	struct scratch s;

	scratch_make(&s);
	make_sample(&s, &a);
	torn(&t, &s, &a);
	durable(&t, &s, &a);
	tails(&t, &s, &a);
	left_behind(&t, &s, &a);
	between(&t, &s, &a);
	refused(&t, &s, &a);
	heads(&t, &s);
	counts(&t, &s);
	syncs(&t, &s, &a);
	kills(&t, &s, &a, FAULTDISK_BEFORE);
	kills(&t, &s, &a, FAULTDISK_AFTER);
	free(a.bytes);
	scratch_remove(&s);
	return tap_done(&t);
}
