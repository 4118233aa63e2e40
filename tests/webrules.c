/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stddef.h>

#include "tests/webrobots.h"

#define ALL "User-agent: *\n"

/* RFC 9309 sections 2.2 and 2.3.1; a style a host, numbered from 0. */
static const struct webrobots_style style[] = {
	/* 0: the hub, which must stay open */
	{ .body = ALL "Disallow: /a\n", .probes = "-/a -/a/b -/abc +/b" },
	{ .body = ALL "Disallow:\n", .probes = "+/a" },
	{ .body = "", .probes = "+/a" },
	{ .body = ALL "Disallow: /\n", .probes = "-/ -/a" },
	{ .body = ALL "Disallow: /\nAllow: /a\n", .probes = "-/ +/a -/b" },
	/* 5: the longest match, whatever the order */
	{ .body = ALL "Allow: /a/b\nDisallow: /a\n",
	    .probes = "+/a/b/x -/a/x +/c" },
	{ .body = ALL "Disallow: /page\nAllow: /page\n", .probes = "+/page" },
	{ .body = ALL "Allow: /\nDisallow: /*\n", .probes = "-/ -/a" },
	{ .body = ALL "Disallow: /*.gif\n",
	    .probes = "-/x.gif -/x.gif?y -/d/x.gifs +/x.jpg" },
	{ .body = ALL "Disallow: /*.php$\n",
	    .probes = "-/x.php +/x.php?y +/x.php5" },
	/* 10: wildcards */
	{ .body = ALL "Disallow: /\nAllow: /$\n", .probes = "+/ -/a" },
	{ .body = ALL "Disallow: /a*b*c\n", .probes = "-/aXbYc -/abcz +/acb" },
	{ .body = ALL "Disallow: /fish*\n",
	    .probes = "-/fish -/fish/x -/fisherman +/Fish" },
	{ .body = ALL "Disallow: /a$b\n", .probes = "-/a$b +/a" },
	{ .body = ALL "Disallow: /a?b\nDisallow: /*?x\n",
	    .probes = "-/a?b=1 +/a -/y?x +/y" },
	/* 15: letters and fields */
	{ .body = ALL "Disallow: /Case\n", .probes = "-/Case +/case" },
	{ .body = "USER-AGENT: *\nDISALLOW: /a\n\tallow : /a/b\n",
	    .probes = "-/a/x +/a/b" },
	{ .body = "User-agent:*\nDisallow:/a\n", .probes = "-/a +/b" },
	{ .body = "Disallow: /a\n" ALL "Disallow: /b\n", .probes = "+/a -/b" },
	{ .body = "User-agent:\nDisallow: /\n", .probes = "+/a" },
	/* 20: escapes */
	{ .body = ALL "Disallow: /a%3cd.html\n", .probes = "-/a%3Cd.html +/a" },
	{ .body = ALL "Disallow: /%7Ejoe\n", .probes = "-/~joe/x +/joe" },
	{ .body = ALL "Disallow: /a%2fb\n", .probes = "-/a%2Fb +/a/b" },
	{ .body = ALL "Disallow: /\xe3\x83\x84\n",
	    .probes = "-/%E3%83%84 +/x" },
	{ .body = ALL "Disallow: /%e3%83%84\n", .probes = "-/%E3%83%84 +/x" },
	/* 25: groups */
	{ .body = ALL "Disallow: /\n\nUser-agent: \3\nDisallow: /a\n",
	    .probes = "-/a +/b" },
	{ .body = "User-agent: \3/2.0\nDisallow: /a\n\n" ALL "Disallow: /\n",
	    .probes = "-/a +/b" },
	{ .body = "User-agent: other\nUser-agent: \3\nDisallow: /a\n",
	    .probes = "-/a +/b" },
	{ .body = "User-agent: \3\nDisallow: /a\n\nUser-agent: x\n"
		  "Disallow: /\n\nUser-agent: \3\nDisallow: /b\n",
	    .probes = "-/a -/b +/c" },
	{ .body = "User-agent: otherbot\nDisallow: /\n", .probes = "+/a" },
	/* 30: lines */
	{ .body = ALL "\n\n\nDisallow: /a\n", .probes = "-/a +/b" },
	{ .body = ALL "Noindex: /x\nHost: x\nDisallow: /a\n",
	    .probes = "-/a +/x" },
	{ .body = "\xef\xbb\xbf" ALL "Disallow: /a\n", .probes = "-/a +/b" },
	{ .body = "User-agent: *\r\nDisallow: /a\r\n", .probes = "-/a +/b" },
	{ .body = "User-agent: *\rDisallow: /a\rDisallow: /b\r",
	    .probes = "-/a -/b +/c" },
	/* 35 */
	{ .body = "# x\nUser-agent: * # all\nDisallow: /a # b\n#Disallow: /c",
	    .probes = "-/a +/c" },
	{ .body = ALL "Disallow: /a", .probes = "-/a +/b" },
	{ .body = "\x7f\x01\xff\xfe<>\n\n::\n:\n#\n", .probes = "+/a" },
	{ .body = "<!DOCTYPE html><p>Disallow: /</p><a href=/a>x</a>\n",
	    .probes = "+/a",
	    .how = WEBROBOTS_OLD },
	{ .body = ALL "Crawl-delay: 0.5\nDisallow: /a\n",
	    .probes = "-/a +/b +/c +/d",
	    .delay = 500 },
	/* 40: delays, statuses, redirects, length */
	{ .body = ALL "Crawl-delay: 9\n\nUser-agent: \3\nCrawl-delay: 0.25\n",
	    .probes = "+/a +/b +/c",
	    .delay = 250 },
	{ .body = "401", .probes = "+/a", .how = WEBROBOTS_STATUS },
	{ .body = "403", .probes = "+/a", .how = WEBROBOTS_STATUS },
	{ .body = "410", .probes = "+/a", .how = WEBROBOTS_STATUS },
	{ .body = "500", .probes = "-/ -/a", .how = WEBROBOTS_STATUS },
	/* 45 */
	{ .body = "503", .probes = "-/ -/a", .how = WEBROBOTS_STATUS },
	{ .body = ALL "Disallow: /a\n",
	    .probes = "?/ -/a ?/b",
	    .how = WEBROBOTS_RECOVERS },
	{ .body = ALL "Disallow: /a\n",
	    .probes = "-/a +/b",
	    .how = WEBROBOTS_MOVED },
	{ .body = ALL "Disallow: /a\n",
	    .probes = "-/a +/b",
	    .how = WEBROBOTS_FAR },
	{ .body = ALL "Disallow: /a\n",
	    .probes = "-/a -/m ?/z +/b",
	    .how = WEBROBOTS_LONG },
	/* 50 */
	{ .body = ALL, .probes = "-/x0 -/x4999 +/y", .how = WEBROBOTS_MANY },
};

const struct webrobots_style *
webrobots_style(unsigned int i)
{
	return i < sizeof style / sizeof style[0] ? &style[i] : NULL;
}
