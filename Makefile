# make test runs everything that a change must pass, in a few minutes; make test-full adds what takes long.

GO       ?= go
FUZZTIME ?= 10m

# Debian packages that tests call: xmllint validates the JUnit report, chromium opens the dry-run's page.
PACKAGES = libxml2-utils chromium

.PHONY: test test-full tools lint generate build clean

test: tools lint
	$(GO) test ./...
	$(GO) test -race ./sources/load/... ./sources/cache/... ./policy/audit/... ./cmd/poolproof

test-full: test
	$(GO) test -race ./...
	./testdata/fuzz-all.sh $(FUZZTIME)

# tools installs the packages that are missing; it does nothing where all are there.
tools:
	@command -v xmllint >/dev/null && command -v chromium >/dev/null || { \
		SUDO=$$(test $$(id -u) = 0 || echo sudo); \
		$$SUDO apt-get update -q && $$SUDO apt-get install -y -q --no-install-recommends $(PACKAGES); }

lint:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo 'not gofmt-ed:'; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...

generate:
	$(GO) generate ./...

build:
	$(GO) build -trimpath -ldflags='-s -w' -o poolproof ./cmd/poolproof

clean:
	rm -f poolproof
