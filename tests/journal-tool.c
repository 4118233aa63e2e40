/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journal-tool.c - a journal's writer and reader as processes of their own
 *
 *	journal-tool write DIR [MS [N]]	mend DIR, go on writing, print the
 *					number of durable records whenever
 *					it grows; end after MS ms (-1 is
 *					never) or with N records; wait where
 *					the disk is full, and say so once
 *	journal-tool read DIR [FROM]	print the number of records; read them
 *					from number FROM on
 *
 * Records are those of journals.h, so that reading proves each of them.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "snapshot/journal_mend.h"
#include "tests/journals.h"

static int64_t
now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int
fail(int rc, const char *what)
{
	fprintf(stderr, "journal-tool: %s: %s (%s)\n", what, fault_str(rc),
	    strerror(errno));
	return 2;
}

/* One write(2), so that what a reader of the pipe or file sees is true. */
static void
tell(uint64_t n)
{
	char buf[32];
	int len = snprintf(buf, sizeof buf, "%llu\n", (unsigned long long)n);

	if (write(STDOUT_FILENO, buf, (size_t)len) != len)
		exit(2);
}

/* One turn; a full disk is waited for. */
static int
turn(struct journal *j, int *full)
{
	int rc = journal_poll(j, now_ms());

	if (rc != FAULT_SYS || errno != ENOSPC)
		return rc;
	if (!*full)
		fprintf(stderr, "journal-tool: the disk is full\n");
	*full = 1;
	(void)usleep(10000);
	journal_retry(j);
	return 0;
}

static int
write_on(int dir, int64_t ms, uint64_t most)
{
	struct journal_config c = { .dirfd = dir,
		.sync_ms = 5,
		.batch_bytes = 20000,
		.segment_bytes = 20000 };
	struct journal_pos end = { 0, 0, 0 };
	struct journal_mended m;
	struct journal *j = NULL;
	int64_t start = now_ms();
	uint64_t told = 0;
	char detail[128] = "";
	int rc, full = 0;
	long n;

	rc = journal_mend(dir, 0, &m);
	if (rc < 0)
		return fail(rc, m.detail);
	n = journals_read(dir, NULL, &end, detail);
	if (n < 0)
		return fail((int)n, detail);
	rc = journal_open(&j, &c, &end);
	while (rc == 0 && (ms < 0 || now_ms() - start < ms) &&
	    journal_next(j) < most) {
		rc = journals_put(j, journal_next(j));
		if (rc == FAULT_FULL || journal_next(j) % 64 == 0)
			rc = turn(j, &full);
		/* slower than it could, for more and smaller batches */
		if (rc == 0 && journal_next(j) % 256 == 0)
			(void)usleep(1000);
		if (rc == 0 && journal_durable(j) > told) {
			told = journal_durable(j);
			tell(told);
		}
	}
	if (rc < 0)
		return fail(rc, "write");
	n = (long)journal_next(j);
	while (rc == 0 && full && journal_durable(j) < (uint64_t)n) {
		journal_flush(j);
		rc = turn(j, &full);
	}
	if (rc < 0)
		return fail(rc, "write");
	rc = journal_close(j, now_ms(), JOURNALS_WAIT);
	if (rc < 0)
		return fail(rc, "close");
	tell((uint64_t)n);
	return 0;
}

static int
read_all(int dir, uint64_t from)
{
	const struct journal_pos pos = { from, 0, 0 };
	char detail[128] = "";
	long n = journals_read(dir, &pos, NULL, detail);

	if (n < 0)
		return fail((int)n, detail);
	tell((uint64_t)n);
	return 0;
}

int
main(int argc, char **argv)
{
	int dir;

	if (argc < 3)
		return 2;
	dir = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return fail(FAULT_SYS, argv[2]);
	if (strcmp(argv[1], "read") == 0)
		return read_all(dir,
		    argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
	return write_on(dir, argc > 3 ? strtol(argv[3], NULL, 10) : -1,
	    argc > 4 ? strtoull(argv[4], NULL, 10) : UINT64_MAX);
}
