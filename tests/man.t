#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The examples of the manual pages, run as they stand in one shell folder per
# page: lines that begin with "$ " are typed, "> " goes on, and what follows
# is what they print.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
man=$(cd "$top_srcdir/man" && pwd)
PATH=$(cd "$top_builddir" && pwd):$PATH
export PATH

# session PAGE: the literal blocks under EXAMPLES, without mdoc's escapes
session() {
	awk '/^\.Sh / { on = $2 == "EXAMPLES" }
	    /^\.Bd -literal/ { lit = on; next }
	    /^\.Ed/ { lit = 0 }
	    lit { gsub(/\\e/, "\\"); gsub(/\\&/, ""); print }' "$1"
}

for page in "$man"/*.[15]; do
	name=$(basename "$page")
	mkdir "$T/$name" "$T/$name.d" && cd "$T/$name" || exit 1
	session "$page" | awk -v dir="$T/$name.d" '
	    /^\$ / { n++; cmd = dir "/cmd" n; want = dir "/want" n
		printf "" >want; print substr($0, 3) >cmd; next }
	    /^> / { print substr($0, 3) >cmd; next }
	    n { print >want }'
	i=1
	while [ -f "$T/$name.d/cmd$i" ]; do
		cmd=$(cat "$T/$name.d/cmd$i")
		is "$(sh -c "$cmd" 2>&1)" "$(cat "$T/$name.d/want$i")" \
		    "$name: $(printf '%s' "$cmd" | head -n 1 | cut -c 1-50)"
		i=$((i + 1))
	done
	ok "$([ $i -gt 1 ]; echo $?)" "$name has examples"
done
done_testing
