/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * What means the same becomes the same, and nothing else does.
 *
 * A meaning is drawn at random and written once in normal form, which is
 * done here without the normaliser, byte for byte from the meaning, so that
 * two meanings never have one form.  Then it is spelled in whatever way the
 * standards allow, and the normaliser must give that form: had it merged two
 * meanings, it would be wrong for one of them.
 */

#include "config.h"

#include "dedup/url.h"
#include "tests/pieces.h"
#include "tests/tap.h"

#define ROOM  8192
#define PARTS 8 /* segments of a path */
#define ATOMS 6 /* of a segment or query */

/* A host's form, and other spellings of it (after percent-decoding). */
static const struct {
	const char *form;
	const char *spelling[6];
} hosts[] = {
	{ "a.example",
	    { "a.example", "A.Example",
		"a\xe3\x80\x82"
		"example" } },
	{ "a.example.", { "a.example.", "\xef\xbd\x81.EXAMPLE." } },
	{ "www.a.example", { "www.a.example", "wWw.a.example" } },
	{ "xn--bcher-kva.example",
	    { "b\xc3\xbc"
	      "cher.example",
		"XN--bcher-KVA.example",
		"BU\xcc\x88"
		"CHER.example" } },
	{ "xn--fa-hia.example",
	    { "fa\xc3\x9f.example", "xn--fa-hia.example" } },
	{ "fass.example", { "fass.example", "FASS.example" } },
	{ "127.0.0.1",
	    { "127.0.0.1", "127.1", "0x7f.0.1", "017700000001", "2130706433",
		"127.0.0.1." } },
	{ "1.2.3.4",
	    { "1.2.3.4", "0x1.0X2.3.04", "1.0x020304", "\xef\xbc\x91.2.772" } },
	{ "[::1]",
	    { "[::1]", "[0::0:01]", "[0:0:0:0:0:0:0:1]", "[::0.0.0.1]" } },
	{ "[2001:db8::a:0:0:1]",
	    { "[2001:db8::a:0:0:1]", "[2001:0DB8:0:0:A::1]",
		"[2001:db8:0:0:a:0:0.0.0.1]" } },
};
#define HOSTS (sizeof hosts / sizeof *hosts)

/*
 * The atoms of a path or query: bytes in normal form.  Reserved characters
 * mean one thing as they are and another as an escape, so they stand here
 * twice; what is not reserved and not an escape has many spellings.
 */
static const char *const atoms[] = { "a", "Z", "5", "e", "-", ".", ".", "_",
	"~", ";", "=", "@", ":", "!", "$", "(", ",", "+", "|", "[", "%2F",
	"%3F", "%23", "%25", "%26", "%3D", "%3B", "%2B", "%20", "%00", "%0A",
	"%C3%A9", "%FF", "%3C", "%22", "%5C", "%7F", "%40", "%27", "%21" };

struct meaning {
	int https;
	int user;          /* 0 none, 1 user, 2 user and password */
	unsigned int host; /* index of hosts[] */
	unsigned int port; /* 0: the scheme's own */
	unsigned int segments;
	int query; /* 1: there is one */
	const char *segment[PARTS][ATOMS + 2];
	const char *param[2 * ATOMS + 1];
};

/* `list' gets up to `max' atoms and a NULL. */
static unsigned int
draw_atoms(struct pieces *g, const char **list, unsigned int max)
{
	unsigned int n = (unsigned int)(pieces_next(g) % (max + 1)), i;

	for (i = 0; i < n; i++)
		list[i] = PIECES_PICK(g, atoms);
	list[n] = NULL;
	return n;
}

/* Is it "." or ".."? */
static int
dots(const char *const *list)
{
	unsigned int n;

	for (n = 0; list[n] != NULL; n++)
		if (strcmp(list[n], ".") != 0)
			return 0;
	return n == 1 || n == 2;
}

static void
draw(struct pieces *g, struct meaning *m)
{
	unsigned int i, n;

	m->https = pieces_once(g, 2);
	m->user = pieces_once(g, 4) ? 1 + pieces_once(g, 2) : 0;
	m->host = (unsigned int)(pieces_next(g) % HOSTS);
	m->port = 0;
	if (pieces_once(g, 4))
		m->port = pieces_once(g, 2) ? (m->https ? 80 : 443) : 8080;
	m->segments = 1 + (unsigned int)(pieces_next(g) % PARTS);
	for (i = 0; i < m->segments; i++) {
		n = draw_atoms(g, m->segment[i], ATOMS);
		if (dots(m->segment[i])) {
			m->segment[i][n] = "a";
			m->segment[i][n + 1] = NULL;
		}
	}
	m->query = pieces_once(g, 2);
	draw_atoms(g, m->param, 2 * ATOMS);
}

static size_t
form_atoms(char *s, size_t n, const char *const *list)
{
	for (; *list != NULL; list++)
		n = pieces_put(s, n, *list);
	return n;
}

/* The normal form of `m'. */
static size_t
form(const struct meaning *m, char *s)
{
	static const char *const users[] = { "", "u%3Aw@", "u%3Aw:p%40@" };
	size_t n = pieces_put(s, 0, m->https ? "https://" : "http://");
	char port[8];
	unsigned int i;

	n = pieces_put(s, n, users[m->user]);
	n = pieces_put(s, n, hosts[m->host].form);
	snprintf(port, sizeof port, ":%u", m->port);
	if (m->port != 0)
		n = pieces_put(s, n, port);
	for (i = 0; i < m->segments; i++) {
		s[n++] = '/';
		n = form_atoms(s, n, m->segment[i]);
	}
	if (m->query) {
		s[n++] = '?';
		n = form_atoms(s, n, m->param);
	}
	return n;
}

/* A byte as an escape, in whatever case. */
static size_t
put_escape(struct pieces *g, char *s, size_t n, unsigned char c)
{
	static const char *const digits[] = { "0123456789abcdef",
		"0123456789ABCDEF" };

	s[n++] = '%';
	s[n++] = PIECES_PICK(g, digits)[c >> 4];
	s[n++] = PIECES_PICK(g, digits)[c & 15];
	return n;
}

static unsigned char
escaped(const char *s)
{
	char hex[3] = { s[1], s[2], '\0' };

	return (unsigned char)strtoul(hex, NULL, 16);
}

/*
 * May the byte that its form escapes stand as it is?  Not a blank, which is
 * trimmed at the end, nor a tab or newline, which always goes.
 */
static int
may_stand(unsigned char c, int query)
{
	return c >= 0x7f || strchr(query ? "<\"'" : "<\"", c) != NULL;
}

static size_t
spell_atom(struct pieces *g, char *s, size_t n, const char *atom, int query)
{
	for (; *atom == '%'; atom += 3) {
		unsigned char c = escaped(atom);

		if (c != '\0' && may_stand(c, query) && pieces_once(g, 2))
			s[n++] = (char)c;
		else
			n = put_escape(g, s, n, c);
	}
	if (*atom == '\0')
		return n;
	if (strchr("aZ5e-._~", *atom) != NULL && pieces_once(g, 3))
		return put_escape(g, s, n, (unsigned char)*atom);
	s[n++] = *atom;
	return n;
}

static size_t
spell_atoms(struct pieces *g, char *s, size_t n, const char *const *list,
    int query)
{
	for (; *list != NULL; list++)
		n = spell_atom(g, s, n, *list, query);
	return n;
}

/* Segments that go away again. */
static size_t
put_detour(struct pieces *g, char *s, size_t n)
{
	static const char *const one[] = { ".", "%2e", "%2E" };
	static const char *const two[] = { "..", ".%2e", "%2E.", "%2e%2E" };
	static const char *const slash[] = { "/", "/", "\\" };

	if (pieces_once(g, 2)) {
		n = pieces_put(s, n, PIECES_PICK(g, one));
	} else {
		n = pieces_put(s, n, PIECES_PICK(g, atoms));
		n = pieces_put(s, n, "x");
		n = pieces_put(s, n, PIECES_PICK(g, slash));
		n = pieces_put(s, n, PIECES_PICK(g, two));
	}
	return pieces_put(s, n, PIECES_PICK(g, slash));
}

static size_t
spell_host(struct pieces *g, char *s, size_t n, unsigned int host)
{
	const char *text = NULL;

	while (text == NULL)
		text = PIECES_PICK(g, hosts[host].spelling);
	/* an address in brackets is not percent-decoded */
	for (; *text != '\0'; text++)
		if (hosts[host].form[0] != '[' && pieces_once(g, 8))
			n = put_escape(g, s, n, (unsigned char)*text);
		else
			s[n++] = *text;
	return n;
}

static size_t
spell_front(struct pieces *g, const struct meaning *m, char *s)
{
	static const char *const https[] = { "https:", "HTTPS:", "hTtPs:" };
	static const char *const http[] = { "http:", "HTTP:", "httP:" };
	static const char *const slashes[] = { "//", "//", "", "/", "\\\\",
		"/\\/" };
	static const char *const none[] = { "", "", "@", ":@" };
	static const char *const user[] = { "u%3aw@", "u%3Aw:@", "%75%3A%77@" };
	static const char *const both[] = { "u%3Aw:p@@", "u%3aw:p%40@" };
	size_t n = 0;

	n = pieces_put(s, n,
	    m->https ? PIECES_PICK(g, https) : PIECES_PICK(g, http));
	n = pieces_put(s, n, PIECES_PICK(g, slashes));
	if (m->user == 0)
		n = pieces_put(s, n, PIECES_PICK(g, none));
	else
		n = pieces_put(s, n,
		    m->user == 1 ? PIECES_PICK(g, user) : PIECES_PICK(g, both));
	return spell_host(g, s, n, m->host);
}

static size_t
spell_port(struct pieces *g, const struct meaning *m, char *s, size_t n)
{
	char port[16];

	if (m->port == 0 && pieces_once(g, 2))
		return pieces_once(g, 4) ? pieces_put(s, n, ":") : n;
	snprintf(port, sizeof port, ":%s%u", pieces_once(g, 2) ? "" : "00",
	    m->port != 0 ? m->port :
		m->https ? 443 :
			   80);
	return pieces_put(s, n, port);
}

/* Tabs and newlines go anywhere. */
static size_t
sprinkle(struct pieces *g, char *s, size_t n)
{
	size_t at = pieces_next(g) % (n + 1);

	memmove(s + at + 1, s + at, n - at);
	s[at] = "\t\n\r"[pieces_next(g) % 3];
	return n + 1;
}

/* `m' in any spelling. */
static size_t
spell(struct pieces *g, const struct meaning *m, char *s)
{
	static const char *const tails[] = { "", "", "#", "#a", "#/../?%zz",
		" ", "\x01 ", "# " };
	size_t n = spell_front(g, m, s), i;

	n = spell_port(g, m, s, n);
	/* the path "/" may be left out */
	if (m->segments > 1 || m->segment[0][0] != NULL || pieces_once(g, 2)) {
		for (i = 0; i < m->segments; i++) {
			s[n++] = pieces_once(g, 8) ? '\\' : '/';
			if (pieces_once(g, 8))
				n = put_detour(g, s, n);
			n = spell_atoms(g, s, n, m->segment[i], 0);
		}
	}
	if (m->query) {
		s[n++] = '?';
		n = spell_atoms(g, s, n, m->param, 1);
	}
	n = pieces_put(s, n, PIECES_PICK(g, tails));
	for (i = pieces_once(g, 8) ? 3 : 0; i > 0; i--)
		n = sprinkle(g, s, n);
	return n;
}

/* How many spellings of how many meanings are not recognised. */
static unsigned int
compare(struct url *u, unsigned int many)
{
	char want[ROOM], s[ROOM];
	struct pieces g = { 1 };
	struct meaning m;
	struct url_span got;
	unsigned int i, j, bad = 0;
	size_t len, n;
	int rc;

	for (i = 0; i < many; i++) {
		draw(&g, &m);
		len = form(&m, want);
		rc = url_normalise(u, want, len, &got);
		bad += rc < 0 || got.s != want || got.len != len;
		for (j = 0; j < 4; j++) {
			n = spell(&g, &m, s);
			rc = url_normalise(u, s, n, &got);
			if (rc == 0 && got.len == len &&
			    memcmp(got.s, want, len) == 0)
				continue;
			if (bad++ < 5)
				tap_diag("%.*s\n# gives %.*s\n# not %.*s",
				    (int)n, s, rc < 0 ? 1 : (int)got.len,
				    rc < 0 ? "!" : got.s, (int)len, want);
		}
	}
	return bad;
}

int
main(void)
{
	const char *longer = getenv("LONG");
	unsigned int many = longer != NULL && *longer != '\0' ? 2000000 : 20000;
	struct url *u = url_new(0);
	struct tap t = { 0, 0 };

	if (u == NULL)
		abort();
	tap_ok(&t, compare(u, many) == 0, "%u meanings, four spellings each",
	    many);
	url_free(u);
	return tap_done(&t);
}
