/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/slurp.h"

#define FIRST (64 * 1024) /* bytes of the buffer at first */

static int
slurp(int fd, size_t max, char **buf, size_t *len)
{
	size_t room = FIRST < max ? FIRST : max;
	char *s = malloc(room + 1), *bigger;
	ssize_t n;

	if (s == NULL)
		return FAULT_NOMEM;
	*len = 0;
	for (;;) {
		if (*len == room && room < max) {
			room = room < max / 2 ? room * 2 : max;
			bigger = realloc(s, room + 1);
			if (bigger == NULL) {
				free(s);
				return FAULT_NOMEM;
			}
			s = bigger;
		}
		n = read(fd, s + *len, room - *len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		*len += (size_t)n;
	}
	if (n < 0) {
		free(s);
		return FAULT_SYS;
	}
	*buf = s;
	return 0;
}

int
slurp_file(const char *path, size_t max, char **buf, size_t *len)
{
	int fd = STDIN_FILENO, rc, saved;

	if (strcmp(path, "-") != 0) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return FAULT_SYS;
	}
	rc = slurp(fd, max, buf, len);
	saved = errno;
	if (fd != STDIN_FILENO)
		close(fd);
	errno = saved;
	return rc;
}
