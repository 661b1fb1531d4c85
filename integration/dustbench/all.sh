# All tasks of DUST bench on all sites, as root: the figures of docs/dustbench.md. In the root of a
# checkout:
#
#     sh integration/dustbench/all.sh [SITE...]    # make long NAME=dustbench
#
# MAYBEDONT is a Python that has the library of this name; without it, it is no entry.
set -eu
make -s build
go build -o bin/dustbench ./integration/dustbench
export DUSTBUSTER="$PWD/bin/dustbuster"
entries=integration/dustbench/entries
for site in ${*:-shop manuals gitweb dokuwiki mediawiki wordpress}; do
	bin/dustbench likely "$site" sh "$entries/likely.sh"
	bin/dustbench likely "$site" bin/dustbench names
	for n in 100 300 1000; do
		bin/dustbench run "$site" $n sh "$entries/dustbuster.sh"
		for peer in miqps names canonical; do bin/dustbench run "$site" $n bin/dustbench peer $peer; done
		[ -z "${MAYBEDONT:-}" ] || bin/dustbench run "$site" $n "$MAYBEDONT" "$entries/maybe.py"
	done
	bin/dustbench crawl "$site" - >"bin/$site.tsv"
	"$DUSTBUSTER" compare --seeds 3 "bin/$site.tsv"
done
