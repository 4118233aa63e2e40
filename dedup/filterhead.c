/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <math.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dedup/filterhead.h"
#include "dedup/layer.h"

/* Not text, and damaged by whatever takes it for text. */
static const unsigned char magic[8] = { 0x89, 'U', 'R', 'L', '\r', '\n', 0x1a,
	'\n' };

/* Offsets of the fields in a copy. */
enum {
	AT_FORMAT = 8,
	AT_KIND = 12,
	AT_HASH = 16,
	AT_RULES = 20,
	AT_SEED = 24,
	AT_CAPACITY = 32,
	AT_RATE = 40,
	AT_COUNT = 48,
	AT_SEQUENCE = 56,
	AT_FLAGS = 64,
	AT_LAYERS = 68,
	AT_GENERATION = 72,
	AT_BOOT = 80,
	AT_TABLE = 128,
	AT_SUM = FILTERHEAD_COPY - 8,
};

/* Offsets in an entry of the layer table. */
enum {
	IN_OFFSET = 0,
	IN_BYTES = 8,
	IN_SIZE = 16,
	IN_CAPACITY = 24,
	IN_RATE = 32,
	IN_COUNT = 40,
	IN_ONES = 48,
	IN_LAYOUT = 56,
	IN_K = 60,
	ENTRY = 64,
};

#define HASH_XXH3  1 /* 128 bits, secret from the seed */
#define FLAG_CLEAN 1

_Static_assert(AT_TABLE + LIMIT_LAYERS * ENTRY <= AT_SUM, "table fits");

static void
put32(unsigned char *p, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

static void
put64(unsigned char *p, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

static uint32_t
get32(const unsigned char *p)
{
	uint32_t v = 0;
	unsigned int i;

	for (i = 4; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static uint64_t
get64(const unsigned char *p)
{
	return (uint64_t)get32(p + 4) << 32 | get32(p);
}

static void
put_double(unsigned char *p, double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof v);
	put64(p, v);
}

static double
get_double(const unsigned char *p)
{
	uint64_t v = get64(p);
	double d;

	memcpy(&d, &v, sizeof d);
	return d;
}

unsigned int
filterhead_place(uint64_t sequence)
{
	return sequence & 1 ? FILTERHEAD_COPY : 0;
}

uint64_t
filterhead_sums(const struct filterhead_layer *l)
{
	return l->offset + (l->bytes + 4095) / 4096 * 4096;
}

uint64_t
filterhead_end(const struct filterhead_layer *l)
{
	uint64_t mibs = (l->bytes + LAYER_MIB - 1) / LAYER_MIB;

	return filterhead_sums(l) + mibs * 8;
}

static void
encode_layer(unsigned char *p, const struct filterhead_layer *l)
{
	put64(p + IN_OFFSET, l->offset);
	put64(p + IN_BYTES, l->bytes);
	put64(p + IN_SIZE, l->shape.size);
	put64(p + IN_CAPACITY, l->capacity);
	put_double(p + IN_RATE, l->rate);
	put64(p + IN_COUNT, l->count);
	put64(p + IN_ONES, l->ones);
	put32(p + IN_LAYOUT, l->shape.layout);
	put32(p + IN_K, l->shape.k);
}

void
filterhead_encode(unsigned char copy[FILTERHEAD_COPY],
    const struct filterhead *h)
{
	uint64_t count = 0;
	unsigned int i;

	memset(copy, 0, FILTERHEAD_COPY);
	memcpy(copy, magic, sizeof magic);
	put32(copy + AT_FORMAT, FILTERHEAD_FORMAT);
	put32(copy + AT_KIND, h->spec.kind);
	put32(copy + AT_HASH, HASH_XXH3);
	put32(copy + AT_RULES, h->spec.rules);
	put64(copy + AT_SEED, h->spec.seed);
	put64(copy + AT_CAPACITY, h->spec.capacity);
	put_double(copy + AT_RATE, h->spec.fp_rate);
	put64(copy + AT_SEQUENCE, h->sequence);
	put32(copy + AT_FLAGS, h->clean ? FLAG_CLEAN : 0);
	put32(copy + AT_LAYERS, h->layers);
	put64(copy + AT_GENERATION, h->generation);
	memcpy(copy + AT_BOOT, h->boot, FILTERHEAD_BOOT);
	for (i = 0; i < h->layers; i++) {
		encode_layer(copy + AT_TABLE + i * ENTRY, &h->layer[i]);
		count += h->layer[i].count;
	}
	put64(copy + AT_COUNT, count);
	put64(copy + AT_SUM, XXH3_64bits(copy, AT_SUM));
}

static int
rate_fits(double p)
{
	return p >= LIMIT_RATE && p < 1; /* and not a NaN */
}

/*
 * No filter does with fewer than log2(1/rate) bits a key (Carter et al.
 * 1978).  Who promises more than that would be asked for a further layer of
 * any size.
 */
static int
can_keep(const struct filterhead_layer *l)
{
	return (double)rate_bits(&l->shape) >=
	    (double)l->capacity * -log2(l->rate) * 0.99;
}

static int
decode_layer(struct filterhead_layer *l, const unsigned char *p,
    const struct filter_spec *spec)
{
	uint32_t layout = get32(p + IN_LAYOUT);

	l->offset = get64(p + IN_OFFSET);
	l->bytes = get64(p + IN_BYTES);
	l->shape.size = get64(p + IN_SIZE);
	l->capacity = get64(p + IN_CAPACITY);
	l->rate = get_double(p + IN_RATE);
	l->count = get64(p + IN_COUNT);
	l->ones = get64(p + IN_ONES);
	l->shape.k = get32(p + IN_K);
	if (layout < RATE_SPLIT || layout > RATE_KEYS)
		return FAULT_DAMAGED;
	l->shape.layout = (enum rate_layout)layout;
	if (rate_check(&l->shape, spec->kind) < 0 || !rate_fits(l->rate) ||
	    l->rate > spec->fp_rate)
		return FAULT_DAMAGED;
	if (l->bytes != rate_bytes(&l->shape))
		return FAULT_DAMAGED;
	if (l->capacity == 0 || l->capacity > LIMIT_LAYER_BITS || !can_keep(l))
		return FAULT_DAMAGED;
	if (l->ones > rate_bits(&l->shape) || l->count > INT64_MAX)
		return FAULT_DAMAGED;
	if (l->offset % LAYER_ALIGN != 0 || l->offset > INT64_MAX / 2)
		return FAULT_DAMAGED;
	return 0;
}

/* The layers of a copy whose sum holds. */
static int
decode_table(struct filterhead *h, const unsigned char *copy, uint64_t size)
{
	uint64_t end = LAYER_ALIGN;
	unsigned int i;

	for (i = 0; i < h->layers; i++) {
		if (decode_layer(&h->layer[i], copy + AT_TABLE + i * ENTRY,
			&h->spec) < 0)
			return FAULT_DAMAGED;
		if (h->layer[i].offset < end)
			return FAULT_DAMAGED;
		end = filterhead_end(&h->layer[i]);
	}
	return size < end ? FAULT_TRUNCATED : 0;
}

static int
decode_copy(struct filterhead *h, const unsigned char *copy, uint64_t size)
{
	unsigned int kind;

	if (memcmp(copy, magic, sizeof magic) != 0)
		return FAULT_MAGIC;
	if (get32(copy + AT_FORMAT) > FILTERHEAD_FORMAT)
		return FAULT_VERSION;
	if (get64(copy + AT_SUM) != XXH3_64bits(copy, AT_SUM))
		return FAULT_DAMAGED;
	memset(h, 0, sizeof *h);
	kind = get32(copy + AT_KIND);
	h->spec.rules = get32(copy + AT_RULES);
	h->spec.seed = get64(copy + AT_SEED);
	h->spec.capacity = get64(copy + AT_CAPACITY);
	h->spec.fp_rate = get_double(copy + AT_RATE);
	h->sequence = get64(copy + AT_SEQUENCE);
	h->clean = get32(copy + AT_FLAGS) & FLAG_CLEAN;
	h->layers = get32(copy + AT_LAYERS);
	h->generation = get64(copy + AT_GENERATION);
	memcpy(h->boot, copy + AT_BOOT, FILTERHEAD_BOOT);
	if (get32(copy + AT_FORMAT) == 0 ||
	    get32(copy + AT_HASH) != HASH_XXH3 ||
	    filter_kind_name(kind) == NULL)
		return FAULT_DAMAGED;
	h->spec.kind = (enum filter_kind)kind;
	if (h->layers == 0 || h->layers > LIMIT_LAYERS)
		return FAULT_DAMAGED;
	if (!rate_fits(h->spec.fp_rate) || h->spec.capacity == 0 ||
	    h->spec.capacity > LIMIT_LAYER_BITS)
		return FAULT_DAMAGED;
	return decode_table(h, copy, size);
}

int
filterhead_decode(struct filterhead *h, const unsigned char *page, size_t len,
    uint64_t size)
{
	struct filterhead other;
	int a, b;

	if (len < FILTERHEAD_SIZE)
		return len >= sizeof magic &&
			memcmp(page, magic, sizeof magic) == 0 ?
		    FAULT_TRUNCATED :
		    FAULT_MAGIC;
	a = decode_copy(h, page, size);
	b = decode_copy(&other, page + FILTERHEAD_COPY, size);
	/* A layer is on the medium before it is named, so one is missing. */
	if (a == FAULT_TRUNCATED || b == FAULT_TRUNCATED)
		return FAULT_TRUNCATED;
	if (a == 0 && b == 0) {
		if (other.sequence > h->sequence)
			*h = other;
		return 0;
	}
	if (b == 0)
		*h = other;
	if (a == 0 || b == 0) {
		h->torn = 1;
		return 0;
	}
	return a == FAULT_MAGIC ? b : a;
}
