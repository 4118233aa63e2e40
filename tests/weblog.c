/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "tests/weblog.h"

uint64_t
weblog_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* A field: nothing in it may pass for a tab or a line's end. */
static void
put_field(struct webbuf *b, const char *s, unsigned char least)
{
	unsigned char c;

	for (; *s != '\0'; s++) {
		c = (unsigned char)*s;
		if (c < least || c == 0x7f)
			webbuf_fmt(b, "\\x%02x", c);
		else
			webbuf_byte(b, *s);
	}
	webbuf_byte(b, '\t');
}

void
weblog_add(struct weblog *l, uint64_t us, const struct webhttp *r, int status,
    unsigned long conn, uint32_t addr, const char *fate)
{
	struct webbuf *b = &l->buf;

	if (l->fd < 0)
		return;
	webbuf_fmt(b, "%" PRIu64 ".%03u\t", us / 1000,
	    (unsigned int)(us % 1000));
	put_field(b, r->host, '!');
	put_field(b, r->method, '!');
	put_field(b, r->target, '!');
	webbuf_fmt(b, "%d\t", status);
	put_field(b, r->agent, ' ');
	webbuf_fmt(b, "%lu\t%u.%u.%u.%u\t%s\n", conn, addr >> 24,
	    addr >> 16 & 255, addr >> 8 & 255, addr & 255, fate);
}

int
weblog_flush(struct weblog *l)
{
	size_t done = 0;
	ssize_t n;

	while (done < l->buf.len) {
		n = write(l->fd, l->buf.s + done, l->buf.len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	if (l->buf.failed) {
		errno = ENOMEM;
		return -1;
	}
	webbuf_clear(&l->buf);
	return 0;
}
