# Runs each fuzz target by itself, as go test asks, and prints its name. In the root of a checkout:
#
#     sh integration/fuzz.sh TIME [PATTERN...]
#
# PATTERN is a pathspec of test files. Without one, the packages are fuzzed that the last 20 commits
# changed, or all, if git cannot tell.
set -eu
time=$1
shift
if [ $# = 0 ]; then
	for folder in $(git diff --name-only HEAD~20 -- '*.go' 2>/dev/null | xargs -r dirname | sort -u); do
		set -- "$@" ":(glob)$folder/*_test.go"
	done
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# fuzz FILE FUNCTION runs one target. Go's own race at the end of the time (golang/go#75804) is no
# finding. Less minimizing leaves time for inputs.
fuzz() {
	echo "fuzz $2 of ./${1%/*}"
	status=0
	go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" -fuzzminimizetime 100x "./${1%/*}" >"$log" 2>&1 || status=$?
	cat "$log"
	test $status = 0 || test "$(grep -A1 -e '^--- FAIL' "$log" | tail -n +2)" = '    context deadline exceeded'
}

git grep -oE '^func Fuzz[A-Za-z0-9_]+' -- "$@" | sort | while IFS=: read -r file function; do
	fuzz "$file" "${function#func }"
done
