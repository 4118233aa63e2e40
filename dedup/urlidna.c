/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include <idn2.h>

#include "dedup/urlidna.h"
#include "snapshot/limits.h"

int
urlidna_ascii(char *out, const char *s, size_t len)
{
	char *to = NULL;
	size_t n;
	int rc;

	(void)len;
	rc = idn2_to_ascii_8z(s, &to,
	    IDN2_NONTRANSITIONAL | IDN2_NO_ALABEL_ROUNDTRIP |
		IDN2_ALLOW_UNASSIGNED);
	if (rc == IDN2_MALLOC)
		return FAULT_NOMEM;
	if (rc != IDN2_OK)
		return FAULT_URL_HOST;
	n = strlen(to);
	rc = FAULT_URL_TOOLONG;
	if (n > LIMIT_HOST)
		goto out;
	memcpy(out, to, n);
	rc = (int)n;
out:
	idn2_free(to);
	return rc;
}
