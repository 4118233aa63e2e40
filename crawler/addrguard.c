/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "crawler/addrguard.h"
#include "snapshot/limits.h"

/* A block of addresses: the first `bits' bits of `b'. */
struct block {
	uint8_t family;
	uint8_t bits;
	uint8_t b[16];
	enum addrguard_class class;
};

/*
 * The longest match counts, so a block within a block may differ from it.
 * IANA special-purpose registries; "Globally Reachable: False" is refused.
 */
/* clang-format off */
static const struct block blocks[] = {
	{ 4,  8, { 0 }, ADDR_UNSPECIFIED },             /* this network */
	{ 4,  8, { 10 }, ADDR_PRIVATE },
	{ 4, 10, { 100, 64 }, ADDR_CGNAT },
	{ 4,  8, { 127 }, ADDR_LOOPBACK },
	{ 4, 16, { 169, 254 }, ADDR_LINKLOCAL },
	{ 4, 12, { 172, 16 }, ADDR_PRIVATE },
	{ 4, 24, { 192, 0, 0 }, ADDR_RESERVED },        /* IETF protocols */
	{ 4, 32, { 192, 0, 0, 9 }, ADDR_GLOBAL },       /* PCP anycast */
	{ 4, 32, { 192, 0, 0, 10 }, ADDR_GLOBAL },      /* TURN anycast */
	{ 4, 24, { 192, 0, 2 }, ADDR_DOCUMENTATION },
	{ 4, 24, { 192, 88, 99 }, ADDR_RESERVED },      /* 6to4 relays */
	{ 4, 16, { 192, 168 }, ADDR_PRIVATE },
	{ 4, 15, { 198, 18 }, ADDR_BENCHMARK },
	{ 4, 24, { 198, 51, 100 }, ADDR_DOCUMENTATION },
	{ 4, 24, { 203, 0, 113 }, ADDR_DOCUMENTATION },
	{ 4,  4, { 224 }, ADDR_MULTICAST },
	{ 4,  4, { 240 }, ADDR_RESERVED },
	{ 4, 32, { 255, 255, 255, 255 }, ADDR_BROADCAST },

	/* only 2000::/3 is handed out as global unicast */
	{ 6,  0, { 0 }, ADDR_RESERVED },
	{ 6,  3, { 0x20 }, ADDR_GLOBAL },
	{ 6, 128, { 0 }, ADDR_UNSPECIFIED },
	{ 6, 128, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
	    ADDR_LOOPBACK },
	/* these three are judged by the IPv4 address inside too */
	{ 6, 96, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, ADDR_GLOBAL },
	{ 6, 96, { 0, 0x64, 0xff, 0x9b }, ADDR_GLOBAL },  /* NAT64 */
	{ 6, 16, { 0x20, 0x02 }, ADDR_GLOBAL },           /* 6to4 */
	{ 6, 48, { 0, 0x64, 0xff, 0x9b, 0, 1 }, ADDR_PRIVATE },
	{ 6, 64, { 0x01 }, ADDR_RESERVED },               /* discard-only */
	{ 6, 23, { 0x20, 0x01 }, ADDR_RESERVED },         /* IETF protocols */
	{ 6, 128, { 0x20, 0x01, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
	    ADDR_GLOBAL },                                /* PCP anycast */
	{ 6, 128, { 0x20, 0x01, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 },
	    ADDR_GLOBAL },                                /* TURN anycast */
	{ 6, 128, { 0x20, 0x01, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3 },
	    ADDR_GLOBAL },                                /* DNS-SD anycast */
	{ 6, 32, { 0x20, 0x01, 0, 3 }, ADDR_GLOBAL },     /* AMT */
	{ 6, 48, { 0x20, 0x01, 0, 4, 0x01, 0x12 }, ADDR_GLOBAL }, /* AS112 */
	{ 6, 28, { 0x20, 0x01, 0, 0x20 }, ADDR_GLOBAL },  /* ORCHIDv2 */
	{ 6, 28, { 0x20, 0x01, 0, 0x30 }, ADDR_GLOBAL },  /* drone ids */
	{ 6, 48, { 0x20, 0x01, 0, 2 }, ADDR_BENCHMARK },
	{ 6, 32, { 0x20, 0x01, 0x0d, 0xb8 }, ADDR_DOCUMENTATION },
	{ 6, 20, { 0x3f, 0xff }, ADDR_DOCUMENTATION },
	{ 6, 16, { 0x5f, 0 }, ADDR_RESERVED },            /* SRv6 SIDs */
	{ 6,  7, { 0xfc }, ADDR_PRIVATE },                /* unique local */
	{ 6, 10, { 0xfe, 0x80 }, ADDR_LINKLOCAL },
	{ 6, 10, { 0xfe, 0xc0 }, ADDR_PRIVATE },          /* site-local */
	{ 6,  8, { 0xff }, ADDR_MULTICAST },
};
/* clang-format on */

static int
within(const struct ip *ip, const struct block *k)
{
	unsigned int whole = k->bits / 8, rest = k->bits % 8;

	if (ip->family != k->family || memcmp(ip->b, k->b, whole) != 0)
		return 0;
	return rest == 0 || (ip->b[whole] ^ k->b[whole]) >> (8 - rest) == 0;
}

static enum addrguard_class
longest(const struct ip *ip)
{
	enum addrguard_class c = ip->family == 4 ? ADDR_GLOBAL : ADDR_RESERVED;
	int bits = -1;
	size_t i;

	for (i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
		if (blocks[i].bits > bits && within(ip, &blocks[i])) {
			bits = blocks[i].bits;
			c = blocks[i].class;
		}
	return c;
}

/* The IPv4 address that an IPv6 one stands for, if it does. */
static int
inner(const struct ip *ip, struct ip *v4)
{
	static const struct block at_end[] = {
		{ 6, 96, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, 0 },
		{ 6, 96, { 0, 0x64, 0xff, 0x9b }, 0 },
		{ 6, 48, { 0, 0x64, 0xff, 0x9b, 0, 1 }, 0 },
		{ 6, 96, { 0 }, 0 },
	};
	size_t i;

	memset(v4, 0, sizeof *v4);
	v4->family = 4;
	if (ip->family == 6 && ip->b[0] == 0x20 && ip->b[1] == 0x02) {
		memcpy(v4->b, ip->b + 2, 4);
		return 1;
	}
	for (i = 0; i < sizeof at_end / sizeof at_end[0]; i++)
		if (within(ip, &at_end[i])) {
			memcpy(v4->b, ip->b + 12, 4);
			return 1;
		}
	return 0;
}

enum addrguard_class
addrguard_class(const struct ip *ip)
{
	enum addrguard_class c;
	struct ip v4;

	if (ip->family != 4 && ip->family != 6)
		return ADDR_RESERVED;
	c = longest(ip);
	/* :: and ::1 lie in the old "compatible" block and are themselves */
	if (c == ADDR_UNSPECIFIED || c == ADDR_LOOPBACK || !inner(ip, &v4))
		return c;
	return longest(&v4) != ADDR_GLOBAL ? longest(&v4) : c;
}

const char *
addrguard_name(enum addrguard_class c)
{
	switch (c) {
	case ADDR_GLOBAL:
		return "global";
	case ADDR_UNSPECIFIED:
		return "unspecified";
	case ADDR_LOOPBACK:
		return "loopback";
	case ADDR_PRIVATE:
		return "private";
	case ADDR_CGNAT:
		return "shared";
	case ADDR_LINKLOCAL:
		return "link-local";
	case ADDR_MULTICAST:
		return "multicast";
	case ADDR_BROADCAST:
		return "broadcast";
	case ADDR_DOCUMENTATION:
		return "documentation";
	case ADDR_BENCHMARK:
		return "benchmarking";
	case ADDR_RESERVED:
		break;
	}
	return "reserved";
}

/*
 * What the user named, as 64-bit hashes in an open-addressing table (0 =
 * empty): a clash would let one host in 2^44 through, for 1e6 names.
 */
struct addrguard {
	uint64_t *slot;
	size_t mask;
	size_t count;
	int all;
};

int
addrguard_new(struct addrguard **out)
{
	struct addrguard *g;

	g = calloc(1, sizeof *g);
	if (g == NULL)
		return FAULT_NOMEM;
	g->mask = 63;
	g->slot = calloc(g->mask + 1, sizeof *g->slot);
	if (g->slot == NULL) {
		free(g);
		return FAULT_NOMEM;
	}
	*out = g;
	return 0;
}

void
addrguard_free(struct addrguard *g)
{
	if (g == NULL)
		return;
	free(g->slot);
	free(g);
}

void
addrguard_allow_all(struct addrguard *g)
{
	g->all = 1;
}

static uint64_t *
probe(uint64_t *slot, size_t mask, uint64_t h)
{
	size_t i = h & mask;

	while (slot[i] != 0 && slot[i] != h)
		i = (i + 1) & mask;
	return &slot[i];
}

static int
grow(struct addrguard *g)
{
	size_t mask = g->mask * 2 + 1, i;
	uint64_t *slot;

	slot = calloc(mask + 1, sizeof *slot);
	if (slot == NULL)
		return FAULT_NOMEM;
	for (i = 0; i <= g->mask; i++)
		if (g->slot[i] != 0)
			*probe(slot, mask, g->slot[i]) = g->slot[i];
	free(g->slot);
	g->slot = slot;
	g->mask = mask;
	return 0;
}

static int
allow(struct addrguard *g, uint64_t h)
{
	uint64_t *at = probe(g->slot, g->mask, h);
	int rc;

	if (*at == h)
		return 0;
	if (g->count == LIMIT_GUARD_NAMES)
		return FAULT_FULL;
	if (g->count >= g->mask / 2) {
		rc = grow(g);
		if (rc < 0)
			return rc;
		at = probe(g->slot, g->mask, h);
	}
	*at = h;
	g->count++;
	return 0;
}

static uint64_t
hash(const void *s, size_t len, uint64_t kind)
{
	uint64_t h = XXH3_64bits_withSeed(s, len, kind);

	return h == 0 ? 1 : h;
}

int
addrguard_allow_host(struct addrguard *g, const char *host, size_t len)
{
	return allow(g, hash(host, len, 1));
}

int
addrguard_allow_ip(struct addrguard *g, const struct ip *ip)
{
	return allow(g, hash(ip, sizeof *ip, 2));
}

static int
allowed(const struct addrguard *g, uint64_t h)
{
	return *probe(g->slot, g->mask, h) == h;
}

int
addrguard_ok(const struct addrguard *g, const char *host, size_t len,
    const struct ip *ip)
{
	if (g->all || addrguard_class(ip) == ADDR_GLOBAL)
		return 1;
	return allowed(g, hash(host, len, 1)) ||
	    allowed(g, hash(ip, sizeof *ip, 2));
}
