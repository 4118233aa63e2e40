/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * tsv.h - tables of test rows
 *
 * A row a line, columns between tabs, "#" comments.  In a column \\ \t \n \r
 * and \xNN stand for the bytes they name, so a column can hold any bytes and
 * has a length of its own.  Only tests include this.
 */

#ifndef TESTS_TSV_H
#define TESTS_TSV_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TSV_COLUMNS 8

struct tsv {
	FILE *in;
	char *line; /* of getline(); the columns lie in it, unescaped */
	size_t cap;
	unsigned int row; /* number of the line, from 1 */
	size_t n;         /* columns */
	char *col[TSV_COLUMNS];
	size_t len[TSV_COLUMNS];
};

/* 0, or -1 with errno if there is no such file. */
static inline int
tsv_open(struct tsv *t, const char *dir, const char *name)
{
	char path[8192];

	memset(t, 0, sizeof *t);
	snprintf(path, sizeof path, "%s/%s", dir, name);
	t->in = fopen(path, "r");
	return t->in == NULL ? -1 : 0;
}

static inline void
tsv_close(struct tsv *t)
{
	if (t->in != NULL)
		fclose(t->in);
	free(t->line);
}

/* Unescape `s' in place.  The length. */
static inline size_t
tsv_unescape(char *s)
{
	unsigned int byte;
	char *from, *to = s;

	for (from = s; *from != '\0'; from++) {
		if (*from != '\\') {
			*to++ = *from;
			continue;
		}
		from++;
		if (*from == 'x' && sscanf(from + 1, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			from += 2;
		} else if (*from == 't') {
			*to++ = '\t';
		} else if (*from == 'n') {
			*to++ = '\n';
		} else if (*from == 'r') {
			*to++ = '\r';
		} else {
			*to++ = *from;
		}
	}
	return (size_t)(to - s);
}

/* The next row: 1, or 0 at the end. */
static inline int
tsv_next(struct tsv *t)
{
	ssize_t len;
	char *p, *tab;

	do {
		len = getline(&t->line, &t->cap, t->in);
		if (len < 0)
			return 0;
		t->row++;
		if (t->line[len - 1] == '\n')
			t->line[--len] = '\0';
	} while (len == 0 || t->line[0] == '#');
	p = t->line;
	for (t->n = 0; t->n < TSV_COLUMNS && p != NULL; t->n++) {
		tab = strchr(p, '\t');
		if (tab != NULL)
			*tab++ = '\0';
		t->col[t->n] = p;
		t->len[t->n] = tsv_unescape(p);
		p = tab;
	}
	return 1;
}

/* Print bytes with escapes, as a table has them, for a diagnosis. */
static inline void
tsv_print(FILE *out, const char *s, size_t len)
{
	for (; len > 0; s++, len--)
		if (*s == '\\')
			fputs("\\\\", out);
		else if (*s >= ' ' && *s <= '~')
			putc(*s, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*s);
}

#endif
