/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/archiveframe.h"
#include "crawler/httphead.h"

void
archiveframe_add(struct archiveframes *l, struct archiveframe *f)
{
	f->next = NULL;
	if (l->tail == NULL)
		l->head = f;
	else
		l->tail->next = f;
	l->tail = f;
}

void
archiveframe_join(struct archiveframes *a, struct archiveframes *b)
{
	if (b->head == NULL)
		return;
	if (a->tail == NULL)
		a->head = b->head;
	else
		a->tail->next = b->head;
	a->tail = b->tail;
	b->head = b->tail = NULL;
}

void
archiveframe_free(struct archiveframes *l)
{
	struct archiveframe *f;

	while (l->head != NULL) {
		f = l->head;
		l->head = f->next;
		free(f);
	}
	l->tail = NULL;
}

struct archiveframe *
archiveframe_new(const struct buf *packed, const struct warc_capture *c)
{
	size_t url_len = c == NULL ? 0 : c->url_len, mime = 0;
	char type[128];
	struct archiveframe *f;

	if (c != NULL)
		mime = httphead_type(c->head, c->head_len, type, sizeof type);
	f = malloc(sizeof *f + packed->len + url_len + mime);
	if (f == NULL)
		return NULL;
	memset(f, 0, sizeof *f);
	f->bytes = (char *)(f + 1);
	f->len = packed->len;
	memcpy(f->bytes, packed->s, packed->len);
	if (c == NULL)
		return f;
	f->line.url = memcpy(f->bytes + f->len, c->url, url_len);
	f->line.url_len = url_len;
	f->line.mime = f->line.url + url_len;
	memcpy(f->bytes + f->len + url_len, type, mime);
	f->line.mime_len = mime;
	f->line.start_us = c->start_us;
	f->line.status = httphead_status(c->head, c->head_len);
	return f;
}

int
archiveframe_write(struct archiveframe *f, struct archivefile *file)
{
	uint64_t at = file->end;
	int rc = archivefile_write(file, f->bytes, f->len);

	if (rc < 0)
		return rc;
	if (f->file != NULL)
		f->file->waiting--;
	file->waiting++;
	f->file = file;
	f->offset = at;
	if (f->at == NULL)
		return 0;
	memcpy(f->at->file, file->name, sizeof f->at->file);
	f->at->offset = at;
	f->at->length = f->len;
	return 0;
}

int
archiveframe_sync(const struct archiveframes *l, struct archivefile **bad)
{
	struct archivefile *last = NULL;
	struct archiveframe *f;

	for (f = l->head; f != NULL; f = f->next) {
		if (f->file == last)
			continue;
		last = f->file;
		*bad = last;
		if (last->bad || archivefile_sync(last) < 0)
			return FAULT_SYS;
	}
	return 0;
}

void
archiveframe_index(const struct archiveframes *l, struct buf *scratch)
{
	struct archivefile *file = NULL;
	struct archiveframe *f;
	int rc = 0;

	for (f = l->head; f != NULL; f = f->next) {
		if (f->file != file) {
			if (file != NULL)
				archivefile_index(file, scratch, rc);
			file = f->file;
			rc = 0;
		}
		if (f->line.url == NULL || rc < 0)
			continue;
		f->line.offset = f->offset;
		f->line.length = f->len;
		f->line.file = f->file->name;
		rc = cdxj_line(scratch, &f->line);
	}
	if (file != NULL)
		archivefile_index(file, scratch, rc);
	buf_clear(scratch);
}
