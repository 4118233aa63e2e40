/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * spillint.h - what spill.c and spillkeep.c share
 */

#ifndef FRONTIER_SPILLINT_H
#define FRONTIER_SPILLINT_H

#include "frontier/spill.h"

#define SPILL_KEEP 2  /* named images, at most */
#define SPILL_FDS  8  /* files kept open for reading */
#define SPILL_READ 64 /* chunks kept that were read */

struct spill_file {
	uint32_t number;
	uint32_t live;   /* pieces */
	uint32_t left;   /* URLs of these, about */
	uint32_t urls;   /* ever; 0: not known */
	uint8_t foreign; /* found in the folder; no image has named it yet */
	uint8_t fresh;   /* made since the last named image */
	uint8_t shown;   /* to be synced for the image in hand */
	uint8_t lost;    /* its sync failed: to be given up */
	uint64_t size;   /* bytes; 0 in a foreign one: not known */
	uint64_t asked;  /* of these, shown to be synced */
	uint64_t synced; /* of these, synced for a named image */
	uint64_t died;   /* images begun when the last piece went */
};

/* A chunk that was read: hosts that were spilled together come back about
   together. */
struct spill_chunk {
	struct ref at; /* file 0: nothing */
	char *text;
	size_t len;
	size_t room;
	uint64_t end;  /* offset behind it in the file */
	uint64_t used; /* which read it was used for last */
};

struct spill {
	int dirfd;
	int readonly;
	uint64_t most; /* bytes of a file */
	unsigned int keep;
	struct frame_packer *packer;
	struct frame_reader *reader;
	struct chunk open;
	int fd;                  /* of the last file, -1: not made yet */
	struct spill_file *file; /* by number; the last is being written */
	size_t files;
	size_t room;
	uint64_t chunks;
	int settled;                /* an image was loaded, or none will be */
	uint64_t images;            /* begun */
	uint64_t writing;           /* the one in hand, 0 = none */
	uint64_t named[SPILL_KEEP]; /* the newest, UINT64_MAX = none */
	struct spill_chunk read[SPILL_READ]; /* read lately */
	uint64_t reads;                      /* so far */
	struct {
		uint32_t number;
		int fd;
	} fds[SPILL_FDS];
	unsigned int next_fd; /* to be closed for another */
};

static inline struct spill_file *
spill_last(const struct spill *s)
{
	return &s->file[s->files - 1];
}

/* NULL if there is no such file. */
struct spill_file *spill_find(const struct spill *s, uint32_t number);

/* A new last file, which is made when the first chunk goes there. */
must_check int spill_rotate(struct spill *s);

/* Delete what nobody needs. */
void spill_tidy(struct spill *s);

#endif
