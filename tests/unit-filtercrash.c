/* SPDX-License-Identifier: BSD-2-Clause */

/* What a filter's file is after its writer was killed, or the system was. */

#include "config.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "dedup/filter.h"
#include "dedup/filterhead.h"
#include "tests/filterfiles.h"
#include "tests/keys.h"
#include "tests/tap.h"

/* Add for ever, saying so after each batch. */
static void
writer(int fd)
{
	struct filter *f = reopen(0);
	uint64_t n;

	for (n = 0; f != NULL; n += KEYS_BATCH) {
		if (keys_add(f, "user", n, KEYS_BATCH) < 0)
			break;
		if (write(fd, "", 1) != 1)
			break;
	}
	_exit(1);
}

/* Kill it `ns' after that many batches.  How many it acknowledged. */
static uint64_t
killed_after(uint64_t least, long ns)
{
	const struct timespec wait = { 0, ns };
	uint64_t batches = 0;
	char buf[4096];
	int p[2];
	ssize_t n;
	pid_t pid;

	if (pipe(p) != 0)
		return 0;
	pid = fork();
	if (pid == 0) {
		(void)close(p[0]);
		writer(p[1]);
	}
	(void)close(p[1]);
	for (;;) {
		n = read(p[0], buf, sizeof buf);
		if (n <= 0)
			break;
		batches += (uint64_t)n;
		if (batches < least)
			continue;
		(void)nanosleep(&wait, NULL);
		(void)kill(pid, SIGKILL);
		least = UINT64_MAX;
	}
	(void)close(p[0]);
	(void)waitpid(pid, NULL, 0);
	return batches;
}

static void
kills(struct tap *t, enum filter_kind kind)
{
	const char *name = filter_kind_name(kind);
	uint64_t acked, had, most = 0;
	struct filter_stat st;
	struct filter *f;
	int i, missing = 0, sane = 1;

	for (i = 0; i < 12; i++) {
		f = make(kind, 2000);
		if (filter_close(f) != 0)
			break;
		acked =
		    KEYS_BATCH * killed_after((uint64_t)(7 * i), 43000L * i);
		most = acked > most ? acked : most;
		f = reopen(0);
		if (f == NULL)
			break;
		had = keys_seen(f, "user", 0, acked);
		missing += had != acked;
		filter_stat(f, &st);
		sane &= st.count + acked / 100 >= acked && !st.clean &&
		    st.count <= acked + acked / 50 + 2 * KEYS_BATCH;
		(void)!keys_add(f, "more", 0, 1000);
		sane &= filter_close(f) == 0;
		f = reopen(FILTER_LOOK);
		sane &= f != NULL && keys_seen(f, "user", 0, acked) == acked;
		filter_abandon(f);
	}
	tap_ok(t, i == 12 && missing == 0 && most > 15000,
	    "%s: killed at 12 moments, nothing acknowledged is missing", name);
	tap_ok(t, sane, "%s: and the counts stay sane", name);
	tap_diag("up to %llu keys", (unsigned long long)most);
}

/* Both copies of the header as if an earlier boot had written them. */
static int
age(void)
{
	unsigned char page[FILTERHEAD_SIZE];
	struct filterhead h;
	struct stat st;
	int fd = open(FILE_NAME, O_RDWR), i, bad;

	bad = fd < 0 || fstat(fd, &st) != 0 ||
	    pread(fd, page, sizeof page, 0) != sizeof page ||
	    filterhead_decode(&h, page, sizeof page, (uint64_t)st.st_size) < 0;
	for (i = 0; i < 2 && !bad; i++) {
		h.boot[0] ^= 0x55;
		filterhead_encode(page, &h);
		bad = pwrite(fd, page, FILTERHEAD_COPY,
			  filterhead_place(h.sequence)) != FILTERHEAD_COPY;
		h.boot[0] ^= 0x55;
		h.sequence++;
	}
	(void)close(fd);
	return bad ? -1 : 0;
}

static void
other_boot(struct tap *t, enum filter_kind kind)
{
	const char *name = filter_kind_name(kind);
	int strict = !only_on(kind);
	struct filter *f = make(kind, 1000);

	(void)!keys_add(f, "user", 0, 1000);
	filter_abandon(f);
	tap_ok(t, fault_of(0) == 0, "%s: unclean, same boot", name);
	tap_ok(t, age() == 0, "%s: a crashed system", name);
	tap_ok(t, fault_of(0) == (strict ? FAULT_UNCLEAN : 0),
	    "%s: unclean, another boot", name);
	tap_ok(t, fault_of(FILTER_LOOK) == 0, "%s: one may look", name);
	f = reopen(FILTER_REPAIR);
	tap_ok(t, f != NULL && keys_seen(f, "user", 0, 1000) == 1000,
	    "%s: taken to repair", name);
	tap_ok(t, filter_close(f) == 0 && fault_of(0) == 0,
	    "%s: and clean then", name);
}

/* Every second page of the file as it was in `old'. */
static int
mix(const unsigned char *old, size_t len)
{
	int fd = open(FILE_NAME, O_RDWR), bad = fd < 0;
	size_t at;

	for (at = 2 << 20; at + 4096 <= len && !bad; at += 8192)
		bad = pwrite(fd, old + at, 4096, (off_t)at) != 4096;
	(void)close(fd);
	return bad ? -1 : 0;
}

static unsigned char *
slurp(size_t *len)
{
	int fd = open(FILE_NAME, O_RDONLY);
	unsigned char *s = NULL;
	struct stat st;

	*len = 0;
	if (fd >= 0 && fstat(fd, &st) == 0)
		s = malloc((size_t)st.st_size);
	if (s != NULL && read(fd, s, (size_t)st.st_size) == st.st_size)
		*len = (size_t)st.st_size;
	(void)close(fd);
	return s;
}

/*
 * A crash of the system leaves some pages as they were before half the keys
 * were changed.  Mended, the filter is one again: what it calls seen can be
 * deleted, and then nothing is left.
 */
static void
mixed_pages(struct tap *t, enum filter_kind kind)
{
	const char *name = filter_kind_name(kind);
	struct filter *f = make(kind, 10000);
	struct urlkey key[KEYS_BATCH];
	uint8_t gone[KEYS_BATCH];
	struct filter_stat st;
	unsigned char *old;
	uint64_t i, had;
	size_t len;

	(void)!keys_add(f, "user", 0, 5000);
	(void)!filter_close(f);
	old = slurp(&len);
	f = reopen(0);
	for (i = 0; i < 2500; i++) {
		(void)keys_make(f, "user", i, 1, key);
		(void)!filter_delete(f, key, 1, gone);
	}
	(void)!keys_add(f, "user", 5000, 5000);
	filter_abandon(f);
	tap_ok(t, len > 0 && mix(old, len) == 0 && age() == 0,
	    "%s: old and new pages, mixed", name);
	free(old);
	f = reopen(FILTER_REPAIR);
	if (!tap_ok(t, f != NULL, "%s: repaired", name))
		return;
	had = keys_seen(f, "user", 0, 10000);
	for (i = 0; i < 10000; i++) {
		(void)keys_make(f, "user", i, 1, key);
		(void)!filter_delete(f, key, 1, gone);
	}
	filter_stat(f, &st);
	tap_ok(t, had > 3000 && keys_seen(f, "user", 0, 10000) == 0,
	    "%s: what it holds can be deleted", name);
	if (kind == FILTER_EXACT)
		tap_ok(t, st.fill == 0, "%s: and nothing is left", name);
	tap_diag("%llu of 10000 keys were there", (unsigned long long)had);
	tap_ok(t, filter_close(f) == 0 && fault_of(0) == 0, "%s: clean", name);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	char dir[64];
	size_t i;

	if (enter_folder(dir, "filtercrash") < 0)
		return EXIT_FAILURE;
	for (i = 0; i < KINDS; i++) {
		kills(&t, kinds[i]);
		other_boot(&t, kinds[i]);
	}
	mixed_pages(&t, FILTER_CUCKOO);
	mixed_pages(&t, FILTER_EXACT);
	leave_folder(dir);
	return tap_done(&t);
}
