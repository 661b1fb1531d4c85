# Everything that is built, tested and measured here. Real logs, for what needs
# them: make integration DUSTBUSTER_DATA=/path/to/data
LINT = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME = 5s

.PHONY: build test race lint fuzz bench integration
build: ; go build -trimpath -o bin/dustbuster ./cmd/dustbuster
test: ; go test ./...
race: ; go test -race -timeout 30m ./...
integration: ; go test -v -count=1 ./integration/...
bench: ; go test -run '^$$' -bench . -benchmem ./...

lint: # with go vet, as govet
	go mod tidy -diff
	$(LINT) run ./...

fuzz: # each target by itself, as go test asks; its own race at the end of the time (golang/go#75804) is no finding
	@log=$$(mktemp); grep -roE --include='*_test.go' '^func Fuzz\w+' . | sort | while IFS=: read -r file func; do \
		echo "fuzz $${func#func } of $${file%/*}"; \
		go test -run '^$$' -fuzz "^$${func#func }\$$" -fuzztime $(FUZZTIME) "$${file%/*}" >"$$log" 2>&1; failed=$$?; cat "$$log"; \
		if [ $$failed != 0 ] && ! [ "$$(grep -A1 -e '^--- FAIL' "$$log" | tail -n +2)" = "    context deadline exceeded" ]; then exit 1; fi; \
	done; status=$$?; rm -f "$$log"; exit $$status
