/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dedup/live.h"

#define COLUMNS 80 /* of a terminal that does not tell */

void
live_start(struct live *l, FILE *out)
{
	const char *term = getenv("TERM");

	l->up = 0;
	l->out = out;
	if (!isatty(fileno(out)) || (term != NULL && strcmp(term, "dumb") == 0))
		l->out = NULL;
}

size_t
live_room(const struct live *l)
{
	struct winsize w;
	size_t n = COLUMNS;

	if (l->out == NULL)
		return 1;
	if (ioctl(fileno(l->out), TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		n = w.ws_col;
	/* The last column stays empty, so that no line wraps. */
	return n < LIVE_LINE ? n : LIVE_LINE;
}

void
live_part(char *line, size_t size, const char *fmt, ...)
{
	size_t len = strlen(line);
	char text[LIVE_LINE];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof text)
		return;
	if (len + (len > 0 ? 2 : 0) + (size_t)n < size)
		(void)snprintf(line + len, size - len, "%s%s",
		    len > 0 ? "  " : "", text);
}

/* 1 if the terminal is another's now; it has our line, or wrote over it. */
static int
behind(struct live *l)
{
	pid_t front = tcgetpgrp(fileno(l->out));

	/* below 0: not our controlling terminal, so nobody takes turns */
	if (front < 0 || front == getpgrp())
		return 0;
	l->up = 0;
	return 1;
}

void
live_draw(struct live *l, const char *line)
{
	if (l->out == NULL || behind(l))
		return;
	l->up = 1;
	fprintf(l->out, "\r\033[K%s", line);
	fflush(l->out);
}

void
live_clear(struct live *l)
{
	if (l->out == NULL || !l->up || behind(l))
		return;
	l->up = 0;
	fputs("\r\033[K", l->out);
	fflush(l->out);
}
