/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filtershare.h - the end of a filter that several processes write
 *
 * Only filter.c includes this.
 */

#ifndef DEDUP_FILTERSHARE_H
#define DEDUP_FILTERSHARE_H

#include "dedup/filterint.h"

/*
 * 1 if nobody else has the file by now, so that the caller finishes it, which
 * others wait for until it is closed; 0 if it only closes it.
 */
int filtershare_last(struct filter *f);

#endif
