/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dedup/emit.h"
#include "tests/tap.h"

static void
a_pipe(struct tap *t)
{
	struct emit e;
	char buf[16];
	int fd[2];

	if (pipe(fd) < 0)
		exit(1);
	tap_ok(t, emit_open(&e, fd[1], '\n', 0) == 0 && e.kind == EMIT_PIPE,
	    "a pipe is known as one");
	tap_ok(t, emit_write(&e, "abcdef\n", 7) == 0 && emit_safe(&e) == 0,
	    "what the reader has not taken is not safe");
	tap_ok(t, read(fd[0], buf, 3) == 3 && emit_safe(&e) == 3,
	    "what it has taken is");
	close(fd[0]);
	errno = 0;
	tap_ok(t,
	    emit_drain(&e) == FAULT_SYS && errno == EPIPE && emit_safe(&e) == 3,
	    "the rest is lost with the reader, and drain says so");
	tap_ok(t, emit_write(&e, "x\n", 2) == FAULT_SYS && errno == EPIPE,
	    "so does the next write");
	close(fd[1]);
}

/* A reader that takes all and goes is no error. */
static void
taken_and_gone(struct tap *t)
{
	struct emit e;
	char buf[16];
	int fd[2];

	if (pipe(fd) < 0 || emit_open(&e, fd[1], '\n', 0) < 0)
		exit(1);
	tap_ok(t,
	    emit_write(&e, "abc\n", 4) == 0 &&
		read(fd[0], buf, sizeof buf) == 4,
	    "all is read");
	close(fd[0]);
	tap_ok(t, emit_drain(&e) == 0, "a reader may take all and go");
	close(fd[1]);
}

/* What somebody else left in the pipe never makes ours look taken. */
static void
foreign_bytes(struct tap *t)
{
	struct emit e;
	char buf[16];
	int fd[2];

	if (pipe(fd) < 0 || write(fd[1], "other\n", 6) != 6)
		exit(1);
	if (emit_open(&e, fd[1], '\n', 0) < 0 || emit_write(&e, "ab\n", 3) < 0)
		exit(1);
	tap_ok(t, emit_safe(&e) == 0, "foreign bytes only make us careful");
	tap_ok(t, read(fd[0], buf, 6) == 6 && emit_safe(&e) == 0,
	    "the foreign ones are taken, ours are not");
	tap_ok(t, read(fd[0], buf, 3) == 3 && emit_safe(&e) == 3,
	    "now ours are");
	close(fd[0]);
	close(fd[1]);
}

static void
a_socket(struct tap *t)
{
	struct emit e;
	char buf[16];
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		exit(1);
	if (emit_open(&e, fd[0], '\n', 0) < 0 || emit_write(&e, "ab\n", 3) < 0)
		exit(1);
	tap_ok(t, e.kind == EMIT_SOCKET && emit_safe(&e) < 3,
	    "a socket's bytes are safe only with its peer");
	tap_ok(t, read(fd[1], buf, sizeof buf) == 3 && emit_safe(&e) == 3,
	    "which has taken them now");
	close(fd[0]);
	close(fd[1]);
}

static void
torn_file(struct tap *t, int flags, const char *how)
{
	char name[] = "emit-XXXXXX", got[32] = "";
	struct emit e;
	int fd = mkstemp(name);
	ssize_t n;

	if (fd < 0 || write(fd, "http://a/b", 10) != 10)
		exit(1);
	close(fd);
	fd = open(name, flags);
	if (!(flags & O_APPEND))
		(void)lseek(fd, 0, SEEK_END);
	if (emit_open(&e, fd, '\n', 0) < 0 || emit_write(&e, "x\n", 2) < 0)
		exit(1);
	tap_ok(t, emit_safe(&e) == 2, "a file's bytes are safe (%s)", how);
	close(fd);
	fd = open(name, O_RDONLY);
	n = read(fd, got, sizeof got - 1);
	tap_ok(t, n == 13 && strcmp(got, "http://a/b\nx\n") == 0,
	    "a torn last line gets its terminator first (%s)", how);
	close(fd);
	unlink(name);
}

static void
synced(struct tap *t)
{
	char name[] = "emit-XXXXXX";
	struct emit e;
	int fd = mkstemp(name);

	if (fd < 0 || emit_open(&e, fd, '\n', 1) < 0 ||
	    emit_write(&e, "x\n", 2) < 0)
		exit(1);
	tap_ok(t, emit_safe(&e) == 0, "with sync nothing is safe yet");
	tap_ok(t, emit_sync(&e) == 0 && emit_safe(&e) == 2,
	    "and all is once it is durable");
	close(fd);
	unlink(name);
}

static void
full(struct tap *t)
{
	struct emit e;
	int fd = open("/dev/full", O_WRONLY);

	if (fd < 0) {
		tap_skip(t, "no /dev/full");
		return;
	}
	tap_ok(t,
	    emit_open(&e, fd, '\n', 0) == 0 &&
		emit_write(&e, "x\n", 2) == FAULT_SYS && errno == ENOSPC &&
		emit_safe(&e) == 0,
	    "a full disk is a fault, and nothing is safe");
	close(fd);
}

/* A pipe that nobody reads, non-blocking: emit_stop() ends the wait. */
static void *
stop_soon(void *arg)
{
	usleep(20000);
	emit_stop(arg);
	return NULL;
}

static void
stopped(struct tap *t)
{
	static char block[1 << 16];
	struct emit e;
	pthread_t thread;
	int fd[2], rc = 0;

	if (pipe(fd) < 0 || fcntl(fd[1], F_SETFL, O_NONBLOCK) < 0 ||
	    emit_open(&e, fd[1], '\n', 0) < 0)
		exit(1);
	if (pthread_create(&thread, NULL, stop_soon, &e) != 0)
		exit(1);
	while (rc == 0)
		rc = emit_write(&e, block, sizeof block);
	tap_ok(t, rc == FAULT_SYS && errno == EINTR,
	    "emit_stop() ends a write that waits");
	tap_ok(t, emit_drain(&e) == FAULT_SYS, "and a drain");
	pthread_join(thread, NULL);
	close(fd[0]);
	close(fd[1]);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	signal(SIGPIPE, SIG_IGN);
	a_pipe(&t);
	taken_and_gone(&t);
	foreign_bytes(&t);
	a_socket(&t);
	torn_file(&t, O_WRONLY, "write only");
	torn_file(&t, O_WRONLY | O_APPEND, "appending");
	torn_file(&t, O_RDWR, "read and write");
	synced(&t);
	full(&t);
	stopped(&t);
	return tap_done(&t);
}
