# SPDX-License-Identifier: BSD-2-Clause
#
# A real terminal for tests, by tmux: source it after tap.sh.  Its server is
# one of our own, which ends with the test.
# shellcheck shell=sh disable=SC2034,SC2154

command -v tmux >/dev/null || skip_all 'there is no tmux'
unset TMUX
term_number=0
LC_ALL=C.UTF-8
export LC_ALL
trap 'term_end; rm -rf "$T"' EXIT

term() {
	tmux -S "$T/tmux.$term_number" -f /dev/null "$@"
}

# term_start COLUMNS COMMAND...: run it on a fresh terminal
term_start() {
	term_columns=$1
	term_number=$((term_number + 1)) # a server that ends is in no way
	shift
	term new-session -d -x "$term_columns" -y 30 "$@"
}

term_end() {
	term kill-server 2>/dev/null
}

# term_type TEXT: as it is
term_type() {
	term send-keys -l "$1"
}

# term_keys KEY...: Enter, Tab, C-u ...
term_keys() {
	term send-keys "$@"
}

# term_screen: what stands on it
term_screen() {
	term capture-pane -p
}

# term_wait PATTERN: until a line of the screen matches the grep -E PATTERN;
# the screen is left in $screen
term_wait() {
	term_tries=0
	while :; do
		screen=$(term_screen)
		! printf '%s\n' "$screen" | grep -Eq -- "$1" || return 0
		term_tries=$((term_tries + 1))
		[ $term_tries -lt 100 ] && term has-session 2>/dev/null ||
		    return 1
		sleep 0.05
	done
}

# term_like PATTERN NAME
term_like() {
	if term_wait "$1"; then
		ok 0 "$2"
	else
		ok 1 "$2"
		printf '%s\n' "$screen" | sed '/^$/d; s/^/# screen: /'
		echo "# want a match of: $1"
	fi
}
