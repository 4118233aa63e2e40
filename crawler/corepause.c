/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * corepause.c - a disk that is full, or memory
 *
 * Whoever can't write says so; nothing is asked for until all can again.
 * After a full disk there must be some room beside what was wanted, as each
 * that comes first would else take the last of it, and the crawl would pause
 * and go on by turns.
 */

#include "config.h"

#include <sys/statvfs.h>

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "crawler/coreint.h"
#include "snapshot/limits.h"
#include "snapshot/statedir.h"

#define RETRY_MS 1000 /* between two looks at whether there is room */

static const char *
pause_name(unsigned int what)
{
	switch (what) {
	case COREPAUSE_JOURNAL:
		return "the journal";
	case COREPAUSE_SEEN:
		return "the seen set";
	case COREPAUSE_FRONTIER:
		return "the frontier";
	default:
		return "the archive";
	}
}

int
core_pause(struct core *c, enum corepause what, int rc, int64_t now)
{
	int err = rc == FAULT_NOMEM ? ENOMEM : errno;

	if (rc < 0 && rc != FAULT_SYS && rc != FAULT_NOMEM)
		return rc;
	if (rc == 0) {
		c->paused &= ~(unsigned int)what;
		return 0;
	}
	if (c->paused == 0)
		c->retry = now + RETRY_MS;
	c->paused |= what;
	if (err == ENOSPC)
		c->paused |= COREPAUSE_ROOM;
	c->pause_err = err;
	if (!c->told)
		core_tell(c, CORE_NOTE_PAUSED, "%s: %s", pause_name(what),
		    strerror(err));
	c->told = 1;
	return 0;
}

/* Is there some room, as far as anybody says? */
static int
some_room(const struct core *c)
{
	struct statvfs v;

	if (fstatvfs(statedir_fd(c->state), &v) != 0)
		return 1;
	return (uint64_t)v.f_bavail * v.f_frsize >= LIMIT_DISK_ROOM &&
	    (v.f_files == 0 || v.f_favail > 0);
}

void
core_try_again(struct core *c, int64_t now)
{
	if (!c->told || now < c->retry)
		return;
	c->retry = now + RETRY_MS;
	if (c->paused == 0) {
		c->told = 0;
		core_tell(c, CORE_NOTE_GOES_ON, "%s", "");
		return;
	}
	journal_retry(c->journal);
	/* Whether the frontier has room again, it says when it is asked. */
	c->paused &= ~(unsigned int)COREPAUSE_FRONTIER;
	if (some_room(c))
		c->paused &= ~(unsigned int)COREPAUSE_ROOM;
}

void
core_trouble(struct core *c, int err)
{
	errno = err;
	/* Neither fault is one that core_pause() returns. */
	if (core_pause(c, COREPAUSE_ARCHIVE, err == 0 ? 0 : FAULT_SYS, 0) < 0)
		assert(0);
}
