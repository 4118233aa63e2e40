/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rate.c - false-positive rates and the sizes that keep them
 *
 * Blocked layouts.  n keys over B blocks put j keys into a block with
 * Poisson probability e^-L L^j / j!, L = n/B.  A split line's words are
 * independent: a foreign key finds each of its 8 bits set with probability
 * 1 - (63/64)^j.  In a line (or pair) of b bits, jk throws fill x bits with
 * the probability that the chain
 *
 *	P'(x) = P(x) x/b + P(x-1) (b-x+1)/b
 *
 * gives, and the rate is the mean of (x/b)^k.  Both fall with L, so the size
 * is found by bisection over L, for each k until the best is passed.
 *
 * Fill.  Over all blocks together a bit stays zero with probability e^(-cL),
 * with c the chance that one key sets it (Poisson thinning), exactly.  So
 * the number of keys in a layer can be read from its bits.
 */

#include "config.h"

#include <math.h>

#include "dedup/rate.h"
#include "snapshot/limits.h"

/*
 * What is measured scatters round the rate that a shape has; so that a
 * measure of some 1e6 keys stays below what was promised, blocked filters are
 * planned for this much less.  It costs 0.7 % of the size at 1 %.
 */
#define MARGIN 0.97

#define BLOCK_MAX 1024  /* bits of a pair */
#define LOAD_MAX  4096  /* keys per block: beyond, every bit is set */
#define TABLE_MAX 512   /* keys per block that a plan looks at */
#define EPS       1e-30 /* probabilities below are left out */
#define BISECT    60    /* halvings: to the last bit of a double */

/* Below this rate free probes are smaller than a split line. */
#define SPLIT_LEAST 1e-3
/* Below this one a pair saves 10 % and more, for a tenth of the time. */
#define LINE_LEAST 1e-5

#define LOAD_CUCKOO 0.95 /* of its slots; 4-way buckets reach 0.97 */
#define LOAD_KEYS   0.875

/* How many of a block's bits are set. */
struct occupancy {
	unsigned int bits;
	unsigned int lo, hi; /* all other states are improbable */
	double p[BLOCK_MAX + 1];
};

static void
occupancy_init(struct occupancy *o, unsigned int bits)
{
	o->bits = bits;
	o->lo = 0;
	o->hi = 0;
	o->p[0] = 1;
}

static void
occupancy_throw(struct occupancy *o)
{
	const double b = o->bits;
	unsigned int x;

	if (o->hi < o->bits)
		o->p[++o->hi] = 0;
	for (x = o->hi; x > o->lo; x--)
		o->p[x] = o->p[x] * (x / b) + o->p[x - 1] * ((b - x + 1) / b);
	o->p[x] *= x / b;
	while (o->lo < o->hi && o->p[o->lo] < EPS)
		o->lo++;
	while (o->hi > o->lo && o->p[o->hi] < EPS)
		o->hi--;
}

/* The chance that k further throws all hit bits that are set. */
static double
occupancy_hit(const struct occupancy *o, unsigned int k)
{
	double f, power, sum = 0;
	unsigned int i, x;

	for (x = o->lo; x <= o->hi; x++) {
		f = x / (double)o->bits;
		power = 1;
		for (i = k; i > 0; i >>= 1) {
			if (i & 1)
				power *= f;
			f *= f;
		}
		sum += o->p[x] * power;
	}
	return sum;
}

/* Keys in a block that are worth looking at, for a mean of `load'. */
static unsigned int
most(double load)
{
	return (unsigned int)(load + 14 * sqrt(load) + 60);
}

/* Poisson's weight of `j', given ln j!. */
static double
weight(double load, unsigned int j, double logfact)
{
	return exp(j * log(load) - load - logfact);
}

static double
split_rate(double load)
{
	double logfact = 0, sum = 0, zero = 1;
	unsigned int j, end = most(load);

	for (j = 0; j <= end; j++) {
		if (j > 0)
			logfact += log(j);
		sum += weight(load, j, logfact) * pow(1 - zero, 8);
		zero *= 63.0 / 64;
	}
	return sum;
}

static double
free_rate(unsigned int bits, unsigned int k, double load)
{
	struct occupancy o;
	double logfact = 0, sum = 0;
	unsigned int i, j, end = most(load);

	occupancy_init(&o, bits);
	for (j = 0; j <= end; j++) {
		if (j > 0)
			logfact += log(j);
		sum += weight(load, j, logfact) * occupancy_hit(&o, k);
		for (i = 0; i < k; i++)
			occupancy_throw(&o);
	}
	return sum;
}

/* The same for many loads: hit[j] for j keys in the block. */
static double
table_rate(const double *hit, unsigned int end, double load)
{
	double logfact = 0, sum = 0;
	unsigned int j;

	for (j = 0; j <= end; j++) {
		if (j > 0)
			logfact += log(j);
		sum += weight(load, j, logfact) * hit[j];
	}
	return sum;
}

static double
split_load(double p)
{
	double lo = 0, hi = LOAD_MAX, mid;
	unsigned int i;

	for (i = 0; i < BISECT; i++) {
		mid = (lo + hi) / 2;
		if (split_rate(mid) <= p)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* The largest load at which `k' free probes in `bits' bits keep p. */
static double
free_load(unsigned int bits, unsigned int k, double p)
{
	struct occupancy o;
	double hit[TABLE_MAX], lo = 0, hi, mid;
	unsigned int i, j, end;

	/* No filter needs less than ln(1/p) / (ln 2)^2 bits for a key. */
	hi = bits * M_LN2 * M_LN2 / -log(p);
	end = most(hi);
	if (end >= TABLE_MAX)
		end = TABLE_MAX - 1;
	occupancy_init(&o, bits);
	for (j = 0; j <= end; j++) {
		hit[j] = occupancy_hit(&o, k);
		for (i = 0; i < k; i++)
			occupancy_throw(&o);
	}
	for (i = 0; i < BISECT; i++) {
		mid = (lo + hi) / 2;
		if (table_rate(hit, end, mid) <= p)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* The load of the best number of free probes, which goes into `k'. */
static double
best_load(unsigned int bits, double p, unsigned int *k)
{
	double best = 0, load;
	unsigned int i;

	/* The best k of a block is below the classic one, log2(1/p). */
	for (i = (unsigned int)(-log2(p) / 2); i <= LIMIT_PROBES; i++) {
		load = free_load(bits, i, p);
		if (load < best)
			break;
		best = load;
		*k = i;
	}
	return best;
}

static double
blocked_plan(struct rate_shape *s, double n, double p)
{
	double load;

	if (p >= SPLIT_LEAST) {
		s->layout = RATE_SPLIT;
		s->k = 8;
		load = split_load(p * MARGIN);
	} else {
		s->layout = p >= LINE_LEAST ? RATE_LINE : RATE_PAIR;
		load = best_load(rate_block(s->layout), p * MARGIN, &s->k);
	}
	return n / load;
}

static double
classic_plan(struct rate_shape *s, enum rate_layout layout, double n, double p)
{
	double m = ceil(-n * log(p) / (M_LN2 * M_LN2));
	double k = round(m / n * M_LN2);

	/* less than one bit a key would be best: the size is for one */
	if (p > 0.5)
		m = ceil(-n / log1p(-p));
	s->layout = layout;
	s->k = k < 1 ? 1 : (unsigned int)k;
	return m;
}

static double
cuckoo_plan(struct rate_shape *s, double n, double p)
{
	double load = 2 * RATE_WAYS * LOAD_CUCKOO;

	s->layout = RATE_CUCKOO;
	s->k = (unsigned int)ceil(log2(load / -log1p(-p) + 1));
	if (s->k < LIMIT_PRINT_LEAST)
		s->k = LIMIT_PRINT_LEAST;
	/* Two buckets more: a handful of keys may meet in one. */
	return n / (RATE_WAYS * LOAD_CUCKOO) + 2;
}

int
rate_plan(struct rate_shape *s, enum filter_kind kind, uint64_t n, double p)
{
	double size;

	if (n == 0 || !(p >= LIMIT_RATE && p < 1))
		return FAULT_ARG;
	if (n > LIMIT_LAYER_BITS)
		return FAULT_TOOBIG;
	switch (kind) {
	case FILTER_BLOCKED:
		size = blocked_plan(s, (double)n, p);
		break;
	case FILTER_BLOOM:
		size = classic_plan(s, RATE_CLASSIC, (double)n, p);
		break;
	case FILTER_COUNTING:
		size = classic_plan(s, RATE_COUNTERS, (double)n, p);
		break;
	case FILTER_CUCKOO:
		size = cuckoo_plan(s, (double)n, p);
		break;
	case FILTER_EXACT:
		s->layout = RATE_KEYS;
		s->k = 128;
		size = (double)n / LOAD_KEYS + 1;
		break;
	default:
		return FAULT_ARG;
	}
	if (!(size < (double)LIMIT_LAYER_BITS))
		return FAULT_TOOBIG;
	s->size = (uint64_t)ceil(size);
	return rate_bits(s) > LIMIT_LAYER_BITS ? FAULT_TOOBIG : 0;
}

/* The layouts of a kind, and the values of k that its code can do. */
static int
layout_fits(const struct rate_shape *s, unsigned int kind)
{
	switch (s->layout) {
	case RATE_SPLIT:
		return kind == FILTER_BLOCKED && s->k == 8;
	case RATE_LINE:
	case RATE_PAIR:
		return kind == FILTER_BLOCKED && s->k <= LIMIT_PROBES;
	case RATE_CLASSIC:
		return kind == FILTER_BLOOM && s->k <= LIMIT_PROBES;
	case RATE_COUNTERS:
		return kind == FILTER_COUNTING && s->k <= LIMIT_PROBES;
	case RATE_CUCKOO:
		return kind == FILTER_CUCKOO && s->k <= LIMIT_PRINT &&
		    s->k >= LIMIT_PRINT_LEAST;
	case RATE_KEYS:
		return kind == FILTER_EXACT && s->k == 128;
	}
	return 0;
}

int
rate_check(const struct rate_shape *s, unsigned int kind)
{
	if (!layout_fits(s, kind) || s->k == 0)
		return FAULT_DAMAGED;
	if (s->size == 0 || s->size > LIMIT_LAYER_BITS)
		return FAULT_DAMAGED;
	if (s->layout == RATE_KEYS && s->size < 2)
		return FAULT_DAMAGED;
	return rate_bits(s) > LIMIT_LAYER_BITS ? FAULT_DAMAGED : 0;
}

unsigned int
rate_block(enum rate_layout layout)
{
	return layout == RATE_PAIR ? 1024 : 512;
}

double
rate_at(const struct rate_shape *s, double n)
{
	double size = (double)s->size;
	double load = n / size;

	if (n <= 0 || s->layout == RATE_KEYS)
		return 0;
	switch (s->layout) {
	case RATE_SPLIT:
		return load > LOAD_MAX ? 1 : split_rate(load);
	case RATE_LINE:
	case RATE_PAIR:
		return load > LOAD_MAX ?
		    1 :
		    free_rate(rate_block(s->layout), s->k, load);
	case RATE_CLASSIC:
	case RATE_COUNTERS:
		return pow(rate_fill(s, n), s->k);
	case RATE_CUCKOO:
		/* Twice four slots, each empty or one of 2^k - 1 values. */
		return -expm1(2 * RATE_WAYS * rate_fill(s, n) *
		    log1p(-1 / (exp2(s->k) - 1)));
	case RATE_KEYS:
		break;
	}
	return 0;
}

/* The chance that one key sets a given bit of its block. */
static double
chance(const struct rate_shape *s)
{
	if (s->layout == RATE_SPLIT)
		return 1.0 / 64;
	return -expm1(s->k * log1p(-1.0 / rate_block(s->layout)));
}

/* How many keys fit before each slot is taken; 0 if there are no slots. */
static double
slots(const struct rate_shape *s)
{
	if (s->layout == RATE_CUCKOO)
		return (double)s->size * RATE_WAYS;
	return s->layout == RATE_KEYS ? (double)s->size : 0;
}

/* The exponent: a bit is zero with probability e^(-n rarity). */
static double
rarity(const struct rate_shape *s)
{
	double size = (double)s->size;

	if (s->layout == RATE_CLASSIC || s->layout == RATE_COUNTERS)
		return size > 1 ? -(double)s->k * log1p(-1 / size) : 1;
	return chance(s) / size;
}

double
rate_fill(const struct rate_shape *s, double n)
{
	if (slots(s) > 0)
		return n < slots(s) ? n / slots(s) : 1;
	return -expm1(-n * rarity(s));
}

double
rate_keys(const struct rate_shape *s, double fill)
{
	double full = 1 - 0.5 / (double)rate_bits(s);

	if (slots(s) > 0)
		return fill * slots(s);
	/* When all bits are set, any number may be in: take the least. */
	return -log1p(fill < full ? -fill : -full) / rarity(s);
}

uint64_t
rate_bits(const struct rate_shape *s)
{
	switch (s->layout) {
	case RATE_SPLIT:
	case RATE_LINE:
	case RATE_PAIR:
		return s->size * rate_block(s->layout);
	case RATE_CLASSIC:
		return s->size;
	case RATE_COUNTERS:
		return s->size * 4;
	case RATE_CUCKOO:
		return s->size * RATE_WAYS * s->k;
	case RATE_KEYS:
		return s->size * 128;
	}
	return 0;
}

uint64_t
rate_bytes(const struct rate_shape *s)
{
	uint64_t bits = rate_bits(s);

	/* A fingerprint is read as a whole word, wherever it starts. */
	if (s->layout == RATE_CUCKOO)
		bits += 64;
	return (bits + 511) / 512 * 64;
}
