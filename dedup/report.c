/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "dedup/report.h"
#include "dedup/url.h"

#define PROGRESS_GAP 0.2 /* seconds between two live lines */

const char *
report_rules(uint32_t rules, char *out, size_t size)
{
	size_t n = 0;
	unsigned int i;

	if (rules & FILTER_RAW)
		return "raw";
	snprintf(out, size, "none");
	for (i = 0; i < URL_RULES; i++)
		if ((rules & UINT32_C(1) << i) && n < size)
			n += (size_t)snprintf(out + n, size - n, "%s%s",
			    n > 0 ? "," : "", url_rule_name(i));
	return out;
}

static void
info_json(FILE *out, const struct filter_stat *st, const char *rules)
{
	fprintf(out,
	    "{\"kind\":\"%s\",\"capacity\":%" PRIu64
	    ",\"fp_rate\":%.17g,\"count\":%" PRIu64 ",\"bits\":%" PRIu64
	    ",\"k\":%u,\"layers\":%u,\"fill\":%.6g,"
	    "\"estimated_fp_rate\":%.6g,\"bytes\":%" PRIu64 ",\"seed\":%" PRIu64
	    ",\"rules\":\"%s\",\"clean\":%s,"
	    "\"format\":%u}\n",
	    filter_kind_name(st->spec.kind), st->spec.capacity,
	    st->spec.fp_rate, st->count, st->bits, st->k, st->layers, st->fill,
	    st->estimated, st->bytes, st->spec.seed, rules,
	    st->clean ? "true" : "false", st->format);
}

void
report_info(FILE *out, const char *path, const struct filter_stat *st, int json)
{
	char names[200];
	const char *rules;

	rules = report_rules(st->spec.rules, names, sizeof names);
	if (json) {
		info_json(out, st, rules);
		return;
	}
	fprintf(out, "file               %s\n", path);
	fprintf(out, "kind               %s\n",
	    filter_kind_name(st->spec.kind));
	fprintf(out, "capacity           %" PRIu64 "\n", st->spec.capacity);
	fprintf(out, "fp_rate            %g\n", st->spec.fp_rate);
	fprintf(out, "count              %" PRIu64 "\n", st->count);
	fprintf(out, "bits               %" PRIu64 "\n", st->bits);
	fprintf(out, "k                  %u\n", st->k);
	fprintf(out, "layers             %u\n", st->layers);
	fprintf(out, "fill               %.4f\n", st->fill);
	fprintf(out, "estimated_fp_rate  %.3g\n", st->estimated);
	fprintf(out, "bytes              %" PRIu64 "\n", st->bytes);
	fprintf(out, "seed               %" PRIu64 "\n", st->spec.seed);
	fprintf(out, "rules              %s\n", rules);
	fprintf(out, "clean              %s\n", st->clean ? "yes" : "no");
	fprintf(out, "format             %u\n", st->format);
}

void
report_stats(FILE *out, const struct admit_count *c,
    const struct filter_stat *st, double seconds, const struct options *o)
{
	const char *new = o->remove ? "deleted" : "new";
	const char *seen = o->remove ? "absent" : "seen";
	double rate = seconds > 0 ? (double)c->lines / seconds : 0;

	if (o->stats == STATS_JSON) {
		fprintf(out,
		    "{\"lines\":%" PRIu64 ",\"%s\":%" PRIu64 ",\"%s\":%" PRIu64
		    ",\"invalid\":%" PRIu64 ",\"bytes\":%" PRIu64
		    ",\"seconds\":%.3f,"
		    "\"rate\":%.0f,\"kind\":\"%s\",\"count\":%" PRIu64
		    ",\"capacity\":%" PRIu64 ",\"layers\":%u,\"fill\":%.6g,"
		    "\"estimated_fp_rate\":%.6g,\"filter_bytes\":%" PRIu64
		    "}\n",
		    c->lines, new, c->new, seen, c->seen, c->invalid, c->bytes,
		    seconds, rate,
		    st->exact_start ? "exact" : filter_kind_name(st->spec.kind),
		    st->count, st->spec.capacity, st->layers, st->fill,
		    st->estimated, st->bytes);
		return;
	}
	fprintf(out,
	    "urlseen: %" PRIu64 " lines, %" PRIu64 " %s, %" PRIu64
	    " %s, %" PRIu64 " invalid; %" PRIu64 " bytes in %.2f s, "
	    "%.0f lines/s\n",
	    c->lines, c->new, new, c->seen, seen, c->invalid, c->bytes, seconds,
	    rate);
	fprintf(out,
	    "urlseen: filter %s, %" PRIu64 " URLs, %u layer%s, "
	    "%.1f %% full, estimated false-positive rate %.2g, %" PRIu64
	    " bytes\n",
	    st->exact_start ? "exact" : filter_kind_name(st->spec.kind),
	    st->count, st->layers, st->layers == 1 ? "" : "s", 100 * st->fill,
	    st->estimated, st->bytes);
}

double
report_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
report_progress_start(struct report_progress *p, FILE *out)
{
	live_start(&p->live, out);
	p->started = report_now();
	p->shown = 0;
	return p->live.out != NULL;
}

/* How much of the input is done, and how long the rest takes at this pace;
   nothing if nobody knows how much there is. */
static void
word_left(char *line, size_t size, const struct admit_count *c, double took)
{
	double share, left;

	if (c->bytes_total == 0 || c->bytes == 0)
		return;
	share = (double)c->bytes / (double)c->bytes_total;
	share = share < 1 ? share : 1; /* a file may grow meanwhile */
	left = took / share - took;
	if (left < 120)
		live_part(line, size, "%.0f%%, %.0f s left", 100 * share, left);
	else if (left < 120 * 60)
		live_part(line, size, "%.0f%%, %.0f min left", 100 * share,
		    left / 60);
	else
		live_part(line, size, "%.0f%%, %.1f h left", 100 * share,
		    left / 3600);
}

void
report_progress_show(void *arg, struct pipeline *s, const struct admit_count *c)
{
	struct report_progress *p = arg;
	double now = report_now(), took = now - p->started;
	char line[LIVE_LINE] = "";
	size_t size;

	if (now - p->shown < PROGRESS_GAP)
		return;
	p->shown = now;
	size = live_room(&p->live);
	/* What matters least is last: a narrow terminal shows less. */
	live_part(line, size, "%" PRIu64 " lines", c->lines);
	live_part(line, size, "%.2f M/s",
	    took > 0 ? (double)c->lines / took / 1e6 : 0);
	live_part(line, size, "%" PRIu64 " new", c->new);
	live_part(line, size, "%" PRIu64 " seen", c->seen);
	word_left(line, size, c, took);
	live_part(line, size, "fp rate %.2g", pipeline_expected(s));
	live_part(line, size, "%" PRIu64 " invalid", c->invalid);
	live_draw(&p->live, line);
}

void
report_progress_yield(void *arg)
{
	struct report_progress *p = arg;

	if (p->live.up)
		p->shown = 0;
	live_clear(&p->live);
}

void
report_progress_end(struct report_progress *p)
{
	live_clear(&p->live);
}
