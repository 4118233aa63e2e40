/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "snapshot/atomicfile.h"
#include "snapshot/disk.h"
#include "snapshot/file.h"
#include "snapshot/lock.h"
#include "snapshot/record.h"
#include "snapshot/statedir.h"

#define FORMAT     STATEDIR_FORMAT
#define FORMAT_TMP STATEDIR_FORMAT ".tmp"

#define MAGIC "crawl-state\t"

#define PID_LEN 21 /* bytes: a number in spaces, and a newline */

/* How often we look whether a lock is still held, and ms between: a look at
   a crawl's state (statedir_holder()) has it for a moment. */
#define LOCK_TRIES   5
#define LOCK_WAIT_MS 20

struct statedir {
	int fd;
	int lock; /* -1 if it was not taken */
};

/* Is `version' the line that we write, or one that we can read? */
static int
check_version(const char *s, size_t n)
{
	const char *at = s + sizeof MAGIC - 1, *end = s + n;
	uint64_t major, minor;

	if (n < sizeof MAGIC || memcmp(s, MAGIC, sizeof MAGIC - 1) != 0)
		return FAULT_DAMAGED;
	if (record_digits(&at, end, &major) < 0 || at == end || major == 0)
		return FAULT_DAMAGED;
	if (major > STATEDIR_VERSION)
		return FAULT_VERSION;
	if (*at++ != '\t' || record_digits(&at, end, &minor) < 0 || at == end ||
	    *at != '\n')
		return FAULT_DAMAGED;
	return 0;
}

/* Read the format file: 1, 0 if there is none, or a fault. */
static int
read_format(int fd)
{
	char buf[256];
	long n;
	int rc;

	n = atomicfile_read(fd, FORMAT, buf, sizeof buf);
	if (n == FAULT_TOOBIG || n == FAULT_NOTFILE)
		return FAULT_DAMAGED;
	if (n < 0)
		return errno == ENOENT ? 0 : FAULT_SYS;
	rc = check_version(buf, (size_t)n);
	return rc < 0 ? rc : 1;
}

/*
 * Make the directory ours.  Its own entry is made durable first, so that a
 * directory with a format file in it is one that stays.
 */
static int
write_format(int fd)
{
	char buf[64] = MAGIC;
	size_t n = sizeof MAGIC - 1;
	int up, rc;

	up = file_open_dir(fd, "..");
	if (up < 0 && errno != EACCES)
		return up;
	rc = up < 0 ? 0 : file_sync_dir(up);
	file_close(up);
	if (rc < 0)
		return rc;
	n += record_number(buf + n, STATEDIR_VERSION);
	buf[n++] = '\t';
	n += record_number(buf + n, STATEDIR_MINOR);
	buf[n++] = '\n';
	return atomicfile_write(fd, FORMAT, buf, n);
}

int
statedir_empty(int fd)
{
	static const char *const ours[] = { ".", "..", FORMAT, FORMAT_TMP,
		STATEDIR_LOCK };
	struct dirent *e;
	DIR *dir;
	size_t i;
	int copy, empty = 1, saved;

	copy = file_open_dir(fd, ".");
	if (copy < 0)
		return copy;
	dir = fdopendir(copy);
	if (dir == NULL) {
		file_close(copy);
		return FAULT_SYS;
	}
	while (empty) {
		errno = 0;
		e = readdir(dir);
		if (e == NULL)
			break;
		empty = 0;
		for (i = 0; i < sizeof ours / sizeof ours[0]; i++)
			empty |= strcmp(e->d_name, ours[i]) == 0;
	}
	saved = empty ? errno : 0;
	(void)closedir(dir);
	errno = saved;
	return saved != 0 ? FAULT_SYS : empty;
}

/* The process id in the lock file; 0 if there is none. */
static pid_t
read_pid(int fd)
{
	char buf[PID_LEN];
	const char *at = buf;
	uint64_t pid;
	long n;

	n = file_read(fd, buf, sizeof buf, 0);
	while (n > 0 && at < buf + n && *at == ' ')
		at++;
	if (n <= 0 || record_digits(&at, buf + n, &pid) < 0 || pid > INT32_MAX)
		return 0;
	return (pid_t)pid;
}

/* Always of the same length, so that it changes from one to the other. */
static int
write_pid(int fd)
{
	char buf[PID_LEN], num[20];
	size_t n = record_number(num, (uint64_t)getpid());

	memset(buf, ' ', sizeof buf);
	memcpy(buf + sizeof buf - 1 - n, num, n);
	buf[sizeof buf - 1] = '\n';
	return file_write(fd, buf, sizeof buf, 0);
}

/* Lock `fd', with some patience. */
static int
take(int fd)
{
	static const struct timespec pause = { 0, LOCK_WAIT_MS * 1000000L };
	int rc, tries;

	for (tries = 1;; tries++) {
		rc = lock_take(fd, 0);
		if (rc != FAULT_LOCKED || tries == LOCK_TRIES)
			return rc;
		(void)nanosleep(&pause, NULL);
	}
}

/* Take the lock; the file is made where it is missing. */
static int
take_lock(struct statedir *d, pid_t *holder)
{
	int rc;

	d->lock = file_open(d->fd, STATEDIR_LOCK, 1);
	if (d->lock < 0 && errno == ENOENT) {
		d->lock = file_create(d->fd, STATEDIR_LOCK);
		if (d->lock < 0 && errno == EEXIST)
			d->lock = file_open(d->fd, STATEDIR_LOCK, 1);
	}
	if (d->lock < 0)
		return d->lock;
	rc = take(d->lock);
	if (rc == FAULT_LOCKED && holder != NULL)
		*holder = read_pid(d->lock);
	return rc == 0 ? write_pid(d->lock) : rc;
}

/* Lock a directory that is ours, or make it ours. */
static int
claim(struct statedir *d, unsigned int flags, pid_t *holder)
{
	int rc;

	rc = read_format(d->fd);
	if (rc == 0) {
		rc = statedir_empty(d->fd);
		if (rc >= 0 && (rc == 0 || !(flags & STATEDIR_CREATE)))
			return FAULT_MAGIC;
	}
	if (rc < 0 || flags & STATEDIR_LOOK)
		return rc;
	rc = take_lock(d, holder);
	if (rc < 0)
		return rc;
	/* somebody else may have made it ours meanwhile */
	rc = read_format(d->fd);
	return rc == 0 ? write_format(d->fd) : rc;
}

static int
open_path(struct statedir *d, const char *path, unsigned int flags)
{
	d->fd = file_open_dir(AT_FDCWD, path);
	if (d->fd < 0 && errno == ENOENT && flags & STATEDIR_CREATE) {
		if (disk_mkdir(AT_FDCWD, path) != 0 && errno != EEXIST)
			return FAULT_SYS;
		d->fd = file_open_dir(AT_FDCWD, path);
	}
	if (d->fd < 0 && errno == ENOTDIR)
		return FAULT_MAGIC;
	return d->fd < 0 ? d->fd : 0;
}

int
statedir_open(struct statedir **to, const char *path, unsigned int flags,
    pid_t *holder)
{
	struct statedir *d;
	int rc;

	*to = NULL;
	if (holder != NULL)
		*holder = 0;
	d = calloc(1, sizeof *d);
	if (d == NULL)
		return FAULT_NOMEM;
	d->fd = d->lock = -1;
	rc = open_path(d, path, flags);
	if (rc == 0)
		rc = claim(d, flags, holder);
	if (rc < 0) {
		file_close(d->lock);
		file_close(d->fd);
		free(d);
		return rc;
	}
	*to = d;
	return 0;
}

void
statedir_close(struct statedir *d)
{
	if (d == NULL)
		return;
	/* the lock ends with its descriptor */
	file_close(d->lock);
	file_close(d->fd);
	free(d);
}

int
statedir_fd(const struct statedir *d)
{
	return d->fd;
}

int
statedir_folder(struct statedir *d, const char *name)
{
	int fd, rc;

	fd = file_open_dir(d->fd, name);
	if (fd < 0 && errno == ENOENT && d->lock >= 0) {
		if (disk_mkdir(d->fd, name) != 0) {
			if (errno == EEXIST)
				errno = ENOTDIR; /* a link to nowhere */
			return FAULT_SYS;
		}
		fd = file_open_dir(d->fd, name);
	}
	if (fd < 0 || d->lock < 0)
		return fd;
	/*
	 * Also for one that was there: whoever made it, or something in it,
	 * may have been killed before this.  We go by what we find.
	 */
	rc = file_sync_dir(d->fd);
	if (rc == 0)
		rc = file_sync_dir(fd);
	if (rc < 0) {
		file_close(fd);
		return rc;
	}
	return fd;
}

int
statedir_holder(const struct statedir *d, pid_t *pid)
{
	int fd, rc;

	*pid = 0;
	fd = file_open(d->fd, STATEDIR_LOCK, 0);
	if (fd < 0)
		return errno == ENOENT ? 0 : FAULT_SYS;
	rc = lock_take(fd, LOCK_SHARED);
	if (rc == FAULT_LOCKED) {
		*pid = read_pid(fd);
		rc = 1;
	}
	file_close(fd);
	return rc;
}

const char *
statedir_advice(int code)
{
	switch (code) {
	case FAULT_MAGIC:
		return ": name an empty or a new directory";
	case FAULT_VERSION:
		return ": use the version of crawl that wrote it, or a newer "
		       "one";
	case FAULT_DAMAGED:
		return ": restore it from a copy, or crawl again into a new "
		       "directory";
	case FAULT_NOTFILE:
		return ": move it away";
	case FAULT_LOCKED:
		return ": stop the other crawl, or wait for its end";
	default:
		return "";
	}
}
