/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlseen.c - urlseen(1): print the lines whose URL was not seen before
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dedup/interrupt.h"
#include "dedup/merge.h"
#include "dedup/options.h"
#include "dedup/outputs.h"
#include "dedup/report.h"
#include "dedup/setup.h"
#include "dedup/pipeline.h"
#include "dedup/plan.h"
#include "dedup/url.h"
#include "snapshot/file.h"
#include "snapshot/limits.h"

enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1, /* --verify */
	STATUS_ERROR = 2,
};

/* One run, between its options and its status. */
struct run {
	struct options o;
	struct filter *filter;
	struct outputs outs;
	int sigpipe_ignored; /* by our parent */
	int signal;          /* that ended us, or 0 */
	struct report_progress progress;
	char dash[2];
	char *standard_input[1]; /* the names if there are none: "-" */
};

static int
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    complain(const char *fmt, ...)
{
	char line[1024], *s;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	/* What others wrote can't break the line, nor drive the terminal. */
	for (s = line; *s != '\0'; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = '?';
	fprintf(stderr, "urlseen: %s\n", line); /* one write: one line */
	return STATUS_ERROR;
}

/*
 * The filter's file could not be read or written where it is mapped: the disk
 * is full, broken, or somebody cut the file short.
 */
static void
on_sigbus(int sig)
{
	static const char text[] =
	    "urlseen: the filter's file cannot be "
	    "accessed any more: full or failing disk, or it was cut short\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);

	(void)n;
	(void)sig;
	_exit(STATUS_ERROR);
}

/* Flush what a mode printed; a full disk is an error. */
static int
flush_stdout(int status)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		return complain("standard output: %s", strerror(errno));
	return status;
}

static int
show_rules(void)
{
	unsigned int i;

	for (i = 0; i < URL_RULES; i++)
		printf("%-18s %s\n", url_rule_name(i), url_rule_help(i));
	return flush_stdout(STATUS_OK);
}

static int
show_plan(const struct options *o)
{
	if (plan_show(stdout, o->capacity, o->fp_rate, o->stats == STATS_JSON) <
	    0)
		return complain("no kind can hold %" PRIu64
				" URLs at %g: ask for less",
		    o->capacity, o->fp_rate);
	return flush_stdout(STATUS_OK);
}

static int
show_info(struct run *r)
{
	struct filter_stat st;

	filter_stat(r->filter, &st);
	report_info(stdout, r->o.filter, &st, r->o.stats == STATS_JSON);
	return flush_stdout(STATUS_OK);
}

static int
verify(struct run *r)
{
	uint64_t where = 0;
	int rc = filter_verify(r->filter, &where);

	if (rc == 0)
		printf("%s: header and sums are right\n", r->o.filter);
	else if (rc > 0)
		printf("%s: header is right; not closed cleanly, so it has "
		       "no sums to check\n",
		    r->o.filter);
	if (rc >= 0)
		return flush_stdout(STATUS_OK);
	if (rc == FAULT_SYS)
		return complain("%s: %s", r->o.filter, strerror(errno));
	complain("%s: MiB %" PRIu64 " of the data is damaged: make a new "
		 "filter and --load what was printed",
	    r->o.filter, where);
	return STATUS_FAILED;
}

/* Check the base and the default scheme before anything is opened. */
static int
check_urls(const struct options *o)
{
	struct url *u = url_new(0);
	int rc = 0, status = STATUS_OK;

	if (u == NULL)
		return complain("out of memory");
	if (o->base != NULL)
		rc = url_base(u, o->base, strlen(o->base));
	if (rc < 0)
		status = complain("-b '%.200s': %s: give an absolute http or "
				  "https URL",
		    o->base, fault_str(rc));
	else if (o->default_scheme != NULL)
		rc = url_default_scheme(u, o->default_scheme);
	if (status == STATUS_OK && rc < 0)
		status = complain("--default-scheme '%.80s' is wrong: it "
				  "takes http or https",
		    o->default_scheme);
	url_free(u);
	return status;
}

static unsigned int
threads(const struct options *o)
{
	long n = o->threads != 0 ?
	    (long)(o->threads < LIMIT_THREADS ? o->threads : LIMIT_THREADS) :
	    sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > LIMIT_THREADS ? LIMIT_THREADS : (unsigned int)n;
}

static void
set_up(struct run *r, struct pipeline_options *so, uint32_t rules)
{
	const struct options *o = &r->o;
	struct batch_rules *b = &so->rules;

	memset(so, 0, sizeof *so);
	b->filter = so->filter = r->filter;
	b->rules = rules & ~FILTER_RAW;
	b->raw = (rules & FILTER_RAW) != 0;
	b->normalised = o->normalised;
	b->repeated = o->repeated;
	b->load = o->load || o->remove;
	b->remove = o->remove;
	b->pass = o->invalid == INVALID_PASS;
	b->rejects = o->rejects != NULL;
	b->field =
	    (unsigned int)(o->field < UINT32_MAX ? o->field : UINT32_MAX);
	b->separator = o->separator;
	b->end = o->zero ? '\0' : '\n';
	b->default_scheme = o->default_scheme;
	b->base = o->base;
	so->names = o->n > 0 ? o->names : r->standard_input;
	so->n = o->n > 0 ? o->n : 1;
	so->out = &r->outs.out;
	so->rejects = o->rejects != NULL ? &r->outs.rejects : NULL;
	so->threads = threads(o);
	/* a filter in memory has its room already */
	if (filter_on_disk(r->filter) > 0)
		so->memory = setup_memory(o);
	so->line_buffered = o->line_buffered;
	so->fail_invalid = o->invalid == INVALID_FAIL;
	so->kick = INTERRUPT_KICK;
	if (o->progress && !o->quiet &&
	    report_progress_start(&r->progress, stderr)) {
		so->progress = report_progress_show;
		so->progress_arg = &r->progress;
		/* it makes way for lines on a terminal */
		if (isatty(r->outs.out_fd) || isatty(r->outs.rejects_fd))
			so->yield = report_progress_yield;
	}
}

/* Say where the first invalid line was, so that none is dropped in silence. */
static void
tell_invalid(const struct pipeline_options *so, const struct pipeline *s,
    const struct options *o)
{
	const struct admit_invalid *v = pipeline_first_invalid(s);
	uint64_t n = pipeline_counts(s).invalid;

	if (v == NULL || o->quiet || o->invalid == INVALID_FAIL)
		return;
	complain("%" PRIu64 " invalid line%s %s, the first at %s:%" PRIu64
		 ": %s",
	    n, n == 1 ? "" : "s",
	    o->invalid == INVALID_PASS ? "let through" : "dropped",
	    strcmp(so->names[v->file], "-") == 0 ? "(standard input)" :
						   so->names[v->file],
	    v->line, fault_str(v->fault));
}

/* Word how the stream ended.  The status. */
static int
tell_end(struct run *r, const struct pipeline_options *so, struct pipeline *s,
    struct pipeline_result end)
{
	const struct admit_invalid *v = pipeline_first_invalid(s);
	const char *why = strerror(end.err), *in = so->names[end.file];
	char text[512];

	if (strcmp(in, "-") == 0)
		in = "(standard input)";
	switch (end.end) {
	case PIPELINE_DONE:
	case PIPELINE_STOPPED:
		return STATUS_OK;
	case PIPELINE_INVALID:
		return complain("%s:%" PRIu64 ": %s: an absolute http or "
				"https URL would be right",
		    in, v->line, fault_str(end.fault));
	case PIPELINE_ERR_INPUT:
		return complain("%s: %s", in, why);
	case PIPELINE_ERR_OUTPUT:
		if (end.err == EPIPE && !r->sigpipe_ignored) {
			r->signal = SIGPIPE;
			return STATUS_ERROR;
		}
		return complain("%s: %s", outputs_name(&r->o), why);
	case PIPELINE_ERR_REJECTS:
		return complain("%s: %s", r->o.rejects, why);
	case PIPELINE_ERR_FILTER:
		errno = end.err;
		setup_word_fault(r->o.filter != NULL ? r->o.filter :
						       "the filter",
		    end.fault, text, sizeof text);
		return complain("%s", text);
	case PIPELINE_ERR_THREAD:
		return complain("cannot start: %s", fault_str(end.fault));
	}
	return STATUS_ERROR;
}

static void
warn_overfull(const struct run *r, const struct filter_stat *st)
{
	if (!r->o.quiet && filter_overfull(r->filter))
		complain("%" PRIu64 " URLs are more than the %" PRIu64
			 " that the filter was made for: the false-positive "
			 "rate is %.3g now",
		    st->count, st->spec.capacity, st->estimated);
}

static void
tell_absent(const struct run *r, struct admit_count c)
{
	if (r->o.remove && c.seen > 0 && !r->o.quiet)
		complain("%" PRIu64 " of %" PRIu64
			 " URLs were not in %s and were skipped",
		    c.seen, c.new + c.seen, r->o.filter);
}

static void
stop_pipeline(void *arg)
{
	pipeline_stop(arg);
}

/* Run the stream with signals looked after.  The status. */
static int
run_pipeline(struct run *r, uint32_t rules)
{
	struct pipeline_options so;
	struct pipeline_result end;
	struct filter_stat st;
	struct interrupt in;
	struct pipeline *s;
	double started = report_now();
	int status, sig;

	set_up(r, &so, rules);
	s = pipeline_new(&so);
	if (s == NULL)
		return complain("out of memory");
	if (interrupt_start(&in, stop_pipeline, s) < 0) {
		pipeline_free(s);
		return complain("cannot start a thread: %s", strerror(errno));
	}
	end = pipeline_run(s);
	sig = interrupt_end(&in);
	if (so.progress != NULL)
		report_progress_end(&r->progress);
	status = tell_end(r, &so, s, end);
	if (sig != 0)
		r->signal = sig;
	tell_invalid(&so, s, &r->o);
	filter_stat(r->filter, &st);
	warn_overfull(r, &st);
	tell_absent(r, pipeline_counts(s));
	if (r->o.stats != STATS_NONE) {
		struct admit_count c = pipeline_counts(s);

		report_stats(stderr, &c, &st, report_now() - started, &r->o);
	}
	pipeline_free(s);
	return status;
}

/* Close what we opened; an error here is an error of the run. */
static int
close_all(struct run *r, int status)
{
	char err[1024];

	if (r->o.filter == NULL) /* nobody will read it again */
		filter_abandon(r->filter);
	else if (filter_close(r->filter) < 0)
		status = complain("%s: %s", r->o.filter, strerror(errno));
	if (outputs_close(&r->outs, &r->o, err, sizeof err) < 0)
		status = complain("%s", err);
	return status;
}

static int
filter_lines(struct run *r)
{
	uint32_t rules = filter_spec(r->filter)->rules;
	char err[1024];
	int status;

	if ((rules & FILTER_RAW) && (r->o.normalised || r->o.base)) {
		complain("%s was made with -r: it goes without -N and -b",
		    r->o.filter);
		return close_all(r, STATUS_ERROR);
	}
	if (outputs_open(&r->outs, &r->o, err, sizeof err) < 0)
		status = complain("%s", err);
	else
		status = run_pipeline(r, rules);
	return close_all(r, status);
}

static int
run(struct run *r)
{
	char err[1024];
	int status, rc;

	if (check_urls(&r->o) != STATUS_OK)
		return STATUS_ERROR;
	if (outputs_check_inputs(&r->o, err, sizeof err) < 0)
		return complain("%s", err);
	rc = setup_filter(&r->filter, &r->o, err, sizeof err);
	if (rc < 0) {
		status = complain("%s", err);
		/* to find that is what --verify is for */
		if (r->o.mode == MODE_VERIFY &&
		    (rc == FAULT_DAMAGED || rc == FAULT_TRUNCATED))
			status = STATUS_FAILED;
		return status;
	}
	if (r->o.mode == MODE_FILTER)
		return filter_lines(r);
	status = r->o.mode == MODE_INFO ? show_info(r) : verify(r);
	filter_abandon(r->filter);
	return status;
}

/* SIGPIPE becomes EPIPE, SIGBUS a message.  1 if SIGPIPE was ignored before. */
static int
set_signals(void)
{
	struct sigaction act, old;

	memset(&act, 0, sizeof act);
	act.sa_handler = on_sigbus;
	sigaction(SIGBUS, &act, NULL);
	act.sa_handler = SIG_IGN;
	sigaction(SIGXFSZ, &act, NULL);
	sigaction(SIGPIPE, &act, &old);
	return old.sa_handler == SIG_IGN;
}

int
main(int argc, char **argv)
{
	struct run r;
	char err[512];
	int status;

	if (file_fill_std() < 0)
		return STATUS_ERROR; /* nor could we say so */
	memset(&r, 0, sizeof r);
	outputs_init(&r.outs);
	r.dash[0] = '-';
	r.standard_input[0] = r.dash;
	r.sigpipe_ignored = set_signals();
	if (options_parse(&r.o, argc, argv, err, sizeof err) < 0)
		return complain("%s", err);
	switch (r.o.mode) {
	case MODE_HELP:
		options_help(stdout);
		return flush_stdout(STATUS_OK);
	case MODE_VERSION:
		puts("urlseen " PACKAGE_VERSION);
		return flush_stdout(STATUS_OK);
	case MODE_RULES:
		return show_rules();
	case MODE_COMPLETION:
		options_completion(&r.o, stdout);
		return flush_stdout(STATUS_OK);
	case MODE_MERGE:
		if (merge_files(&r.o, err, sizeof err) < 0)
			return complain("%s", err);
		return STATUS_OK;
	case MODE_PLAN:
		return show_plan(&r.o);
	case MODE_FILTER:
	case MODE_INFO:
	case MODE_VERIFY:
		break;
	}
	status = run(&r);
	if (r.signal != 0)
		interrupt_die(r.signal);
	return status;
}
