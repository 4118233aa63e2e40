/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zdict.h>

#include "crawler/archivedict.h"
#include "snapshot/limits.h"

/* bytes of a sample that the request's record may fill */
#define REQUEST ((size_t)2048)

enum state {
	COLLECTING, /* the samples are the putting thread's */
	DUE,        /* ... the training thread's */
	TRAINED,    /* there are none; the dictionary does not change */
	NONE,       /* ... and no dictionary either */
};

struct archivedict {
	_Atomic int state;
	unsigned int records; /* to draw samples from */
	unsigned int seen;    /* of them so far */
	unsigned int used;    /* slots */
	unsigned int slot;    /* of the sample that is being taken */
	size_t size[LIMIT_DICT_SAMPLES];
	char *sample; /* slots of LIMIT_DICT_SAMPLE bytes */
	void *dict;
	size_t dict_len;
};

int
archivedict_new(struct archivedict **out, unsigned int records)
{
	struct archivedict *d;

	d = calloc(1, sizeof *d);
	if (d == NULL)
		return FAULT_NOMEM;
	d->records = records == 0 ? LIMIT_DICT_RECORDS : records;
	/* not zeroed: pages that no sample comes to cost nothing */
	d->sample = malloc((size_t)LIMIT_DICT_SAMPLES * LIMIT_DICT_SAMPLE);
	if (d->sample == NULL) {
		free(d);
		return FAULT_NOMEM;
	}
	*out = d;
	return 0;
}

void
archivedict_free(struct archivedict *d)
{
	if (d == NULL)
		return;
	free(d->sample);
	free(d->dict);
	free(d);
}

static int
collecting(const struct archivedict *d)
{
	return d != NULL && d->state == COLLECTING;
}

/*
 * The slot of record number `n', LIMIT_DICT_SAMPLES or more if it is not kept
 * (Vitter 1985, algorithm R).  The same for the same number, so that a record
 * that comes again since it could not be archived does not take more slots.
 */
static unsigned int
slot_of(unsigned int n)
{
	uint64_t x = (n + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);

	if (n < LIMIT_DICT_SAMPLES)
		return n;
	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return (unsigned int)((x ^ x >> 32) % (n + 1));
}

/* Add bytes to the sample, up to `most' in all. */
static void
add(struct archivedict *d, const void *s, size_t len, size_t most)
{
	size_t *n = &d->size[d->slot];

	if (len > most - *n)
		len = most - *n;
	memcpy(d->sample + d->slot * (size_t)LIMIT_DICT_SAMPLE + *n, s, len);
	*n += len;
}

void
archivedict_response(struct archivedict *d, const void *s, size_t len)
{
	if (!collecting(d))
		return;
	d->slot = slot_of(d->seen);
	if (d->slot >= LIMIT_DICT_SAMPLES)
		return;
	if (d->slot == d->used)
		d->used++;
	d->size[d->slot] = 0;
	add(d, s, len, LIMIT_DICT_SAMPLE - REQUEST);
}

void
archivedict_request(struct archivedict *d, const void *s, size_t len)
{
	if (collecting(d) && d->slot < LIMIT_DICT_SAMPLES)
		add(d, s, len < REQUEST ? len : REQUEST, LIMIT_DICT_SAMPLE);
}

void
archivedict_taken(struct archivedict *d)
{
	if (collecting(d) && ++d->seen >= d->records)
		d->state = DUE;
}

int
archivedict_due(const struct archivedict *d)
{
	return d != NULL && d->state == DUE;
}

/* Put the samples side by side. */
static void
close_up(struct archivedict *d)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < d->used; i++) {
		memmove(d->sample + at,
		    d->sample + i * (size_t)LIMIT_DICT_SAMPLE, d->size[i]);
		at += d->size[i];
	}
}

void
archivedict_train(struct archivedict *d)
{
	size_t n = 0;

	d->dict = malloc(LIMIT_DICT);
	if (d->dict != NULL) {
		close_up(d);
		n = ZDICT_trainFromBuffer(d->dict, LIMIT_DICT, d->sample,
		    d->size, d->used);
		if (ZDICT_isError(n))
			n = 0;
	}
	free(d->sample);
	d->sample = NULL;
	d->dict_len = n;
	d->state = n == 0 ? NONE : TRAINED;
}

const void *
archivedict_get(const struct archivedict *d, size_t *len)
{
	*len = 0;
	if (d == NULL || d->state != TRAINED)
		return NULL;
	*len = d->dict_len;
	return d->dict;
}
