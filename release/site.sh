# Builds the documentation of this version into the folder TO, in a folder of its own beside those of other
# versions, and makes it the first that a visitor sees. The folder is served as it is, on any server.
#
#     sh release/site.sh TO    # in the root of a checkout; PYTHON has mkdocs-material
set -eu
number=$(cat VERSION)
to=$1
mkdir -p "$to"
# Without warnings there would be nothing strict, so what is said is kept and shown only after a failure.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"${PYTHON:-python3}" -m mkdocs build --strict --clean --site-dir "$(cd "$to" && pwd)/$number" >"$said" 2>&1 || { cat "$said" >&2; exit 1; }
cd "$to"
{
	echo '['
	find . -maxdepth 1 -name '[0-9]*.[0-9]*' -type d | cut -c3- | sort -rV | sed 's/.*/{"version": "&", "title": "&", "aliases": []}/; $!s/$/,/'
	echo ']'
} >versions.json
newest=$(sed -n '2s/.*"title": "\([^"]*\)".*/\1/p' versions.json)
echo "<!DOCTYPE html><title>dustbuster</title><meta http-equiv=\"refresh\" content=\"0; url=$newest/\"><a href=\"$newest/\">dustbuster $newest</a>" >index.html
