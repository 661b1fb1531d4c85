# dustbuster as an entry of task A: LOG URLS. Each of its first 50 likely rules is applied alone, as if it held.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"${DUSTBUSTER:-dustbuster}" mine --top 50 -o json "$1" 2>"$dir/said" | grep '"kind":' | split -l 1 -d -a 3 - "$dir/rule" || { cat "$dir/said" >&2; exit 1; }
n=0
for rule in "$dir"/rule*; do
	n=$((n + 1))
	# A list of confirmed rules has no evidence of likely ones.
	sed 's/,"support":.*/}/; s/"site":"",/&"id":"r","state":"valid","rank":1,/; s/"kind":"substring",/&"direction":"alpha_to_beta",/' "$rule" >"$dir/one"
	"${DUSTBUSTER:-dustbuster}" canon --rules "$dir/one" --as-key <"$2" >"$dir/forms"
	awk -F '\t' -v n="$n" '$1 != $2 { print n "\t" $0 }' "$dir/forms"
done
