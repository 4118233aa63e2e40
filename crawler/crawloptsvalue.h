/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawloptsvalue.h - values that only crawl's options have
 *
 * For rows of a struct optable whose object is a struct crawlopts.  What is
 * sent in requests or stands in DIR/config is one line there; whatever would
 * break it is refused.
 */

#ifndef CRAWLER_CRAWLOPTSVALUE_H
#define CRAWLER_CRAWLOPTSVALUE_H

#include "dedup/optable.h"

/* An int: the index of one of `words', from 1. */
optable_fn crawloptsvalue_scope;

/* A const char *: one line. */
optable_fn crawloptsvalue_line;
/* ... a proxy's URL, of a scheme that libcurl has for proxies */
optable_fn crawloptsvalue_proxy;

/* One more of a struct crawlopts_list: any text that is not empty. */
optable_fn crawloptsvalue_list;
/* ... one line */
optable_fn crawloptsvalue_pattern;
/* ... a header line as of curl's -H */
optable_fn crawloptsvalue_header;

#endif
