/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/sockios.h>
#endif

#include "dedup/emit.h"
#include "snapshot/limits.h"

#define EMIT_PAGE 4096 /* bytes of a pipe's page, or fewer than it has */

/*
 * The byte before the place where the next one goes, or `none' if there is
 * none or it can't be known.  Standard output is often open for writing only,
 * so the file is opened again for reading.
 */
static int
last_byte(int fd, int none)
{
	char path[32];
	unsigned char c;
	off_t at;
	int again, flags = fcntl(fd, F_GETFL);

	at = lseek(fd, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
	if (at <= 0)
		return none;
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	again = open(path, O_RDONLY | O_CLOEXEC);
	if (again < 0)
		return none;
	if (pread(again, &c, 1, at - 1) != 1)
		c = (unsigned char)none;
	close(again);
	return c;
}

static enum emit_kind
kind_of(const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return EMIT_FILE;
	if (S_ISFIFO(st->st_mode))
		return EMIT_PIPE;
	return S_ISSOCK(st->st_mode) ? EMIT_SOCKET : EMIT_OTHER;
}

/*
 * A larger pipe means fewer turns; that it can't be had does no harm.  The
 * pages that it holds, as far as that is known.
 */
static size_t
widen(int fd)
{
#ifdef F_SETPIPE_SZ
	int size = fcntl(fd, F_GETPIPE_SZ);

	if (size < LIMIT_PIPE && fcntl(fd, F_SETPIPE_SZ, LIMIT_PIPE) >= 0)
		size = fcntl(fd, F_GETPIPE_SZ);
	return size > 0 ? (size_t)size / EMIT_PAGE : 0;
#else
	(void)fd;
	return 0;
#endif
}

int
emit_open(struct emit *e, int fd, char end, int sync)
{
	struct stat st;
	int rc;

	if (fstat(fd, &st) < 0)
		return FAULT_SYS;
	e->fd = fd;
	e->kind = kind_of(&st);
	e->sync = sync && e->kind == EMIT_FILE;
	e->written = e->synced = e->safe = 0;
	atomic_store(&e->stop, 0);
	e->end = end;
	e->since = e->writes = 0;
	e->pages = e->kind == EMIT_PIPE ? widen(fd) : 0;
	if (e->kind != EMIT_FILE || last_byte(fd, end) == (unsigned char)end)
		return 0;
	rc = emit_write(e, &end, 1);
	e->written = 0; /* offsets count the caller's bytes */
	return rc;
}

/* Wait until `fd' takes more; 0, or FAULT_SYS. */
static int
wait_writable(struct emit *e)
{
	struct pollfd p = { e->fd, POLLOUT, 0 };

	while (!atomic_load(&e->stop)) {
		if (poll(&p, 1, LIMIT_STOP_MS) > 0)
			return 0;
	}
	errno = EINTR;
	return FAULT_SYS;
}

/* Bytes that were written and not yet taken; 0 where nobody can tell. */
static uint64_t
in_between(const struct emit *e)
{
	int n = 0;

	if (e->kind == EMIT_PIPE && ioctl(e->fd, FIONREAD, &n) < 0)
		n = 0;
#ifdef SIOCOUTQ
	if (e->kind == EMIT_SOCKET && ioctl(e->fd, SIOCOUTQ, &n) < 0)
		n = 0;
#endif
	return n > 0 ? (uint64_t)n : 0;
}

/*
 * How many of `len' bytes to write at once.  A write to a pipe can be killed
 * only while it waits for room, so it should not have to.  It takes at most a
 * page more than its bytes fill; PIPE_BUF bytes go in whole or not at all.
 */
static size_t
portion(struct emit *e, const char *s, size_t len)
{
	size_t fit, used;
	const char *last;

	if (e->kind != EMIT_PIPE)
		return len;
	if (in_between(e) == 0)
		e->since = e->writes = 0;
	used = e->since / EMIT_PAGE + e->writes + 2;
	fit = used < e->pages ? (e->pages - used) * EMIT_PAGE : 0;
	if (fit < PIPE_BUF)
		fit = PIPE_BUF;
	if (fit >= len)
		return len;
	last = memrchr(s, e->end, fit);
	if (last == NULL)
		last = memchr(s + fit, e->end, len - fit);
	return last == NULL ? len : (size_t)(last + 1 - s);
}

int
emit_write(struct emit *e, const char *s, size_t len)
{
	ssize_t n;

	while (len > 0) {
		if (atomic_load(&e->stop)) {
			errno = EINTR;
			return FAULT_SYS;
		}
		n = write(e->fd, s, portion(e, s, len));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			if (wait_writable(e) < 0)
				return FAULT_SYS;
			continue;
		}
		if (n < 0)
			return FAULT_SYS;
		s += n;
		len -= (size_t)n;
		e->written += (uint64_t)n;
		e->since += (size_t)n;
		e->writes++;
	}
	return 0;
}

int
emit_sync(struct emit *e)
{
	if (!e->sync || e->synced == e->written)
		return 0;
	if (fdatasync(e->fd) < 0)
		return FAULT_SYS;
	e->synced = e->written;
	return 0;
}

uint64_t
emit_safe(struct emit *e)
{
	uint64_t wait, now;

	if (e->sync) {
		now = atomic_load(&e->synced);
	} else {
		/* in this order: a write beside us may only add to `wait' */
		now = atomic_load(&e->written);
		wait = in_between(e);
		now = wait < now ? now - wait : 0;
	}
	/* other writers to the same pipe can make the answer fall */
	if (now > e->safe)
		e->safe = now;
	return e->safe;
}

/* 1 if nobody will ever read what is in the pipe. */
static int
reader_gone(const struct emit *e, int wait_ms)
{
	struct pollfd p = { e->fd, 0, 0 };

	return poll(&p, 1, wait_ms) > 0 && (p.revents & (POLLERR | POLLHUP));
}

int
emit_wait(struct emit *e, int ms)
{
	struct timespec pause = { 0, 50000 };
	int64_t left = (int64_t)ms * 1000000;

	if (emit_sync(e) < 0)
		return FAULT_SYS;
	while (
	    emit_safe(e) < e->written && left > 0 && !atomic_load(&e->stop)) {
		(void)nanosleep(&pause, NULL);
		left -= pause.tv_nsec;
		if (pause.tv_nsec < 1000000)
			pause.tv_nsec *= 2;
	}
	return 0;
}

int
emit_drain(struct emit *e)
{
	int gone, wait_ms = 0;

	if (emit_sync(e) < 0)
		return FAULT_SYS;
	for (;;) {
		/* in this order: a reader may take all, then go */
		gone = reader_gone(e, wait_ms);
		if (emit_safe(e) == e->written)
			return 0;
		errno = gone ? EPIPE : EINTR;
		if (gone || atomic_load(&e->stop))
			return FAULT_SYS;
		if (wait_ms < LIMIT_DRAIN_MS)
			wait_ms++;
	}
}

void
emit_stop(struct emit *e)
{
	atomic_store(&e->stop, 1);
}
