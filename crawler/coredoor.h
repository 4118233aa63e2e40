/* SPDX-License-Identifier: BSD-2-Clause */

/* coredoor.h - the one door for URLs; private to the core */

#ifndef CRAWLER_COREDOOR_H
#define CRAWLER_COREDOOR_H

#include "crawler/coreint.h"

/* A URL before the door. */
struct coredoor {
	struct url_span url;
	struct url_parts parts;
	struct urlkey key;
	uint32_t word;  /* COREWORD_* */
	uint32_t flags; /* RECORD_* */
	uint8_t lane;
	uint8_t revive;
};

/*
 * Take in `n' (at most GATE_BATCH) URLs in order: how many were dealt with,
 * fewer if there is no room in the journal, or a fault.
 */
must_check int coredoor_take(struct core *c, const struct coredoor *u, size_t n,
    int64_t now);

/* The target of a seed's redirect, or a seed: the scope takes it in. */
must_check int coredoor_scope(struct core *c, const struct coredoor *u,
    const char *why, int64_t now);

/* Append a record about a URL that was admitted.  There must be room. */
must_check int coredoor_record(struct core *c, struct record *r, int64_t now);

#endif
