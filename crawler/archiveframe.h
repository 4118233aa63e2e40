/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * archiveframe.h - frames of an archive that are not yet synced
 *
 * Private to archive.c, which says when what happens and holds the locks.  A
 * frame keeps its bytes, so that it can be written again to another file.
 */

#ifndef CRAWLER_ARCHIVEFRAME_H
#define CRAWLER_ARCHIVEFRAME_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/archive.h"
#include "crawler/archivefile.h"
#include "crawler/buf.h"
#include "crawler/cdxj.h"
#include "snapshot/fault.h"

struct archiveframe {
	struct archiveframe *next;
	struct archivefile *file; /* that it is written to; NULL: none yet */
	uint64_t offset;
	struct archive_at *at;  /* the caller's; NULL for a side record */
	struct cdxj_entry line; /* url NULL: not indexed */
	char *bytes;            /* the frame; in this allocation */
	size_t len;
	int dict; /* 1: made with the dictionary, for a file that has it */
	char digest[DIGEST_TEXT];
};

/* All NULL is an empty list. */
struct archiveframes {
	struct archiveframe *head, *tail;
};

void archiveframe_add(struct archiveframes *l, struct archiveframe *f);

/* Put `b' behind `a'; `b' is empty then. */
void archiveframe_join(struct archiveframes *a, struct archiveframes *b);

void archiveframe_free(struct archiveframes *l);

/*
 * A frame of its own memory around the packed bytes; `c' only if it is to be
 * indexed.  NULL: out of memory.
 */
struct archiveframe *archiveframe_new(const struct buf *packed,
    const struct warc_capture *c);

/*
 * Write `f' at the end of `file', which it waits for from now on, and note
 * where.  FAULT_SYS, and nothing has changed.
 */
must_check int archiveframe_write(struct archiveframe *f,
    struct archivefile *file);

/*
 * Sync the files of the frames.  0, or FAULT_SYS and `*bad' the file, which
 * may have failed at an earlier time: then it is not asked again.
 */
must_check int archiveframe_sync(const struct archiveframes *l,
    struct archivefile **bad);

/*
 * Write the index lines of synced frames, with `scratch' for the text; an
 * index that fails is rebuilt later.
 */
void archiveframe_index(const struct archiveframes *l, struct buf *scratch);

#endif
