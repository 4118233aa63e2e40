/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-main.c - runs a fuzz target without libFuzzer
 *
 * Usage: fuzz-NAME [-n N] [-s SEED] [-m MAX] [-d DICT] [FILE | FOLDER]...
 *
 * Every file named (and every file of a folder named) is handed to
 * LLVMFuzzerTestOneInput() once; then come N inputs that are mutated from
 * them, the same ones for the same SEED.  DICT is a dictionary as AFL and
 * libFuzzer read it ("token" or name="token", a line each).
 *
 * The target runs in a child process, and each input is put into memory that
 * we share with it before the target sees it.  So whatever ends the child (a
 * signal, a sanitizer, the kernel), we still hold the input and save it as
 * crash-NAME in $TMPDIR, or here.  Handing that file to the same program
 * replays it.  An input that takes longer than DEADLINE counts as a crash.
 */

#include "config.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz.h"

#define DEADLINE  60        /* seconds for one input */
#define MAX_BYTES (1 << 20) /* bytes: longer corpus files are cut off */
#define MAX_FILES 4096      /* corpus files, dictionary tokens */
#define MAX_TOKEN 64        /* bytes of a dictionary token */
#define MAX_STEPS 8         /* mutations on top of each other */

struct bytes {
	unsigned char *s;
	size_t len;
};

struct list {
	struct bytes at[MAX_FILES];
	size_t n;
};

/* What the parent can still read when the child is gone. */
struct shared {
	uint64_t runs;
	size_t len;
	unsigned char s[MAX_BYTES];
};

struct fuzz {
	const char *name;
	uint64_t n;     /* mutated inputs to run */
	uint64_t seed;  /* as given */
	uint64_t state; /* of the generator */
	size_t max;     /* bytes of a mutated input */
	struct list corpus;
	struct list dict;
	struct shared *sh;
};

static void
die(const char *what, const char *which)
{
	fprintf(stderr, "fuzz: %s: %s: %s\n", which, what, strerror(errno));
	exit(2);
}

/* splitmix64: any seed will do. */
static uint64_t
rnd(struct fuzz *f)
{
	uint64_t z = f->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Below `n'; the bias does not matter here. */
static size_t
below(struct fuzz *f, size_t n)
{
	return n == 0 ? 0 : (size_t)(rnd(f) % n);
}

static void
add(struct list *l, const void *s, size_t len)
{
	unsigned char *copy;

	if (l->n == MAX_FILES)
		return;
	copy = malloc(len + 1);
	if (copy == NULL)
		die("no memory", "corpus");
	memcpy(copy, s, len);
	l->at[l->n].s = copy;
	l->at[l->n].len = len;
	l->n++;
}

static void
load_file(struct list *l, const char *path)
{
	unsigned char *buf = malloc(MAX_BYTES);
	FILE *in = fopen(path, "rb");
	size_t len;

	if (buf == NULL || in == NULL)
		die("can't read", path);
	len = fread(buf, 1, MAX_BYTES, in);
	if (ferror(in))
		die("can't read", path);
	fclose(in);
	add(l, buf, len);
	free(buf);
}

static int
visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* A file, or the files of a folder in the order of their names. */
static void
load(struct list *l, const char *path)
{
	struct dirent **e;
	struct stat st;
	char file[4096];
	int i, n;

	if (stat(path, &st) != 0)
		die("can't stat", path);
	if (!S_ISDIR(st.st_mode)) {
		load_file(l, path);
		return;
	}
	n = scandir(path, &e, visible, alphasort);
	if (n < 0)
		die("can't list", path);
	for (i = 0; i < n; i++) {
		snprintf(file, sizeof file, "%s/%s", path, e[i]->d_name);
		if (stat(file, &st) == 0 && S_ISREG(st.st_mode))
			load_file(l, file);
		free(e[i]);
	}
	free(e);
}

/* The token between the first and the last quote of a dictionary line. */
static void
add_token(struct list *l, const char *line)
{
	const char *p = strchr(line, '"'), *end = strrchr(line, '"');
	unsigned char tok[MAX_TOKEN];
	unsigned int byte;
	size_t n = 0;

	if (line[0] == '#' || p == NULL || p == end)
		return;
	for (p++; p < end && n < sizeof tok; p++) {
		if (*p == '\\' && p[1] == 'x' &&
		    sscanf(p + 2, "%2x", &byte) == 1) {
			tok[n++] = (unsigned char)byte;
			p += 3;
			continue;
		}
		if (*p == '\\')
			p++;
		tok[n++] = (unsigned char)*p;
	}
	add(l, tok, n);
}

static void
load_dict(struct list *l, const char *path)
{
	FILE *in = fopen(path, "r");
	char line[4 * MAX_TOKEN + 256];

	if (in == NULL)
		die("can't read", path);
	while (fgets(line, sizeof line, in) != NULL)
		add_token(l, line);
	fclose(in);
}

/* Put `n' bytes in at `at', as many of them as there is room for. */
static void
insert(struct fuzz *f, struct bytes *b, size_t at, const unsigned char *s,
    size_t n)
{
	if (n > f->max - b->len)
		n = f->max - b->len;
	memmove(b->s + at + n, b->s + at, b->len - at);
	memcpy(b->s + at, s, n);
	b->len += n;
}

static void
cut(struct bytes *b, size_t at, size_t n)
{
	memmove(b->s + at, b->s + at + n, b->len - at - n);
	b->len -= n;
}

/* A piece of some file goes in at some place. */
static void
splice(struct fuzz *f, struct bytes *b)
{
	const struct bytes *o = &f->corpus.at[below(f, f->corpus.n)];
	size_t from, at = below(f, b->len + 1);

	if (f->corpus.n == 0)
		return;
	from = below(f, o->len);
	insert(f, b, at, o->s + from, below(f, o->len - from + 1));
}

/* A token goes in, or over what is there. */
static void
word(struct fuzz *f, struct bytes *b)
{
	const struct bytes *o = &f->dict.at[below(f, f->dict.n)];
	size_t at = below(f, b->len + 1);

	if (f->dict.n == 0)
		return;
	if (rnd(f) & 1 && o->len <= b->len - at)
		memcpy(b->s + at, o->s, o->len);
	else
		insert(f, b, at, o->s, o->len);
}

static void
mutate(struct fuzz *f, struct bytes *b)
{
	size_t at = below(f, b->len + 1);
	unsigned char c = (unsigned char)rnd(f);

	switch (rnd(f) % 8) {
	case 0:
		if (at < b->len)
			b->s[at] ^= (unsigned char)(1 << c % 8);
		break;
	case 1:
		if (at < b->len)
			b->s[at] = c;
		break;
	case 2:
		insert(f, b, at, &c, 1);
		break;
	case 3:
		cut(b, at, below(f, b->len - at + 1) >> c % 16);
		break;
	case 4:
		splice(f, b);
		break;
	case 5:
	case 6:
		word(f, b);
		break;
	default: /* a piece of itself again */
		if (at < b->len)
			insert(f, b, at, b->s, 1 + below(f, at) % 32);
		break;
	}
}

/* One input: shared first, then run on a copy of exactly its size. */
static void
run(struct fuzz *f, const unsigned char *s, size_t len)
{
	unsigned char *copy = malloc(len == 0 ? 1 : len);

	if (copy == NULL)
		die("no memory", f->name);
	memcpy(f->sh->s, s, len);
	f->sh->len = len;
	memcpy(copy, s, len);
	alarm(DEADLINE);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
	f->sh->runs++;
}

static void
run_all(struct fuzz *f)
{
	const struct bytes *from;
	struct bytes b;
	uint64_t i;
	size_t steps;

	for (i = 0; i < f->corpus.n; i++)
		run(f, f->corpus.at[i].s, f->corpus.at[i].len);
	b.s = malloc(f->max);
	if (b.s == NULL)
		die("no memory", f->name);
	for (i = 0; i < f->n; i++) {
		b.len = 0;
		from = &f->corpus.at[below(f, f->corpus.n)];
		if (f->corpus.n > 0)
			insert(f, &b, 0, from->s, from->len);
		for (steps = 1 + below(f, MAX_STEPS); steps > 0; steps--)
			mutate(f, &b);
		run(f, b.s, b.len);
	}
	free(b.s);
}

static void
save(const struct fuzz *f)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	FILE *out;

	snprintf(path, sizeof path, "%s/crash-%s",
	    dir == NULL || *dir == '\0' ? "." : dir, f->name);
	out = fopen(path, "wb");
	if (out == NULL)
		die("can't write", path);
	if (fwrite(f->sh->s, 1, f->sh->len, out) != f->sh->len)
		die("can't write", path);
	if (fclose(out) != 0)
		die("can't write", path);
	printf("%s: the input (%zu bytes) is in %s\n", f->name, f->sh->len,
	    path);
}

static void
free_list(struct list *l)
{
	while (l->n > 0)
		free(l->at[--l->n].s);
}

/* 0, or 1 if an input ended the child; the input is saved then. */
static int
watch(struct fuzz *f)
{
	pid_t pid;
	int st;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die("can't fork", f->name);
	if (pid == 0) {
		run_all(f);
		free_list(&f->corpus);
		free_list(&f->dict);
		exit(0); /* not _exit(): leaks are looked for here */
	}
	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			die("can't wait", f->name);
	printf("%s: %" PRIu64 " inputs run: %zu of the corpus, %" PRIu64
	       " mutated with -s %" PRIu64 "\n",
	    f->name, f->sh->runs, f->corpus.n, f->n, f->seed);
	if (WIFEXITED(st) && WEXITSTATUS(st) == 0)
		return 0;
	if (WIFSIGNALED(st))
		printf("%s: %s (signal %d)\n", f->name,
		    WTERMSIG(st) == SIGALRM ? "no end in time" : "crashed",
		    WTERMSIG(st));
	else
		printf("%s: exit status %d\n", f->name, WEXITSTATUS(st));
	save(f);
	return 1;
}

static void
options(struct fuzz *f, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:s:m:d:")) != -1)
		switch (c) {
		case 'n':
			f->n = strtoull(optarg, NULL, 0);
			break;
		case 's':
			f->seed = strtoull(optarg, NULL, 0);
			break;
		case 'm':
			f->max = (size_t)strtoull(optarg, NULL, 0);
			break;
		case 'd':
			load_dict(&f->dict, optarg);
			break;
		default:
			exit(2);
		}
	if (f->max == 0 || f->max > MAX_BYTES)
		f->max = MAX_BYTES;
	for (; optind < argc; optind++)
		load(&f->corpus, argv[optind]);
}

int
main(int argc, char **argv)
{
	struct fuzz *f = calloc(1, sizeof *f);
	int rc;

	if (f == NULL)
		die("no memory", argv[0]);
	f->name = basename(argv[0]);
	f->seed = 1;
	f->max = 4096;
	f->sh = mmap(NULL, sizeof *f->sh, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (f->sh == MAP_FAILED)
		die("can't map", f->name);
	options(f, argc, argv);
	f->state = f->seed;
	rc = watch(f);
	free_list(&f->corpus);
	free_list(&f->dict);
	munmap(f->sh, sizeof *f->sh);
	free(f);
	return rc;
}
