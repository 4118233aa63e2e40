/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "dedup/input.h"
#include "tests/tap.h"

static int
never_idle(void *arg)
{
	(void)arg;
	return -1;
}

/* A file with `n' bytes, named in `name' (a template for mkstemp()). */
static void
put_file(char *name, const char *s, size_t n)
{
	int fd = mkstemp(name);

	if (fd < 0 || write(fd, s, n) != (ssize_t)n)
		exit(1);
	close(fd);
}

/* All batches of `names', glued together.  Bytes, or 0 on a fault. */
static size_t
read_all(char *const *names, unsigned int n, char *out, size_t size,
    unsigned int *batches, int *odd)
{
	static char data[INPUT_ROOM];
	struct input_idle idle = { never_idle, NULL, -1 };
	struct input *in = input_new(names, n, '\n', &idle);
	struct input_batch b;
	size_t len = 0;
	int rc, in_long = 0;

	*batches = 0;
	*odd = 0;
	b.data = data;
	while ((rc = input_next(in, &b)) > 0) {
		if (len + b.len > size)
			exit(1);
		memcpy(out + len, b.data, b.len);
		len += b.len;
		++*batches;
		*odd += b.starts_long != in_long;
		*odd += b.len == 0;
		*odd += !b.ends_long && b.data[b.len - 1] != '\n';
		in_long = b.ends_long;
	}
	input_free(in);
	return rc < 0 ? 0 : len;
}

static void
files(struct tap *t)
{
	char a[] = "input-XXXXXX", b[] = "input-XXXXXX", c[] = "input-XXXXXX";
	char *names[] = { a, b, c };
	char out[64];
	unsigned int batches;
	size_t n;
	int odd;

	put_file(a, "one\ntwo", 7);
	put_file(b, "", 0);
	put_file(c, "three\n\n", 7);
	n = read_all(names, 3, out, sizeof out, &batches, &odd);
	tap_ok(t,
	    n == 15 && memcmp(out, "one\ntwo\nthree\n\n", 15) == 0 && !odd,
	    "a file's last line ends with the file");
	tap_ok(t, batches == 2, "a batch is of one file");
	unlink(a);
	unlink(b);
	unlink(c);
}

/* Lines of every length round the limits come out as they went in. */
static void
lengths(struct tap *t)
{
	static const size_t around[] = { LIMIT_LINE, LIMIT_INPUT,
		LIMIT_INPUT + LIMIT_LINE, 3 * LIMIT_INPUT };
	char name[] = "input-XXXXXX";
	char *names[] = { name };
	size_t size = 8 * LIMIT_INPUT, i, d, len, n;
	char *in = malloc(size), *out = malloc(size);
	unsigned int batches;
	int odd, good = 1;

	for (i = 0; i < 4; i++) {
		for (d = 0; d < 7; d++) {
			len = around[i] + d - 3;
			memset(in, 'x', len);
			memcpy(in, "a\n", 2);
			memcpy(in + len, "\nb\n", 3);
			memcpy(name, "input-XXXXXX", sizeof name);
			put_file(name, in, len + 3);
			n = read_all(names, 1, out, size, &batches, &odd);
			good = good && n == len + 3 && !odd &&
			    memcmp(in, out, n) == 0;
			if (!good)
				tap_diag("length %zu", len);
			unlink(name);
		}
	}
	tap_ok(t, good, "lines of all lengths come out as they went in");
	free(in);
	free(out);
}

/* A line longer than any buffer, without an end. */
static void
endless(struct tap *t)
{
	char name[] = "input-XXXXXX";
	char *names[] = { name };
	size_t size = 20 * LIMIT_INPUT, n;
	char *in = malloc(size), *out = malloc(size + 1);
	unsigned int batches;
	int odd;

	memset(in, 'y', size);
	put_file(name, in, size);
	n = read_all(names, 1, out, size + 1, &batches, &odd);
	tap_ok(t, n == size + 1 && out[size] == '\n' && !odd,
	    "a line without an end comes in pieces and gets one");
	unlink(name);
	free(in);
	free(out);
}

static void
faults(struct tap *t)
{
	char good[] = "input-XXXXXX", bad[] = "no/such/file";
	char *names[] = { good, bad };
	static char data[INPUT_ROOM];
	struct input_idle idle = { never_idle, NULL, -1 };
	struct input_batch b;
	struct input *in;

	put_file(good, "x\n", 2);
	in = input_new(names, 2, '\n', &idle);
	b.data = data;
	tap_ok(t,
	    input_next(in, &b) == 1 && input_next(in, &b) == FAULT_SYS &&
		errno == ENOENT && b.file == 1,
	    "a file that is not there is named");
	input_free(in);
	in = input_new(names, 1, '\n', &idle);
	input_stop(in);
	tap_ok(t, input_next(in, &b) == 0, "after a stop there is no more");
	input_free(in);
	unlink(good);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	files(&t);
	lengths(&t);
	endless(&t);
	faults(&t);
	return tap_done(&t);
}
