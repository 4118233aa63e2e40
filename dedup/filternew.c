/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filternew.c - a new file for a filter: nobody ever opens half of one
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dedup/filterdisk.h"
#include "snapshot/boot.h"
#include "snapshot/file.h"
#include "snapshot/lock.h"

#define MODE 0666

static const char self_fds[] = "/proc/self/fd";

/* The directory of `path', allocated. */
static char *
folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static void
sync_folder(const char *path)
{
	char *dir = folder(path);
	int fd;

	if (dir == NULL)
		return;
	fd = file_open_dir(AT_FDCWD, dir);
	free(dir);
	if (fd < 0)
		return;
	(void)!file_sync_dir(fd); /* not all file systems can */
	file_close(fd);
}

/* A name beside `path' that no other process uses, allocated. */
static char *
name_beside(const char *path)
{
	size_t size = strlen(path) + 32;
	char *name = malloc(size);

	if (name != NULL)
		(void)snprintf(name, size, "%s.new.%ld", path, (long)getpid());
	return name;
}

/*
 * Open a new file beside `path'.  Without a name if that can be linked later,
 * so that a kill leaves nothing behind; else under f->temp.
 */
static int
temp_open(struct filterfile *f, const char *path)
{
#ifdef O_TMPFILE
	char *dir = NULL;

	if (access(self_fds, X_OK) == 0)
		dir = folder(path);
	if (dir != NULL)
		f->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, MODE);
	free(dir);
	if (f->fd >= 0)
		return 0;
#endif
	f->temp = name_beside(path);
	if (f->temp == NULL)
		return FAULT_NOMEM;
	f->fd = open(f->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
	if (f->fd >= 0)
		return 0;
	free(f->temp); /* it is another's */
	f->temp = NULL;
	return FAULT_SYS;
}

/* Give the nameless file that `fd' has open the name `path'. */
static int
link_fd(int fd, const char *path)
{
	char self[64];

	(void)snprintf(self, sizeof self, "%s/%d", self_fds, fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ?
	    0 :
	    FAULT_SYS;
}

/* Give the file its path unless there is one of that name. */
static int
temp_link(struct filterfile *f, const char *path)
{
	int rc = 0;

	if (f->temp == NULL)
		return link_fd(f->fd, path);
#ifdef HAVE_RENAMEAT2
	rc = renameat2(AT_FDCWD, f->temp, AT_FDCWD, path, RENAME_NOREPLACE);
	if (rc != 0 && errno == EEXIST)
		return FAULT_SYS;
	if (rc != 0)
#endif
	{
		rc = link(f->temp, path);
		if (rc != 0)
			return FAULT_SYS;
		(void)unlink(f->temp);
	}
	free(f->temp);
	f->temp = NULL;
	return 0;
}

/* The same, whatever is there. */
static int
temp_rename(struct filterfile *f, const char *path)
{
	if (f->temp == NULL) {
		f->temp = name_beside(path);
		if (f->temp == NULL)
			return FAULT_NOMEM;
		if (link_fd(f->fd, f->temp) < 0) {
			free(f->temp); /* not ours */
			f->temp = NULL;
			return FAULT_SYS;
		}
	}
	if (rename(f->temp, path) != 0)
		return FAULT_SYS;
	free(f->temp);
	f->temp = NULL;
	return 0;
}

int
filterfile_name(struct filterfile *f, const char *path, int replace)
{
	int rc = replace ? temp_rename(f, path) : temp_link(f, path);

	if (rc == 0)
		sync_folder(path);
	return rc;
}

/* Fill the new file that f->fd has open: allocation, header, mapping. */
static int
fill_new(struct filterfile *f, struct layer *l)
{
	int shared = f->flags & FILTER_SHARED;
	int rc = lock_take(f->fd, shared ? LOCK_SHARED : 0);

	f->share.fd = f->fd;
	if (rc == 0 && shared)
		rc = share_take(&f->share, 0);
	if (rc == 0 && shared)
		rc = share_join(&f->share);
	if (rc < 0)
		return rc;
	rc = filterdisk_allocate(f->fd, 0, filterhead_end(&f->head.layer[0]));
	if (rc < 0)
		return rc;
	boot_id(f->head.boot);
	rc = filterdisk_head(f);
	if (rc == 0)
		rc = filterdisk_head(f);
	if (rc == 0)
		rc = filterdisk_map_live(f);
	if (rc == 0)
		rc = filterdisk_map(f, l, LAYER_FRESH);
	if (rc == 0 && fsync(f->fd) != 0)
		rc = FAULT_SYS;
	return rc;
}

int
filterfile_create(struct filterfile **f, const char *path,
    const struct filter_spec *spec, struct layer *l, unsigned int flags)
{
	struct filterfile *n = filterdisk_new(flags);
	int rc, saved;

	if (n == NULL)
		return FAULT_NOMEM;
	n->head.spec = *spec;
	n->head.layers = 1;
	n->head.generation = 1;
	n->marked = 1;
	filterdisk_enter(&n->head.layer[0], l, LAYER_ALIGN);
	rc = temp_open(n, path);
	if (rc == 0)
		rc = fill_new(n, l);
	if (rc == 0 && !(flags & FILTER_UNNAMED))
		rc = filterfile_name(n, path, 0);
	if (rc < 0)
		goto out;
	*f = n;
	n = NULL;
out:
	saved = errno;
	filterfile_free(n);
	errno = saved;
	return rc;
}
