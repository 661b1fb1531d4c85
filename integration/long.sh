# Runs the tests of an area that take too long for every change. CONTRIBUTING.md says what each name
# is for, and what it needs. In the root of a checkout:
#
#     TESTFLAGS='-v -run ...' sh integration/long.sh NAME    # make long NAME=...
set -eu

# long PACKAGES AND FLAGS... runs go test, with TESTFLAGS.
long() { eval "go test -timeout 5h ${TESTFLAGS:-} \"\$@\""; }

# wide FLAGS... has many sites in Kafka.
wide() {
	long ./integration -v -wide-delay 1s -wide-rate 1000 -wide-memory 600 -wide-origin-delay 5ms -wide-session 10s "$@"
}

# ablation measures what each lever of the trials brings: the table of docs/bench.md. Tests fail where
# a lever is needed: that is the figure.
ablation() {
	long ./operators/judge/lifecycle -run 'TestAblation$' -v -ablation -made-up 20 -seeds 5
	for lever in '' $(sed -n 's/^\t\([A-Z][A-Za-z]*\) *bool .*/\1/p' operators/judge/lifecycle/book/levers.go); do
		echo "live and hostile, without $lever"
		long ./integration -run 'TestTotalOfLiveSites|TestHostile' -v -seeds 3 -requests 300,1000,0 -off "$lever" || true
	done
}

# release builds the release of all targets twice, from other caches: the bytes must be the same.
release() {
	make release
	cp dist/SHA256SUMS bin/SHA256SUMS.1
	cache=$(mktemp -d)
	trap 'rm -rf "$cache"' EXIT
	GOCACHE="$cache" make release
	cmp bin/SHA256SUMS.1 dist/SHA256SUMS
}

case ${1:-} in
ablation | release) "$1" ;;
race) long -race $(go list ./... | grep -v '/integration$') ;;
worlds)
	long ./cmd/dustbuster/internal/offline ./operators/learn/envelope ./operators/learn/weight ./operators/learn/papers/tree \
		./operators/publish/owner ./operators/rule/canon ./sinks/export ./stream/journal ./stream/records ./stream/tail -long
	;;
trials) long ./operators/judge/lifecycle -v -run 'Offline|Crash|MadeUp|Bounds' -made-up 10 -long ;;
golden) long ./integration/golden -seeds 3 ;;
input) long ./integration -run 'Torn|Endless|Huge|Flood|Longest' -long -floodmemory 512 ;;
logs) long ./operators/read/weblog ./internal/oracle -long ;; # all lines of the real logs
exports) long ./integration -run 'TestExport|TestAppliers' -long ;;
sites)
	long ./integration -run TestLiveSites -long
	long ./integration -run 'TestTotalOfLiveSites|TestKeys' -seeds 3 -keys 3 -requests 300,1000,3000,0
	long ./integration -run TestDocuments -documents 1
	;;
faults)
	long ./cmd/dustbuster -run 'TestKilledAtEachStep|TestDamagedState' -rounds 6 -damages 1000
	long ./integration -run 'Survive|TestKafkaGroupFaults' -kills 500 -agentkills 50 -minerblows 200 -faults 50
	;;
once) long ./integration -run 'TestKafkaOnce$' -v -oncelines 10000000 -oncesites 100 -onceurls 10000 -oncealone ;;
wide) # an origin for each site, one origin, miners and agent that are killed, ten thousand sites
	wide -run 'TestKafkaWide/origins' -wide-sites 1000 -wide-time 6m -wide-kills 0
	wide -run 'TestKafkaWide/origin$' -wide-sites 1000 -wide-time 12m -wide-kills 0
	wide -run 'TestKafkaWide/origins' -wide-sites 1000 -wide-time 12m -wide-kills 27 -wide-pause 15s
	wide -run 'TestKafkaWide/origins' -wide-sites 10000 -wide-items 12 -wide-time 1h -wide-kills 0
	;;
near) # against all pairs of 10,000 pages, and against the truth of 100,000 and a million
	long ./operators/judge/near -long
	long ./integration -run 'TestNear$' -v -near 100000
	long ./integration -run 'TestNear$' -v -near 1000000
	;;
learners) # of the papers: against an independent program, what they add on the live sites, and a million URLs
	long ./integration -run TestCompareSites -long
	long ./integration -run TestUnionOfLiveSites -v -union default,tree,fanout -requests 1000,3000,0
	long ./integration -run TestCompareGrowth -v -compared 1000000
	go test ./operators/learn/papers/fanout ./operators/learn/papers/tree ./operators/learn/papers/duster -run '^$' -bench Learn -benchtime 1x -timeout 1h -args -long
	;;
dustbench) sh integration/dustbench/all.sh ;; # all tasks on all sites: docs/dustbench.md
fuzz) sh integration/fuzz.sh 2m '*_test.go' ;;
pictures) (cd integration/browser && long -run TestPictures -count=1 . -rewrite-pictures) ;; # writes those of the documents anew
*)
	echo "long.sh: NAME is one of $(sed -nE 's/^([a-z]+( \| [a-z]+)*)\).*/\1/p' "$0" | tr -d '|' | xargs)" >&2
	exit 2
	;;
esac
