/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "tests/webrobots.h"

int
webrobots_get(const struct web *w, uint32_t h, struct webbuf *out)
{
	if (!web_has(w, WEB_ROBOTS) || h % 4 == 3)
		return 404;
	switch (h % 4) {
	case 0:
		webbuf_str(out, "User-agent: *\nDisallow: /private/\n");
		break;
	case 1:
		/* our own group: the others' rules are not for us */
		webbuf_fmt(out,
		    "User-agent: *\nDisallow: /\n\n"
		    "User-agent: %s\nDisallow: /private/\n",
		    w->agent);
		break;
	default:
		/* the longest match wins */
		webbuf_str(out,
		    "User-agent: *\nAllow: /\n"
		    "Disallow: /private\nDisallow: /p*.cgi$\n");
		break;
	}
	return 200;
}

int
webrobots_allows(const struct web *w, uint32_t h, const char *path)
{
	return !web_has(w, WEB_ROBOTS) || h % 4 == 3 ||
	    strncmp(path, "/private/", 9) != 0;
}
