/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crawler/crawlout.h"
#include "crawler/crawlview.h"

/* In the order in which they are shown. */
static const struct {
	const char *name;
	const char *label;  /* NULL: not in the text */
	const char *metric; /* NULL: none; "_total" at the end: a counter */
} field[] = {
	{ "time", NULL, "status_timestamp_ms" },
	{ "started", NULL, "start_timestamp_ms" },
	{ "admitted", "URLs met", "urls_admitted_total" },
	{ "done", "pages done", "pages_done_total" },
	{ "failed", "pages failed", "pages_failed_total" },
	{ "dropped", "left out", "urls_left_out_total" },
	{ "queued", "queued", "queued_urls" },
	{ "flight", "in flight", "requests_in_flight" },
	{ "hosts", "hosts", "hosts" },
	{ "active", "with URLs", "hosts_active" },
	{ "dead", "given up", "hosts_given_up" },
	{ "bytes", "bytes", "received_bytes_total" },
	{ "run_pages", "pages this run", NULL },
	{ "run_bytes", NULL, NULL },
	{ "seen", "in the seen set", "seen_urls" },
	{ "snapshot", "last snapshot", "snapshot_number" },
	{ "paused", NULL, "paused_errno" },
	{ "snapshot_at", NULL, "snapshot_timestamp_ms" },
	{ "robots", NULL, "robots_fetched_total" },
	{ "retried", NULL, "retries_total" },
	{ "memory", NULL, "frontier_memory_bytes" },
	{ "disk_left", NULL, "disk_free_bytes" },
	/* thousandths of pages a second, and bytes a second */
	{ "pages_1m", NULL, "pages_per_1000s_1m" },
	{ "pages_5m", NULL, "pages_per_1000s_5m" },
	{ "pages_15m", NULL, "pages_per_1000s_15m" },
	{ "bytes_1m", NULL, "bytes_per_second_1m" },
	{ "bytes_5m", NULL, "bytes_per_second_5m" },
	{ "bytes_15m", NULL, "bytes_per_second_15m" },
};

#define FIELDS (sizeof field / sizeof field[0])
_Static_assert(FIELDS <= CRAWLVIEW_FIELDS, "there is room for all");

/* Counters of any name, and what they are called. */
static const struct {
	const char *prefix;
	const char *label;
	const char *json;
	const char *metric; /* with a label of this name ... */
	const char *by;
} family[] = {
	{ "status.", "answers", "statuses", "pages_total", "status" },
	{ "code.", "by status", "status_codes", "answers_total", "code" },
	{ "drop.", "left out by", "left_out", "left_out_total", "reason" },
	{ "refused.", "links not taken", "refused", "links_refused_total",
	    "reason" },
	{ "scope.", "by the scope", "scope", "scope_refused_total", "reason" },
	{ "trap.", "by a trap", "traps", "trap_refused_total", "reason" },
};

#define FAMILIES (sizeof family / sizeof family[0])

/* ---- reading ---- */

/* "0 5 1 2 1000 https://a.example": failed comes last of the numbers. */
static void
read_host(struct crawlview *v, char *s)
{
	struct crawltop_host *h = &v->host[v->hosts];
	uint64_t n[5];
	size_t i;

	if (v->hosts == CRAWLTOP_HOSTS)
		return;
	for (i = 0; i < 5; i++) {
		n[i] = strtoull(s, &s, 10);
		if (*s++ != ' ')
			return;
	}
	h->queued = n[0];
	h->flight = (unsigned int)n[1];
	h->pages = n[2];
	h->failed = n[3];
	h->delay = (uint32_t)n[4];
	(void)snprintf(h->name, sizeof h->name, "%s", s);
	v->hosts++;
}

/* What our own words consist of, and JSON and Prometheus need not quote. */
#define WORD "abcdefghijklmnopqrstuvwxyz0123456789.-_"

static void
read_count(struct crawlview *v, const char *name, const char *value)
{
	struct crawlview_count *c = &v->count[v->counts];
	size_t i;

	if (name[strspn(name, WORD)] != '\0')
		return;
	for (i = 0; i < FAMILIES && v->counts < CRAWLVIEW_COUNTS; i++) {
		if (strncmp(name, family[i].prefix, strlen(family[i].prefix)))
			continue;
		(void)snprintf(c->name, sizeof c->name, "%s", name);
		c->n = strtoull(value, NULL, 10);
		v->counts++;
		return;
	}
}

static void
read_line(struct crawlview *v, char *line)
{
	char *value = strchr(line, ' ');
	size_t i;

	if (value == NULL) {
		v->whole |= strcmp(line, "end") == 0;
		return;
	}
	*value++ = '\0';
	if (strcmp(line, "state") == 0)
		(void)snprintf(v->state, sizeof v->state, "%.*s",
		    (int)strspn(value, WORD), value);
	else if (strcmp(line, "host") == 0)
		read_host(v, value);
	else if (strchr(line, '.') != NULL)
		read_count(v, line, value);
	for (i = 0; i < FIELDS; i++)
		if (strcmp(line, field[i].name) == 0)
			v->v[i] = strtoull(value, NULL, 10);
}

void
crawlview_read(struct crawlview *v, char *text)
{
	char *line, *end;

	memset(v, 0, sizeof *v);
	for (line = text; line != NULL && !v->whole; line = end) {
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		read_line(v, line);
	}
}

static uint64_t
value(const struct crawlview *v, const char *name)
{
	size_t i;

	for (i = 0; i < FIELDS; i++)
		if (strcmp(field[i].name, name) == 0)
			return v->v[i];
	return 0;
}

void
crawlview_judge(struct crawlview *v, pid_t pid)
{
	const char *state = v->state;

	v->pid = pid;
	if (state[0] == '\0')
		state = pid != 0 ? "starting" : "empty";
	else if (pid == 0 &&
	    (strcmp(state, "running") == 0 || strcmp(state, "suspended") == 0))
		state = "killed";
	else if (pid != 0 && strcmp(state, "suspended") == 0)
		state = "suspended";
	else if (pid != 0 && strcmp(state, "running") != 0)
		state = "starting";
	else if (pid != 0 && value(v, "paused") != 0)
		state = "paused";
	if (state != v->state)
		(void)snprintf(v->state, sizeof v->state, "%s", state);
}

/* ---- text ---- */

/* "12 s", "3 min", "5.0 h" */
static const char *
age(int64_t ms, char *out, size_t size)
{
	double s = ms > 0 ? (double)ms / 1000 : 0;

	if (s < 120)
		(void)snprintf(out, size, "%.0f s", s);
	else if (s < 7200)
		(void)snprintf(out, size, "%.0f min", s / 60);
	else
		(void)snprintf(out, size, "%.1f h", s / 3600);
	return out;
}

static int
text_times(const struct crawlview *v, int64_t now, struct buf *out)
{
	int64_t time_ms = (int64_t)value(v, "time");
	int64_t snap = (int64_t)value(v, "snapshot_at");
	time_t at = (time_t)(time_ms / 1000);
	char when[32], a[24], b[24];
	struct tm tm;
	int rc = 0;

	if (at > 0 && localtime_r(&at, &tm) != NULL &&
	    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm) > 0)
		rc = buf_fmt(out, "%-16s %s (%s ago), after a run of %s\n",
		    "as of", when, age(now - time_ms, a, sizeof a),
		    age(time_ms - (int64_t)value(v, "started"), b, sizeof b));
	if (rc == 0 && snap > 0)
		rc = buf_fmt(out, "%-16s %s ago\n", "snapshot taken",
		    age(now - snap, a, sizeof a));
	return rc;
}

static int
text_rates(const struct crawlview *v, struct buf *out)
{
	uint64_t ms = value(v, "time") - value(v, "started");
	int rc = 0;

	if (ms > 0)
		rc = buf_fmt(out, "%-16s %.1f pages a second\n", "rate",
		    (double)value(v, "run_pages") * 1000 / (double)ms);
	if (rc == 0 && ms > 0)
		rc = buf_fmt(out,
		    "%-16s %.1f, %.1f, %.1f pages and %.2f, %.2f, %.2f MB a "
		    "second\n",
		    "in 1, 5, 15 min", (double)value(v, "pages_1m") / 1e3,
		    (double)value(v, "pages_5m") / 1e3,
		    (double)value(v, "pages_15m") / 1e3,
		    (double)value(v, "bytes_1m") / 1e6,
		    (double)value(v, "bytes_5m") / 1e6,
		    (double)value(v, "bytes_15m") / 1e6);
	return rc;
}

/* "answers          120 2xx, 3 4xx": those that are not 0 */
static int
text_family(const struct crawlview *v, size_t i, struct buf *out)
{
	const struct crawlview_count *c = v->count;
	size_t len = strlen(family[i].prefix), k, n = 0;
	int rc = 0;

	for (k = 0; k < v->counts && rc == 0; k++, c++) {
		if (c->n == 0 || strncmp(c->name, family[i].prefix, len) != 0)
			continue;
		if (n == 0)
			rc = buf_fmt(out, "%-16s ", family[i].label);
		if (rc == 0)
			rc = buf_fmt(out, "%s%" PRIu64 " %s",
			    n++ > 0 ? ", " : "", c->n, c->name + len);
	}
	return rc == 0 && n > 0 ? buf_str(out, "\n") : rc;
}

static int
text_hosts(const struct crawlview *v, struct buf *out)
{
	const struct crawltop_host *h = v->host;
	size_t i;
	int rc = 0;

	if (v->hosts > 0)
		rc = buf_fmt(out, "%8s %6s %8s %6s %8s %8s  %s\n", "queued",
		    "flight", "pages", "failed", "delay s", "left s",
		    "slowest hosts");
	for (i = 0; i < v->hosts && rc == 0; i++, h++)
		rc = buf_fmt(out,
		    "%8" PRIu64 " %6u %8" PRIu64 " %6" PRIu64 " %8.1f %8" PRIu64
		    "  %s\n",
		    h->queued, h->flight, h->pages, h->failed,
		    (double)h->delay / 1000, crawltop_left(h), h->name);
	return rc;
}

int
crawlview_text(const struct crawlview *v, int64_t now, struct buf *out)
{
	size_t i;
	int rc;

	rc = v->pid != 0 ? buf_fmt(out, "%-16s %s (process %ld)\n", "state",
			       v->state, (long)v->pid) :
			   buf_fmt(out, "%-16s %s\n", "state", v->state);
	if (rc == 0)
		rc = text_times(v, now, out);
	for (i = 0; i < FIELDS && rc == 0; i++)
		if (field[i].label != NULL)
			rc = buf_fmt(out, "%-16s %" PRIu64 "\n", field[i].label,
			    v->v[i]);
	if (rc == 0)
		rc = text_rates(v, out);
	for (i = 0; i < FAMILIES && rc == 0; i++)
		rc = text_family(v, i, out);
	return rc == 0 ? text_hosts(v, out) : rc;
}

/* ---- JSON ---- */

static int
json_family(const struct crawlview *v, size_t i, struct buf *out)
{
	const struct crawlview_count *c = v->count;
	size_t len = strlen(family[i].prefix), k, n = 0;
	int rc = buf_fmt(out, ",\"%s\":{", family[i].json);

	for (k = 0; k < v->counts && rc == 0; k++, c++)
		if (strncmp(c->name, family[i].prefix, len) == 0)
			rc = buf_fmt(out, "%s\"%s\":%" PRIu64,
			    n++ > 0 ? "," : "", c->name + len, c->n);
	return rc == 0 ? buf_str(out, "}") : rc;
}

static int
json_hosts(const struct crawlview *v, struct buf *out)
{
	const struct crawltop_host *h = v->host;
	size_t i;
	int rc = buf_str(out, ",\"top\":[");

	for (i = 0; i < v->hosts && rc == 0; i++, h++) {
		rc = buf_str(out, i > 0 ? ",{\"host\":" : "{\"host\":");
		if (rc == 0)
			rc = crawlout_json(out, h->name, strlen(h->name));
		if (rc == 0)
			rc = buf_fmt(out,
			    ",\"queued\":%" PRIu64 ",\"flight\":%u,\"pages\":"
			    "%" PRIu64 ",\"failed\":%" PRIu64
			    ",\"delay\":%" PRIu32 ",\"left\":%" PRIu64 "}",
			    h->queued, h->flight, h->pages, h->failed, h->delay,
			    crawltop_left(h));
	}
	return rc == 0 ? buf_str(out, "]") : rc;
}

int
crawlview_json(const struct crawlview *v, struct buf *out)
{
	size_t i;
	int rc;

	rc = buf_fmt(out, "{\"state\":\"%s\",\"pid\":", v->state);
	if (rc == 0)
		rc = v->pid != 0 ? buf_fmt(out, "%ld", (long)v->pid) :
				   buf_str(out, "null");
	for (i = 0; i < FIELDS && rc == 0; i++)
		rc = buf_fmt(out, ",\"%s\":%" PRIu64, field[i].name, v->v[i]);
	for (i = 0; i < FAMILIES && rc == 0; i++)
		rc = json_family(v, i, out);
	if (rc == 0)
		rc = json_hosts(v, out);
	return rc == 0 ? buf_str(out, "}\n") : rc;
}

static const struct {
	const char *name;
	size_t at;
} curve[] = {
	{ "time", offsetof(struct crawlhist_at, time) },
	{ "pages", offsetof(struct crawlhist_at, pages) },
	{ "bytes", offsetof(struct crawlhist_at, bytes) },
	{ "failed", offsetof(struct crawlhist_at, failed) },
	{ "queued", offsetof(struct crawlhist_at, queued) },
	{ "hosts", offsetof(struct crawlhist_at, hosts) },
};

int
crawlview_history(const struct crawlhist *h, struct buf *out)
{
	const char *s;
	uint64_t n;
	size_t i, k;
	int rc = 0;

	for (k = 0; k < sizeof curve / sizeof curve[0] && rc == 0; k++) {
		rc = buf_fmt(out, "%s\"%s\":[", k == 0 ? "{" : "],",
		    curve[k].name);
		for (i = 0; i < h->n && rc == 0; i++) {
			s = (const char *)crawlhist_get(h, i) + curve[k].at;
			memcpy(&n, s, sizeof n);
			rc = buf_fmt(out, "%s%" PRIu64, i > 0 ? "," : "", n);
		}
	}
	return rc == 0 ? buf_str(out, "]}\n") : rc;
}

/* ---- Prometheus ---- */

static const char *
type_of(const char *metric)
{
	size_t len = strlen(metric);

	return len > 6 && strcmp(metric + len - 6, "_total") == 0 ? "counter" :
								    "gauge";
}

static int
metric_family(const struct crawlview *v, size_t i, struct buf *out)
{
	const struct crawlview_count *c = v->count;
	size_t len = strlen(family[i].prefix), k;
	int rc = buf_fmt(out, "# TYPE crawl_%s counter\n", family[i].metric);

	for (k = 0; k < v->counts && rc == 0; k++, c++)
		if (strncmp(c->name, family[i].prefix, len) == 0)
			rc = buf_fmt(out, "crawl_%s{%s=\"%s\"} %" PRIu64 "\n",
			    family[i].metric, family[i].by, c->name + len,
			    c->n);
	return rc;
}

int
crawlview_metrics(const struct crawlview *v, struct buf *out)
{
	size_t i;
	int rc;

	rc = buf_fmt(out, "# TYPE crawl_up gauge\ncrawl_up %d\n",
	    strcmp(v->state, "running") == 0);
	for (i = 0; i < FIELDS && rc == 0; i++)
		if (field[i].metric != NULL)
			rc = buf_fmt(out,
			    "# TYPE crawl_%s %s\ncrawl_%s %" PRIu64 "\n",
			    field[i].metric, type_of(field[i].metric),
			    field[i].metric, v->v[i]);
	for (i = 0; i < FAMILIES && rc == 0; i++)
		rc = metric_family(v, i, out);
	return rc;
}
