#!/usr/bin/env python3
"""The chains of examples/chains by what a user would take instead, side by side with ours.

  python3 -m venv build/peers && build/peers/bin/pip install -r bench/fusion_peers.txt
  cmake --build build/release --target vyre_serve_chain vyre-worker
  build/peers/bin/python bench/fusion_peers.py

Every contestant is a process of its own, which computes once, is compared with numpy and then waits. In each round all of them
run in turn, two runs to warm up and five that count, so that a machine that is slow for a while is slow for all. Times are
medians of the wall clock, from the call until the result is there, with inputs and outputs in memory already (JAX makes a new
output in each call, as it always does). All compute in f32 on all cores. Ratios are medians over rounds. Ours is tuned first,
with 60 evaluations, unless a decision is remembered. For the comparison only: nothing of ours needs these packages.
"""

import argparse
import pathlib
import subprocess
import sys

import numpy as np

from fusion_peer import CHAINS, PEERS

TOP = pathlib.Path(__file__).resolve().parent.parent
OURS = {"vyre, chosen plan": "plans", "vyre, tuned steps": "steps"}
CHOSEN = "vyre, chosen plan"


class Contestant:
    def __init__(self, name, chain, program):
        if name in OURS:
            command = [program, TOP / "examples" / "chains" / f"{chain}.vyre", OURS[name]]
        else:
            command = [sys.executable, TOP / "bench" / "fusion_peer.py", name, chain]
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times = []

    def answer(self):
        return (self.process.stdout.readline() or "failed without a word").strip()

    def is_ready(self):
        """Waits until it is, or says why it is not."""
        said = self.answer()
        while not said.startswith(("ready", "failed")):  # what libraries print
            said = self.answer()
        print(f"  {self.name}: {said}", flush=True)
        return said.startswith("ready")

    def run(self):
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        self.times.append(float(self.answer()))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def contest(chain, arguments):
    """Times in ms by name, one per round."""
    print(f"{chain}:", flush=True)
    all_of_them = [Contestant(name, chain, arguments.vyre) for name in [*OURS, *PEERS]]
    ready = [one for one in all_of_them if one.is_ready()]
    if arguments.pause:
        print(f"{chain}: ready to be timed", flush=True)
        sys.stdin.readline()
    for number in range(arguments.rounds):
        for one in ready if number % 2 == 0 else reversed(ready):
            one.run()
    for one in all_of_them:
        one.end()
    print(f"{chain}: timed", flush=True)
    return {one.name: np.array(one.times) for one in ready}


def print_table(title, chains, cell):
    print(title.ljust(24) + "".join(chain.rjust(10) for chain in chains))
    for name in [*OURS, *PEERS]:
        print(name.ljust(24) + "".join(cell(chain, name).rjust(10) for chain in chains))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=CHAINS, action="append", help="a chain; all if not given")
    parser.add_argument("--pause", action="store_true", help="wait for Enter before a chain is timed")
    parser.add_argument("--vyre", default=TOP / "build" / "release" / "bin" / "vyre_serve_chain")
    arguments = parser.parse_args()
    chains = arguments.only or CHAINS
    times = {chain: contest(chain, arguments) for chain in chains}

    def milliseconds(chain, name):
        found = times[chain].get(name)
        return "-" if found is None else f"{np.median(found):.2f}"

    def ratio(chain, name):
        found, ours = times[chain].get(name), times[chain].get(CHOSEN)
        return "-" if found is None or ours is None else f"{np.median(found / ours):.2f}"

    print_table("wall clock, ms", chains, milliseconds)
    print_table("time / chosen plan's", chains, ratio)
    return 0


if __name__ == "__main__":
    sys.exit(main())
