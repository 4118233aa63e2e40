/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "dedup/filter.h"
#include "dedup/filterhead.h"
#include "dedup/layer.h"
#include "dedup/plan.h"
#include "dedup/rate.h"

#define STEPS 64

/* Of a kind that is `fixed', 2 n keys do not fit. */
static void
put_rate(FILE *out, const struct rate_shape *s, double n, int fits, int json)
{
	if (!fits)
		fputs(json ? "null" : "      full", out);
	else if (json)
		fprintf(out, "%.6g", rate_at(s, n));
	else
		fprintf(out, "%10.3g", rate_at(s, n));
}

/*
 * Of a million new keys, how many are taken for known while `n' are put.  What
 * is taken for known does not fill the filter: dx/dn = 1 - rate(x), by the
 * midpoint rule.
 */
static double
lost(const struct rate_shape *s, double n)
{
	double in = 0, half, step = n / STEPS;
	int i;

	for (i = 0; i < STEPS; i++) {
		half = in + step / 2 * (1 - rate_at(s, in));
		in += step * (1 - rate_at(s, half));
	}
	return (1 - in / n) * 1e6;
}

static uint64_t
file_bytes(const struct rate_shape *s)
{
	struct filterhead_layer l = { .offset = LAYER_ALIGN };

	l.bytes = rate_bytes(s);
	return filterhead_end(&l);
}

static void
put_kind(FILE *out, const struct layer_kind *k, const struct rate_shape *s,
    uint64_t n, int json)
{
	double keys = (double)n, each = (double)rate_bits(s) / keys;

	if (json)
		fprintf(out,
		    "{\"kind\":\"%s\",\"bits\":%" PRIu64 ",\"bytes\":%" PRIu64
		    ",\"file_bytes\":%" PRIu64
		    ",\"k\":%u,\"bits_per_url\":%.6g,\"rate\":",
		    k->name, rate_bits(s), rate_bytes(s), file_bytes(s), s->k,
		    each);
	else
		fprintf(out,
		    "%-9s%16" PRIu64 "%15" PRIu64 "%15" PRIu64 "%5u%10.2f",
		    k->name, rate_bits(s), rate_bytes(s), file_bytes(s), s->k,
		    each);
	put_rate(out, s, keys, 1, json);
	fputs(json ? ",\"rate_2n\":" : "", out);
	put_rate(out, s, 2 * keys, !k->fixed, json);
	fputs(json ? ",\"rate_10n\":" : "", out);
	put_rate(out, s, 10 * keys, !k->fixed, json);
	fprintf(out, json ? ",\"lost_per_million\":%.6g}" : "%10.3g\n",
	    lost(s, keys));
}

/* 0 if some kind can do it. */
static int
any_fits(uint64_t n, double p)
{
	struct rate_shape s;
	unsigned int i;
	int rc = FAULT_ARG;

	for (i = FILTER_BLOCKED; i <= FILTER_EXACT && rc < 0; i++)
		rc = rate_plan(&s, (enum filter_kind)i, n, p);
	return rc;
}

int
plan_show(FILE *out, uint64_t n, double p, int json)
{
	struct rate_shape s;
	unsigned int i, shown = 0;
	int rc = any_fits(n, p);

	if (rc < 0)
		return rc;
	if (json)
		fprintf(out,
		    "{\"capacity\":%" PRIu64 ",\"fp_rate\":%.17g,\"kinds\":[",
		    n, p);
	else
		fprintf(out, "%-9s%16s%15s%15s%5s%10s%10s%10s%10s%10s\n",
		    "kind", "bits", "bytes", "file_bytes", "k", "bits/URL",
		    "rate", "at_2n", "at_10n", "lost/1M");
	for (i = FILTER_BLOCKED; i <= FILTER_EXACT; i++) {
		if (rate_plan(&s, (enum filter_kind)i, n, p) < 0) {
			if (!json)
				fprintf(out, "%-9s%16s\n", filter_kind_name(i),
				    "too large");
			continue;
		}
		fputs(json && shown++ > 0 ? "," : "", out);
		put_kind(out, layer_kind(i), &s, n, json);
	}
	fputs(json ? "]}\n" : "", out);
	return 0;
}
