/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/coreint.h"
#include "snapshot/journal_compact.h"
#include "snapshot/series.h"

static int
stopped(void *arg)
{
	struct corecold *cold = arg;

	return atomic_load_explicit(&cold->stop, memory_order_relaxed);
}

/*
 * In the helper's thread.  Segments that were compacted before cost a look at
 * their heads.  A fault is left to the next time: the segment is as it was.
 */
static void
compact(void *arg)
{
	struct corecold *cold = arg;
	struct journal_compact j;
	uint64_t n = 0;
	int rc;

	memset(&j, 0, sizeof j);
	j.stop = stopped;
	j.stop_arg = cold;
	do {
		rc = series_next(cold->dirfd, n, &n);
		if (rc <= 0 || n >= cold->below)
			break;
		rc = journal_compact_segment(cold->dirfd, n, &j);
	} while (rc >= 0 && !stopped(cold));
}

/*
 * SNAPFILE_KEEP is 2: besides the new snapshot, only the one that was the
 * newest may still be loaded.
 */
void
corecold_named(struct core *c, uint64_t segment)
{
	struct corecold *cold = &c->cold;
	uint64_t below = cold->kept < segment ? cold->kept : segment;

	_Static_assert(SNAPFILE_KEEP == 2, "one snapshot besides the newest");
	cold->kept = segment;
	if (below <= 1)
		return;
	if (cold->helper == NULL && helper_new(&cold->helper) < 0) {
		cold->helper = NULL;
		return; /* the next snapshot comes by here, too */
	}
	if (helper_busy(cold->helper))
		return;
	cold->below = below;
	cold->dirfd = c->journal_dir;
	helper_give(cold->helper, compact, cold);
}

void
corecold_free(struct core *c)
{
	atomic_store_explicit(&c->cold.stop, 1, memory_order_relaxed);
	helper_free(c->cold.helper);
	c->cold.helper = NULL;
}
