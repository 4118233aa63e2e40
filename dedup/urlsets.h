/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlsets.h - the sets of bytes as constant expressions, to build tables of
 */

#ifndef DEDUP_URLSETS_H
#define DEDUP_URLSETS_H

/* The sets, each on top of the one before where the standard says so. */
#define URLSET_CONTROL(c) ((c) < 0x20 || (c) > 0x7e)
#define URLSET_FRAGMENT(c)                                                     \
	(URLSET_CONTROL(c) || (c) == ' ' || (c) == '"' || (c) == '<' ||        \
	    (c) == '>' || (c) == '`')
#define URLSET_QUERY(c)                                                        \
	(URLSET_CONTROL(c) || (c) == ' ' || (c) == '"' || (c) == '#' ||        \
	    (c) == '<' || (c) == '>' || (c) == '\'')
#define URLSET_PATH(c)                                                         \
	((URLSET_QUERY(c) && (c) != '\'') || (c) == '?' || (c) == '^' ||       \
	    (c) == '`' || (c) == '{' || (c) == '}')
#define URLSET_USER(c)                                                         \
	(URLSET_PATH(c) || (c) == '/' || (c) == ':' || (c) == ';' ||           \
	    (c) == '=' || (c) == '@' || ((c) >= '[' && (c) <= ']') ||          \
	    (c) == '|')
#define URLSET_DIGIT(c) ((c) >= '0' && (c) <= '9')
#define URLSET_ALPHA(c) (((c) | 0x20) >= 'a' && ((c) | 0x20) <= 'z')
#define URLSET_HEX(c)                                                          \
	(URLSET_DIGIT(c) || (((c) | 0x20) >= 'a' && ((c) | 0x20) <= 'f'))
#define URLSET_UNRESERVED(c)                                                   \
	(URLSET_ALPHA(c) || URLSET_DIGIT(c) || (c) == '-' || (c) == '.' ||     \
	    (c) == '_' || (c) == '~')
#define URLSET_SCHEME(c)                                                       \
	(URLSET_ALPHA(c) || URLSET_DIGIT(c) || (c) == '+' || (c) == '-' ||     \
	    (c) == '.')
/* "Forbidden domain code points", and what is not ASCII. */
#define URLSET_DOMAIN(c)                                                       \
	(URLSET_CONTROL(c) || (c) == ' ' || (c) == '#' || (c) == '%' ||        \
	    (c) == '/' || (c) == ':' || (c) == '<' || (c) == '>' ||            \
	    (c) == '?' || (c) == '@' || ((c) >= '[' && (c) <= '^') ||          \
	    (c) == '|')

#endif
