# SPDX-License-Identifier: BSD-2-Clause
#
# For tests of crawl against a web of our own: source it after tap.sh.
# shellcheck shell=sh disable=SC2034,SC2154

bin=$top_builddir/tests
crawl=$top_builddir/crawl
web_pid=

for tool in zstd jq; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done

# web_start OPTION...: a server; its port in $port, its log in $T/log
web_start() {
	rm -f "$T/port"
	"$bin/testweb" "$@" --log="$T/log" --port-file="$T/port" \
	    >"$T/web.out" 2>&1 &
	web_pid=$!
	web_tries=0
	while [ ! -s "$T/port" ]; do
		web_tries=$((web_tries + 1))
		[ $web_tries -lt 400 ] || {
			sed 's/^/# /' "$T/web.out"
			echo "Bail out! the server does not start"
			exit 2
		}
		sleep 0.02
	done
	port=$(cat "$T/port")
	to="--connect-to=::127.0.0.1:$port"
}

web_stop() {
	[ -z "$web_pid" ] || {
		kill "$web_pid" && wait "$web_pid"
	}
	web_pid=
}
trap 'web_stop; rm -rf "$T"' EXIT

# truth OPTION...: the sets of that web in $T/fetch, robots, forbidden ...
truth() {
	for truth_set in fetch robots forbidden maybe traps delays seeds; do
		"$bin/testweb" "$@" --truth=$truth_set >"$T/$truth_set" ||
		    return 1
	done
}

# judge NAME [OPTION]...: the log against the truth
judge() {
	judge_name=$1
	shift
	if "$bin/weblog-check" --truth="$T/fetch" --robots="$T/robots" \
	    --forbidden="$T/forbidden" --maybe="$T/maybe" --traps="$T/traps" \
	    "$@" "$T/log" >"$T/table" 2>&1; then
		ok 0 "$judge_name"
	else
		ok 1 "$judge_name"
		sed 's/^/# /' "$T/table"
	fi
}

# dictionary FILE [OUT]: the dictionary that an archive file begins with; 1 if
# there is none.  Both numbers there have their least byte first.
dictionary() {
	# shellcheck disable=SC2046 # two words
	set -- "$1" "$2" $(od -An -tu4 -N8 --endian=little "$1")
	[ "$3" = 407710301 ] || return 1 # 0x184d2a5d
	[ -z "$2" ] || tail -c +9 "$1" | head -c "$4" | zstd -qd >"$2"
}

# zstd_t FILE...: is each whole for zstd, with its dictionary if it has one?
zstd_t() {
	for zstd_file; do
		if dictionary "$zstd_file" dict.zstd_t; then
			zstd -q -t -D dict.zstd_t "$zstd_file" || return 1
		else
			zstd -q -t "$zstd_file" || return 1
		fi
	done
}

# records LETTER DIR: the journal's records of that letter
records() {
	zstdcat "$2"/journal/*.zst | grep "^$1	"
}

# wait_for COUNT FILE: until FILE has that many lines
wait_for() {
	wait_tries=0
	until [ -f "$2" ] && [ "$(wc -l <"$2")" -ge "$1" ]; do
		wait_tries=$((wait_tries + 1))
		[ $wait_tries -lt 1000 ] || return 1
		sleep 0.02
	done
}

# sorted FILE...: unique lines in the order of their bytes
sorted() {
	LC_ALL=C sort -u "$@"
}
