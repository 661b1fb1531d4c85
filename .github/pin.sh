# Pins what the workflows and the images are made of: each action by the commit of its tag, each image by its
# digest, with the version in a comment or before it. Asks github.com and the registries, so that no digest is
# written that nobody has looked up. What is pinned already is looked up anew. In the root of a checkout:
#
#     sh .github/pin.sh
#
# CRANE is the program that asks registries. Our own image has no digest before it is published.
set -eu
CRANE=${CRANE:-go run github.com/google/go-containerregistry/cmd/crane@v0.20.6}
actions='s/^[- ]*uses: *([^@ ]+)@([^ ]+)( # (v[0-9.]+))?.*/\1 \2 \4/p'
images='s/^ *(FROM|image:|- image:) +([^ @#]+)(@[^ ]+)?.*/\2/p'

# commit REPOSITORY TAG prints the commit of a tag, also of one with a note.
commit() {
	git ls-remote "https://github.com/$1" "refs/tags/$2" "refs/tags/$2^{}" | sort -k2 | tail -n1 | cut -f1
}

for file in .github/workflows/*.yml; do
	sed -nE "$actions" "$file" | sort -u | while read -r action at version; do
		version=${version:-$at}
		found=$(commit "$(echo "$action" | cut -d/ -f1,2)" "$version")
		[ -n "$found" ] || { echo "pin.sh: $file: $action has no tag $version" >&2; exit 1; }
		sed -i -E "s|(uses: *$action)@.*|\1@$found # $version|" "$file"
	done
done
for file in Dockerfile docker-compose.yml $(find deploy -name '*.yaml' -o -name '*.yml'); do
	sed -nE "$images" "$file" | grep -vE '^scratch$|dustbuster|[{$]' | sort -u | while read -r image; do
		found=$($CRANE digest "$image") || exit 1
		sed -i -E "s|^( *(FROM\|image:\|- image:) +$image)(@sha256:[0-9a-f]+)?( \|$)|\1@$found\4|" "$file"
	done
done
