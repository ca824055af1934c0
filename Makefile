# Everything that CI does is a target here. "make deps" installs what a bare
# Debian machine with Go lacks; "make check" is what has to pass before a push.

GO             ?= go
BIN            := $(CURDIR)/bin
FUZZTIME       ?= 2s
BENCHTIME      ?= 1x
SOAK_SESSIONS  ?= 100000
GOLANGCI_LINT  := v2.15.0
PROTOC_GEN_GO  := v1.36.12
ZIG_VERSION    := 0.17.1
GO_FOLDERS     := abi bench cmd guest host scripts testdata layout_test.go

# The languages whose guests are compiled by other compilers than Go's, each a
# folder below guest/ with a Makefile of its own.
LANGUAGES      := assemblyscript c rust zig

# Their compilers: what "make deps" installs. For other ones say, for example,
# make guests CARGO=cargo RUSTC=rustc RUSTDOC=rustdoc LINKER=
export ZIG     ?= $(BIN)/ziglang/zig
export CARGO   ?= /usr/bin/cargo
export RUSTC   ?= /usr/bin/rustc
export RUSTDOC ?= /usr/bin/rustdoc
export LINKER  ?= wasm-ld-14

.PHONY: all
all: build

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

.PHONY: deps
deps: ## install the tools that check, generate and lint need
	./.ci/deps.sh "$(BIN)" "$(GOLANGCI_LINT)" "$(PROTOC_GEN_GO)" "$(ZIG_VERSION)"

.PHONY: build
build: ## build the command line tool into bin/
	$(GO) build -o $(BIN)/wasmsandbox ./cmd/wasmsandbox

.PHONY: test
test: ## run all tests
	$(GO) test ./...

.PHONY: guests
guests: ## compile the kitchen-sink guest of every language
	for l in $(LANGUAGES); do $(MAKE) -C guest/$$l kitchen || exit 1; done
	GOOS=wasip1 GOARCH=wasm $(GO) build -buildmode=c-shared -trimpath -ldflags="-s -w" -o guest/kitchen/build/kitchen.wasm ./guest/kitchen

.PHONY: guests-commit
guests-commit: guests ## replace the compiled guests that are kept by fresh ones
	for l in $(LANGUAGES); do cp guest/$$l/build/kitchen.wasm testdata/guests/kitchen/$$l.wasm || exit 1; done
	$(GO) test ./host/conformance -run TestEachCommittedGuestIsOfItsSource -update

.PHONY: guest-tests
guest-tests: ## run the native tests and format checks of every guest SDK
	for l in $(LANGUAGES); do $(MAKE) -C guest/$$l test || exit 1; done
	for l in $(LANGUAGES); do $(MAKE) -C guest/$$l format-check || exit 1; done

.PHONY: conformance
conformance: build guests ## test the fresh guests of all languages against the ABI, and with each other
	$(GO) test ./host/conformance -run TestEachCommittedGuestIsOfItsSource
	@for l in $(LANGUAGES); do cmp -s guest/$$l/build/kitchen.wasm testdata/guests/kitchen/$$l.wasm || \
		echo "note: the fresh guest in $$l isn't the one that is kept: it is from another compiler or, in Rust, another folder"; done
	$(BIN)/wasmsandbox conformance $(LANGUAGES:%=guest/%/build/kitchen.wasm) guest/kitchen/build/kitchen.wasm guest/js/kitchen/kitchen.js

.PHONY: race
race: ## run all tests but the slowest with the race detector
	$(GO) test -race -short -timeout 20m $$($(GO) list ./... | grep -v -e /host/metering -e /scripts/sourcebuild)

.PHONY: check
check: format vet lint tidy generated race guest-tests conformance fuzz bench examples engines soak-short ## all that CI checks

.PHONY: format
format: ## fail when a file isn't formatted
	@unformatted=$$(gofmt -l $(GO_FOLDERS)); test -z "$$unformatted" || { echo "not formatted:"; echo "$$unformatted"; exit 1; }

.PHONY: vet
vet: ## vet for the host, and the guest SDK for guests
	$(GO) vet ./...
	cd bench && $(GO) vet ./...
	GOARCH=386 $(GO) vet ./abi ./host/... ./scripts/...
	GOOS=windows $(GO) vet ./...
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./abi ./guest ./testdata/guests/... ./scripts/examples/...

.PHONY: lint
lint: ## run the linters of .golangci.yml
	$(BIN)/golangci-lint run

.PHONY: tidy
tidy: ## fail when go.mod isn't tidy
	$(GO) mod tidy -diff
	cd bench && $(GO) mod tidy -diff

.PHONY: generate
generate: ## make all generated files anew
	PATH="$(BIN):$$PATH" $(GO) generate ./...

.PHONY: generated
generated: ## fail when a generated file isn't fresh
	./.ci/generated.sh

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME
	./.ci/fuzz.sh $(FUZZTIME)

.PHONY: bench
bench: ## run each benchmark for BENCHTIME
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...

.PHONY: bench-extism
bench-extism: ## compare a call of a session with one of Extism's Go SDK
	$(MAKE) -C bench bench

.PHONY: examples
examples: build ## run all examples through the built tool
	$(BIN)/wasmsandbox validate scripts/examples/*
	$(BIN)/wasmsandbox run scripts/examples/*

.PHONY: engines
engines: ## test what chooses an engine with wasmtime as well, and compare the runs of all examples
	$(GO) vet -tags wasmtime ./cmd/... ./scripts/verify ./host/soak
	$(GO) test -tags wasmtime ./scripts/verify
	$(GO) test -tags wasmtime -run 'TestScripts/(verify|version)' ./cmd/wasmsandbox
	$(GO) build -tags wasmtime -o $(BIN)/wasmsandbox-engines ./cmd/wasmsandbox
	$(BIN)/wasmsandbox-engines verify --engines wazero,wasmtime --shuffle scripts/examples/*
	$(BIN)/wasmsandbox-engines conformance --engine wasmtime testdata/guests/kitchen/*.wasm guest/js/kitchen/kitchen.js

.PHONY: soak
soak: ## use SOAK_SESSIONS sessions on each engine, and see that nothing of them is left
	SOAK_SESSIONS=$(SOAK_SESSIONS) $(GO) test -tags wasmtime -count 1 -timeout 2h -v -run TestSessionsLeaveNothing ./host/soak

.PHONY: soak-short
soak-short: ## the same with fewer sessions
	$(MAKE) soak SOAK_SESSIONS=2000

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BIN) guest/kitchen/build
	for l in $(LANGUAGES); do $(MAKE) -C guest/$$l clean; done
