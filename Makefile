.PHONY: setup build tune test bench soak format clean

setup:
	@tools/setup

build: setup
	@cmake --preset release > /dev/null && cmake --build build/release --target vyre_cli

tune: build
	@build/release/bin/vyre tune

test: setup
	@tools/test

bench: build
	@cmake --build build/release --target vyre_bench
	@build/release/bin/vyre_bench build/bench.json

soak: setup
	@tools/soak

format:
	@git ls-files -co --exclude-standard '*.h' '*.cc' '*.def' | xargs clang-format-19 -i

clean:
	@rm -rf build
