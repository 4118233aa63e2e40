/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dedup/filter.h"
#include "dedup/merge.h"
#include "dedup/setup.h"

struct merge {
	const struct options *o;
	struct filter *out; /* nameless until the end */
	struct filter *old; /* of the name o->filter, or NULL */
	struct filter_spec spec;
	const char *first; /* the file that it comes from */
	char *err;
	size_t size;
};

static int
fault(const struct merge *m, const char *path, int rc)
{
	setup_word_fault(path, rc, m->err, m->size);
	return rc;
}

/* `path' is the first of all: what the others must agree with. */
static int
make_out(struct merge *m, const char *path, const struct filter *f)
{
	struct filter_stat st;
	int rc;

	filter_stat(f, &st);
	m->spec = st.spec;
	m->first = path;
	if (!filter_can_merge(st.spec.kind)) {
		snprintf(m->err, m->size,
		    "%s is of kind %s, which cannot be merged: blocked, bloom "
		    "and exact can",
		    path, filter_kind_name(st.spec.kind));
		return FAULT_ARG;
	}
	rc = filter_create(&m->out, m->o->filter, &m->spec, FILTER_UNNAMED);
	return rc < 0 ? fault(m, m->o->filter, rc) : 0;
}

static int
add(struct merge *m, const char *path, const struct filter *f)
{
	struct filter_stat st;
	char why[600];
	int rc = 0;

	if (m->out == NULL)
		rc = make_out(m, path, f);
	if (rc < 0)
		return rc;
	rc = filter_merge(m->out, f);
	if (rc != FAULT_MISMATCH)
		return rc < 0 ? fault(m, m->o->filter, rc) : 0;
	filter_stat(f, &st);
	setup_word_mismatch(&m->spec, &st.spec, why, sizeof why);
	snprintf(m->err, m->size,
	    "%s and %s were made with %s: only filters with the same "
	    "parameters and --seed can be merged",
	    m->first, path, why);
	return rc;
}

static int
add_file(struct merge *m, const char *path)
{
	unsigned int flags = FILTER_LOOK | (m->o->wait ? FILTER_WAIT : 0) |
	    (m->o->repair ? FILTER_REPAIR : 0);
	struct filter *f = NULL;
	int rc;

	rc = filter_open(&f, path, flags);
	if (rc < 0)
		return fault(m, path, rc);
	rc = add(m, path, f);
	filter_abandon(f);
	return rc;
}

/* What has the name already is one of them, and locked until the end. */
static int
add_old(struct merge *m)
{
	unsigned int flags =
	    (m->o->wait ? FILTER_WAIT : 0) | (m->o->repair ? FILTER_REPAIR : 0);
	int rc;

	rc = filter_open(&m->old, m->o->filter, flags);
	if (rc == FAULT_SYS && errno == ENOENT)
		return 0;
	return rc < 0 ? fault(m, m->o->filter, rc) :
			add(m, m->o->filter, m->old);
}

static int
check_rate(struct merge *m)
{
	double rate, promised;

	if (filter_merged(m->out, &rate, &promised))
		return 0;
	snprintf(m->err, m->size,
	    "together they would have a false-positive rate of %.3g, and %.3g "
	    "is promised: make a larger filter and --load what was printed",
	    rate, promised);
	return FAULT_FULL;
}

int
merge_files(const struct options *o, char *err, size_t size)
{
	struct merge m = { .o = o, .err = err, .size = size };
	unsigned int i;
	int rc = add_old(&m);

	for (i = 0; i < o->n && rc == 0; i++)
		rc = add_file(&m, o->names[i]);
	if (rc == 0)
		rc = check_rate(&m);
	if (rc == 0) {
		rc = filter_close_as(m.out, o->filter, m.old != NULL);
		m.out = NULL;
		if (rc < 0)
			(void)fault(&m, o->filter, rc);
	}
	filter_abandon(m.out);
	filter_abandon(m.old);
	return rc;
}
