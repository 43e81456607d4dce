# make test runs everything that a change must pass, in a few minutes; make test-full adds what takes long.

GO       ?= go
FUZZTIME ?= 10m

# Programs that tests call, and the Debian packages that hold them: xmllint validates the JUnit report, chromium opens
# the dry-run's page and the status page, haproxy and nginx are what the dry-run is held against, haproxy is what the watch
# looks at and prometheus-alertmanager whom it tells, vim saves files, promtool plays the alert rules.
PROGRAMS = xmllint chromium haproxy nginx pre-commit promtool prometheus-alertmanager vim
PACKAGES = libxml2-utils chromium haproxy nginx pre-commit prometheus prometheus-alertmanager vim

# REAL plays scenarios on haproxy and nginx in real time, and is tested alone, so that nothing keeps them waiting.
REAL   = ./policy/dryrun/real
OTHERS = $$($(GO) list ./... | grep -v '/policy/dryrun/real$$')

# LONG are a watch that is killed again and again, and one that runs for long. make test plays them in short. BUILT are
# tests of the program as it is built, which the race detector does not see.
LONG  = TestWatchKilled|TestWatchSoak
BUILT = ^TestWatch|^TestAlertsTest|^TestPreCommit|^TestAction

.PHONY: test test-full tools lint generate build clean

test: tools lint
	$(GO) test $(OTHERS)
	$(GO) test $(REAL)
	$(GO) test -race ./sources/load/... ./sources/cache/... ./policy/audit/... ./policy/change ./cmd/poolproof/watch/...
	$(GO) test -race -run '^TestScripts' ./cmd/poolproof

test-full: test
	POOLPROOF_REAL=all $(GO) test $(REAL)
	POOLPROOF_KILLS=200 POOLPROOF_SOAK=30m $(GO) test -timeout 1h -v -run '^($(LONG))$$' ./cmd/poolproof
	$(GO) test -race -skip '$(BUILT)' $(OTHERS)
	./testdata/fuzz-all.sh $(FUZZTIME)

# tools installs the packages that are missing; it does nothing where all are there. policy-rc.d keeps Debian from
# starting the services that come with them.
tools:
	@PATH="$$PATH:/usr/sbin"; missing=; for p in $(PROGRAMS); do command -v $$p >/dev/null || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
		echo "installing:$$missing"; SUDO=$$(test $$(id -u) = 0 || echo sudo); policy=/usr/sbin/policy-rc.d; \
		if [ ! -e $$policy ]; then \
			trap "$$SUDO rm -f $$policy" EXIT; \
			printf '#!/bin/sh\nexit 101\n' | $$SUDO tee $$policy >/dev/null && $$SUDO chmod +x $$policy; \
		fi; \
		$$SUDO apt-get update -q && $$SUDO apt-get install -y -q --no-install-recommends $(PACKAGES); \
	fi

lint:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo 'not gofmt-ed:'; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...

generate:
	$(GO) generate ./...

build:
	$(GO) build -trimpath -ldflags='-s -w' -o poolproof ./cmd/poolproof

clean:
	rm -f poolproof
