/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>

#include <openssl/evp.h>

#include "crawler/digest.h"

#define SHA1_BYTES 20

struct digest {
	EVP_MD *md;
	EVP_MD_CTX *ctx;
};

void
digest_free(struct digest *d)
{
	if (d == NULL)
		return;
	EVP_MD_CTX_free(d->ctx);
	EVP_MD_free(d->md);
	free(d);
}

int
digest_new(struct digest **out)
{
	struct digest *d;

	d = calloc(1, sizeof *d);
	if (d == NULL)
		return FAULT_NOMEM;
	/* fetched once: the look-up costs more than hashing a small page */
	d->md = EVP_MD_fetch(NULL, "SHA1", NULL);
	d->ctx = EVP_MD_CTX_new();
	if (d->md == NULL || d->ctx == NULL) {
		digest_free(d);
		return FAULT_NOMEM;
	}
	*out = d;
	return 0;
}

/* 20 bytes are four groups of 5 bytes, each eight characters: no padding. */
static void
base32(const unsigned char *in, char *out)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	unsigned int acc = 0, bits = 0;
	size_t i;

	for (i = 0; i < SHA1_BYTES; i++) {
		acc = acc << 8 | in[i];
		bits += 8;
		while (bits >= 5) {
			bits -= 5;
			*out++ = digit[acc >> bits & 31];
		}
		acc &= (1U << bits) - 1;
	}
	*out = '\0';
}

int
digest_begin(struct digest *d)
{
	return EVP_DigestInit_ex2(d->ctx, d->md, NULL) == 1 ? 0 : FAULT_NOMEM;
}

int
digest_more(struct digest *d, const void *s, size_t len)
{
	return EVP_DigestUpdate(d->ctx, s, len) == 1 ? 0 : FAULT_NOMEM;
}

int
digest_end(struct digest *d, char out[DIGEST_TEXT])
{
	unsigned char sum[SHA1_BYTES];

	if (EVP_DigestFinal_ex(d->ctx, sum, NULL) != 1)
		return FAULT_NOMEM;
	base32(sum, out);
	return 0;
}

int
digest_of(struct digest *d, const void *a, size_t a_len, const void *b,
    size_t b_len, char out[DIGEST_TEXT])
{
	int rc = digest_begin(d);

	if (rc == 0 && a_len > 0)
		rc = digest_more(d, a, a_len);
	if (rc == 0 && b_len > 0)
		rc = digest_more(d, b, b_len);
	return rc == 0 ? digest_end(d, out) : rc;
}
