.PHONY: setup build tune test bench soak docs package format clean

setup:
	@tools/setup

build: setup
	@cmake --preset release > /dev/null && cmake --build build/release --target vyre_cli

# DEVICE=opencl:1 make tune: not the best device but that one of `vyre devices`.
tune: build
	@build/release/bin/vyre tune $(if $(DEVICE),--device $(DEVICE))

test:
	@tools/setup --all
	@tools/test

bench: build
	@tools/setup --all
	@cmake --build build/release --target vyre_bench
	@build/release/bin/vyre_bench build/bench.json

soak:
	@tools/setup --all
	@tools/setup --release
	@tools/soak

# API documentation, in build/docs/html.
docs:
	@tools/setup --release
	@tools/docs

# .deb files, a wheel and a source archive, in build/package.
package:
	@tools/setup --all
	@tools/setup --release
	@tools/package

format:
	@git ls-files -co --exclude-standard '*.h' '*.cc' '*.def' | xargs clang-format-19 -i

clean:
	@rm -rf build
