.PHONY: setup build tune test bench soak format clean

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
	@tools/soak

format:
	@git ls-files -co --exclude-standard '*.h' '*.cc' '*.def' | xargs clang-format-19 -i

clean:
	@rm -rf build
