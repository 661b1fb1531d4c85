# Fetches the libraries that tests use, and puts those of Python and JavaScript into bin. In the root
# of a checkout:
#
#     sh integration/deps.sh VENV    # the folder of the virtual environment for Python
set -eu
go mod download
for d in integration/logshapes integration/browser integration/published integration/kubernetes integration/examples/crawler integration/examples/reader; do
	(cd "$d" && go mod download)
done
npm install --silent --no-save --prefix "$PWD/bin/axe" axe-core@4.14.1
npm install --silent --no-save --prefix "$PWD/bin/tsc" typescript@5.9.3
npm install --silent --no-save --prefix "$PWD/bin/crawlee" @crawlee/cheerio@3.18.1
ln -sfn "$PWD/sinks/appliers/javascript" bin/crawlee/node_modules/dustbuster-rules # npm would change the mode of its files
python3 -m venv "$1"
"$1/bin/pip" install --quiet duplicate-url-discarder scrapy tldextract confluent-kafka build twine mypy kubernetes-validate check-jsonschema mkdocs-material
