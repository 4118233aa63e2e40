/* SPDX-License-Identifier: BSD-2-Clause */

/* simurl.h - URLs for frontier-sim: 70 to 90 bytes, as real ones are */

#ifndef BENCH_SIMURL_H
#define BENCH_SIMURL_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/url.h"

/* Write URL number `n' of host `h' to `to' (256 bytes): its length, parts. */
size_t simurl_make(char *to, uint64_t h, uint32_t n, struct url_parts *p);

/* And back: 1, or 0 if it is none of them. */
int simurl_read(struct url_span url, uint64_t *host, uint32_t *n);

#endif
