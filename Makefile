# The commands a developer needs. Everything is built from the four modules of
# the workspace; nothing is downloaded but what go.mod names.

MODULES   := lib hooks dispatchers scripts
PACKAGES  := $(addprefix ./,$(addsuffix /...,$(MODULES)))
GOFLAGS   := -trimpath
LDFLAGS   := -s -w
EXE       := $(shell go env GOEXE)
BIN       := bin
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

export CGO_ENABLED ?= 0

.PHONY: all build plugin test lint format vet staticcheck race e2e faults fuzz bench cross clean

all: build

# One flat folder with every hook, every dispatcher and the tool.
build:
	@mkdir -p $(BIN)
	go build $(GOFLAGS) -ldflags "$(LDFLAGS)" -o $(BIN)/ ./hooks/... ./dispatchers/... ./scripts/isdlc-hooks ./scripts/isdlc-hooks-plain ./scripts/isdlc-hooks-shell

# The hooks as a plugin of the client: claude --plugin-dir dist/plugin
plugin: build
	$(BIN)/isdlc-hooks$(EXE) plugin --out dist/plugin

test: build lint race

lint: format vet staticcheck

format:
	@unformatted=$$(gofmt -l $(MODULES)); [ -z "$$unformatted" ] || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }

vet:
	go vet $(PACKAGES)

staticcheck:
	go tool staticcheck $(PACKAGES)

# The race detector needs cgo; the product is built without it. Nothing is taken from
# the cache, which does not know of the programs that the tests run. The conformance
# test runs in its own folder, where go test shows what it prints: how many cases
# of each program passed.
race:
	CGO_ENABLED=1 go test -race -count=1 $(filter-out %/scripts/conformance,$(shell go list $(PACKAGES)))
	cd scripts/conformance && CGO_ENABLED=1 go test -race -count=1 -complete

# The real client against a scripted model; npm fetches it the first time. With
# ISDLC_E2E=record the sessions of testdata are written anew.
e2e:
	ISDLC_E2E=$${ISDLC_E2E:-1} go test -count=1 -v -timeout 20m -run '^TestClient$$' ./scripts/e2e

# The tests of faults as often as their figures say: about fifteen minutes.
faults:
	ISDLC_FAULTS=full go test -count=1 -v -timeout 60m ./scripts/faults

# Every fuzz target for FUZZTIME.
FUZZTIME ?= 30s

fuzz:
	@grep -rl --include='*_test.go' '^func Fuzz' $(MODULES) | sort | while read -r file; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\).*/\1/p' $$file); do \
			echo "$$file $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) ./$$(dirname $$file) || exit 1; \
		done; \
	done

bench: build
	go run ./scripts/bench -bin $(BIN)
	go test -run '^$$' -bench . -benchmem ./lib/ordered

cross:
	@for platform in $(PLATFORMS); do \
		echo "$$platform"; \
		GOOS=$${platform%/*} GOARCH=$${platform#*/} go build $(GOFLAGS) -ldflags "$(LDFLAGS)" -o $(BIN)/$$platform/ ./hooks/... ./dispatchers/... ./scripts/isdlc-hooks ./scripts/isdlc-hooks-plain ./scripts/isdlc-hooks-shell || exit 1; \
	done

clean:
	rm -rf $(BIN)
