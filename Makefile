# Everything that is built, tested and measured here. CONTRIBUTING.md says what each
# target needs. No target needs root but tools.
LINT = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
ACTIONLINT = go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
DEADCODE = go run golang.org/x/tools/cmd/deadcode@v0.52.0
APIDIFF = golang.org/x/exp/cmd/apidiff@v0.0.0-20261113113407-e3970619a1a4
GOVULNCHECK = go run golang.org/x/vuln/cmd/govulncheck@v1.8.0
FUZZTIME = 5s
TESTFLAGS = # of all targets that test, for example: make test TESTFLAGS='-v -count=1'
TEST = go test -timeout 50m $(TESTFLAGS)
LONG = go test -timeout 5h $(TESTFLAGS)

# The number of the version, without v.
NUMBER = $(shell cat VERSION)
BUILD = CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X dustbuster/cmd/dustbuster/internal/cli.release=$(NUMBER)'

MODULES = $(patsubst %/go.mod,%,$(wildcard integration/*/go.mod integration/examples/*/go.mod)) # all but the main one
# What starts goroutines: no operator does, and integration runs the program.
RACED = ./cmd/... ./config/... ./sinks/... ./stream/...
# Packages that other programs call, as an expression.
PUBLIC = $(shell sed -nE 's,^\| `((operators|stream)/[a-z/]+)`.*,\1/,p' docs/crawlers.md | paste -sd'|')

# A Python with the libraries that exports and the applier are tried on; make deps puts it there.
VENV = $(CURDIR)/bin/venv
export DUSTBUSTER_PYTHON ?= $(wildcard $(VENV)/bin/python)

.PHONY: release installed long-release apidiff module packages published kubernetes version applier-python applier-java applier-javascript build man tools deps vet elsewhere lint dead workflows vuln test plain logshapes examples browser pictures appliers rotation race kafka-race fuzz bench bench-once integration \
	ablation long-race long-worlds long-trials long-golden long-input long-logs long-exports long-sites long-faults long-once long-wide long-near long-learners long-fuzz
PROGRAM = bin/dustbuster
build: ; $(BUILD) -o $(PROGRAM) ./cmd/dustbuster

MAN = $(CURDIR)/bin/man
man: # manual pages of all commands, into MAN
	go test -count=1 ./cmd/dustbuster -run '^TestMan$$' -man $(MAN)

TARGETS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
APPLIERS = python javascript java
VERSION = v$(NUMBER)
release: # archives, packages, bills of materials and checksums, into dist
	@test "$(VERSION)" = "v$(NUMBER)" || { echo "the file VERSION has $(NUMBER): change it to release $(VERSION)"; exit 1; }
	@test -z "$(APPLIERS)" || test -x $(VENV)/bin/python || { echo "there is no $(VENV), which builds the packages for Python: run make deps first, or leave out the libraries: make release APPLIERS="; exit 1; }
	PYTHON=$(VENV)/bin/python APPLIERS="$(APPLIERS)" sh release/release.sh $(TARGETS)
installed: # the release of this machine's kind; its deb is installed, run, upgraded and purged in a copy of the file system, as root
	$(MAKE) --no-print-directory release APPLIERS= TARGETS=linux/$$(go env GOARCH)
	cd release && go vet ./... && $(TEST) ./...

MODULE = example.org/you/dustbuster
module: ; sh integration/module.sh $(MODULE) bin/module # a copy under the path MODULE, to be published

BASE = $(shell git describe --tags --abbrev=0 2>/dev/null)
apidiff: # what the public packages have, and had not at the tag or commit BASE, and which of it breaks others
	@test -n "$(BASE)" || { echo "there is no tag to compare with: make apidiff BASE=COMMIT"; exit 1; }
	@set -e; work=$$(mktemp -d); trap 'git worktree remove --force "$$work/base"; rm -rf "$$work"' EXIT; \
	GOBIN="$$work" go install $(APIDIFF); git worktree add -q --detach "$$work/base" $(BASE); \
	for p in $(subst |, ,$(PUBLIC)); do p=$$(go list "./$$p"); \
		(cd "$$work/base" && "$$work/apidiff" -w "$$work/old" "$$p"); echo "$$p"; "$$work/apidiff" "$$work/old" "$$p" | tee -a "$$work/all"; \
	done; ! grep -q '^Incompatible' "$$work/all"

tools: # the programs of Debian without which tests are skipped; as root
	sh integration/tools.sh

deps:
	go mod download
	for d in integration/logshapes integration/browser integration/published integration/kubernetes integration/examples/*; do (cd $$d && go mod download) || exit 1; done
	python3 -m venv $(VENV)
	npm install --silent --no-save --prefix $(CURDIR)/bin/axe axe-core@4.14.1
	npm install --silent --no-save --prefix $(CURDIR)/bin/tsc typescript@5.9.3
	$(VENV)/bin/pip install --quiet duplicate-url-discarder scrapy tldextract confluent-kafka build twine mypy kubernetes-validate

vet: ; go vet ./...

lint: # with go vet, as govet
	for d in . release $(MODULES); do (cd $$d && go mod tidy -diff) || exit 1; done
	$(LINT) run ./...
	$(MAKE) dead

# Functions that no program calls, public ones apart, and functions that not even a test calls. By
# Sets.All, tests of several packages look at a ledger.
dead:
	@set -e; work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; export GOWORK="$$work/go.work"; \
	go work init . $(MODULES); all="$(patsubst %,./%/...,. $(MODULES))"; \
	$(DEADCODE) $$all >"$$work/programs"; $(DEADCODE) -test $$all >"$$work/tests"; \
	! grep -hvE '^(internal/.*/|$(PUBLIC))[^/]+$$|: Sets\.All$$' "$$work/programs" "$$work/tests"

# Other systems that a release is for. The tests of the whole program send signals that Windows
# does not have.
elsewhere:
	GOOS=darwin go vet ./...
	GOOS=windows go build ./...
	GOOS=windows go vet $$(go list ./... | grep -vE '/(integration|cmd/dustbuster)$$')

workflows: ; $(ACTIONLINT)
vuln: ; $(GOVULNCHECK) ./... # asks vuln.go.dev which known vulnerabilities the program reaches

test: ; $(TEST) ./...
plain: # what race leaves: the other packages, and tests that count allocations
	$(TEST) $$(go list ./... | grep -vxF "$$(go list $(RACED))")
	$(TEST) -run 'Alloc|^TestFlood$$' ./cmd/... ./stream/files ./stream/records
integration: ; $(TEST) -v -count=1 ./integration/...
logshapes: ; cd integration/logshapes && $(TEST) ./... # a module of its own, for the sake of its other client
examples: # modules of their own: the main module does not need their libraries
	for d in integration/examples/*/; do (cd $$d && go vet ./... && $(TEST) ./...) || exit 1; done
browser: ; cd integration/browser && go vet ./... && $(TEST) ./... # pages in a real browser; a module of its own, for its driver
kubernetes: ; cd integration/kubernetes && go vet ./... && $(TEST) ./... # the manifests of deploy/kubernetes; a module of its own, for kustomize
pictures: ; cd integration/browser && $(TEST) -run TestPictures -count=1 . -rewrite-pictures # of the documents
appliers: $(patsubst sinks/appliers/%/,applier-%,$(wildcard sinks/appliers/*/)) # each by the tests of its own ecosystem
applier-python: ; cd sinks/appliers/python && $(VENV)/bin/python -m mypy && $(VENV)/bin/python -W error -m unittest discover
applier-java: ; mvn -q -B -f sinks/appliers/java test
applier-javascript: ; cd sinks/appliers/javascript && node --test
packages: ; PYTHON=$(VENV)/bin/python sh sinks/appliers/pack.sh bin/packages # of the appliers, for registries
version: # writes the number in VERSION where documents and the appliers' packages have it
	sed -i -E "s/(dustbuster:|newTag: )[0-9]+\.[0-9]+\.[0-9]+/\1$$(cat VERSION)/" $$(git ls-files 'deploy/kubernetes/*.yaml')
	sed -i -E "s/(dustbuster[_:-])[0-9]+\.[0-9]+\.[0-9]+/\1$$(cat VERSION)/g" docs/install.md
	sed -i -E "s/^version = \".*/version = \"$$(cat VERSION)\"/" sinks/appliers/python/pyproject.toml
	sed -i -E "s/^(  \"version\": \")[^\"]*/\1$$(cat VERSION)/" sinks/appliers/javascript/package.json
	sed -i -E "/<artifactId>dustbuster-rules(-parent)?</{n;/project[.]version/!s/<version>.*</<version>$$(cat VERSION)</}" sinks/appliers/java/README.md sinks/appliers/java/pom.xml sinks/appliers/java/*/pom.xml
published: ; cd integration/published && go vet ./... && $(TEST) ./... # what others install, in empty folders; a module of its own, for its library
rotation: ; $(TEST) ./stream/tail -run 'TestMatrix|TestLogrotate' -lines 100000

race: # of the operators, canon alone is for many goroutines
	$(TEST) -race $(RACED)
	$(TEST) -race ./operators/rule/canon -run Concurrent
kafka-race: ; $(TEST) -race ./integration -run '^TestKafka' # the tests of integration that the detector sees

# Where fuzz looks for targets: in packages that the last commits changed; all, if git cannot tell.
FUZZED = $(patsubst %,':(glob)%/*_test.go',$(shell git diff --name-only HEAD~20 -- '*.go' 2>/dev/null | xargs -r dirname | sort -u))
fuzz: # each target by itself, as go test asks; its own race at the end of the time (golang/go#75804) is no finding; less minimizing leaves time for inputs
	@log=$$(mktemp); git grep -oE '^func Fuzz[A-Za-z0-9_]+' -- $(FUZZED) | sort | while IFS=: read -r file func; do \
		echo "fuzz $${func#func } of ./$${file%/*}"; \
		go test -run '^$$' -fuzz "^$${func#func }\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x "./$${file%/*}" >"$$log" 2>&1; failed=$$?; cat "$$log"; \
		if [ $$failed != 0 ] && ! [ "$$(grep -A1 -e '^--- FAIL' "$$log" | tail -n +2)" = "    context deadline exceeded" ]; then exit 1; fi; \
	done; status=$$?; rm -f "$$log"; exit $$status

# What takes too long for every change: see CONTRIBUTING.md.
long-race: ; $(LONG) -race $$(go list ./... | grep -v '/integration$$')
long-worlds: ; $(LONG) ./cmd/dustbuster/internal/offline ./operators/learn/envelope ./operators/learn/weight ./operators/learn/papers/tree ./operators/publish/owner ./stream/journal ./stream/records ./stream/tail ./sinks/export ./operators/rule/canon -long
long-trials: ; $(LONG) ./operators/judge/lifecycle -v -run "Offline|Crash|MadeUp|Bounds" -made-up 10 -long
ablation: # what each lever of the trials brings: the table of docs/bench.md
	$(LONG) ./operators/judge/lifecycle -run 'TestAblation$$' -v -ablation -made-up 20 -seeds 5
	for lever in '' $$(sed -n 's/^\t\([A-Z][A-Za-z]*\) *bool .*/\1/p' operators/judge/lifecycle/book/levers.go); do \
		echo "live and hostile, without $$lever"; \
		$(LONG) ./integration -run 'TestTotalOfLiveSites|TestHostile' -v -seeds 3 -requests 300,1000,0 -off "$$lever"; \
	done; true # tests fail where a lever is needed: that is the figure
long-golden: ; $(LONG) ./integration/golden -seeds 3
long-input: ; $(LONG) ./integration -run 'Torn|Endless|Huge|Flood|Longest' -long -floodmemory 512
long-logs: ; $(LONG) ./operators/read/weblog ./internal/oracle -long # with the real logs
long-sites: ; $(LONG) ./integration -run 'TestLiveSites' -long
	$(LONG) ./integration -run 'TestTotalOfLiveSites|TestKeys' -seeds 3 -keys 3 -requests 300,1000,3000,0
	$(LONG) ./integration -run TestDocuments -documents 1
long-faults:
	$(LONG) ./cmd/dustbuster -run "TestKilledAtEachStep|TestDamagedState" -rounds 6 -damages 1000
	$(LONG) ./integration -run 'Survive|TestKafkaGroupFaults' -kills 500 -agentkills 50 -minerblows 200 -faults 50
long-once: ; $(LONG) ./integration -run 'TestKafkaOnce$$' -v -oncelines 10000000 -oncesites 100 -onceurls 10000 -oncealone
WIDE = $(LONG) ./integration -v -wide-delay 1s -wide-rate 1000 -wide-memory 600 -wide-origin-delay 5ms -wide-session 10s
long-wide: # many sites through Kafka: an origin each, one origin, miners and agent that are killed, ten thousand sites
	$(WIDE) -run 'TestKafkaWide/origins' -wide-sites 1000 -wide-time 6m -wide-kills 0
	$(WIDE) -run 'TestKafkaWide/origin$$' -wide-sites 1000 -wide-time 12m -wide-kills 0
	$(WIDE) -run 'TestKafkaWide/origins' -wide-sites 1000 -wide-time 12m -wide-kills 27 -wide-pause 15s
	$(WIDE) -run 'TestKafkaWide/origins' -wide-sites 10000 -wide-items 12 -wide-time 1h -wide-kills 0
long-exports: ; $(LONG) ./integration -run 'TestExport|TestAppliers' -long
long-near: # against all pairs of 10,000 pages, and against the truth of 100,000 and a million
	$(LONG) ./operators/judge/near -long
	$(LONG) ./integration -run 'TestNear$$' -v -near 100000
	$(LONG) ./integration -run 'TestNear$$' -v -near 1000000
long-learners: # the papers' learners: against an independent program, what they add on the live sites, and a million URLs
	$(LONG) ./integration -run TestCompareSites -long
	$(LONG) ./integration -run TestUnionOfLiveSites -v -union default,tree,fanout -requests 1000,3000,0
	$(LONG) ./integration -run TestCompareGrowth -v -compared 1000000
	go test ./operators/learn/papers/fanout ./operators/learn/papers/tree ./operators/learn/papers/duster -run '^$$' -bench Learn -benchtime 1x -timeout 1h -args -long
long-release: # of all targets, twice, from other caches: the bytes must be the same
	$(MAKE) release && cp dist/SHA256SUMS bin/SHA256SUMS.1
	cache=$$(mktemp -d) && GOCACHE="$$cache" $(MAKE) release; status=$$?; rm -rf "$$cache"; exit $$status
	cmp bin/SHA256SUMS.1 dist/SHA256SUMS
long-fuzz: ; $(MAKE) fuzz FUZZTIME=2m FUZZED="'*_test.go'"

bench: ; go test -run '^$$' -bench . -benchmem ./...
bench-once: ; go test -run '^$$' -bench . -skip '^BenchmarkNaive$$|/1000000|/crowded-200000|/site-1000000|/plain/4000' -benchtime 1x ./... # shows that benchmarks run, without the longest; one run is no figure
