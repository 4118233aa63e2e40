/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "crawler/ip.h"

int
ip_parse(struct ip *ip, const char *s, size_t len)
{
	char text[IP_TEXT];

	memset(ip, 0, sizeof *ip);
	if (len >= 2 && s[0] == '[' && s[len - 1] == ']') {
		s++;
		len -= 2;
	}
	if (len == 0 || len >= sizeof text || memchr(s, '\0', len) != NULL)
		return 0;
	memcpy(text, s, len);
	text[len] = '\0';
	if (inet_pton(AF_INET, text, ip->b) == 1)
		ip->family = 4;
	else if (inet_pton(AF_INET6, text, ip->b) == 1)
		ip->family = 6;
	return ip->family != 0;
}

char *
ip_text(const struct ip *ip, char out[IP_TEXT])
{
	out[0] = '\0';
	if (ip->family != 0)
		(void)inet_ntop(ip->family == 4 ? AF_INET : AF_INET6, ip->b,
		    out, IP_TEXT);
	return out;
}

int
ip_from(struct ip *ip, const struct sockaddr *sa)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	memset(ip, 0, sizeof *ip);
	switch (sa->sa_family) {
	case AF_INET:
		/* copied, for what curl hands over may not be aligned */
		memcpy(&in, sa, sizeof in);
		memcpy(ip->b, &in.sin_addr, 4);
		ip->family = 4;
		return 1;
	case AF_INET6:
		memcpy(&in6, sa, sizeof in6);
		memcpy(ip->b, &in6.sin6_addr, 16);
		ip->family = 6;
		return 1;
	default:
		return 0;
	}
}

int
ip_same(const struct ip *a, const struct ip *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}
