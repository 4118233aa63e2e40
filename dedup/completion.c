/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/completion.h"
#include "dedup/url.h"

const char *const completion_shells[] = { "bash", "zsh", "fish", NULL };

enum value {
	VALUE_NONE, /* the option is a flag */
	VALUE_FILE,
	VALUE_DIR,
	VALUE_RULES, /* several, comma-separated */
	VALUE_WORDS, /* one of them */
	VALUE_OTHER, /* a number, a URL: nothing to offer */
};

static enum value
value_of(const struct optable_row *r)
{
	if (r->arg == NULL || r->arg[0] == '[')
		return VALUE_NONE;
	if (r->words != NULL)
		return VALUE_WORDS;
	if (strcmp(r->arg, "FILE") == 0)
		return VALUE_FILE;
	if (strcmp(r->arg, "DIR") == 0)
		return VALUE_DIR;
	return strcmp(r->arg, "LIST") == 0 ? VALUE_RULES : VALUE_OTHER;
}

/* Rows without help are not for typing. */
static int
shown(const struct optable_row *r)
{
	return r->name != NULL && r->help != NULL;
}

/* "[=json]": the word, as "=json"; its length in `*n'. */
static const char *
optional(const struct optable_row *r, int *n)
{
	if (r->arg == NULL || r->arg[0] != '[')
		return NULL;
	*n = (int)strcspn(r->arg + 1, "]");
	return r->arg + 1;
}

static void
put_words(const struct optable_row *r, FILE *out)
{
	const char *const *w;

	for (w = r->words; *w != NULL; w++)
		fprintf(out, "%s%s", w == r->words ? "" : " ", *w);
}

/* Text within single quotes, with a backslash before each of `special'. */
static void
put_quoted(const char *s, const char *special, const char *quote, FILE *out)
{
	for (; *s != '\0'; s++) {
		if (*s == '\'') {
			fputs(quote, out);
			continue;
		}
		if (strchr(special, *s) != NULL)
			fputc('\\', out);
		fputc(*s, out);
	}
}

/* ---- bash ---- */

/* "-K|--kind)" begins what is done for the value of that option. */
static void
bash_case(const struct optable_row *r, FILE *out)
{
	enum value v = value_of(r);
	int n;

	if (optional(r, &n) != NULL)
		fprintf(out, "\t--%s)\n\t\twords=${eq:+%.*s} ;;\n", r->name,
		    n - 1, optional(r, &n) + 1);
	if (!shown(r) || v == VALUE_NONE)
		return;
	if (r->letter != 0)
		fprintf(out, "\t-%c|", r->letter);
	else
		fputs("\t", out);
	fprintf(out, "--%s)\n", r->name);
	switch (v) {
	case VALUE_WORDS:
		fputs("\t\twords='", out);
		put_words(r, out);
		fputs("' ;;\n", out);
		break;
	case VALUE_RULES:
		fputs("\t\tlist=1 words=$rules ;;\n", out);
		break;
	case VALUE_FILE:
		fputs("\t\treturn ;;\n", out);
		break;
	case VALUE_DIR:
		fputs("\t\tcompopt +o default +o bashdefault -o dirnames "
		      "2>/dev/null\n\t\treturn ;;\n",
		    out);
		break;
	case VALUE_NONE:
	case VALUE_OTHER:
		fputs("\t\tcompopt +o default +o bashdefault 2>/dev/null\n"
		      "\t\treturn ;;\n",
		    out);
		break;
	}
}

/* The names, those with a value end in "=". */
static void
bash_names(const struct optable *t, FILE *out)
{
	const struct optable_row *r;
	size_t i;
	int n;

	for (i = 0; i < t->rows; i++) {
		r = &t->row[i];
		if (!shown(r))
			continue;
		fprintf(out, "--%s%s ", r->name,
		    value_of(r) == VALUE_NONE ? "" : "=");
		if (optional(r, &n) != NULL)
			fprintf(out, "--%s%.*s ", r->name, n, optional(r, &n));
	}
}

/*
 * "=" is a word of its own where COMP_WORDBREAKS has it, as is usual; a value
 * may also stand in its letter's word.
 */
static const char bash_words[] =
    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev='' stem='' list='' words='' "
    "eq=''\n"
    "\t[ \"$COMP_CWORD\" -gt 1 ] && prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "\tCOMPREPLY=()\n"
    "\tif [ \"$cur\" = = ]; then\n"
    "\t\tcur='' eq=1\n"
    "\telif [ \"$prev\" = = ]; then\n"
    "\t\tprev=${COMP_WORDS[COMP_CWORD-2]} eq=1\n"
    "\telif [[ $cur == --*=* ]]; then\n"
    "\t\tstem=${cur%%=*}= prev=${cur%%=*} cur=${cur#*=} eq=1\n"
    "\telif [[ $cur == -[a-zA-Z0-9]?* ]]; then\n"
    "\t\tstem=${cur:0:2} prev=$stem cur=${cur:2}\n"
    "\tfi\n"
    "\tcase $prev in\n";

static const char bash_end[] =
    "\tesac\n"
    "\tif [ -z \"$words\" ]; then\n"
    "\t\t[[ $cur == -* ]] || return\n"
    "\t\twords=$names\n"
    "\tfi\n"
    "\tif [ -n \"$list\" ] && [[ $cur == *,* ]]; then\n"
    "\t\tstem=$stem${cur%,*}, cur=${cur##*,}\n"
    "\tfi\n"
    "\tlocal IFS=$' \\t\\n'\n"
    "\tCOMPREPLY=($(compgen -P \"$stem\" -W \"$words\" -- \"$cur\"))\n"
    "\tcompopt +o default +o bashdefault 2>/dev/null\n"
    "\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "\treturn 0\n"
    "}\n";

static void
bash(const struct optable *t, const char *program, FILE *out)
{
	unsigned int rule;
	size_t i;

	fprintf(out,
	    "# bash completion for %s, made from its options\n"
	    "# shellcheck disable=SC2207 # bash 3 has no mapfile\n\n"
	    "_%s() {\n\tlocal rules='help",
	    program, program);
	for (rule = 0; rule < URL_RULES; rule++)
		fprintf(out, " %s", url_rule_name(rule));
	fputs("'\n\tlocal names='", out);
	bash_names(t, out);
	fputs("'\n", out);
	fputs(bash_words, out);
	for (i = 0; i < t->rows; i++)
		bash_case(&t->row[i], out);
	fputs(bash_end, out);
	fprintf(out, "complete -o bashdefault -o default -F _%s %s\n", program,
	    program);
}

/* ---- zsh ---- */

/* A flag once, an option with a value any number of times. */
static void
zsh_row(const struct optable_row *r, const char *program, FILE *out)
{
	enum value v = value_of(r);
	int n, flag = v == VALUE_NONE;

	fputs(" \\\n\t\t", out);
	if (r->letter != 0 && flag)
		fprintf(out, "'(-%c --%s)'{-%c,--%s}'", r->letter, r->name,
		    r->letter, r->name);
	else if (r->letter != 0)
		fprintf(out, "'*'{-%c+,--%s=}'", r->letter, r->name);
	else
		fprintf(out, "'%s--%s%s", flag ? "" : "*", r->name,
		    optional(r, &n) != NULL ? "=-" :
			flag                ? "" :
					      "=");
	fputc('[', out);
	put_quoted(r->help, "[]\\", "'\\''", out);
	fputc(']', out);
	if (optional(r, &n) != NULL)
		fprintf(out, "::how:(%.*s)", n - 1, optional(r, &n) + 1);
	if (!flag)
		fprintf(out, ":%s:", r->arg);
	if (v == VALUE_WORDS) {
		fputc('(', out);
		put_words(r, out);
		fputc(')', out);
	} else if (v == VALUE_RULES) {
		fprintf(out, "_%s_rules", program);
	} else if (v == VALUE_FILE || v == VALUE_DIR) {
		fputs(v == VALUE_FILE ? "_files" : "_files -/", out);
	}
	fputc('\'', out);
}

static void
zsh(const struct optable *t, const char *program, FILE *out)
{
	unsigned int rule;
	size_t i;

	fprintf(out,
	    "#compdef %s\n# made from the program's options\n\n"
	    "(( $+functions[_%s_rules] )) || _%s_rules() {\n"
	    "\t_values -s , rule 'help[explain each]'",
	    program, program, program);
	for (rule = 0; rule < URL_RULES; rule++) {
		fprintf(out, " \\\n\t\t'%s[", url_rule_name(rule));
		put_quoted(url_rule_help(rule), "[]\\:", "'\\''", out);
		fputs("]'", out);
	}
	fprintf(out, "\n}\n\n_%s() {\n\t_arguments -s -S", program);
	for (i = 0; i < t->rows; i++)
		if (shown(&t->row[i]))
			zsh_row(&t->row[i], program, out);
	/* Autoloaded from fpath its first call is the file, else it is
	   sourced. */
	fprintf(out,
	    " \\\n\t\t'*:file:_files'\n}\n\n"
	    "if [ \"${funcstack[1]}\" = _%s ]; then\n\t_%s \"$@\"\n"
	    "else\n\tcompdef _%s %s\nfi\n",
	    program, program, program, program);
}

/* ---- fish ---- */

static void
fish_row(const struct optable_row *r, const char *program, FILE *out)
{
	enum value v = value_of(r);

	fprintf(out, "complete -c %s", program);
	if (r->letter != 0)
		fprintf(out, " -s %c", r->letter);
	fprintf(out, " -l %s", r->name);
	if (v == VALUE_FILE)
		fputs(" -r -F", out);
	else if (v == VALUE_DIR)
		fputs(" -x -a '(__fish_complete_directories)'", out);
	else if (v == VALUE_RULES)
		fprintf(out, " -x -a '(__%s_rules)'", program);
	else if (v != VALUE_NONE)
		fputs(" -x", out);
	if (v == VALUE_WORDS) {
		fputs(" -a '", out);
		put_words(r, out);
		fputc('\'', out);
	}
	fputs(" -d '", out);
	put_quoted(r->help, "\\", "\\'", out);
	fputs("'\n", out);
}

/* fish has no optional values: "--stats=json" is an option by itself. */
static void
fish_optional(const struct optable_row *r, const char *program, FILE *out)
{
	int n;

	if (optional(r, &n) != NULL)
		fprintf(out, "complete -c %s -l %s%.*s -d 'as %.*s'\n", program,
		    r->name, n, optional(r, &n), n - 1, optional(r, &n) + 1);
}

static void
fish(const struct optable *t, const char *program, FILE *out)
{
	unsigned int rule;
	size_t i;

	fprintf(out,
	    "# fish completion for %s, made from its options\n\n"
	    "function __%s_rules\n"
	    "\tset -l word (commandline -ct | "
	    "string replace -r '^(-R|--rules=)' '')\n"
	    "\tset -l before (string match -r '.*,' -- $word)\n"
	    "\tprintf '%%s\\t%%s\\n' \"$before\"help 'explain each'",
	    program, program);
	for (rule = 0; rule < URL_RULES; rule++) {
		fprintf(out, " \\\n\t\t\"$before\"%s '", url_rule_name(rule));
		put_quoted(url_rule_help(rule), "\\", "\\'", out);
		fputc('\'', out);
	}
	fputs("\nend\n\n", out);
	for (i = 0; i < t->rows; i++) {
		if (!shown(&t->row[i]))
			continue;
		fish_row(&t->row[i], program, out);
		fish_optional(&t->row[i], program, out);
	}
}

void
completion_write(const struct optable *t, const char *program,
    enum completion_shell shell, FILE *out)
{
	switch (shell) {
	case COMPLETION_BASH:
		bash(t, program, out);
		break;
	case COMPLETION_ZSH:
		zsh(t, program, out);
		break;
	case COMPLETION_FISH:
		fish(t, program, out);
		break;
	}
}
