# dustbuster as an entry of DUST bench: LOG ORIGIN REQUESTS URLS. DUSTBUSTER is the program, and FLAGS more
# flags of validate.
set -eu
list=$(mktemp)
trap 'rm -f "$list"' EXIT
"${DUSTBUSTER:-dustbuster}" validate --origin "$2" --fetch-delay 0 --fetch-rate 0 --fetch-total "$3" ${FLAGS:-} -o json="$list" "$1" >/dev/null
"${DUSTBUSTER:-dustbuster}" canon --rules "$list" --as-key <"$4"
