# Builds the packages of the appliers into the folder TO, as registries want them: a wheel and a source
# distribution, a package of npm, a repository of Maven (TO/maven), and the sources of Java as an archive.
# Each holds the licence and, with its tests, the conformance cases.
#
#     sh sinks/appliers/pack.sh TO [LANGUAGE...]      # in the root of a checkout
#
# PYTHON names a Python that has the modules build and twine, MAVEN_ARGS has arguments for Maven.
set -eu
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-315532800}" # the time of all files, 1980
MAVEN_ARGS=${MAVEN_ARGS:-}
root=$PWD version=$(cat VERSION)
mkdir -p "$1"
to=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stage LANGUAGE copies a folder without what was built in it, and adds what stands above it.
stage() {
	(cd "sinks/appliers/$1" && tar --exclude=target --exclude=__pycache__ --exclude='*.egg-info' --exclude=node_modules -cf - .) |
		(mkdir "$work/$1" && cd "$work/$1" && tar -xf -)
	mkdir "$work/$1/conformance"
	cp docs/conformance/* "$work/$1/conformance"
	cp LICENSE "$work/$1"
	cd "$work/$1"
}

pack_python() {
	stage python
	"${PYTHON:-python3}" -m build --outdir "$to" . >&2
	source=dustbuster_rules-$version
	tar -xzf "$to/$source.tar.gz" -C "$work" # it holds the time at which it was built
	tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$source" | gzip -n >"$to/$source.tar.gz"
	"${PYTHON:-python3}" -m twine check --strict "$to/dustbuster_rules-$version-py3-none-any.whl" "$to/dustbuster_rules-$version.tar.gz" >&2
}

pack_javascript() {
	stage javascript
	npm pack --silent --pack-destination "$to" >&2
}

pack_java() {
	stage java
	sed -i 's#<conformance>.*</conformance>#<conformance>${maven.multiModuleProjectDirectory}/conformance</conformance>#' pom.xml
	mkdir .mvn # marks the root of the project
	for module in core kafka nutch stormcrawler; do
		mkdir -p "$module/src/main/resources/META-INF"
		cp LICENSE "$module/src/main/resources/META-INF"
	done
	(cd .. && mv java "dustbuster-rules-java-$version" && tar --sort=name --owner=0 --group=0 --mtime="@$SOURCE_DATE_EPOCH" -cf - "dustbuster-rules-java-$version" | gzip -n >"$to/dustbuster-rules-java-$version.tar.gz")
	mvn $MAVEN_ARGS -q -B -f "../dustbuster-rules-java-$version" -P packages deploy -DskipTests -Dproject.build.outputTimestamp="$SOURCE_DATE_EPOCH" "-DaltDeploymentRepository=packages::file://$to/maven"
}

for language in ${*:-python javascript java}; do
	"pack_$language"
	cd "$root"
done
