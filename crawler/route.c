/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/addrguard.h"
#include "crawler/route.h"
#include "dedup/url.h"
#include "snapshot/limits.h"

struct rule {
	struct rule *next;
	int port;    /* the URL's; -1 = any */
	int to_port; /* --connect-to; -1 = the same */
	char *host;  /* NULL = any */
	char *to;    /* --connect-to; NULL = the same */
	unsigned int ips;
	struct ip ip[LIMIT_DNS_IPS];
};

struct route {
	struct rule *resolve, *connect; /* in the order given */
	unsigned int count;
};

int
route_new(struct route **out)
{
	*out = calloc(1, sizeof **out);
	return *out == NULL ? FAULT_NOMEM : 0;
}

static void
rule_free(struct rule *r)
{
	free(r->host);
	free(r->to);
	free(r);
}

void
route_free(struct route *r)
{
	struct rule *k;

	if (r == NULL)
		return;
	while (r->resolve != NULL || r->connect != NULL) {
		struct rule **at =
		    r->resolve != NULL ? &r->resolve : &r->connect;

		k = *at;
		*at = k->next;
		rule_free(k);
	}
	free(r);
}

/* Put `k' last; NULL hosts and so on are the caller's affair. */
static int
append(struct route *r, struct rule **list, struct rule *k)
{
	if (r->count == LIMIT_ROUTES)
		return FAULT_FULL;
	while (*list != NULL)
		list = &(*list)->next;
	*list = k;
	r->count++;
	return 0;
}

/*
 * The next part up to ":" (a host in brackets may hold some) or the end.
 * `*s' moves behind the colon, or becomes NULL.
 */
static struct url_span
part(const char **s)
{
	struct url_span p = { *s, 0 };
	const char *end = *s, *close;

	if (*end == '[') {
		close = strchr(end, ']');
		if (close != NULL)
			end = close;
	}
	end += strcspn(end, ":");
	p.len = (size_t)(end - p.s);
	*s = *end == ':' ? end + 1 : NULL;
	return p;
}

/* -1 for an empty part, -2 for what is no port. */
static int
port(struct url_span p)
{
	int n = 0;
	size_t i;

	if (p.len == 0)
		return -1;
	for (i = 0; i < p.len && n <= 65535; i++) {
		if (p.s[i] < '0' || p.s[i] > '9')
			return -2;
		n = n * 10 + (p.s[i] - '0');
	}
	return n <= 65535 ? n : -2;
}

/*
 * The host as a normalised URL would have it, without brackets.  NULL for an
 * empty part; FAULT_ARG if it is no host.
 */
static int
host(struct url_span p, char **out)
{
	char text[LIMIT_ROUTE + 16];
	struct url_parts at;
	struct url_span url;
	struct url *u;
	size_t len;
	int rc;

	*out = NULL;
	if (p.len == 0)
		return 0;
	if (p.len > LIMIT_ROUTE)
		return FAULT_ARG;
	u = url_new(0);
	if (u == NULL)
		return FAULT_NOMEM;
	memcpy(text, "http://", 7);
	memcpy(text + 7, p.s, p.len);
	memcpy(text + 7 + p.len, "/", 1);
	rc = url_normalise(u, text, p.len + 8, &url);
	if (rc == 0)
		rc = url_split(url, &at);
	if (rc == 0 && (at.path + 1 != at.end || at.host != 7))
		rc = FAULT_ARG;
	if (rc == 0) {
		p.s = url.s + at.host;
		len = at.host_end - at.host;
		if (len > 2 && p.s[0] == '[') {
			p.s++;
			len -= 2;
		}
		*out = strndup(p.s, len);
		rc = *out == NULL ? FAULT_NOMEM : 0;
	}
	url_free(u);
	return rc == FAULT_NOMEM || rc == 0 ? rc : FAULT_ARG;
}

/* "A[,A]...": the addresses of a --resolve. */
static int
addresses(const char *s, struct rule *k)
{
	size_t n;

	for (;; s += n + 1) {
		n = strcspn(s, ",");
		if (k->ips == LIMIT_DNS_IPS || !ip_parse(&k->ip[k->ips], s, n))
			return FAULT_ARG;
		k->ips++;
		if (s[n] == '\0')
			return 0;
	}
}

int
route_resolve(struct route *r, const char *text)
{
	struct url_span h, p;
	struct rule *k;
	int rc;

	k = calloc(1, sizeof *k);
	if (k == NULL)
		return FAULT_NOMEM;
	if (text[0] == '+') /* curl's: the entry may time out; ours never do */
		text++;
	h = part(&text);
	rc = text == NULL || h.len == 0 ? FAULT_ARG : 0;
	if (rc == 0 && (h.len != 1 || h.s[0] != '*'))
		rc = host(h, &k->host);
	if (rc == 0) {
		p = part(&text);
		k->port = port(p);
		rc = k->port < 0 || text == NULL ? FAULT_ARG :
						   addresses(text, k);
	}
	if (rc == 0)
		rc = append(r, &r->resolve, k);
	if (rc < 0)
		rule_free(k);
	return rc;
}

int
route_connect(struct route *r, const char *text)
{
	struct url_span p[4];
	struct rule *k;
	int i, rc = 0;

	for (i = 0; i < 4; i++) {
		if (text == NULL)
			return FAULT_ARG;
		p[i] = part(&text);
	}
	if (text != NULL)
		return FAULT_ARG;
	k = calloc(1, sizeof *k);
	if (k == NULL)
		return FAULT_NOMEM;
	k->port = port(p[1]);
	k->to_port = port(p[3]);
	if (k->port == -2 || k->to_port == -2)
		rc = FAULT_ARG;
	if (rc == 0)
		rc = host(p[0], &k->host);
	if (rc == 0)
		rc = host(p[2], &k->to);
	if (rc == 0)
		rc = append(r, &r->connect, k);
	if (rc < 0)
		rule_free(k);
	return rc;
}

int
route_allow(const struct route *r, struct addrguard *g)
{
	const struct rule *k;
	unsigned int i;
	int rc = 0;

	for (k = r->resolve; k != NULL && rc == 0; k = k->next) {
		if (k->host != NULL) {
			rc = addrguard_allow_host(g, k->host, strlen(k->host));
			continue;
		}
		/* for any host: then the addresses are what was named */
		for (i = 0; i < k->ips && rc == 0; i++)
			rc = addrguard_allow_ip(g, &k->ip[i]);
	}
	for (k = r->connect; k != NULL && rc == 0; k = k->next)
		if (k->host != NULL)
			rc = addrguard_allow_host(g, k->host, strlen(k->host));
	return rc;
}

static const struct rule *
match(const struct rule *k, const char *name, size_t len, int to)
{
	for (; k != NULL; k = k->next)
		if ((k->port == -1 || k->port == to) &&
		    (k->host == NULL ||
			(strlen(k->host) == len &&
			    memcmp(k->host, name, len) == 0)))
			return k;
	return NULL;
}

void
route_find(const struct route *r, const char *name, size_t len, uint16_t from,
    struct route_to *to)
{
	const struct rule *k;

	memset(to, 0, sizeof *to);
	to->host = name;
	to->host_len = len;
	to->port = from;
	if (r == NULL)
		return;
	k = match(r->connect, name, len, from);
	if (k != NULL && k->to != NULL) {
		to->host = k->to;
		to->host_len = strlen(k->to);
		to->named = 1;
	}
	if (k != NULL && k->to_port >= 0)
		to->port = (uint16_t)k->to_port;
	k = match(r->resolve, to->host, to->host_len, to->port);
	if (k != NULL) {
		to->ip = k->ip;
		to->ips = k->ips;
	}
}
