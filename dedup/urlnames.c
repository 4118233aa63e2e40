/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/url.h"
#include "dedup/urlclass.h"
#include "dedup/urlnames.h"

/*
 * In lower case; a "*" at the end stands for any rest.  Google, Meta,
 * Microsoft, Yandex, X, TikTok, LinkedIn, Instagram, Pinterest, Mailchimp,
 * HubSpot, Marketo, Matomo, Adobe, Vero, Omeda, Branch and others.
 */
static const char *const tracking[] = {
	"utm_*",
	"gclid",
	"gclsrc",
	"gbraid",
	"wbraid",
	"dclid",
	"gad_source",
	"gad_campaignid",
	"srsltid",
	"_ga",
	"_gl",
	"_gac",
	"fbclid",
	"igshid",
	"igsh",
	"msclkid",
	"yclid",
	"ysclid",
	"ymclid",
	"_openstat",
	"twclid",
	"ttclid",
	"li_fat_id",
	"epik",
	"mc_cid",
	"mc_eid",
	"mkt_tok",
	"s_cid",
	"irclickid",
	"_hsenc",
	"_hsmi",
	"__hssc",
	"__hstc",
	"__hsfp",
	"hsctatracking",
	"mtm_*",
	"pk_*",
	"piwik_*",
	"matomo_*",
	"vero_id",
	"vero_conv",
	"oly_anon_id",
	"oly_enc_id",
	"_branch_match_id",
	"rb_clickid",
	"wickedid",
	"zanpid",
	NULL,
};

static const char *const session[] = {
	"jsessionid",
	"jservsession*",
	"phpsessid",
	"aspsessionid*",
	"asp.net_sessionid",
	"sid",
	"sessid",
	"sessionid",
	"session_id",
	"oscsid",
	"xtcsid",
	"zenid",
	"cfid",
	"cftoken",
	NULL,
};

static const char *const index_file[] = {
	"index.html",
	"index.htm",
	"index.shtml",
	"index.xhtml",
	"index.php",
	"index.asp",
	"index.aspx",
	"index.jsp",
	"index.cgi",
	"index.cfm",
	"default.html",
	"default.htm",
	"default.asp",
	"default.aspx",
	NULL,
};

/* Is the name `s' on the list?  Most are not, by their first letter. */
static int
listed(const char *const *list, const char *s, const char *end)
{
	const char *p, *name;
	char first;

	if (s == end)
		return 0;
	first = urlclass_lower(*s);
	for (; *list != NULL; list++) {
		name = *list;
		if (*name != first)
			continue;
		for (p = s; p < end && *name == urlclass_lower(*p); p++)
			name++;
		if (*name == '*' || (*name == '\0' && p == end))
			return 1;
	}
	return 0;
}

/* Is the part before a "=" on the list? */
static int
param_listed(const char *const *list, const char *s, const char *end)
{
	const char *eq = memchr(s, '=', (size_t)(end - s));

	return listed(list, s, eq == NULL ? end : eq);
}

int
urlnames_tracking(const char *s, const char *end)
{
	return param_listed(tracking, s, end);
}

int
urlnames_session(const char *s, const char *end)
{
	return param_listed(session, s, end);
}

int
urlnames_index(const char *s, const char *end)
{
	return listed(index_file, s, end);
}

/* In the order of their bits. */
static const struct {
	const char *name;
	const char *help;
} rule[URL_RULES] = {
	{ "keep-fragment", "keep \"#...\", which is dropped otherwise" },
	{ "sort-query",
	    "sort the query's parameters by name, equal names as they come" },
	{ "strip-params",
	    "drop tracking parameters (utm_*, gclid, fbclid, msclkid ...)" },
	{ "strip-session",
	    "drop session ids (;jsessionid=, PHPSESSID, sid, /(S(...))/ ...)" },
	{ "drop-empty-query", "\"/a?\" is \"/a\"" },
	{ "drop-userinfo", "drop \"user:password@\"" },
	{ "merge-slashes", "\"/a//b\" is \"/a/b\"" },
	{ "strip-slash", "\"/a/\" is \"/a\"" },
	{ "strip-index", "\"/a/index.html\" is \"/a/\" (also index.php ...)" },
	{ "strip-www", "\"www.example.com\" is \"example.com\"" },
	{ "fold-scheme", "https is http" },
};

uint32_t
url_rule(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < URL_RULES; i++)
		if (strlen(rule[i].name) == len &&
		    memcmp(rule[i].name, name, len) == 0)
			return UINT32_C(1) << i;
	return 0;
}

const char *
url_rule_name(unsigned int i)
{
	return rule[i].name;
}

const char *
url_rule_help(unsigned int i)
{
	return rule[i].help;
}
