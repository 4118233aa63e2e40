/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <fcntl.h>
#include <string.h>

#include "snapshot/boot.h"
#include "snapshot/file.h"

static int
hex(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void
boot_id(unsigned char id[BOOT_ID])
{
	char text[64];
	long i, got = 0;
	size_t n = 0;
	int fd, h;

	memset(id, 0, BOOT_ID);
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	got = file_read(fd, text, sizeof text, 0);
	file_close(fd);
	/* 32 digits, with dashes between */
	for (i = 0; i < got && n < 2 * BOOT_ID; i++) {
		h = hex(text[i]);
		if (h < 0)
			continue;
		id[n / 2] = (unsigned char)(id[n / 2] << 4 | h);
		n++;
	}
}

int
boot_differs(const unsigned char id[BOOT_ID])
{
	static const unsigned char none[BOOT_ID];
	unsigned char now[BOOT_ID];

	boot_id(now);
	return memcmp(now, none, BOOT_ID) == 0 || memcmp(now, id, BOOT_ID) != 0;
}
