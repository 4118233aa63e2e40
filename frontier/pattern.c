/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "frontier/pattern.h"
#include "snapshot/limits.h"

/* URLs are ASCII, so a pattern that asks for UTF only costs time, and \C
   would read half a character. */
#define OPTIONS (PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C)

/* bytes of machine stack that compiled code starts with */
#define STACK_LEAST (32 * 1024)

int
pattern_add(struct pattern_list *l, const char *pattern, size_t *offset,
    char *text, size_t room)
{
	size_t len = strlen(pattern);
	int error = 0;
	pcre2_code *code;
	void **more;

	*offset = 0;
	(void)snprintf(text, room, "%s", "");
	if (l->n == LIMIT_PATTERNS)
		return FAULT_FULL;
	if (len > LIMIT_PATTERN)
		return FAULT_TOOBIG;
	more = realloc(l->code, (l->n + 1) * sizeof *more);
	if (more == NULL)
		return FAULT_NOMEM;
	l->code = more;
	code = pcre2_compile((PCRE2_SPTR)pattern, len, OPTIONS, &error, offset,
	    NULL);
	if (code == NULL) {
		if (error == PCRE2_ERROR_HEAP_FAILED)
			return FAULT_NOMEM;
		if (pcre2_get_error_message(error, (PCRE2_UCHAR *)text, room) ==
		    PCRE2_ERROR_BADDATA)
			(void)snprintf(text, room, "error %d", error);
		return FAULT_ARG;
	}
	/* Where there is no JIT the interpreter does the same, slower. */
	(void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	l->code[l->n++] = code;
	return 0;
}

void
pattern_clear(struct pattern_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		pcre2_code_free(l->code[i]);
	free(l->code);
	l->code = NULL;
	l->n = 0;
}

int
pattern_scratch_init(struct pattern_scratch *x)
{
	pcre2_match_context *c = pcre2_match_context_create(NULL);

	x->context = c;
	x->data = pcre2_match_data_create(1, NULL);
	x->stack =
	    pcre2_jit_stack_create(STACK_LEAST, LIMIT_PATTERN_STACK, NULL);
	if (c == NULL || x->data == NULL) {
		pattern_scratch_clear(x);
		return FAULT_NOMEM;
	}
	(void)pcre2_set_match_limit(c, LIMIT_PATTERN_STEPS);
	(void)pcre2_set_depth_limit(c, LIMIT_PATTERN_STEPS);
	(void)pcre2_set_heap_limit(c, LIMIT_PATTERN_HEAP / 1024);
	if (x->stack != NULL)
		pcre2_jit_stack_assign(c, NULL, x->stack);
	return 0;
}

void
pattern_scratch_clear(struct pattern_scratch *x)
{
	pcre2_match_data_free(x->data);
	pcre2_match_context_free(x->context);
	pcre2_jit_stack_free(x->stack);
	memset(x, 0, sizeof *x);
}

int
pattern_match(const struct pattern_list *l, struct pattern_scratch *x,
    const char *s, size_t len)
{
	int rc = 0;

	for (size_t i = 0; i < l->n; i++) {
		int n = pcre2_match(l->code[i], (PCRE2_SPTR)s, len, 0, 0,
		    x->data, x->context);

		if (n >= 0)
			return 1;
		if (n != PCRE2_ERROR_NOMATCH)
			rc = FAULT_FULL;
	}
	return rc;
}
