/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * task.h - what a host whose turn has come is asked for
 */

#ifndef FRONTIER_TASK_H
#define FRONTIER_TASK_H

#include "frontier/core.h"

/*
 * Host `id' has the turn of address `addr': 1 and the job, which is in flight
 * from now on, or 0 if the host has none after all.  FAULT_FULL, FAULT_NOMEM
 * and nothing has changed but the host's place, which sched_host() finds.
 */
must_check int task_give(struct frontier *f, uint32_t id, uint32_t addr,
    struct frontier_job *job);

#endif
