# Everything that is built, tested and measured here. CONTRIBUTING.md says what each
# target needs. No target needs root but tools and installed.
LINT = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
ACTIONLINT = go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GOVULNCHECK = go run golang.org/x/vuln/cmd/govulncheck@v1.8.0
TESTFLAGS = # of all targets that test, for example: make test TESTFLAGS='-v -count=1'
TEST = go test -timeout 50m $(TESTFLAGS)

# The number of the version, without v.
NUMBER = $(shell cat VERSION)
VERSION = v$(NUMBER)
BUILD = CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X dustbuster/cmd/dustbuster/internal/cli.release=$(NUMBER)'
TARGETS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
APPLIERS = python javascript java
# A Python with the libraries that exports and appliers are tried on; make deps puts it there.
VENV = $(CURDIR)/bin/venv
export DUSTBUSTER_PYTHON ?= $(wildcard $(VENV)/bin/python)
# Modules of their own, for the sake of their libraries.
NESTED = $(patsubst integration/%/go.mod,%,$(wildcard integration/*/go.mod integration/examples/*/go.mod))
# What starts goroutines: no operator does, and integration runs the program.
RACED = ./cmd/... ./config/... ./sinks/... ./stream/...

.PHONY: build release installed module packages version apidiff tools deps lint elsewhere workflows vuln \
	test plain nested appliers rotation race kafka-race fuzz bench bench-once dustbench long

PROGRAM = bin/dustbuster
build: ; $(BUILD) -o $(PROGRAM) ./cmd/dustbuster
release: # archives, packages, bills of materials and checksums, into dist
	@test "$(VERSION)" = "v$(NUMBER)" || { echo "the file VERSION has $(NUMBER): change it to release $(VERSION)"; exit 1; }
	@test -z "$(APPLIERS)" || test -x $(VENV)/bin/python || { echo "there is no $(VENV), which builds the packages for Python: run make deps first, or leave out the libraries: make release APPLIERS="; exit 1; }
	PYTHON=$(VENV)/bin/python APPLIERS="$(APPLIERS)" sh release/release.sh $(TARGETS)
installed: # the release of this machine's kind; its deb is installed, run, upgraded and purged in a copy of the file system, as root
	$(MAKE) --no-print-directory release APPLIERS= TARGETS=linux/$$(go env GOARCH)
	cd release && go vet ./... && $(TEST) ./...
MODULE = example.org/you/dustbuster
module: ; sh integration/module.sh $(MODULE) bin/module # a copy under the path MODULE, to be published
packages: ; PYTHON=$(VENV)/bin/python sh sinks/appliers/pack.sh bin/packages # of the appliers, for registries
version: ; sh release/version.sh # writes the number in VERSION where documents and packages have it
BASE = $(shell git describe --tags --abbrev=0 2>/dev/null)
apidiff: ; @sh integration/api.sh changed $(BASE) # what the public packages have, and had not at the tag or commit BASE

tools: ; sh integration/tools.sh # the programs of Debian without which tests are skipped; as root
deps: ; sh integration/deps.sh $(VENV) # the libraries of tests

lint: # with go vet, as govet, and functions that nobody calls
	for d in . release $(NESTED:%=integration/%); do (cd $$d && go mod tidy -diff) || exit 1; done
	$(LINT) run ./...
	sh integration/api.sh dead
elsewhere: # other systems that a release is for; tests of the whole program send signals that Windows does not have
	GOOS=darwin go vet ./...
	GOOS=windows go build ./...
	GOOS=windows go vet $$(go list ./... | grep -vE '/(integration|cmd/dustbuster)$$')
workflows: ; $(ACTIONLINT)
vuln: ; $(GOVULNCHECK) ./... # asks vuln.go.dev which known vulnerabilities the program reaches

test: ; $(TEST) ./...
plain: # what race leaves: the other packages, and tests that count allocations or read long logs by regular expressions
	$(TEST) $$(go list ./... | grep -vxF "$$(go list $(RACED))")
	$(TEST) -run 'Alloc|^Test(Flood|WasteAnew)$$' ./cmd/... ./stream/files ./stream/records
nested: # the tests of the modules NESTED
	for d in $(NESTED); do (cd integration/$$d && go vet ./... && $(TEST) ./...) || exit 1; done
appliers: ; PYTHON=$(VENV)/bin/python sh sinks/appliers/test.sh $(APPLIERS) # each by the tests of its own ecosystem
rotation: ; $(TEST) ./stream/tail -run 'TestMatrix|TestLogrotate' -lines 100000
race: # of the operators, canon alone is for many goroutines
	$(TEST) -race $(RACED)
	$(TEST) -race ./operators/rule/canon -run Concurrent
kafka-race: ; $(TEST) -race ./integration -run '^TestKafka' # the tests of integration that the detector sees
FUZZTIME = 5s
fuzz: ; @sh integration/fuzz.sh $(FUZZTIME) # the targets of the packages that the last 20 commits changed

bench: ; go test -run '^$$' -bench . -benchmem ./...
bench-once: ; go test -run '^$$' -bench . -skip '^BenchmarkNaive$$|/1000000|/crowded-200000|/site-1000000|/plain/4000' -benchtime 1x ./... # shows that benchmarks run, without the longest; one run is no figure

SITE = shop
N = 300
dustbench: build # DUST bench: docs/dustbench.md
	@DUSTBUSTER=$(PROGRAM) go run ./integration/dustbench run $(SITE) $(N) sh integration/dustbench/entries/dustbuster.sh

NAME = # of the tests of an area that take too long for every change
long: export TESTFLAGS := $(TESTFLAGS)
long: ; @sh integration/long.sh $(NAME)
