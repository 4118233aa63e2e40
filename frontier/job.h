/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * job.h - what was handed out and is not reported yet
 *
 * A job's public number is its slot and a count of the slot's uses, so that a
 * report that comes twice is told from one for the slot's next user.
 */

#ifndef FRONTIER_JOB_H
#define FRONTIER_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "frontier/frontier.h"

struct job {
	uint64_t ordinal;
	int64_t start; /* ms */
	uint32_t host;
	uint32_t addr; /* number of the address asked, or ADDR_* */
	uint32_t next; /* of its host's jobs: slot + 1, 0 = last */
	uint32_t depth;
	struct url_parts parts;
	uint32_t len;
	char *text;    /* the URL */
	uint32_t room; /* of text */
	uint16_t uses;
	uint8_t kind; /* enum frontier_kind, 0 = free */
	uint8_t reason;
	uint8_t lane;
	uint8_t tries;
	uint8_t over; /* 1: its request has ended, it is not yet journaled */
};

struct jobs {
	struct job *slot;
	uint32_t *spare; /* free slots, a stack */
	uint32_t slots;
	uint32_t spares;
	uint64_t flight[5]; /* by kind, those over apart */
};

void job_init(struct jobs *j);
void job_clear(struct jobs *j);

/*
 * Make sure that there is a free slot whose text has room for `len' bytes:
 * the slot's number + 1, or FAULT_FULL at LIMIT_JOBS, FAULT_NOMEM.
 */
must_check int job_reserve(struct jobs *j, size_t len, uint32_t *slot);

/* The reserved slot is in use from now on, for `kind'. */
void job_start(struct jobs *j, uint32_t slot, enum frontier_kind kind);

/* Its request has ended. */
void job_over(struct jobs *j, uint32_t slot);

/* Free it. */
void job_end(struct jobs *j, uint32_t slot);

/* Slot number + 1 of public number `id' and back; 0 if it names no job. */
uint32_t job_slot(const struct jobs *j, uint32_t id);
uint32_t job_id(const struct jobs *j, uint32_t slot);

static inline struct job *
job_at(struct jobs *j, uint32_t slot)
{
	return &j->slot[slot - 1];
}

/* Bytes of memory held. */
uint64_t job_memory(const struct jobs *j);

#endif
