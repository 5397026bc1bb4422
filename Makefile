# The front door. Each goal installs by itself what it needs (tools/setup.sh, Debian and Ubuntu), so
# that a fresh clone needs nothing but make.
JOBS ?= $(shell nproc)
FUZZ_RUNS ?= 20000
RELEASE := build/release
PORTABLE := build/portable
PREFIX ?= /usr/local

.PHONY: build check test demo fuzzers fuzz install uninstall portable package wheel clean help
.DEFAULT_GOAL := build

build: ## the binary, at build/hone
	@tools/setup.sh build
	cmake --preset release
	cmake --build $(RELEASE) -j $(JOBS) --target hone
	ln -sf release/hone build/hone

check: ## unit tests only, for daily work: under two minutes after a build
	@tools/setup.sh build run test
	cmake --preset release
	cmake --build $(RELEASE) -j $(JOBS) --target unit_tests
	ctest --test-dir $(RELEASE) -L unit -j $$(($(JOBS) + 1)) --output-on-failure

test: ## everything that can be checked on this machine
	@tools/setup.sh build run test
	cmake --preset release
	cmake --build $(RELEASE) -j $(JOBS)
	ln -sf release/hone build/hone
	tools/test.sh $(RELEASE) $(JOBS)

fuzzers: ## build the fuzzers
	@tools/setup.sh build test
	cmake --preset fuzz
	cmake --build build/fuzz -j $(JOBS) --target fuzzers

fuzz: fuzzers ## a short run of the fuzzers over the parsers
	tests/fuzz/run.sh build/fuzz $(FUZZ_RUNS)

demo: ## tune two kernels on the CPU and replay a recorded run of the scientist, in a few minutes
	@tools/setup.sh build run
	@$(MAKE) --no-print-directory build
	tools/demo.sh build/hone

install: build ## binary, man page, completions, docs and examples under PREFIX
	cmake --install $(RELEASE) --prefix "$(abspath $(PREFIX))" --strip

uninstall: ## remove what `make install` put there
	@test -f $(RELEASE)/install_manifest.txt || { echo "nothing was installed from here" >&2; exit 1; }
	sed 's|^|$(DESTDIR)|' $(RELEASE)/install_manifest.txt | tr '\n' '\0' | xargs -0 rm -f

portable: ## one binary for other machines (x86-64, glibc 2.34 or newer), at build/portable/hone
	@tools/setup.sh build
	cmake --preset portable
	cmake --build $(PORTABLE) -j $(JOBS) --target hone
	tools/check_glibc.sh $(PORTABLE)/hone

package: portable ## a .deb and a tarball of the portable binary, in dist/
	mkdir -p dist
	cd $(PORTABLE) && cpack -B $(abspath dist) && rm -rf $(abspath dist)/_CPack_Packages

wheel: portable ## a Python wheel of the portable binary, in dist/
	mkdir -p dist
	tools/make_wheel.py $(PORTABLE)/hone dist

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile | expand -t 14
