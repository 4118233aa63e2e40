/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/mman.h>

#include <stdlib.h>

#include "frontier/slab.h"

#define SMALL 4 /* slabs without huge pages */

void *
slab_new(size_t n)
{
	void *s = aligned_alloc(SLAB, SLAB);

#ifdef MADV_HUGEPAGE
	if (s != NULL && n >= SMALL)
		(void)madvise(s, SLAB, MADV_HUGEPAGE);
#else
	(void)n;
#endif
	return s;
}
