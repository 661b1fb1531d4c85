# Builds what is released into dist/: an archive, a bill of materials and, for Linux, packages for
# each target; a chart for Helm and a formula for Homebrew; the appliers that APPLIERS names; and checksums. Two runs over the same files write the
# same bytes, the times in Maven's lists of versions apart, which have no checksum.
#
# nfpm and cyclonedx-gomod are dependencies of this folder's module, so the program's module knows nothing of them.
# goreleaser would do this, too, and announce and sign. Of it 2.18 needs a newer Go than the project, and 2.15 brings
# 1,795 packages and 0.9 GB of modules.
#
#     sh release/release.sh linux/amd64 ...    # in the root of a checkout; make release
set -eu
umask 022
number=$(cat VERSION)
export TZ=UTC LC_ALL=C NUMBER="$number" STAGE GOARCH GOOS
export GOFLAGS="${GOFLAGS:-} -buildvcs=false" # a checkout and its archive make the same program
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=$PWD/bin/tools to=$PWD/dist

# common are the parts that all targets share.
common() {
	mkdir -p "$work/common/man" "$work/common/completions"
	go test -count=1 ./cmd/dustbuster -run '^TestMan$' -man "$work/common/man" >"$work/log" || { cat "$work/log" >&2; exit 1; }
	for shell in bash zsh fish powershell; do
		bin/dustbuster completion $shell >"$work/common/completions/dustbuster.$shell"
	done
	cp LICENSE NOTICE CHANGELOG.md docs/config.example.yml "$work/common"
	cp -R deploy/systemd "$work/common/systemd"
}

# archive packs a folder, whose files get the date of the source.
archive() {
	find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	cd "$work"
	case $GOOS in
	windows) find "${1##*/}" | sort | zip -q -X -@ "$to/${1##*/}.zip" ;;
	*) tar --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -cf - "${1##*/}" | gzip -n9 >"$to/${1##*/}.tar.gz" ;;
	esac
	cd - >/dev/null
}

# target builds everything for a system and an architecture.
target() {
	GOOS=${1%/*} GOARCH=${1#*/} STAGE=$work/dustbuster_${number}_${1%/*}_${1#*/}
	program=$STAGE/dustbuster
	[ "$GOOS" != windows ] || program=$program.exe
	cp -R "$work/common" "$STAGE"
	make -s build PROGRAM="$program"
	"$tools/cyclonedx-gomod" bin -json -noserial -notimestamp -std -version "v$number" -output "$to/${STAGE##*/}.cdx.json" "$program"
	if [ "$GOOS" = linux ]; then
		gzip -n9 -k "$STAGE"/man/*.1 && mkdir "$STAGE/packed" && mv "$STAGE"/man/*.gz "$STAGE/packed"
		for packager in deb rpm apk; do
			"$tools/nfpm" package --config release/nfpm.yaml --packager $packager --target "$to" >"$work/log" || { cat "$work/log" >&2; exit 1; }
		done
		rm -r "$STAGE/packed"
	else
		rm -r "$STAGE/systemd"
	fi
	archive "$STAGE"
}

go -C release build -o "$tools/" tool
make -s build # the program of this system writes the completions
rm -rf "$to" && mkdir -p "$to"
common
for t; do target "$t"; done
GOOS='' archive "$(cp -R deploy/helm/dustbuster "$work/dustbuster" && echo "$work/dustbuster")" && mv "$to/dustbuster.tar.gz" "$to/dustbuster-$number.tgz" # the chart
sh release/formula.sh "$to" >"$work/formula" && mv "$work/formula" "$to/dustbuster.rb"
if [ -n "${APPLIERS:-}" ]; then
	sh sinks/appliers/pack.sh "$to/appliers" $APPLIERS
fi
cd "$to"
find . -type f ! -name 'maven-metadata*' -printf '%P\n' | sort | xargs sha256sum >../bin/SHA256SUMS
mv ../bin/SHA256SUMS .
