# Everything that CI does is a target here. "make deps" installs what a bare
# Debian machine with Go lacks; "make check" is what has to pass before a push.

GO             ?= go
BIN            := $(CURDIR)/bin
FUZZTIME       ?= 5s
BENCHTIME      ?= 1x
GOLANGCI_LINT  := v2.15.0
PROTOC_GEN_GO  := v1.36.12
GO_FOLDERS     := abi cmd guest host scripts testdata

.PHONY: all
all: build

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

.PHONY: deps
deps: ## install the tools that check, generate and lint need
	./.ci/deps.sh "$(BIN)" "$(GOLANGCI_LINT)" "$(PROTOC_GEN_GO)"

.PHONY: build
build: ## build the command line tool into bin/
	$(GO) build -o $(BIN)/wasmsandbox ./cmd/wasmsandbox

.PHONY: test
test: ## run all tests
	$(GO) test ./...

.PHONY: race
race: ## run all tests with the race detector
	$(GO) test -race ./...

.PHONY: check
check: format vet lint tidy generated race fuzz bench examples ## all that CI checks

.PHONY: format
format: ## fail when a file isn't formatted
	@unformatted=$$(gofmt -l $(GO_FOLDERS)); test -z "$$unformatted" || { echo "not formatted:"; echo "$$unformatted"; exit 1; }

.PHONY: vet
vet: ## vet for the host, and the guest SDK for guests
	$(GO) vet ./...
	GOARCH=386 $(GO) vet ./abi ./host/... ./scripts/...
	GOOS=windows $(GO) vet ./...
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./abi ./guest ./testdata/guests/... ./scripts/examples/...

.PHONY: lint
lint: ## run the linters of .golangci.yml
	$(BIN)/golangci-lint run

.PHONY: tidy
tidy: ## fail when go.mod isn't tidy
	$(GO) mod tidy -diff

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

.PHONY: examples
examples: build ## run all examples through the built tool
	$(BIN)/wasmsandbox validate scripts/examples/*
	$(BIN)/wasmsandbox run scripts/examples/*

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BIN)
