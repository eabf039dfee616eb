#!/usr/bin/env python3
"""fusion_peer.py PEER CHAIN: one contestant of bench/fusion_peers.py, which says more.

Says "ready", or "failed" and why. Then each line of the input is answered by the median of a few runs in milliseconds.
"""

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
WARM_RUNS, TIMED_RUNS = 2, 5  # as in bench/e2e/serve_chain.cc


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
    numexpr.set_num_threads(CORES)
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


def tinygrad_searched(chain, inputs):
    if chain == "softmax":
        raise NotImplementedError("its search had not ended after two minutes")
    os.environ["BEAM"] = "2"
    return tinygrad_peer(chain, inputs)


PEERS = {
    "JAX": jax_peer,
    "Halide Adams2019": halide_peer("Adams2019"),
    "Halide Mullapudi2016": halide_peer("Mullapudi2016"),
    "tinygrad": tinygrad_peer,
    "tinygrad BEAM=2": tinygrad_searched,
    "numexpr": numexpr_peer,
}


# --- A contestant: says "ready" or "failed" and why; then a line in is answered by a time in ms. ---

def prepared(peer, chain, inputs):
    """A function that computes once, or None and why there is none. `inputs` must stay: Halide computes in their memory."""
    try:
        run, got = PEERS[peer](chain, inputs)
    except Exception as error:  # whatever a peer throws, the others are still of interest
        lines = str(error).strip().splitlines()
        return None, f"{type(error).__name__}: {lines[0] if lines else ''}"[:100]
    expected = chain_function(chain, NUMPY)(*inputs)
    if not np.allclose(got, expected, rtol=1e-3, atol=1e-4):
        return None, "its result differs from numpy's"
    return run, None


def median_ms(run):
    for _ in range(WARM_RUNS):
        run()
    times = []
    for _ in range(TIMED_RUNS):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return float(np.median(times))


def serve(peer, chain):
    inputs = inputs_of(chain)
    run, why = prepared(peer, chain, inputs)
    print("ready" if why is None else f"failed {why}", flush=True)
    for _ in sys.stdin if why is None else ():
        print(median_ms(run), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
