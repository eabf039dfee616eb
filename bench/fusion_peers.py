#!/usr/bin/env python3
"""The chains of examples/chains by what a user would take instead, on the same sizes, beside our own figures.

  python3 -m venv build/peers && build/peers/bin/pip install -r bench/fusion_peers.txt
  build/release/bin/vyre_bench build/fusion.json --only 'fusion_of_(vadd|blur|unsharp|rmsnorm|softmax)$'
  build/peers/bin/python bench/fusion_peers.py build/fusion.json

Times are medians of the wall clock in milliseconds, with data where the peer computes and a result that is waited for. Each
result is compared with numpy's first. A peer that is not installed, or that fails, is named with its reason. For the
comparison only: nothing of ours needs these packages.
"""

import argparse
import json
import os
import pathlib
import sys
import time

import numpy as np

N = 1 << 22
ROWS, COLS = 4096, 1024
WIDTH, HEIGHT = 2048, 2048
EPSILON = 1e-5
AMOUNT = 1.5
CHAINS = ["vadd", "blur", "unsharp", "rmsnorm", "softmax"]
CORES = os.cpu_count() or 1


def inputs_of(chain):
    random = np.random.default_rng(1)

    def some(*shape):
        return random.uniform(-1, 1, shape).astype(np.float32)

    if chain == "vadd":
        return [some(N), some(N), some(N)]
    if chain in ("blur", "unsharp"):
        return [some(HEIGHT + 2, WIDTH + 2)]
    if chain == "rmsnorm":
        return [some(ROWS, COLS), some(COLS)]
    return [some(ROWS, COLS)]


# --- The chains over arrays with numpy's operators; `lib` has exp, max, sum, rsqrt. ---

def blurred(image):
    across = 0.25 * image[:, :-2] + 0.5 * image[:, 1:-1] + 0.25 * image[:, 2:]
    return 0.25 * across[:-2] + 0.5 * across[1:-1] + 0.25 * across[2:]


def chain_function(chain, lib):
    if chain == "vadd":
        return lambda w, y, z: w + y + z
    if chain == "blur":
        return blurred
    if chain == "unsharp":
        return lambda image: image[1:-1, 1:-1] + AMOUNT * (image[1:-1, 1:-1] - blurred(image))
    if chain == "rmsnorm":
        return lambda x, gain: x * lib["rsqrt"](lib["mean"](x * x) + EPSILON) * gain

    def softmax(x):
        weights = lib["exp"](x - lib["max"](x))
        return weights / lib["sum"](weights)

    return softmax


NUMPY = {
    "exp": np.exp,
    "max": lambda x: np.max(x, axis=1, keepdims=True),
    "sum": lambda x: np.sum(x, axis=1, keepdims=True),
    "mean": lambda x: np.mean(x, axis=1, keepdims=True),
    "rsqrt": lambda x: (1 / np.sqrt(x)).astype(np.float32),
}


# --- Peers: each gives (run, result), where `run` computes once and waits, and `result` is numpy's array. ---

def jax_peer(chain, inputs):
    import jax
    import jax.numpy as jnp
    lib = {
        "exp": jnp.exp,
        "max": lambda x: jnp.max(x, axis=1, keepdims=True),
        "sum": lambda x: jnp.sum(x, axis=1, keepdims=True),
        "mean": lambda x: jnp.mean(x, axis=1, keepdims=True),
        "rsqrt": jax.lax.rsqrt,
    }
    function = jax.jit(chain_function(chain, lib))
    arrays = [jax.device_put(a) for a in inputs]

    def run():
        return function(*arrays).block_until_ready()

    return run, np.asarray(run())


def tinygrad_peer(chain, inputs):
    os.environ.setdefault("DEV", "CPU")
    from tinygrad import Device, Tensor, TinyJit
    lib = {
        "exp": lambda x: x.exp(),
        "max": lambda x: x.max(axis=1, keepdim=True),
        "sum": lambda x: x.sum(axis=1, keepdim=True),
        "mean": lambda x: x.mean(axis=1, keepdim=True),
        "rsqrt": lambda x: x.rsqrt(),
    }
    function = chain_function(chain, lib)
    tensors = [Tensor(a).realize() for a in inputs]
    compiled = TinyJit(lambda *args: function(*args).realize())

    def run():
        out = compiled(*tensors)
        Device[Device.DEFAULT].synchronize()
        return out

    for _ in range(3):  # traced, captured, replayed
        out = run()
    return run, out.numpy()


def numexpr_peer(chain, inputs):
    import numexpr
    if chain == "vadd":
        w, y, z = inputs
        out = np.empty_like(w)

        def run():
            numexpr.evaluate("w + y + z", {"w": w, "y": y, "z": z}, out=out)
            return out
    elif chain in ("blur", "unsharp"):
        image = inputs[0]
        across = np.empty((HEIGHT + 2, WIDTH), np.float32)
        out = np.empty((HEIGHT, WIDTH), np.float32)
        quarter, half, amount = np.float32(0.25), np.float32(0.5), np.float32(AMOUNT)
        blur = "q * a + h * b + q * c"
        last = blur if chain == "blur" else f"m + amount * (m - ({blur}))"

        def run():
            names = {"q": quarter, "h": half, "a": image[:, :-2], "b": image[:, 1:-1], "c": image[:, 2:]}
            numexpr.evaluate(blur, names, out=across)
            names = {"q": quarter, "h": half, "a": across[:-2], "b": across[1:-1], "c": across[2:]}
            if chain == "unsharp":
                names |= {"m": image[1:-1, 1:-1], "amount": amount}
            numexpr.evaluate(last, names, out=out)
            return out
    else:
        raise NotImplementedError("it has no sums of rows within an expression")
    return run, run().copy()


def plugin_of(hl, scheduler):
    """The file of an autoscheduler, which the wheel keeps where the loader does not look."""
    name = f"libautoschedule_{scheduler.lower()}.so"
    found = sorted(pathlib.Path(hl.__file__).parent.rglob(name))
    return str(found[0]) if found else name


def halide_peer(scheduler):
    def peer(chain, inputs):
        import halide as hl
        if chain not in ("vadd", "blur", "unsharp"):
            raise NotImplementedError("not written for it")
        hl.load_plugin(plugin_of(hl, scheduler))
        x, y = hl.vars("x y")
        out = hl.Func("out")
        if chain == "vadd":
            params = [hl.ImageParam(hl.Float(32), 1) for _ in inputs]
            out[x] = params[0][x] + params[1][x] + params[2][x]
            out.set_estimates([hl.Range(0, N)])
            for param in params:
                param.set_estimates([hl.Range(0, N)])
            result = np.empty(N, np.float32)
        else:
            params = [hl.ImageParam(hl.Float(32), 2)]
            image = params[0]
            across = hl.Func("across")
            down = hl.Func("down")
            across[x, y] = 0.25 * image[x, y] + 0.5 * image[x + 1, y] + 0.25 * image[x + 2, y]
            down[x, y] = 0.25 * across[x, y] + 0.5 * across[x, y + 1] + 0.25 * across[x, y + 2]
            center = image[x + 1, y + 1]
            out[x, y] = down[x, y] if chain == "blur" else center + AMOUNT * (center - down[x, y])
            out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
            image.set_estimates([hl.Range(0, WIDTH + 2), hl.Range(0, HEIGHT + 2)])
            result = np.empty((HEIGHT, WIDTH), np.float32)
        pipeline = hl.Pipeline(out)
        target = hl.get_host_target()
        pipeline.apply_autoscheduler(target, hl.AutoschedulerParams(scheduler, {"parallelism": str(CORES)}))
        pipeline.compile_jit(target)
        for param, data in zip(params, inputs):
            param.set(hl.Buffer(data))
        buffer = hl.Buffer(result)

        def run():
            pipeline.realize(buffer)
            return result

        return run, run().copy()

    return peer


PEERS = {
    "JAX": jax_peer,
    "Halide Adams2019": halide_peer("Adams2019"),
    "Halide Mullapudi2016": halide_peer("Mullapudi2016"),
    "tinygrad": tinygrad_peer,
    "numexpr": numexpr_peer,
}


def median_ms(run, runs):
    for _ in range(3):
        run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return float(np.median(times))


def measured(peer, chain, runs):
    """The time in ms, or a sentence that says why there is none."""
    inputs = inputs_of(chain)
    try:
        run, got = PEERS[peer](chain, inputs)
        expected = chain_function(chain, NUMPY)(*inputs)
        if not np.allclose(got, expected, rtol=1e-3, atol=1e-4):
            return "its result differs from numpy's"
        return median_ms(run, runs)
    except Exception as error:  # whatever a peer throws, the others are still of interest
        lines = str(error).strip().splitlines()
        return f"{type(error).__name__}: {lines[0] if lines else ''}"[:100]


def our_figures(path):
    """Wall clock of the chosen plan and of the tuned unfused chain, by chain."""
    if path is None:
        return {}
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    rows = rows["rows"] if isinstance(rows, dict) else rows
    out = {}
    for row in rows:
        for chain in CHAINS:
            if row["name"] == f"fusion of {chain}: chosen, wall clock":
                out[chain] = (row["value"], row["baseline"])
    return out


def cell(value):
    return "-" if value is None else f"{value:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="?", help="what vyre_bench wrote")
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--only", choices=CHAINS, action="append", help="a chain; all if not given")
    arguments = parser.parse_args()
    chains = arguments.only or CHAINS
    ours = our_figures(arguments.figures)
    print("wall clock, ms".ljust(24) + "".join(chain.rjust(10) for chain in chains))
    for name, which in (("vyre, chosen plan", 0), ("vyre, tuned unfused", 1)):
        row = [cell(ours[chain][which]) if chain in ours else "-" for chain in chains]
        print(name.ljust(24) + "".join(text.rjust(10) for text in row))
    reasons = []
    for peer in PEERS:
        row = []
        for chain in chains:
            value = measured(peer, chain, arguments.runs)
            if isinstance(value, str):
                reasons.append(f"{peer}, {chain}: {value}")
                value = None
            row.append(cell(value))
        print(peer.ljust(24) + "".join(text.rjust(10) for text in row), flush=True)
    for reason in reasons:
        print(reason)
    return 0


if __name__ == "__main__":
    sys.exit(main())
