/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlstatus.c - crawl --status: how far is it?
 *
 * A crawl writes its counters to DIR/status each second; who has the lock
 * says whether it still runs.  Lines that we don't know are passed over.
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crawler/crawlmodes.h"
#include "crawler/crawlrun.h"
#include "snapshot/atomicfile.h"
#include "snapshot/statedir.h"

#define STATUS_MOST 65536 /* bytes */

struct status {
	char state[16];
	pid_t pid; /* of who has the lock, 0 = nobody */
	uint64_t v[20];
};

/* In the order in which they are shown. */
static const struct {
	const char *name;
	const char *label; /* NULL: only in JSON */
} field[] = {
	{ "time", NULL },
	{ "started", NULL },
	{ "admitted", "URLs met" },
	{ "done", "pages done" },
	{ "failed", "pages failed" },
	{ "dropped", "left out" },
	{ "queued", "queued" },
	{ "flight", "in flight" },
	{ "hosts", "hosts" },
	{ "active", "with URLs" },
	{ "dead", "given up" },
	{ "bytes", "bytes" },
	{ "run_pages", "pages this run" },
	{ "run_bytes", NULL },
	{ "seen", "in the seen set" },
	{ "snapshot", "last snapshot" },
	{ "paused", NULL },
};

#define FIELDS (sizeof field / sizeof field[0])

static void
read_line(struct status *s, char *line)
{
	char *value = strchr(line, ' ');
	size_t i;

	if (value == NULL)
		return;
	*value++ = '\0';
	if (strcmp(line, "state") == 0)
		(void)snprintf(s->state, sizeof s->state, "%s", value);
	for (i = 0; i < FIELDS; i++)
		if (strcmp(line, field[i].name) == 0)
			s->v[i] = strtoull(value, NULL, 10);
}

static int
read_file(struct status *s, struct statedir *d, const char *dir)
{
	char *text = malloc(STATUS_MOST + 1), *line, *end;
	long n;

	if (text == NULL)
		return crawlsay("out of memory");
	n = atomicfile_read(statedir_fd(d), CORE_STATUS, text, STATUS_MOST);
	if (n < 0 && !(n == FAULT_SYS && errno == ENOENT)) {
		free(text);
		return crawlsay("%s/" CORE_STATUS ": %s", dir,
		    n == FAULT_SYS ? strerror(errno) : fault_str((int)n));
	}
	text[n < 0 ? 0 : n] = '\0';
	for (line = text; line != NULL; line = end) {
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		read_line(s, line);
	}
	free(text);
	return 0;
}

static uint64_t
value(const struct status *s, const char *name)
{
	size_t i;

	for (i = 0; i < FIELDS; i++)
		if (strcmp(field[i].name, name) == 0)
			return s->v[i];
	return 0;
}

/* What the file says, seen in the light of who has the lock. */
static void
judge(struct status *s)
{
	const char *state = s->state;

	if (state[0] == '\0')
		state = s->pid != 0 ? "starting" : "empty";
	else if (s->pid == 0 && strcmp(state, "running") == 0)
		state = "killed";
	else if (s->pid != 0 && strcmp(state, "running") != 0)
		state = "starting";
	else if (s->pid != 0 && value(s, "paused") != 0)
		state = "paused";
	if (state != s->state)
		(void)snprintf(s->state, sizeof s->state, "%s", state);
}

static void
show_json(const struct status *s)
{
	size_t i;

	printf("{\"state\":\"%s\",\"pid\":", s->state);
	if (s->pid != 0)
		printf("%ld", (long)s->pid);
	else
		fputs("null", stdout);
	for (i = 0; i < FIELDS; i++)
		printf(",\"%s\":%" PRIu64, field[i].name, s->v[i]);
	fputs("}\n", stdout);
}

static void
show_text(const struct status *s)
{
	time_t at = (time_t)(value(s, "time") / 1000);
	uint64_t ms = value(s, "time") - value(s, "started");
	char when[32];
	struct tm tm;
	size_t i;

	printf("%-16s %s", "state", s->state);
	if (s->pid != 0)
		printf(" (process %ld)", (long)s->pid);
	putchar('\n');
	if (at > 0 && localtime_r(&at, &tm) != NULL &&
	    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm) > 0)
		printf("%-16s %s\n", "as of", when);
	for (i = 0; i < FIELDS; i++)
		if (field[i].label != NULL)
			printf("%-16s %" PRIu64 "\n", field[i].label, s->v[i]);
	if (ms > 0)
		printf("%-16s %.1f pages a second\n", "rate",
		    (double)value(s, "run_pages") * 1000 / (double)ms);
}

int
crawlmodes_status(const struct crawlopts *o, const char *dir)
{
	struct statedir *d;
	struct status s;
	int rc;

	rc = statedir_open(&d, dir, STATEDIR_LOOK, NULL);
	if (rc < 0)
		return crawlsay_dir(dir, rc);
	memset(&s, 0, sizeof s);
	rc = statedir_holder(d, &s.pid);
	if (rc <= 0)
		s.pid = 0;
	rc = read_file(&s, d, dir);
	statedir_close(d);
	if (rc != 0)
		return rc;
	judge(&s);
	if (o->json)
		show_json(&s);
	else
		show_text(&s);
	if (fflush(stdout) != 0 || ferror(stdout))
		return crawlsay("standard output: %s", strerror(errno));
	return CRAWL_OK;
}
