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

enum job_state {
	JOB_FLIES = 0, /* it is under way */
	JOB_OVER = 1,  /* it has ended, but is not yet journaled */
	JOB_WAITS = 2, /* ROBOTS: it has ended, and the next one, to where it
			  was redirected, waits for its host's turn */
};

struct job {
	uint64_t ordinal;
	uint32_t host;  /* that is asked */
	uint32_t whose; /* ROBOTS: host that the rules are for; else `host' */
	uint32_t addr;  /* number of the address asked, or ADDR_* */
	uint32_t next;  /* of its host's jobs: slot + 1, 0 = last */
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
	uint8_t hops; /* ROBOTS: redirects followed to come here */
	uint8_t over; /* enum job_state: what its request has come to */
};

struct jobs {
	struct job *slot;
	uint32_t *spare; /* free slots, a stack */
	uint32_t slots;
	uint32_t spares;
	uint32_t hops;      /* ROBOTS that wait */
	uint64_t flight[5]; /* by kind, those over apart */
};

void job_init(struct jobs *j);
void job_clear(struct jobs *j);

/*
 * Make sure that there is a free slot whose text has room for `len' bytes:
 * the slot's number + 1, or FAULT_FULL at LIMIT_JOBS, FAULT_NOMEM.
 */
must_check int job_reserve(struct jobs *j, size_t len, uint32_t *slot);

/* Make room for `len' bytes of text.  FAULT_NOMEM. */
must_check int job_room(struct job *o, size_t len);

/* The reserved slot is in use from now on, for `kind'. */
void job_start(struct jobs *j, uint32_t slot, enum frontier_kind kind);

/* Its request has ended. */
void job_over(struct jobs *j, uint32_t slot);

/* ROBOTS: it waits for one more request, under another number; and that
   begins. */
void job_wait(struct jobs *j, uint32_t slot);
void job_again(struct jobs *j, uint32_t slot);

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
