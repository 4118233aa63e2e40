/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * website.h - a folder of files, served to every host that is not generated
 *
 * "/a/" is the file a/index.html.  A file "_redirects" in the folder holds
 * lines of path, status and target; it is no page itself.
 */

#ifndef TESTS_WEBSITE_H
#define TESTS_WEBSITE_H

#include "tests/webanswer.h"

/* Answer from the web's site folder: 1, or 0 where it has no such file. */
int website_get(struct webanswer *a, const char *path);

#endif
