/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "dedup/bulk.h"
#include "dedup/memory.h"
#include "dedup/rate.h"
#include "dedup/report.h"
#include "dedup/setup.h"

/* keys: the capacity of a new filter file if none is given */
#define SETUP_CAPACITY 10000000

static unsigned int
open_flags(const struct options *o)
{
	unsigned int flags = 0;

	if (o->wait)
		flags |= FILTER_WAIT;
	if (o->repair)
		flags |= FILTER_REPAIR;
	if (o->no_grow)
		flags |= FILTER_NO_GROW;
	if (o->dry_run)
		flags |= FILTER_PRIVATE;
	else if (o->shared)
		flags |= FILTER_SHARED;
	if (o->mode != MODE_FILTER)
		flags |= FILTER_LOOK;
	return flags;
}

static int
make_spec(struct filter_spec *spec, const struct options *o)
{
	memset(spec, 0, sizeof *spec);
	spec->kind = (enum filter_kind)o->kind;
	spec->capacity = o->capacity;
	spec->fp_rate = o->fp_rate;
	spec->seed = o->seed;
	spec->rules = o->rules | (o->raw ? FILTER_RAW : 0);
	if (!(o->given & GIVEN_SEED) &&
	    getrandom(&spec->seed, sizeof spec->seed, 0) !=
		(ssize_t)sizeof spec->seed)
		return FAULT_SYS;
	if (spec->capacity == 0 && o->filter != NULL)
		spec->capacity = SETUP_CAPACITY;
	if (spec->capacity == 0)
		spec->budget = o->memory;
	return 0;
}

/* The file if it is there, else a new one; in memory for a dry run. */
static int
open_or_make(struct filter **f, const struct options *o,
    const struct filter_spec *spec)
{
	unsigned int flags = open_flags(o);
	int rc, tries;

	for (tries = 0; tries < 3; tries++) {
		rc = filter_open(f, o->filter, flags);
		if (rc != FAULT_SYS || errno != ENOENT ||
		    o->mode != MODE_FILTER || o->remove)
			return rc;
		if (o->dry_run)
			return filter_new(f, spec, flags & FILTER_NO_GROW);
		rc = filter_create(f, o->filter, spec, flags);
		if (rc != FAULT_SYS || errno != EEXIST)
			return rc;
	}
	return rc;
}

/* 1 if what was given is what the file was made with, else word it. */
static int
agrees(const struct filter_spec *has, const struct options *o, char *err,
    size_t size)
{
	char a[200], b[200];
	uint32_t rules = o->rules | (o->raw ? FILTER_RAW : 0);

	if ((o->given & GIVEN_CAPACITY) && o->capacity != has->capacity)
		snprintf(err, size,
		    "%s was made with -n %" PRIu64 ", not %" PRIu64
		    ": leave -n out or name another file",
		    o->filter, has->capacity, o->capacity);
	else if ((o->given & GIVEN_FP_RATE) && o->fp_rate != has->fp_rate)
		snprintf(err, size,
		    "%s was made with -p %g, not %g: leave -p out or name "
		    "another file",
		    o->filter, has->fp_rate, o->fp_rate);
	else if ((o->given & GIVEN_KIND) && o->kind != has->kind)
		snprintf(err, size,
		    "%s is of kind %s, not %s: leave -K out or name another "
		    "file",
		    o->filter, filter_kind_name(has->kind),
		    filter_kind_name(o->kind));
	else if ((o->given & GIVEN_SEED) && o->seed != has->seed)
		snprintf(err, size,
		    "%s was made with --seed=%" PRIu64 ", not %" PRIu64
		    ": leave it out or name another file",
		    o->filter, has->seed, o->seed);
	else if (((o->given & GIVEN_RULES) || o->raw) && rules != has->rules)
		snprintf(err, size,
		    "%s was made with the rules %s, not %s: "
		    "leave them out or name another file",
		    o->filter, report_rules(has->rules, a, sizeof a),
		    report_rules(rules, b, sizeof b));
	else
		return 1;
	return 0;
}

void
setup_word_mismatch(const struct filter_spec *a, const struct filter_spec *b,
    char *out, size_t size)
{
	char one[200], two[200];

	*out = '\0';
	if (a->kind != b->kind)
		snprintf(out, size, "-K %s and -K %s",
		    filter_kind_name(a->kind), filter_kind_name(b->kind));
	else if (a->capacity != b->capacity)
		snprintf(out, size, "-n %" PRIu64 " and -n %" PRIu64,
		    a->capacity, b->capacity);
	else if (a->fp_rate != b->fp_rate)
		snprintf(out, size, "-p %g and -p %g", a->fp_rate, b->fp_rate);
	else if (a->seed != b->seed)
		snprintf(out, size, "--seed=%" PRIu64 " and --seed=%" PRIu64,
		    a->seed, b->seed);
	else if (a->rules != b->rules)
		snprintf(out, size, "the rules %s and %s",
		    report_rules(a->rules, one, sizeof one),
		    report_rules(b->rules, two, sizeof two));
}

void
setup_word_fault(const char *path, int fault, char *err, size_t size)
{
	const char *more = "";

	if (fault == FAULT_SYS) {
		snprintf(err, size, "%s: %s", path, strerror(errno));
		return;
	}
	if (fault == FAULT_LOCKED)
		more = "; -w waits for it";
	else if (fault == FAULT_MAGIC)
		more = "; it is no filter of urlseen, name another one";
	else if (fault == FAULT_VERSION)
		more = "; a newer urlseen reads it";
	else if (fault == FAULT_UNCLEAN)
		more = "; --repair takes it as it is, and URLs may come again";
	else if (fault == FAULT_DAMAGED || fault == FAULT_TRUNCATED)
		more = "; make a new one and --load what was printed";
	snprintf(err, size, "%s: the filter is %s%s", path, fault_str(fault),
	    more);
}

static void
word_memory(const struct options *o, int fault, char *err, size_t size)
{
	if (fault == FAULT_ARG && o->capacity == 0)
		snprintf(err, size,
		    "a rate of %g is beyond what kind %s can hold: a larger "
		    "-p is possible",
		    o->fp_rate, filter_kind_name(o->kind));
	else if (fault == FAULT_ARG)
		snprintf(err, size,
		    "a filter for %" PRIu64 " URLs at %g is "
		    "beyond what kind %s can hold: ask for less",
		    o->capacity, o->fp_rate, filter_kind_name(o->kind));
	else
		snprintf(err, size,
		    "no memory for the filter (%s): a smaller "
		    "-n or a larger -p needs less",
		    fault_why(fault));
}

/* 1 if the file's kind does what is asked. */
static int
can_do(const struct filter_spec *has, const struct options *o, char *err,
    size_t size)
{
	if (!o->remove || filter_can_delete(has->kind))
		return 1;
	snprintf(err, size,
	    "%s is of kind %s, from which nothing can be deleted: "
	    "--delete needs -K counting, cuckoo or exact",
	    o->filter, filter_kind_name(has->kind));
	return 0;
}

uint64_t
setup_memory(const struct options *o)
{
	return o->memory != 0 ? o->memory : memory_free();
}

/*
 * A filter for this run alone: in memory, or, where it is larger and can be
 * gone through in sorted batches, in a file without a name.
 */
static int
make_nameless(struct filter **f, const struct options *o,
    const struct filter_spec *spec)
{
	unsigned int flags = open_flags(o) & FILTER_NO_GROW;
	const char *dir = getenv("TMPDIR");
	struct rate_shape shape;
	char path[PATH_MAX];
	uint64_t room;

	if (spec->capacity == 0 || !bulk_can(spec->kind) ||
	    rate_plan(&shape, spec->kind, spec->capacity, spec->fp_rate) < 0)
		return filter_new(f, spec, flags);
	room = setup_memory(o);
	if (room == 0 || rate_bytes(&shape) <= room)
		return filter_new(f, spec, flags);
	snprintf(path, sizeof path, "%s/urlseen",
	    dir != NULL && *dir != '\0' ? dir : "/var/tmp");
	return filter_create(f, path, spec, flags | FILTER_UNNAMED);
}

int
setup_filter(struct filter **f, const struct options *o, char *err, size_t size)
{
	struct filter_spec spec;
	int rc;

	rc = make_spec(&spec, o);
	if (rc < 0)
		snprintf(err, size, "no random seed: %s", strerror(errno));
	if (rc < 0)
		return rc;
	if (o->filter == NULL) {
		rc = make_nameless(f, o, &spec);
		if (rc < 0)
			word_memory(o, rc, err, size);
		return rc;
	}
	rc = open_or_make(f, o, &spec);
	if (rc == FAULT_MISMATCH) {
		snprintf(err, size,
		    "%s is of a kind that one process at a time writes: "
		    "--shared needs -K blocked or bloom",
		    o->filter);
		return rc;
	}
	if (rc == FAULT_ARG || rc == FAULT_NOMEM)
		word_memory(o, rc, err, size);
	else if (rc < 0)
		setup_word_fault(o->filter, rc, err, size);
	if (rc < 0)
		return rc;
	if (agrees(filter_spec(*f), o, err, size) &&
	    can_do(filter_spec(*f), o, err, size))
		return 0;
	filter_abandon(*f);
	return FAULT_MISMATCH;
}
