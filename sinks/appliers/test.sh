# Runs the tests of appliers, each in its own ecosystem. In the root of a checkout:
#
#     PYTHON=... sh sinks/appliers/test.sh python java javascript
set -eu
for language; do
	case $language in
	python) (cd sinks/appliers/python && "$PYTHON" -m mypy && "$PYTHON" -W error -m unittest discover) ;;
	java) mvn -q -B -f sinks/appliers/java test ;;
	javascript) (cd sinks/appliers/javascript && node --test) ;;
	*) echo "test.sh: no applier is in $language" >&2 && exit 2 ;;
	esac
done
