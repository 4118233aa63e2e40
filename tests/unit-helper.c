/* SPDX-License-Identifier: BSD-2-Clause */

/* The helper thread: the hand-over, its signal, its waits. */

#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "snapshot/helper.h"
#include "tests/tap.h"

struct job {
	unsigned int ms; /* how long it takes */
	int runs;
	int blocked; /* signals were */
};

static void
work(void *arg)
{
	struct job *job = arg;
	sigset_t set;

	(void)pthread_sigmask(SIG_SETMASK, NULL, &set);
	job->blocked = sigismember(&set, SIGINT) && sigismember(&set, SIGTERM);
	(void)usleep(job->ms * 1000);
	job->runs++;
}

static int
readable(struct helper *h, int ms)
{
	struct pollfd p = { .fd = helper_fd(h), .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct helper *h = NULL;
	struct job job = { 0, 0, 0 };
	int i;

	tap_ok(&t, helper_new(&h) == 0, "started");
	tap_ok(&t, !helper_busy(h) && !readable(h, 0), "idle, nothing to say");
	tap_ok(&t, helper_wait(h, 0) == 0, "nothing to wait for");
	job.ms = 50;
	helper_give(h, work, &job);
	tap_ok(&t, helper_busy(h) && !readable(h, 0), "busy");
	tap_ok(&t, helper_wait(h, 1) == -1 && errno == ETIMEDOUT, "too short");
	tap_ok(&t, readable(h, 10000), "readable when it has ended");
	tap_ok(&t, readable(h, 0), "until it is looked at");
	tap_ok(&t, !helper_busy(h) && job.runs == 1, "idle again");
	tap_ok(&t, !readable(h, 0), "taken back");
	tap_ok(&t, job.blocked, "the helper takes no signals");
	job.ms = 0;
	for (i = 0; i < 2000; i++) {
		helper_give(h, work, &job);
		if (helper_wait(h, 10000) < 0)
			break;
	}
	tap_ok(&t, i == 2000 && job.runs == 2001, "many jobs");
	tap_ok(&t, !readable(h, 0), "helper_wait() takes it back too");
	job.ms = 30;
	helper_give(h, work, &job);
	helper_free(h);
	tap_ok(&t, job.runs == 2002, "the last job is waited for");
	helper_free(NULL);
	return tap_done(&t);
}
