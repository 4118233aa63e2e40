/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawloptsfile.c - options from DIR/config and DIR/crawl.conf
 */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/core.h"
#include "crawler/crawlopts.h"
#include "dedup/optable.h"
#include "snapshot/atomicfile.h"
#include "snapshot/limits.h"

/* What has no place in a file: modes, and which file that would be. */
static int
misplaced(const struct crawlopts *o, const struct crawlopts *before)
{
	return o->mode != before->mode || o->dir != before->dir ||
	    o->file != before->file || o->base != before->base;
}

/* One line of a file: 0, or FAULT_ARG and why. */
static int
parse_plain(struct crawlopts *o, char *line, char *why, size_t size)
{
	struct crawlopts before = *o;
	size_t len = strcspn(line, " \t\r=");

	if (len == 0)
		return optable_wrong(why, size,
		    "there is no name before the '=': it takes NAME = VALUE");
	if (optable_line(&crawlopts_table, o, line, why, size) < 0)
		return FAULT_ARG;
	if (misplaced(o, &before))
		return optable_wrong(why, size,
		    "%.*s is for the command line: leave it out here", (int)len,
		    line);
	return crawlopts_check(o, why, size);
}

/* In DIR/config "was = LINE" says what the last run went by. */
static int
parse_one(struct crawlopts *o, char *line, char *why, size_t size)
{
	static const char was[] = "was = ";
	int rc;

	if (o->level != CRAWLOPTS_CONFIG ||
	    strncmp(line, was, sizeof was - 1) != 0)
		return parse_plain(o, line, why, size);
	if (!o->whole)
		return 0;
	o->level = CRAWLOPTS_TUNING;
	rc = parse_plain(o, line + sizeof was - 1, why, size);
	o->level = CRAWLOPTS_CONFIG;
	return rc;
}

/* The next line of `s' that says something, from its first word on, without
   its end: NULL if there is none.  `s' is moved and cut up. */
static char *
next_line(char **s, unsigned int *number)
{
	char *line;

	while (*s != NULL) {
		line = *s;
		*s = strchr(line, '\n');
		if (*s != NULL)
			*(*s)++ = '\0';
		++*number;
		line += strspn(line, " \t\r");
		if (*line != '\0' && *line != '#')
			return line;
	}
	return NULL;
}

/* Has `text' that line?  It is not cut up. */
static int
has_line(const char *text, const char *line)
{
	size_t n = strlen(line);

	while (text != NULL) {
		text += strspn(text, " \t\r");
		if (strncmp(text, line, n) == 0 &&
		    (text[n] == '\n' || text[n] == '\0'))
			return 1;
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return 0;
}

/* Read the lines of `text', which is cut up, but those that `had' has. */
static int
parse_text(struct crawlopts *o, const char *file, char *text, const char *had,
    char *err, size_t size)
{
	unsigned int number = 0;
	char *line, why[400];

	for (;;) {
		line = next_line(&text, &number);
		if (line == NULL)
			return 0;
		if (has_line(had, line))
			continue;
		if (parse_one(o, line, why, sizeof why) < 0)
			return optable_wrong(err, size, "%s:%u: %s", file,
			    number, why);
	}
}

int
crawlopts_file(struct crawlopts *o, int dirfd, const char *file,
    enum crawlopts_level level, char *err, size_t size)
{
	char *text;
	long n;

	if (o->texts == CRAWLOPTS_TEXTS)
		return FAULT_FULL;
	text = malloc(LIMIT_CONFIG + 1);
	if (text == NULL)
		return optable_wrong(err, size, "out of memory");
	n = atomicfile_read(dirfd, file, text, LIMIT_CONFIG);
	if (n == FAULT_SYS && errno == ENOENT) {
		free(text);
		return 0;
	}
	o->text[o->texts++] = text;
	if (n < 0)
		return optable_wrong(err, size, "%s: %s", file,
		    fault_why((int)n));
	text[n] = '\0';
	if (level == CRAWLOPTS_TUNING) {
		free(o->tuning);
		o->tuning = strdup(text);
		if (o->tuning == NULL)
			return optable_wrong(err, size, "out of memory");
	}
	o->level = level;
	if (level == CRAWLOPTS_CONFIG && n > 0 &&
	    (text[n - 1] != '\n' || !has_line(text, CRAWLOPTS_END)))
		return optable_wrong(err, size,
		    "%s: its end is cut off: restore it from a copy, or "
		    "begin again with another -d DIR",
		    file);
	return parse_text(o, file, text, NULL, err, size);
}

int
crawlopts_again(struct crawlopts *o, const struct crawlopts *start, char *err,
    size_t size)
{
	char *text;

	if (o->tuning == NULL)
		return 0;
	if (o->texts == CRAWLOPTS_TEXTS)
		return FAULT_FULL;
	text = strdup(o->tuning);
	if (text == NULL)
		return optable_wrong(err, size, "out of memory");
	o->text[o->texts++] = text;
	o->level = CRAWLOPTS_AGAIN;
	return parse_text(o, CORE_TUNING, text,
	    start->tuning == NULL ? "" : start->tuning, err, size);
}
