/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ping-lines N COMMAND [ARG]... - a filter that never ends, as `tail -f' has it
 *
 * Runs a command between two pipes, writes it N different URLs, one after the
 * other, and waits for each to come back before the next is written.  Prints
 * what memory the command had resident after a tenth of them and in the end,
 * in KiB.  Status 1 if a line does not come back as it was.
 */

#include "config.h"

#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long
resident(pid_t pid)
{
	char path[64];
	long all, pages = -1;
	FILE *f;

	(void)snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
	f = fopen(path, "r");
	if (f == NULL || fscanf(f, "%ld %ld", &all, &pages) != 2)
		pages = -1;
	if (f != NULL)
		(void)fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int
ping(int to, int from, long i)
{
	char line[64], back[64];
	int len;
	size_t have = 0;
	ssize_t n;

	len = snprintf(line, sizeof line, "http://h/%ld\n", i);
	if (write(to, line, (size_t)len) != len)
		return 0;
	while (have < (size_t)len) {
		n = read(from, back + have, (size_t)len - have);
		if (n <= 0)
			return 0;
		have += (size_t)n;
	}
	return memcmp(line, back, have) == 0;
}

int
main(int argc, char **argv)
{
	int in[2], out[2], ok = 1, status;
	long i, n = argc > 2 ? strtol(argv[1], NULL, 10) : 0, early = -1, late;
	pid_t pid;

	if (n <= 0 || pipe(in) != 0 || pipe(out) != 0)
		return 99;
	pid = fork();
	if (pid == 0) {
		(void)dup2(in[0], STDIN_FILENO);
		(void)dup2(out[1], STDOUT_FILENO);
		(void)close(in[0]);
		(void)close(in[1]);
		(void)close(out[0]);
		(void)close(out[1]);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	for (i = 0; ok && i < n; i++) {
		ok = ping(in[1], out[0], i);
		if (i == n / 10)
			early = resident(pid);
	}
	late = resident(pid);
	(void)close(in[1]);
	if (waitpid(pid, &status, 0) < 0 || status != 0 || !ok)
		return 1;
	printf("%ld %ld\n", early, late);
	return 0;
}
