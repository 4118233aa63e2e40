# SPDX-License-Identifier: BSD-2-Clause
#
# Sessions as documents show them, run as they stand: source it after tap.sh.
# shellcheck shell=sh disable=SC2034,SC2154

# session_cut FILE DIR: its indented blocks; lines after "$ " become DIR/cmd1,
# cmd2 ..., and what follows each becomes want1, want2 ...
session_cut() {
	awk -v dir="$2" '
	    !/^    / { n && on = 0; next }
	    { sub(/^    /, "") }
	    /^\$ / { n++; on = 1
		print substr($0, 3) >(dir "/cmd" n)
		printf "" >(dir "/want" n); next }
	    on { print >(dir "/want" n) }' "$1"
}

# session_same GOT WANT HOW: 0 if the files are equal.  A line "..." of WANT is
# any number of lines.  HOW is "exact", or "numbers" if they may differ.  Else
# it prints, as a comment, where they part.
session_same() {
	awk -v how="$3" '
	    function plain(s) {
		gsub(/[ \t]+/, " ", s)
		if (how == "numbers")
			gsub(/[0-9][0-9.]*/, "N", s)
		return s
	    }
	    function part(i, j) {
		printf "# got:  %s\n# want: %s\n",
		    (i > n ? "(end)" : got[i]), (j > m ? "(end)" : want[j])
		exit 1
	    }
	    NR == FNR { got[++n] = plain($0); next }
	    { want[++m] = plain($0) }
	    END {
		i = 1
		for (j = 1; j <= m; j++) {
			if (want[j] == "...") {
				if (j == m)
					exit 0
				while (i <= n && got[i] != want[j + 1])
					i++
			} else if (i > n || got[i] != want[j])
				part(i, j)
			else
				i++
		}
		if (i <= n)
			part(i, j)
	    }' "$1" "$2"
}
