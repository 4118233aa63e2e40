/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/admit.h"

static void
count_invalid(struct admit *a, struct batch *b, unsigned int i)
{
	if (a->count.invalid++ == 0) {
		a->first.file = b->in.file;
		a->first.line = a->line;
		a->first.fault = b->fault[i];
	}
	if (a->fail_invalid)
		b->stop = i;
}

/*
 * Line i of `b': count it, let it through or not.  What was looked up `since'
 * may have come again meanwhile.
 */
static int
one_line(struct admit *a, struct batch *b, unsigned int i, uint64_t since)
{
	int rc = 0;

	if (b->mark[i] != BATCH_PIECE) {
		a->line++;
		a->count.lines++;
	}
	if (b->mark[i] == BATCH_INVALID)
		count_invalid(a, b, i);
	if (b->stop == i)
		return 0;
	if (b->mark[i] == BATCH_VALID && !b->seen[i] && !a->rules->remove &&
	    !a->final) {
		/* its own line is part of what must be safe */
		uint64_t end = a->offset;

		if (batch_prints(b, i))
			end += batch_width(b, i);
		rc = gate_admit(a->gate, b->key[i], since, end);
		b->seen[i] = rc == 0;
	}
	if (b->mark[i] == BATCH_VALID) {
		a->count.new += !b->seen[i];
		a->count.seen += b->seen[i];
	}
	b->prints[i] = (uint8_t)batch_prints(b, i);
	if (b->prints[i])
		a->offset += batch_width(b, i);
	return rc < 0 ? rc : 0;
}

/*
 * The same for `n' lines from `at' on, all of them valid and only new ones
 * printed, as nearly always.  Which lines are unseen is at random: they are
 * listed first, without a branch for each.
 */
static int
plain_lines(struct admit *a, struct batch *b, unsigned int at, unsigned int n,
    uint64_t since)
{
	uint16_t where[GATE_BATCH];
	unsigned int i, j, m = 0, fresh = 0;
	int rc = 0;

	for (i = 0; i < n; i++) {
		where[m] = (uint16_t)i;
		m += !b->seen[at + i];
	}
	if (!a->alone)
		gate_expect(a->gate, b->key + at, where, m);
	memset(b->prints + at, 0, n);
	for (j = 0; j < m && rc >= 0; j++) {
		i = at + where[j];
		rc = gate_admit(a->gate, b->key[i], since,
		    a->offset + batch_width(b, i));
		if (rc <= 0)
			continue;
		b->prints[i] = 1;
		a->offset += batch_width(b, i);
		fresh++;
	}
	a->line += n;
	a->count.lines += n;
	a->count.new += fresh;
	a->count.seen += n - fresh;
	return rc < 0 ? rc : 0;
}

/*
 * Take out what lines `at' to `at' + n hold, but nothing behind one that ends
 * all.
 */
static int
remove_lines(struct admit *a, struct batch *b, unsigned int at, unsigned int n)
{
	unsigned int m = 0;

	if (!a->fail_invalid)
		m = n;
	while (m < n && b->mark[at + m] != BATCH_INVALID)
		m++;
	return gate_remove(a->gate, b->key + at, m, b->seen + at);
}

int
admit_round(struct admit *a, struct batch *b)
{
	unsigned int i, at, n;
	int plain = b->invalid == 0 && !a->rules->repeated && !a->rules->load &&
	    !a->rules->remove && !a->final;
	uint64_t since = b->since;
	int rc = 0, again;

	again = !a->final && !gate_recalls(a->gate, since, batch_unseen(b));
	/* nothing leaves the gate while we are in it */
	if (again)
		since = gate_now(a->gate);
	for (at = 0; at < b->stop && rc == 0; at += GATE_BATCH) {
		n = b->stop - at < GATE_BATCH ? b->stop - at : GATE_BATCH;
		if (a->rules->remove)
			rc = remove_lines(a, b, at, n);
		else if (again)
			gate_look(a->gate, b->key + at, n, b->seen + at);
		if (plain) {
			rc = plain_lines(a, b, at, n, since);
			continue;
		}
		for (i = at; i < at + n && i < b->stop && rc == 0; i++)
			rc = one_line(a, b, i, since);
	}
	return rc;
}
