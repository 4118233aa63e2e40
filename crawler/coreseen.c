/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coreseen.c - the seen set at start, and again from the journal
 *
 * DIR/seen is derived: it may lack what the journal has (a kill came before
 * the bits), which replay puts right from the snapshot on, but it must not
 * have what the journal has not, or pages would never be fetched.  So it is
 * made anew, beside and renamed once complete, where it is missing, damaged,
 * made with another hash or other rules, asked for with other parameters, or
 * plainly of another time than the journal.
 *
 * A bit that damage turned on is a page that nobody would ever miss, so all
 * the sums of a file that was closed are checked, which reads all of it once.
 * After a kill there are none.
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/coreseen.h"
#include "snapshot/file.h"

#define CAPACITY UINT64_C(1000000) /* keys, if nobody says */

static char *
path_of(const struct core *c, const char *name)
{
	size_t n = strlen(c->o.dir) + strlen(name) + 2;
	char *path = malloc(n);

	if (path != NULL)
		snprintf(path, n, "%s/%s", c->o.dir, name);
	return path;
}

/* Why the open filter can't be this crawl's; NULL: it can. */
static const char *
doubt(const struct core *c, unsigned int given)
{
	struct filter_stat st;

	filter_stat(c->seen, &st);
	if (st.spec.seed != c->o.seed)
		return "it is not this crawl's";
	if (st.spec.rules != c->o.rules)
		return "it was made with other rules";
	if ((given & CORE_GIVEN_KIND) && st.spec.kind != c->o.kind)
		return "another kind is asked for";
	if ((given & CORE_GIVEN_FP_RATE) && st.spec.fp_rate != c->o.fp_rate)
		return "another false-positive rate is asked for";
	if ((given & CORE_GIVEN_CAPACITY) && st.spec.capacity < c->o.capacity)
		return "a larger capacity is asked for";
	/* Its own count may be a little off after a crash. */
	if (st.count + st.count / 8 + 1000 < c->count.admitted)
		return "it knows less than the snapshot";
	if (st.count > c->count.admitted && !c->resumed)
		return "the journal is empty";
	return NULL;
}

/* Open DIR/seen.  0, with why it can't be this crawl's in `why', or a fault. */
static int
take(struct core *c, unsigned int given, const char **why)
{
	uint64_t where;
	int rc = filter_open(&c->seen, c->seen_path, 0);

	if (rc == 0) {
		*why = doubt(c, given);
		if (*why == NULL)
			rc = filter_verify(c->seen, &where);
	}
	if (rc == FAULT_SYS && errno == ENOENT)
		*why = "it is missing";
	else if (rc == FAULT_MAGIC || rc == FAULT_DAMAGED ||
	    rc == FAULT_TRUNCATED || rc == FAULT_UNCLEAN)
		*why = fault_str(rc);
	return rc < 0 && *why == NULL ? rc : 0;
}

int
coreseen_flush(struct coreseen_keys *k)
{
	long rc = filter_add(k->filter, k->key, k->n);

	k->n = 0;
	return rc < 0 ? (int)rc : 0;
}

int
coreseen_put(struct coreseen_keys *k, const struct record *rec)
{
	k->key[k->n++] =
	    urlkey_of(filter_hasher(k->filter), rec->url.s, rec->url.len);
	return k->n < GATE_BATCH ? 0 : coreseen_flush(k);
}

/* All that the journal has admitted, into the new filter. */
static int
fill(struct core *c, struct filter *f, struct core_error *err)
{
	struct coreseen_keys keys;
	struct journal_read *r;
	struct record rec;
	int rc;

	keys.filter = f;
	keys.n = 0;
	rc = journal_read_open(&r, c->journal_dir, NULL);
	while (rc >= 0) {
		rc = journal_read_next(r, &rec, NULL);
		if (rc < 0)
			snprintf(err->text, sizeof err->text,
			    "%s/" CORE_JOURNAL ": %s: %s", c->o.dir,
			    journal_read_detail(r), fault_why(rc));
		if (rc <= 0)
			break;
		if (rec.type == RECORD_ADMITTED)
			rc = coreseen_put(&keys, &rec);
	}
	if (rc == 0)
		rc = coreseen_flush(&keys);
	journal_read_close(r);
	return rc;
}

static int
make(struct core *c, struct core_error *err)
{
	struct filter_spec spec;
	char *path = path_of(c, COREGROW_NAME);
	int dir = statedir_fd(c->state), rc;

	if (path == NULL)
		return FAULT_NOMEM;
	memset(&spec, 0, sizeof spec);
	spec.kind = c->o.kind;
	spec.capacity = c->o.capacity > 0 ? c->o.capacity : CAPACITY;
	spec.fp_rate = c->o.fp_rate;
	spec.seed = c->o.seed;
	spec.rules = c->o.rules;
	/* Rather one that is too large than one layer upon the other. */
	if (c->o.capacity == 0 && c->count.admitted * 2 > spec.capacity)
		spec.capacity = c->count.admitted * 2;
	rc = file_remove(dir, COREGROW_NAME);
	if (rc == 0)
		rc = filter_create(&c->seen, path, &spec, 0);
	free(path);
	if (rc == 0)
		rc = fill(c, c->seen, err);
	if (rc == 0)
		rc = filter_sync(c->seen);
	if (rc == 0)
		rc = file_rename(dir, COREGROW_NAME, CORE_SEEN);
	return rc == 0 ? file_sync_dir(dir) : rc;
}

static int
word(const struct core *c, int rc, struct core_error *err)
{
	if (err->text[0] == '\0')
		snprintf(err->text, sizeof err->text, "%s/" CORE_SEEN ": %s%s",
		    c->o.dir, fault_why(rc),
		    rc == FAULT_VERSION ? ": a newer crawl made it: use that "
					  "one, or remove the file" :
			rc == FAULT_LOCKED ? ": end the urlseen that has it" :
			rc == FAULT_ARG    ? ": ask for less with -n or for a "
					     "larger -p" :
					     "");
	return rc;
}

int
coreseen_open(struct core *c, unsigned int given, struct core_error *err)
{
	const char *why = NULL;
	int rc;

	c->seen_path = path_of(c, CORE_SEEN);
	if (c->seen_path == NULL)
		return word(c, FAULT_NOMEM, err);
	rc = take(c, given, &why);
	if (rc < 0)
		return word(c, rc, err);
	if (why != NULL) {
		filter_abandon(c->seen);
		c->seen = NULL;
		if (c->resumed)
			core_tell(c, CORE_NOTE_REBUILD, "%s", why);
		rc = make(c, err);
		if (rc < 0)
			return word(c, rc, err);
	}
	coregrow_from(c, filter_spec(c->seen)->capacity);
	c->hasher = *filter_hasher(c->seen);
	/* of a run that was killed */
	if (file_remove(statedir_fd(c->state), COREGROW_NAME) < 0)
		return word(c, FAULT_SYS, err);
	c->gate = gate_new(c->seen);
	return c->gate == NULL ? word(c, FAULT_NOMEM, err) : 0;
}
