# The steps of .github/workflows/release.yml, which run on any machine. In the root of a checkout:
#
#     sh release/steps.sh tag v0.1.0    # is the tag the version, and do the documents have it?
#     sh release/steps.sh check         # is dist whole, and do its programs say their version?
#     sh release/steps.sh notes         # prints what CHANGELOG.md says of the version
#     sh release/steps.sh publish       # makes a draft of the release, with all files of dist; needs gh
set -eu
number=$(cat VERSION)

# fail MESSAGE ends the step.
fail() {
	echo "steps.sh: $1" >&2
	exit 1
}

tag() {
	[ "${1:-}" = "v$number" ] || fail "the tag is ${1:-missing}, and VERSION has $number: tag v$number, or change VERSION"
	before=$(git diff | sha256sum)
	sh release/version.sh
	[ "$(git diff | sha256sum)" = "$before" ] || fail "documents or packages have another version than VERSION: run make version, and commit"
	[ -n "$(notes)" ] || fail "CHANGELOG.md says nothing of $number: add a section"
	! grep -q "^## $number.*not released" CHANGELOG.md || fail "CHANGELOG.md says that $number is not released: give its date"
}

# kinds are the files of a target, by the end of their names.
kinds() {
	case $1 in
	windows_*) echo zip cdx.json ;;
	*) echo tar.gz cdx.json ;;
	esac
}

check() {
	cd dist
	sha256sum --check --strict --quiet SHA256SUMS || fail "files differ from SHA256SUMS: build again"
	for target in $(echo "${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}" | tr / _); do
		for kind in $(kinds "$target"); do
			listed "dustbuster_${number}_$target.$kind"
		done
		case $target in linux_*) listed "dustbuster_${number}_${target#linux_}.deb" ;; esac
	done
	listed "dustbuster-$number.tgz"
	listed dustbuster.rb
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	name=dustbuster_${number}_$(go env GOOS)_$(go env GOARCH)
	tar -xzf "$name.tar.gz" -C "$work"
	said=$("$work/$name/dustbuster" version)
	[ "$said" = "dustbuster $number" ] || fail "the program says $said, want dustbuster $number"
}

# listed FILE checks that a file is there, and has a checksum.
listed() { [ -s "$1" ] && grep -qF "  $1" SHA256SUMS || fail "dist lacks $1, or its checksum"; }

notes() { awk -v head="## $number" '/^## / { on = index($0, head) == 1 && substr($0, length(head) + 1) !~ /^[0-9.-]/; next } on' CHANGELOG.md; }

# publish makes a draft, so that a person looks at it before anybody installs it.
publish() {
	check
	cd ..
	notes >bin/notes.md
	# shellcheck disable=SC2046 # names without spaces
	gh release create "v$number" --draft --verify-tag --title "dustbuster $number" --notes-file bin/notes.md $(find dist -type f ! -name 'maven-metadata*' | sort)
}

case ${1:-} in
tag | check | notes | publish) "$@" ;;
*) fail "the steps are tag, check, notes and publish" ;;
esac
