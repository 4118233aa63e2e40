/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlquery.h - the rules that concern the query: parameters between "&"
 */

#ifndef DEDUP_URLQUERY_H
#define DEDUP_URLQUERY_H

#include <stdint.h>

/*
 * Write "?" and what `rules' (of enum url_rule) leave of the query `s', or
 * nothing if they leave nothing.  `params' as in urlrules_apply().
 */
char *urlquery_put(uint32_t rules, char *out, const char *s, const char *end,
    uint32_t *params);

#endif
