/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robotscheck.h - crawl --robots-check: what a robots.txt says of some URLs
 */

#ifndef CRAWLER_ROBOTSCHECK_H
#define CRAWLER_ROBOTSCHECK_H

#include <stdio.h>

#include "snapshot/fault.h"

/*
 * For each of the `n' URLs print "allow" or "disallow", the URL as given and
 * the number of the line that decided (0: none), with tabs between, to `out':
 * what the robots.txt in `file' ("-": standard input) says to the agent with
 * this User-Agent string.  The URLs are normalised first, as in a crawl.
 *
 * 0 or a fault; `*bad' is then the index of the URL that it lies with, -1 if
 * with the file (FAULT_SYS: see errno).  The caller checks `out' for errors.
 */
must_check int robotscheck_run(const char *agent, const char *file,
    char *const urls[], int n, FILE *out, int *bad);

#endif
