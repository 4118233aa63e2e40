/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "crawler/addrguard.h"
#include "crawler/route.h"
#include "tests/tap.h"

/* The table: a line each. */
static void
table(struct tap *t)
{
	char path[1024], line[256], *tab;
	const char *top = getenv("top_srcdir");
	struct ip ip;
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/tests/data/addrguard.tsv",
	    top == NULL ? "." : top);
	f = fopen(path, "r");
	if (!tap_ok(t, f != NULL, "the table is there"))
		return;
	while (fgets(line, sizeof line, f) != NULL) {
		tab = strchr(line, '\t');
		if (line[0] == '#' || tab == NULL)
			continue;
		*tab++ = '\0';
		tab[strcspn(tab, "\n")] = '\0';
		if (!ip_parse(&ip, line, strlen(line))) {
			tap_ok(t, 0, "%s is an address", line);
			continue;
		}
		tap_ok(t,
		    strcmp(addrguard_name(addrguard_class(&ip)), tab) == 0,
		    "%s is %s (%s)", line, tab,
		    addrguard_name(addrguard_class(&ip)));
	}
	fclose(f);
}

static int
ok(const struct addrguard *g, const char *host, const char *text)
{
	struct ip ip;

	if (!ip_parse(&ip, text, strlen(text)))
		exit(99);
	return addrguard_ok(g, host, strlen(host), &ip);
}

static void
allowing(struct tap *t)
{
	struct addrguard *g = NULL;
	struct ip ip;
	char host[32];
	int i, good = 1;

	if (addrguard_new(&g) < 0 ||
	    addrguard_allow_host(g, "wiki.corp", 9) < 0)
		exit(99);
	tap_ok(t, ok(g, "a.com", "8.8.8.8") && !ok(g, "a.com", "10.0.0.1"),
	    "public addresses only");
	tap_ok(t,
	    ok(g, "wiki.corp", "10.0.0.1") && ok(g, "wiki.corp", "fe80::1"),
	    "a host that was named may be anywhere");
	tap_ok(t,
	    !ok(g, "wiki.corp.evil.com", "10.0.0.1") &&
		!ok(g, "iki.corp", "10.0.0.1") && !ok(g, "", "10.0.0.1"),
	    "but no other");
	(void)ip_parse(&ip, "10.0.0.7", 8);
	if (addrguard_allow_ip(g, &ip) < 0)
		exit(99);
	tap_ok(t, ok(g, "x", "10.0.0.7") && !ok(g, "x", "10.0.0.8"),
	    "an address that was named");
	for (i = 0; i < 5000; i++) {
		(void)snprintf(host, sizeof host, "h%d", i);
		if (addrguard_allow_host(g, host, strlen(host)) < 0)
			exit(99);
	}
	for (i = 0; i < 5000; i++) {
		(void)snprintf(host, sizeof host, "h%d", i);
		good = good && ok(g, host, "127.0.0.1");
		(void)snprintf(host, sizeof host, "g%d", i);
		good = good && !ok(g, host, "127.0.0.1");
	}
	tap_ok(t, good, "five thousand names");
	addrguard_allow_all(g);
	tap_ok(t, ok(g, "x", "10.0.0.8"), "--allow-private");
	addrguard_free(g);
}

static void
addresses(struct tap *t)
{
	struct sockaddr_in6 in6;
	struct sockaddr_in in;
	char text[IP_TEXT];
	struct ip ip;

	tap_ok(t,
	    ip_parse(&ip, "[2001:DB8::0:1]", 15) &&
		strcmp(ip_text(&ip, text), "2001:db8::1") == 0,
	    "IPv6 with brackets");
	tap_ok(t,
	    !ip_parse(&ip, "1.2.3", 5) && !ip_parse(&ip, "", 0) &&
		!ip_parse(&ip, "1.2.3.4.", 8) &&
		!ip_parse(&ip, "fe80::1%eth0", 12) &&
		!ip_parse(&ip, "[1.2.3.4", 8) && ip.family == 0 &&
		!ip_parse(&ip, "1.2.3.4\0", 8),
	    "what is no address");
	memset(&in, 0, sizeof in);
	in.sin_family = AF_INET;
	(void)inet_pton(AF_INET, "192.0.2.9", &in.sin_addr);
	tap_ok(t,
	    ip_from(&ip, (struct sockaddr *)&in) &&
		strcmp(ip_text(&ip, text), "192.0.2.9") == 0,
	    "from a sockaddr_in");
	memset(&in6, 0, sizeof in6);
	in6.sin6_family = AF_INET6;
	(void)inet_pton(AF_INET6, "::1", &in6.sin6_addr);
	tap_ok(t,
	    ip_from(&ip, (struct sockaddr *)&in6) &&
		strcmp(ip_text(&ip, text), "::1") == 0,
	    "from a sockaddr_in6");
	in.sin_family = AF_UNIX;
	tap_ok(t,
	    !ip_from(&ip, (struct sockaddr *)&in) &&
		ip_text(&ip, text)[0] == '\0',
	    "from neither");
}

/* "host port" through the routes, as "host port [address,...] [named]". */
static const char *
through(const struct route *r, const char *host, uint16_t port, char *out,
    size_t size)
{
	struct route_to to;
	char text[IP_TEXT];
	unsigned int i;
	size_t n;

	route_find(r, host, strlen(host), port, &to);
	n = (size_t)snprintf(out, size, "%.*s %u%s", (int)to.host_len, to.host,
	    to.port, to.named ? " named" : "");
	for (i = 0; i < to.ips; i++)
		n += (size_t)snprintf(out + n, size - n, " %s",
		    ip_text(&to.ip[i], text));
	return out;
}

static void
routes(struct tap *t)
{
	static const char *const bad_resolve[] = { "", "a", "a:80",
		"a:80:", ":80:1.2.3.4", "a:x:1.2.3.4", "a:80:b",
		"a:99999:1.2.3.4", "a:80:1.2.3.4,", "a b:80:1.2.3.4" };
	static const char *const bad_connect[] = { "", "a:80:b", "a:80:b:80:c",
		"a:x:b:80", "a:80:b:y", "a:80:b/c:80", "a@b:80:c:80" };
	static const struct {
		const char *host;
		uint16_t port;
		const char *want;
	} row[] = {
		{ "a.test", 80, "a.test 80 127.0.0.1 ::1" },
		{ "a.test", 81, "a.test 81" },
		{ "other", 443, "other 443 192.0.2.1" },
		{ "b.test", 80, "inner.corp 8080 named" },
		{ "b.test", 81, "b.test 81" },
		{ "c.test", 5, "10.0.0.1 5 named" },
		{ "d.test", 7000, "d.test 7001" },
		{ "::1", 90, "::2 91 named" },
		{ "e.test", 8443, "a.test 80 named 127.0.0.1 ::1" },
	};
	struct addrguard *g = NULL;
	struct route *r = NULL;
	char out[256];
	size_t i;

	if (route_new(&r) < 0 || addrguard_new(&g) < 0)
		exit(99);
	for (i = 0; i < sizeof bad_resolve / sizeof *bad_resolve; i++)
		tap_ok(t, route_resolve(r, bad_resolve[i]) == FAULT_ARG,
		    "--resolve=%s is refused", bad_resolve[i]);
	for (i = 0; i < sizeof bad_connect / sizeof *bad_connect; i++)
		tap_ok(t, route_connect(r, bad_connect[i]) == FAULT_ARG,
		    "--connect-to=%s is refused", bad_connect[i]);
	tap_ok(t,
	    route_resolve(r, "A.test:80:127.0.0.1,[::1]") == 0 &&
		route_resolve(r, "*:443:192.0.2.1") == 0 &&
		route_connect(r, "b.test:80:inner.corp:8080") == 0 &&
		route_connect(r, "C.TEST::10.0.0.1:") == 0 &&
		route_connect(r, ":7000::7001") == 0 &&
		route_connect(r, "[::1]:90:[::2]:91") == 0 &&
		route_connect(r, "e.test:8443:a.test:80") == 0,
	    "good ones are taken");
	for (i = 0; i < sizeof row / sizeof *row; i++)
		tap_ok(t,
		    strcmp(through(r, row[i].host, row[i].port, out,
			       sizeof out),
			row[i].want) == 0,
		    "%s:%u -> %s (%s)", row[i].host, row[i].port, row[i].want,
		    out);
	tap_ok(t, strcmp(through(NULL, "x", 1, out, sizeof out), "x 1") == 0,
	    "without routes nothing changes");
	if (route_allow(r, g) < 0)
		exit(99);
	tap_ok(t,
	    ok(g, "a.test", "127.0.0.1") && ok(g, "::1", "::1") &&
		!ok(g, "::2", "::2") && ok(g, "x", "192.0.2.1") &&
		!ok(g, "x", "127.0.0.1"),
	    "what they name may be private");
	addrguard_free(g);
	route_free(r);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	table(&t);
	allowing(&t);
	addresses(&t);
	routes(&t);
	return tap_done(&t);
}
