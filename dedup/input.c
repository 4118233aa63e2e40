/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dedup/input.h"

struct input {
	char *const *names;
	unsigned int n;
	unsigned int at; /* the file that is open, or next to open */
	int fd;          /* -1 between files */
	int blocks;      /* it may make us wait */
	int began;       /* a batch of it was handed over */
	int in_long;     /* the next byte belongs to a line too long */
	int eof;         /* it has no more */
	char end;
	struct input_idle idle;
	int wake[2]; /* input_stop() writes here */
	_Atomic int stop;
	uint64_t bytes;
	size_t rest_len; /* start of a line that the next batch goes on */
	char rest[LIMIT_LINE + 1];
};

struct input *
input_new(char *const *names, unsigned int n, char end,
    const struct input_idle *idle)
{
	struct input *in = calloc(1, sizeof *in);

	if (in == NULL)
		return NULL;
	if (pipe(in->wake) < 0) {
		free(in);
		return NULL;
	}
	(void)fcntl(in->wake[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(in->wake[1], F_SETFD, FD_CLOEXEC);
	(void)fcntl(in->wake[1], F_SETFL, O_NONBLOCK);
	in->names = names;
	in->n = n;
	in->fd = -1;
	in->end = end;
	in->idle = *idle;
	return in;
}

static void
close_file(struct input *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
	in->at++;
}

void
input_free(struct input *in)
{
	if (in == NULL)
		return;
	if (in->fd >= 0)
		close_file(in);
	close(in->wake[0]);
	close(in->wake[1]);
	free(in);
}

void
input_stop(struct input *in)
{
	ssize_t n;

	atomic_store(&in->stop, 1);
	n = write(in->wake[1], "", 1);
	(void)n; /* full: it was woken before */
}

static int
open_file(struct input *in)
{
	const char *name = in->names[in->at];
	struct stat st;

	in->fd = STDIN_FILENO;
	if (strcmp(name, "-") != 0)
		in->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (in->fd < 0)
		return FAULT_SYS;
	if (fstat(in->fd, &st) < 0)
		return FAULT_SYS;
	in->blocks = !S_ISREG(st.st_mode);
	in->began = in->in_long = in->eof = 0;
	in->rest_len = 0;
#ifdef POSIX_FADV_SEQUENTIAL
	if (!in->blocks)
		(void)posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
#ifdef F_SETPIPE_SZ
	if (S_ISFIFO(st.st_mode) && fcntl(in->fd, F_GETPIPE_SZ) < LIMIT_PIPE)
		(void)fcntl(in->fd, F_SETPIPE_SZ, LIMIT_PIPE);
#endif
	return 0;
}

/* 1 if a read will not wait. */
static int
readable_now(const struct input *in)
{
	struct pollfd p = { in->fd, POLLIN, 0 };

	return !in->blocks || poll(&p, 1, 0) > 0;
}

/* Wait for input.  1, 0 if we are to stop, or a fault. */
static int
wait_readable(struct input *in)
{
	struct pollfd p[3] = { { in->fd, POLLIN, 0 },
		{ in->wake[0], POLLIN, 0 }, { in->idle.watch, 0, 0 } };
	int ms, n;

	while (!atomic_load(&in->stop)) {
		ms = in->idle.call(in->idle.arg);
		if (ms < -1)
			return ms;
		n = poll(p, 3, ms);
		if (n < 0 && errno != EINTR)
			return FAULT_SYS;
		if (n > 0 && p[0].revents != 0)
			return 1;
		if (n > 0 && (p[2].revents & POLLERR)) {
			errno = EPIPE;
			return FAULT_SYS;
		}
	}
	return 0;
}

/* Read into b->data once.  Bytes read, 0 at the end or a stop, or a fault. */
static long
read_more(struct input *in, struct input_batch *b)
{
	ssize_t n;
	int rc = 1;

	for (;;) {
		if (in->blocks && !readable_now(in))
			rc = wait_readable(in);
		if (rc <= 0)
			return rc;
		n = read(in->fd, b->data + b->len, INPUT_ROOM - 1 - b->len);
		if (n >= 0)
			break;
		if (errno == EAGAIN)
			in->blocks = 1;
		else if (errno != EINTR)
			return FAULT_SYS;
		if (atomic_load(&in->stop))
			return 0;
	}
	b->len += (size_t)n;
	in->bytes += (uint64_t)n;
	return n;
}

/*
 * Keep what follows the last terminator for the next batch, or hand over all
 * of it as a piece if it is longer than a line may be.
 */
static void
cut_rest(struct input *in, struct input_batch *b)
{
	const char *last = memrchr(b->data, in->end, b->len);
	size_t whole = last == NULL ? 0 : (size_t)(last + 1 - b->data);
	size_t rest = b->len - whole;

	if (whole == 0 && in->in_long)
		rest = 0; /* more of the same line */
	b->starts_long = in->in_long;
	b->ends_long = rest > LIMIT_LINE || (whole == 0 && in->in_long);
	in->in_long = b->ends_long;
	in->rest_len = 0;
	if (b->ends_long)
		return;
	memcpy(in->rest, b->data + whole, rest);
	in->rest_len = rest;
	b->len = whole;
}

/* 1 if `b' has something to hand over: a whole line, or too much of one. */
static int
enough(const struct input *in, const struct input_batch *b, size_t from)
{
	if (memchr(b->data + from, in->end, b->len - from) != NULL)
		return 1;
	return in->in_long ? b->len > 0 : b->len > LIMIT_LINE;
}

/*
 * Read until the buffer is full, or input would have to be waited for and
 * there is something to hand over.  1, or 0 at the end of the file, or a
 * fault.
 */
static int
fill(struct input *in, struct input_batch *b)
{
	int ready = 0;
	size_t from = 0;
	long n;

	do {
		if (ready && !readable_now(in))
			return 1;
		n = read_more(in, b);
		if (n <= 0)
			return (int)n;
		ready = ready || enough(in, b, from);
		from = b->len;
	} while (!ready || b->len < LIMIT_INPUT);
	return 1;
}

/* One batch of the open file.  1, or 0 if it had no more, or a fault. */
static int
next_of_file(struct input *in, struct input_batch *b)
{
	int rc;

	if (in->eof)
		return 0;
	memcpy(b->data, in->rest, in->rest_len);
	b->len = in->rest_len;
	b->file_starts = !in->began;
	rc = fill(in, b);
	if (rc < 0)
		return rc;
	if (rc == 0 && atomic_load(&in->stop))
		return 0;
	in->eof = rc == 0;
	if (in->eof && (b->len > 0 || in->in_long) &&
	    (b->len == 0 || b->data[b->len - 1] != in->end))
		b->data[b->len++] = in->end; /* the last line's */
	if (b->len == 0)
		return 0;
	in->began = 1;
	cut_rest(in, b);
	return 1;
}

int
input_next(struct input *in, struct input_batch *b)
{
	int rc;

	while (in->at < in->n && !atomic_load(&in->stop)) {
		b->file = in->at;
		if (in->fd < 0 && open_file(in) < 0)
			return FAULT_SYS;
		rc = next_of_file(in, b);
		if (rc != 0)
			return rc;
		close_file(in);
	}
	return 0;
}

uint64_t
input_bytes(const struct input *in)
{
	return in->bytes;
}

uint64_t
input_total(const struct input *in)
{
	struct stat st;
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < in->n; i++) {
		if (strcmp(in->names[i], "-") == 0 ?
			fstat(STDIN_FILENO, &st) < 0 :
			stat(in->names[i], &st) < 0)
			return 0;
		if (!S_ISREG(st.st_mode))
			return 0;
		sum += (uint64_t)st.st_size;
	}
	return sum;
}
