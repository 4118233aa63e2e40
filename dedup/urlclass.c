/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "dedup/urlclass.h"

/* The sets, each on top of the one before where the standard says so. */
#define CONTROL(c) ((c) < 0x20 || (c) > 0x7e)
#define FRAGMENT(c)                                                            \
	(CONTROL(c) || (c) == ' ' || (c) == '"' || (c) == '<' || (c) == '>' || \
	    (c) == '`')
#define QUERY(c)                                                               \
	(CONTROL(c) || (c) == ' ' || (c) == '"' || (c) == '#' || (c) == '<' || \
	    (c) == '>' || (c) == '\'')
#define PATH(c)                                                                \
	((QUERY(c) && (c) != '\'') || (c) == '?' || (c) == '^' ||              \
	    (c) == '`' || (c) == '{' || (c) == '}')
#define USER(c)                                                                \
	(PATH(c) || (c) == '/' || (c) == ':' || (c) == ';' || (c) == '=' ||    \
	    (c) == '@' || ((c) >= '[' && (c) <= ']') || (c) == '|')
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define ALPHA(c) (((c) | 0x20) >= 'a' && ((c) | 0x20) <= 'z')
#define HEX(c)   (DIGIT(c) || (((c) | 0x20) >= 'a' && ((c) | 0x20) <= 'f'))
#define UNRESERVED(c)                                                          \
	(ALPHA(c) || DIGIT(c) || (c) == '-' || (c) == '.' || (c) == '_' ||     \
	    (c) == '~')
#define SCHEME(c)                                                              \
	(ALPHA(c) || DIGIT(c) || (c) == '+' || (c) == '-' || (c) == '.')
/* "Forbidden domain code points", and what is not ASCII. */
#define DOMAIN(c)                                                              \
	(CONTROL(c) || (c) == ' ' || (c) == '#' || (c) == '%' || (c) == '/' || \
	    (c) == ':' || (c) == '<' || (c) == '>' || (c) == '?' ||            \
	    (c) == '@' || ((c) >= '[' && (c) <= '^') || (c) == '|')

#define CLASS(c)                                                               \
	((PATH(c) ? URLCLASS_PATH : 0) | (QUERY(c) ? URLCLASS_QUERY : 0) |     \
	    (USER(c) ? URLCLASS_USER : 0) |                                    \
	    (FRAGMENT(c) ? URLCLASS_FRAGMENT : 0) |                            \
	    (UNRESERVED(c) ? URLCLASS_UNRESERVED : 0) |                        \
	    (HEX(c) ? URLCLASS_HEX : 0) | (DOMAIN(c) ? URLCLASS_DOMAIN : 0) |  \
	    (SCHEME(c) ? URLCLASS_SCHEME : 0))
#define C4(c)  CLASS(c), CLASS((c) + 1), CLASS((c) + 2), CLASS((c) + 3)
#define C16(c) C4(c), C4((c) + 4), C4((c) + 8), C4((c) + 12)
#define C64(c) C16(c), C16((c) + 16), C16((c) + 32), C16((c) + 48)

const uint8_t urlclass[256] = { C64(0), C64(64), C64(128), C64(192) };
