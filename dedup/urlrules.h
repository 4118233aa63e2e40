/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlrules.h - the rules of enum url_rule, on a URL in normal form
 *
 * All of them in one pass over the parts, in an order in which no rule makes
 * work for one before it; where two feed each other (index files and trailing
 * slashes) they take turns until neither finds anything.  So the result stays
 * as it is under the same rules.
 */

#ifndef DEDUP_URLRULES_H
#define DEDUP_URLRULES_H

#include <stdint.h>

#include "dedup/url.h"

/*
 * Write what `rules' make of `in', which is in normal form, at `out' (room:
 * the length of `in'; elsewhere).  `params' has room for an entry per byte of
 * `in' under URL_SORT_QUERY and may be NULL else.  The length written.
 */
must_check int urlrules_apply(uint32_t rules, struct url_span in, char *out,
    uint32_t *params);

#endif
