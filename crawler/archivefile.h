/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * archivefile.h - one file of an archive that is being written
 *
 * Private to archive.c, which says when what happens and holds the locks.
 */

#ifndef CRAWLER_ARCHIVEFILE_H
#define CRAWLER_ARCHIVEFILE_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/archive.h"
#include "crawler/archivedict.h"
#include "crawler/buf.h"
#include "snapshot/fault.h"

struct archivefile {
	struct archivefile *next;
	int dirfd;
	int fd;
	int index; /* descriptor of NAME.cdxj.open */
	char name[ARCHIVE_NAME];
	uint64_t end; /* one past the last whole frame */
	/* bytes; the syncing thread counts them, the putting one looks */
	_Atomic uint64_t index_len;
	size_t waiting;  /* frames that are not yet synced */
	int fresh;       /* the folder does not yet know it for sure */
	_Atomic int bad; /* a write or sync went wrong: no more of them */
	int no_index;    /* lines are missing: rebuild it */
	int dict;        /* its first frame is the dictionary */
};

/*
 * Make the next file, with the frame of the dictionary, if `dict' has one
 * (NULL: never), and warcinfo record.
 */
must_check int archivefile_new(struct archivefile **f,
    const struct archive_opts *o, const struct archivedict *dict,
    unsigned int *serial);

/* Append `len' bytes.  On FAULT_SYS the file is cut back to its end. */
must_check int archivefile_write(struct archivefile *f, const void *s,
    size_t len);

/* Forget everything from `end' on. */
void archivefile_cut(struct archivefile *f, uint64_t end);

/* fdatasync(), and the folder's once.  FAULT_SYS, and `f->bad' is set. */
must_check int archivefile_sync(struct archivefile *f);

/* Append `lines' to the index and clear them; `rc' < 0: some are missing. */
void archivefile_index(struct archivefile *f, struct buf *lines, int rc);

/* Close a synced file and sort its index.  Frees `f' whatever happens. */
must_check int archivefile_close(struct archivefile *f);

/* archivefile_close() for a list (NULL is fine); the first fault, if any. */
must_check int archivefile_close_all(struct archivefile *l);

/* Close without more ado; the index stays open.  `f' may be NULL. */
void archivefile_abandon(struct archivefile *f);

/* NAME without its archive suffix, with `suffix', into `out'. */
must_check int archivefile_beside(const char *name, const char *suffix,
    char *out, size_t size);

#endif
