/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ip.h - an IPv4 or IPv6 address, without port
 *
 * Small, comparable, without padding to speak of.  An IPv4 address mapped
 * into IPv6 stays IPv6 here; addrguard looks through it.
 */

#ifndef CRAWLER_IP_H
#define CRAWLER_IP_H

#include <stddef.h>
#include <stdint.h>

#define IP_TEXT 46 /* bytes: INET6_ADDRSTRLEN, NUL included */

struct sockaddr;

struct ip {
	uint8_t family; /* 4, 6; 0 = none */
	uint8_t b[16];  /* network order; 4 or 16 bytes used, the rest 0 */
};

/*
 * The address that `len' bytes at `s' spell ("192.0.2.1", "2001:db8::1",
 * "[2001:db8::1]"; no zone, no other spellings of IPv4: normalised URLs have
 * none).  1 if they do, else 0 and `ip' is none.
 */
int ip_parse(struct ip *ip, const char *s, size_t len);

/* Its text, without brackets, "" for none, into `out'.  Returns `out'. */
char *ip_text(const struct ip *ip, char out[IP_TEXT]);

/* From a sockaddr_in or sockaddr_in6: 1, or 0 and none for other families. */
int ip_from(struct ip *ip, const struct sockaddr *sa);

/* 1 if the same address. */
int ip_same(const struct ip *a, const struct ip *b);

#endif
