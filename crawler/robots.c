/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "crawler/robots.h"

size_t
robots_token(const char *agent, size_t len)
{
	size_t n = 0;

	while (n < len &&
	    ((agent[n] >= 'a' && agent[n] <= 'z') ||
		(agent[n] >= 'A' && agent[n] <= 'Z') || agent[n] == '_' ||
		agent[n] == '-'))
		n++;
	return n;
}
