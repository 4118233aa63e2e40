/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * revisit.h - payloads that an archive holds already
 *
 * A table of fixed size: a digest has one place, and what comes later takes
 * it.  So the copies that follow each other closely are found, such as a
 * site's error page under a thousand names, in bounded memory.
 *
 * Threads	One thread.
 */

#ifndef CRAWLER_REVISIT_H
#define CRAWLER_REVISIT_H

#include <stddef.h>

#include "crawler/warc.h"
#include "snapshot/fault.h"

struct revisit;

/* `slots' is a power of two. */
must_check int revisit_new(struct revisit **r, size_t slots);

/* `r' may be NULL. */
void revisit_free(struct revisit *r);

/* 1 and who had it first (good until the next revisit_add()), or 0. */
int revisit_find(const struct revisit *r, const char *digest,
    struct warc_refers *first);

/* `c' was stored with this payload.  Forgotten if memory is short. */
void revisit_add(struct revisit *r, const char *digest,
    const struct warc_capture *c);

#endif
