# Looks at the public packages, those of docs/crawlers.md. In the root of a checkout:
#
#     sh integration/api.sh dead            functions that no program calls, public ones apart, and
#                                           functions that not even a test calls; none is expected
#     sh integration/api.sh changed BASE    what the packages have, and had not at the tag or commit
#                                           BASE; fails if a change breaks other programs
set -eu
public=$(sed -nE 's,^\| `((operators|stream)/[a-z/]+)`.*,\1,p' docs/crawlers.md)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# By Sets.All, tests of several packages look at a ledger.
dead() {
	modules=$(git ls-files 'integration/*go.mod' | xargs -n 1 dirname)
	all=./...
	for m in $modules; do all="$all ./$m/..."; done
	export GOWORK="$work/go.work"
	go work init . $modules
	deadcode='go run golang.org/x/tools/cmd/deadcode@v0.52.0'
	$deadcode $all >"$work/programs"
	$deadcode -test $all >"$work/tests"
	! grep -hvE "^(internal/.*/|($(echo "$public" | paste -sd'|'))/)[^/]+\$|: Sets\.All\$" "$work/programs" "$work/tests"
}

changed() {
	base=${1:-}
	test -n "$base" || { echo "there is no tag to compare with: make apidiff BASE=COMMIT"; exit 1; }
	GOBIN="$work" go install golang.org/x/exp/cmd/apidiff@v0.0.0-20261113113407-e3970619a1a4
	git worktree add -q --detach "$work/base" "$base"
	trap 'git worktree remove --force "$work/base"; rm -rf "$work"' EXIT
	for p in $public; do
		p=$(go list "./$p")
		(cd "$work/base" && "$work/apidiff" -w "$work/old" "$p")
		echo "$p"
		"$work/apidiff" "$work/old" "$p" | tee -a "$work/all"
	done
	! grep -q '^Incompatible' "$work/all"
}

"$@"
