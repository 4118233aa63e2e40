/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/webphantom.h"
#include "tests/webrow.h"

#define P WEBPAGE_PHANTOM
#define F WEBPAGE_FOLLOW

static const struct webrow phantom[] = {
	{ .text = "<!-- <a href=\"\1\">x</a> -->", .why = P },
	{ .text = "<!--[if IE]><a href=\"\1\">x</a><![endif]-->", .why = P },
	{ .text = "<script>v = '<a href=\"\1\">x</a>';</script>", .why = P },
	{ .text = "<script type=text/template><a href=\1></a></script>",
	    .why = P },
	{ .text = "<style>/* <a href=\"\1\">x</a> */</style>", .why = P },
	{ .text = "<textarea><a href=\"\1\">x</a></textarea>", .why = P },
	{ .text = "<![CDATA[<a href=\"\1\">x</a>]]>", .why = P },
	{ .text = "<p data-href=\"\1\" title=x>x</p>", .why = P },
	{ .text = "<p href=\"\1\">x</p>", .why = P },
	{ .text = "<a name=\"\1\">x</a>", .why = P },
	{ .text = "<p>See \1 in the text.</p>", .why = P },
	{ .text = "<p title='<a href=\1>'>x</p>", .why = P },
	{ .text = "<?php echo '<a href=\"\1\">x</a>' ?>", .why = P },
	{ .text = "<a href=\"javascript:go('\1')\">x</a>", .why = P },
	{ .text = "<a href=\"mailto:x@h0.test?body=\1\">x</a>", .why = P },
	{ .text = "<a href=\"data:text/html,\1\">x</a>", .why = P },
	{ .text = "<a href=\"ftp://h0.test/?\1\">x</a>", .why = P },
	{ .text = "<a href=\"http://[h0.test]/?\1\">x</a>", .why = P },
	{ .text = "<a href=\"http://h0.test:99999/?\1\">x</a>", .why = P },
	{ .text = "<a onclick=\"location='\1'\">x</a>", .why = P },
	{ .text = "<a xhref=\"\1\">x</a>", .why = P },
	{ .text = "<iframe><a href=\"\1\">x</a></iframe>", .why = P },
	{ .text = "<xmp><a href=\"\1\">x</a></xmp>", .why = P },
	{ .text = "<noframes><a href=\"\1\">x</a></noframes>", .why = P },
	{ .text = "<form action=\"\1\"></form>", .why = P },
	{ .text = "<meta name=refresh content=\"0;url=\1\">", .why = P },
	{ .text = "< a href=\"\1\">x</ a>", .why = P },
	{ .text = "&lt;a href=\"\1\"&gt;x&lt;/a&gt;", .why = P },
	{ .text = "<link rel=\"dns-prefetch preconnect\" href=\"\1\">",
	    .why = P },
	{ .text = NULL },
};

/* Markup with errors, and whole all the same. */
static const char *const broken[] = {
	"<div><p><b><i>unclosed\n",
	"</b></p></div></td></table></font></nothing>\n",
	"<table><tr><td><a name=x><table><b><tr>\n",
	"<p <b x=1 x=2 ' \" = y>odd</p>\n",
	"&#xD800;&#0;&#x110000;&notit;&amp &&& &#; &#x;\n",
	"<3 <> </> <!> </ > <!DOCTYPE again>\n",
	"<b><p></b></p><i><table></i></table>\n",
	"<!-- a - b -- c --><!---->\n",
	"<p title=\"a > b\" class='<a href=/never/title>'>x\n",
	"<script>if (a < b && c > d) { '<\\/script>' }</script>\n",
	"<h1><h2></h1></h3><li><li></ul><dd><dt>\n",
};

/*
 * Links that a browser finds in what others may take for rubbish, and some
 * that the end of the file eats.
 */
static const struct webrow markup[] = {
	{ .text = "<a href=\"\1\" <p>x</a>", .why = F },
	{ .text = "<a href='\1'title=x>x</a>", .why = F },
	{ .text = "<a/href=\"\1\"/>x</a>", .why = F },
	{ .text = "<a href=\1/>x</a>", .why = F, .more = "/" },
	{ .text = "<A\tHrEf\n=\r\n'\1'\n>x", .why = F },
	{ .text = "<a\fhref=\"\1\">x</a>", .why = F },
	{ .text = "<a href=/0><b><a href=\"\1\">x</b></a>", .why = F },
	{ .text = "<table><a href=\"\1\">x</table>", .why = F },
	{ .text = "<a href=\"\1\" href=/never/second>x</a>", .why = F },
	{ .text = "<noscript><a href=\"\1\">x</a></noscript>", .why = F },
	{ .text = "<area href=\"\1\">", .why = F },
	{ .text = "<b></p></b><p></i><a href=\"\1\">x</a>", .why = F },
	{ .text = "<!-- a --!><a href=\"\1\">x</a>", .why = F },
	{ .text = "<!--><a href=\"\1\">x</a> <!-- -->", .why = F },
	{ .text = "<!---><a href=\"\1\">x</a> <!-- -->", .why = F },
	{ .text = "<title>&lt;/title></title><a href=\"\1\">x</a>", .why = F },
	{ .text = "<textarea>&lt;!--</textarea><a href=\"\1\">x</a>",
	    .why = F },
	{ .text = "<script>'<!--'</script><a href=\"\1\">x</a><!-- -->",
	    .why = F },
	{ .text = "<p x='\"' y=\"'\"><a href=\"\1\">x</a>", .why = F },
	{ .text = "</body></html><a href=\"\1\">x</a>", .why = F },
	{ .text = "<html><body><a href=\"\1\">x</a>", .why = F },
	{ .text = "<button><a href=\"\1\">x</a></button>", .why = F },
	{ .text = "<a href=\"\1?a=1&copy=2&lt=3\">x</a>",
	    .why = F,
	    .more = "?a=1&copy=2&lt=3" },
	{ .text = "<a href=\"\1?a=1&amp;b&#x3d;2\">x</a>",
	    .why = F,
	    .more = "?a=1&b=2" },
	{ .text = "<base href=\"\2\"><base href=/never/><a href=x>x</a>",
	    .why = F },
	{ .text = "<a href=x>x</a><base href=\"\2\">", .why = F, .bare = 1 },
	{ .text = "<a href=\"\1\"", .why = P, .bare = 1 },
	{ .text = "<a href=\"\1", .why = P, .bare = 1 },
	{ .text = "<a href=\1", .why = P, .bare = 1 },
	{ .text = "<plaintext><a href=\"\1\">x</a>", .why = P, .bare = 1 },
	{ .text = "<title><a href=\"\1\">x</a>", .why = P, .bare = 1 },
	{ .text = "<!-- <a href=\"\1\">x</a>", .why = P, .bare = 1 },
	{ .text = "<script><a href=\"\1\">x</a>", .why = P, .bare = 1 },
	{ .text = NULL },
};

void
webphantom_put(struct webpage *p, const char *host, unsigned int k)
{
	char path[64];

	k %= (unsigned int)webrow_count(phantom);
	snprintf(path, sizeof path, "/never/phantom-%u", k);
	webrow_put(p, &phantom[k], host, path);
	webpage_text(p, "\n");
}

void
webphantom_break(struct webpage *p, unsigned int k)
{
	webpage_text(p, broken[k % (sizeof broken / sizeof broken[0])]);
}

static void
phantoms_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	(void)i;
	webrow_get(a, phantom, host, path);
}

static void
markup_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	(void)i;
	webrow_get(a, markup, host, path);
}

const struct webzone webmarkup_zones[] = {
	{ "phantoms", WEB_PHANTOMS, 0, 1, phantoms_get, NULL, NULL },
	{ "markup", WEB_MARKUP, 0, 1, markup_get, NULL, NULL },
	{ NULL, WEB_FEATURES, 0, 0, NULL, NULL, NULL },
};
