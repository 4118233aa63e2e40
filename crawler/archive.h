/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * archive.h - one worker's WARC files
 *
 * Each record is a zstd frame with content size and checksum (IIPC zstd rules;
 * a dictionary frame stands first if there is a dictionary) or a gzip member
 * of its own, so any record can be read from its offset, and a file that was
 * being written when the power failed is whole up to its last frame.  A file
 * has its final name from the start: the journal names it.  Its index has the
 * suffix ".cdxj.open" until the file is closed and the index sorted.
 *
 * Dictionary	From the first LIMIT_DICT_RECORDS responses a zstd dictionary is
 *		trained (archivedict.h), once a file is half full, in
 *		archive_sync().  The files that begin after one was full have
 *		it; so a crawl that fills no file never has one.  Each such
 *		file stands alone: its first frame is the dictionary.
 * Durability	archive_put() writes; archive_sync() makes all that was put so
 *		far durable, for any number of pages at once.  Until then the
 *		frames are kept in memory.  A sync that fails is never tried
 *		again on the same descriptor: the frames are written again to
 *		a new file, and each `at' that archive_put() filled is changed
 *		to the new place.  So `at' must stay where it is until a sync
 *		that began after the put has returned, and must be read only
 *		then.
 * Memory	Unsynced frames up to LIMIT_ARCHIVE_UNSYNCED bytes, past which
 *		archive_put() gives FAULT_FULL: sync, then put it again.
 *		Samples for the dictionary, up to 4 MiB until it is made.
 * Threads	archive_put() in one thread, archive_sync() in one other.
 * Errors	FAULT_SYS (ENOSPC: the file is cut back to its last whole
 *		frame and the put can be tried again), FAULT_NOMEM,
 *		FAULT_FULL, FAULT_DAMAGED.
 */

#ifndef CRAWLER_ARCHIVE_H
#define CRAWLER_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/digest.h"
#include "crawler/warc.h"
#include "snapshot/fault.h"

#define ARCHIVE_NAME 48 /* bytes: a file's name and the NUL */

enum archive_kind {
	ARCHIVE_NONE,
	ARCHIVE_ZST,
	ARCHIVE_GZ,
};

/* All that is pointed to, and the folder, must last until archive_close(). */
struct archive_opts {
	int dirfd; /* the folder */
	enum archive_kind kind;
	unsigned int worker;  /* number in the files' names */
	int level;            /* 0 = the kind's default */
	uint64_t rotate;      /* bytes a file; 0 = 1 GiB */
	unsigned int records; /* to train on; 0 = LIMIT_DICT_RECORDS */
	const char *info;     /* warcinfo fields, "key: value\r\n"... */
};

/* Where a capture went. */
struct archive_at {
	char file[ARCHIVE_NAME];  /* "" if nothing is archived */
	uint64_t offset;          /* of the response, revisit or metadata */
	uint64_t length;          /* bytes of that frame */
	char digest[DIGEST_TEXT]; /* of the payload, "" if there is none */
	int revisit;              /* 1 if the payload was stored before */
};

struct archive;

/* "zst" -> ARCHIVE_ZST, ...; -1 for no kind's name. */
int archive_kind(const char *name);

/* Makes no file yet.  With ARCHIVE_NONE puts only compute the digest. */
must_check int archive_open(struct archive **a, const struct archive_opts *o);

/*
 * Store `c'; `at' (see above) says where.  0 or a fault, and then nothing
 * was stored.
 */
must_check int archive_put(struct archive *a, const struct warc_capture *c,
    struct archive_at *at);

/*
 * Make all puts that have returned durable.  0 or FAULT_SYS, FAULT_NOMEM.  The
 * one call that trains the dictionary does that afterwards: some 0.15 s.
 */
must_check int archive_sync(struct archive *a);

/* Bytes written to files so far. */
uint64_t archive_bytes(struct archive *a);

/* Bytes put and not yet synced. */
size_t archive_unsynced(struct archive *a);

/* Sync, close, sort the index.  Frees `a' (NULL is fine) whatever happens. */
must_check int archive_close(struct archive *a);

/*
 * After a kill: cut `name' under `dirfd' behind its last whole frame (or
 * member), and rebuild its index.  `cut' gets the bytes that went.  A file
 * without one whole record is removed.  0, or FAULT_SYS, FAULT_MAGIC if it
 * is no archive file, or damaged in its first frame (which may be the
 * dictionary, without which nothing can be read).
 */
must_check int archive_recover(int dirfd, const char *name, uint64_t *cut);

/*
 * archive_recover() for every file of the folder whose index is not closed.
 * One for which that gives FAULT_MAGIC is renamed NAME.broken.  The
 * number of files, or a fault.
 */
must_check int archive_recover_all(int dirfd, uint64_t *cut);

/* Rebuild the index of `name' from the archive file itself. */
must_check int archive_reindex(int dirfd, const char *name);

/*
 * Check `name': every frame whole and its checksum right, every record in
 * one frame, its block as long as it says and its digests true.  The number of
 * records, or FAULT_DAMAGED, FAULT_TRUNCATED with the frame's offset in
 * `where'.
 */
must_check int64_t archive_verify(int dirfd, const char *name, uint64_t *where);

/*
 * archive_verify(), and `index': 1 if the index beside `name' is what
 * archive_reindex() would make; 0 if there is none, or one that is not
 * closed; else a fault, FAULT_MISMATCH if it is right but not of this file.
 */
must_check int64_t archive_verify_index(int dirfd, const char *name,
    uint64_t *where, int *index);

#endif
