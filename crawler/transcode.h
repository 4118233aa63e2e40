/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * transcode.h - a body of any encoding as clean UTF-8, and queries back
 *
 * The markup parser is given nothing that it could stumble over: what comes
 * out of transcode_read() is well-formed UTF-8 without NUL, whatever went
 * in.  What can't be decoded, and NUL, are U+FFFD.  Every "&" becomes
 * TRANSCODE_AMP, a code point that no document may hold (a noncharacter),
 * so that the parser leaves character references alone and charref.h reads
 * them by the HTML Standard's rules; where the document does hold it, it
 * becomes U+FFFD.  And three beginnings of markup are reworded, because the
 * parser (libxml2 before 2.14) does not end there what the Standard does:
 *
 *	<!--> and <!--->	are whole comments
 *	<!x			up to ">" is a comment, unless x is a doctype
 *	<?x			the same, whatever x is
 *	<name/x			is "<name x"
 *
 * A form feed is a blank, which in markup it is.
 *
 * Memory	One buffer of some KiB, and iconv's.
 * Threads	One thread per transcoder.
 */

#ifndef CRAWLER_TRANSCODE_H
#define CRAWLER_TRANSCODE_H

#include <stddef.h>

#include "crawler/charset.h"
#include "snapshot/fault.h"

/* What stands for "&": U+FDD0 in UTF-8. */
#define TRANSCODE_AMP     "\xef\xb7\x90"
#define TRANSCODE_AMP_LEN 3

/* Bytes that transcode_read() wants room for. */
#define TRANSCODE_ROOM 8

struct transcode;

/* NULL if there is no memory. */
struct transcode *transcode_new(void);

/* `t' may be NULL. */
void transcode_free(struct transcode *t);

/*
 * Read `len' bytes at `body', which stay the caller's, as `cs'.  An encoding
 * that this system's iconv doesn't have is read as windows-1252; the one
 * that is used is returned.
 */
const struct charset *transcode_start(struct transcode *t,
    const struct charset *cs, const char *body, size_t len);

/*
 * The next bytes: up to `room' (at least TRANSCODE_ROOM) of them to `out',
 * whole characters only.  0 at the end.
 */
size_t transcode_read(struct transcode *t, char *out, size_t room);

/*
 * 1 if a query of a document in the encoding last started must go through
 * transcode_query().
 */
int transcode_encodes(const struct transcode *t);

/*
 * "Percent-encode after encoding" (URL Standard section 1.3) of a query, with
 * the encoding last started: appends to `out' (`room' bytes) what the UTF-8
 * of `s' becomes, with every byte that is not ASCII as %XX and what has no
 * code as %26%23NNN%3B.  ASCII stays as it is.  The bytes written, or
 * FAULT_TOOBIG.
 */
must_check long transcode_query(struct transcode *t, const char *s, size_t len,
    char *out, size_t room);

#endif
