#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Completion in the shells themselves: bash and zsh get keys on a terminal,
# fish says what it would offer.  A row of the table is what is typed before
# Tab and the word that stands there then.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
. "$top_srcdir/tests/term.sh"
PATH=$(cd "$top_builddir" && pwd):$PATH
export PATH
cd "$T" || exit 2
mkdir comp here here/state.d
touch here/some-file.txt here/state.txt
HOME=$T
export HOME

for p in urlseen crawl; do
	"$top_builddir/$p" --completion=bash >"comp/$p.bash" &&
	    "$top_builddir/$p" --completion=zsh >"comp/_$p" &&
	    "$top_builddir/$p" --completion=fish >"comp/$p.fish"
	ok $? "$p prints the three scripts"
done
fails 2 'a shell that we do not know' "$urlseen" --completion=tcsh
like "$err" "takes bash, zsh or fish" 'and it says which'

cat >table <<'END'
urlseen --ki	--kind=
urlseen --kind=bloc	--kind=blocked
urlseen -K exa	exact
urlseen -Kcou	-Kcounting
urlseen -R fold	fold-scheme
urlseen --rules=sort-query,strip-w	--rules=sort-query,strip-www
urlseen --rules sort-query,fold-scheme,m	sort-query,fold-scheme,merge-slashes
urlseen --invalid pa	pass
urlseen --invalid=f	--invalid=fail
urlseen --stats=j	--stats=json
urlseen --def	--default-scheme=
urlseen --dry	--dry-run
urlseen --filter=some	--filter=some-file.txt
urlseen -f some	some-file.txt
urlseen -d some	some-file.txt
crawl -S pre	prefix
crawl --scope=a	--scope=any
crawl -K exa	exact
crawl --export=pend	--export=pending
crawl --export ho	hosts
crawl --archive g	gz
crawl --robots ig	ignore
crawl --robots-check some	some-file.txt
crawl --sitemap-check=some	--sitemap-check=some-file.txt
crawl -d stat	state.d
crawl --embeds=y	--embeds=yes
crawl some	some-file.txt
crawl --retry	--retry-failed
END
tab=$(printf '\t')

# rows SHELL: each typed on the terminal that runs this shell.  (zsh puts a
# comma behind what may go on.)
rows() {
	term_wait '^READY *$' || echo "# $1 does not begin"
	while IFS=$tab read -r typed want; do
		term send-keys C-u C-l \; send-keys -l "$typed" \; \
		    send-keys Tab
		term_like "^READY ${typed% *} $want(,|/| |\$)" "$1: $typed"
	done <table
}

if command -v bash >/dev/null; then
	# shellcheck disable=SC2016 # for the shell on the terminal
	echo 'PS1="READY "; cd here; bind "set bell-style none"
	    for f in ../comp/*.bash; do . "$f"; done' >rc
	term_start 120 bash --noprofile --rcfile "$T/rc" -i
	rows bash
	term_end
else
	skip 'completion in bash' 'there is no bash'
fi

if command -v zsh >/dev/null; then
	cat >.zshrc <<'END'
PS1='READY ' fpath=(~/comp $fpath)
autoload -Uz compinit && compinit -u -d ~/zcompdump
unsetopt beep
cd here
END
	term_start 120 env ZDOTDIR="$T" zsh -d -i
	rows zsh
	term_end
else
	skip 'completion in zsh' 'there is no zsh'
fi

if command -v fish >/dev/null; then
	cut -f 1 table | (cd here && fish --no-config -c '
	    source ../comp/urlseen.fish; source ../comp/crawl.fish
	    while read -l typed; echo :; complete -C "$typed"; end') >offers
	n=0
	while IFS=$tab read -r typed want; do
		n=$((n + 1))
		got=$(awk -v n=$n '$0 == ":" { at++; next } at == n' offers)
		like "$got" "^${want%=}=?/?($tab|\$)" "fish: $typed"
	done <table
else
	skip 'completion in fish' 'there is no fish'
fi
done_testing
