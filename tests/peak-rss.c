/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * peak-rss FILE COMMAND [ARG]... - run a command, and write the most memory
 * that it had at once (KiB, resident) to FILE.  Ends with its status.
 */

#include "config.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct rusage use;
	FILE *f;
	pid_t pid;
	int status;

	if (argc < 3)
		return 99;
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &use) < 0)
		return 99;
	f = fopen(argv[1], "w");
	if (f == NULL)
		return 99;
	fprintf(f, "%ld\n", use.ru_maxrss);
	if (fclose(f) != 0)
		return 99;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
