/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/extractfile.h"

#define FIRST_ROOM ((size_t)64 * 1024)

/* A whole input in memory. */
struct body {
	char *s;
	size_t len;
	size_t room;
};

/* Read up to `max' bytes; `more' says whether there are others. */
static int
slurp(FILE *in, uint64_t max, struct body *b, int *more)
{
	size_t want;
	char *s;

	*more = 0;
	do {
		if (b->len == b->room) {
			b->room = b->room == 0 ? FIRST_ROOM : 2 * b->room;
			s = realloc(b->s, b->room);
			if (s == NULL)
				return FAULT_NOMEM;
			b->s = s;
		}
		want = b->room - b->len;
		if (want > max - b->len)
			want = (size_t)(max - b->len);
		b->len += fread(b->s + b->len, 1, want, in);
	} while (b->len < max && !feof(in) && !ferror(in));
	if (b->len == max && !ferror(in))
		*more = getc(in) != EOF;
	return ferror(in) ? FAULT_SYS : 0;
}

static int
print(const struct extract_result *r, FILE *out)
{
	const struct extract_link *l;
	size_t i;

	for (i = 0; i < r->links; i++) {
		l = &r->link[i];
		fwrite(l->url.s, 1, l->url.len, out);
		fprintf(out, "\t%s %s\n", l->element, l->attribute);
	}
	return fflush(out) != 0 || ferror(out) ? FAULT_SYS : 0;
}

int
extractfile_run(const struct extractfile *f, FILE *in, FILE *out,
    struct extractfile_end *end)
{
	struct extract *x;
	struct body b = { NULL, 0, 0 };
	int rc = FAULT_NOMEM;

	memset(end, 0, sizeof *end);
	x = extract_new(&f->options);
	if (x == NULL)
		goto out;
	rc = extract_begin(x, f->base, strlen(f->base), f->want);
	if (rc == 0)
		rc = slurp(in, f->max, &b, &end->cut_input);
	if (rc == 0 && f->type != NULL)
		rc = extract_header(x, "content-type", 12, f->type,
		    strlen(f->type));
	if (rc == 0)
		rc = extract_html(x, b.s, b.len);
	if (rc == 0)
		rc = extract_end(x, &end->result);
	if (rc == 0)
		rc = print(&end->result, out);
out:
	free(b.s);
	extract_free(x);
	return rc;
}
