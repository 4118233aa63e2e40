#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The journal as processes see it: what a writer called durable before kill -9
# is read back, and ordinary tools read the files.

. "${top_srcdir:-$(dirname "$0")/..}/tests/tap.sh"
tool=$top_builddir/tests/journal-tool
mkdir "$T/j"

# at several moments, from the first system calls on
kills=12
[ -z "${LONG-}" ] || kills=200
i=0
lost=0
durable=0
while [ $i -lt $kills ]; do
	i=$((i + 1))
	"$tool" write "$T/j" >"$T/told" 2>"$T/err" &
	pid=$!
	sleep "0.$(printf %03d $((i * 37 % 190)))"
	kill -9 "$pid" || exit 1
	wait "$pid" 2>"$T/wait"
	said=$(tail -n 1 "$T/told")
	[ -z "$said" ] || durable=$said
	got=$("$tool" read "$T/j")
	if [ -s "$T/err" ] || [ -z "$got" ] || [ "$got" -lt "$durable" ]; then
		lost=$((lost + 1))
		echo "# kill $i: told $durable, read ${got:-none}"
		sed 's/^/# /' "$T/err"
	fi
done
is "$lost" 0 "kill -9, $kills times: what was durable is read back"
ok "$([ "$durable" -gt 1000 ]; echo $?)" "$durable were durable"

# a reader beside the writer never takes a segment's end, or what is being
# written, for damage; and it never sees less than before
"$tool" write "$T/j" 1500 >"$T/told" 2>"$T/err" &
pid=$!
reads=0
bad=0
last=$durable
while kill -0 "$pid" 2>"$T/wait"; do
	got=$("$tool" read "$T/j" "$last" 2>"$T/why")
	reads=$((reads + 1))
	if [ -z "$got" ] || [ "$got" -lt "$last" ]; then
		bad=$((bad + 1))
		echo "# read $reads: had $last, got ${got:-none}"
		sed 's/^/# /' "$T/why"
		got=$last
	fi
	last=$got
done
wait "$pid"
is "$bad $(cat "$T/err")" "0 " "read $reads times while it was written"
ok "$([ "$reads" -gt 3 ] && [ "$last" -gt "$durable" ]; echo $?)" \
    "from $durable to $last records"

# a pause is a clean end
total=$("$tool" write "$T/j" 100 | tail -n 1)
is "$("$tool" read "$T/j")" "${total:-missing}" "a clean end loses nothing"

# a small file system fills up, and later gets room
cat >"$T/full.sh" <<'EOF'
T=$1 tool=$2
mount -t tmpfs -o size=400k none "$T/full" || exit 1
head -c 350000 /dev/zero >"$T/full/filler"
mkdir "$T/full/j"
"$tool" write "$T/full/j" -1 60000 >"$T/told" 2>"$T/err" &
pid=$!
i=0
until [ -s "$T/err" ] || [ $i -gt 200 ]; do
	i=$((i + 1))
	sleep 0.05
done
"$tool" read "$T/full/j" >"$T/meanwhile"
rm "$T/full/filler"
wait $pid
"$tool" read "$T/full/j"
EOF
mkdir "$T/full"
if unshare -rm mount -t tmpfs none "$T/full" 2>"$T/why"; then
	got=$(unshare -rm sh "$T/full.sh" "$T" "$tool")
	is "$(cat "$T/err")" "journal-tool: the disk is full" \
	    "a full disk is told"
	ok "$([ "$(cat "$T/meanwhile")" -lt 60000 ]; echo $?)" \
	    "what was written is whole meanwhile: $(cat "$T/meanwhile")"
	is "$got" 60000 "with room again it goes on, and nothing is missing"
else
	skip "a full disk" "no file system can be mounted here"
fi

if command -v zstd >"$T/which"; then
	files=$(echo "$T"/j/*.zst | wc -w)
	ok "$([ "$files" -gt 2 ]; echo $?)" "$files segments"
	is "$(zstd -tq "$T"/j/*.zst 2>&1)" "" "zstd -t on all of them"
	# a batch may stand twice only where a sync failed
	is "$(zstdcat "$T"/j/*.zst | grep -c '^A')" "$total" \
	    "zstdcat | grep finds each record once"
	is "$(zstdcat "$T"/j/*.zst | grep -F '/h17.example/	')" \
	    "A	17	http://h17.example/	1	0	-" "or a certain one"
	is "$(zstdcat "$T"/j/*.zst | grep '^A' | "$urlseen" -K exact -k3 |
	    grep -c .)" "$total" "zstdcat | urlseen -k3 rebuilds a filter"
else
	skip "zstd -t" "no zstd here"
fi
done_testing
