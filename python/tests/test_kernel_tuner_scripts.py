"""Whole scripts with the calls that users of Kernel Tuner write; only their import is ours."""

import contextlib
import io
import json
import os
import unittest
from collections import OrderedDict

import numpy

from support import WithFolder, needs_opencl
from vyre.kernel_tuner import run_kernel, tune_kernel
from vyre.kernel_tuner.file_utils import store_metadata_file, store_output_file
from vyre.kernel_tuner.util import CompilationFailedConfig, RuntimeFailedConfig, get_config_string

FEW = dict(strategy="random_sample", strategy_options={"max_fevals": 4}, iterations=1)

MATRIX = """
#include "width.h"
__kernel void product(__global float *C, __global float *A, __global float *B) {
    int x = get_group_id(0) * block_size_x * tile_size_x + get_local_id(0);
    int y = get_group_id(1) * block_size_y + get_local_id(1);
    for (int t = 0; t < tile_size_x; ++t) {
        float sum = 0;
        for (int k = 0; k < WIDTH; ++k)
            sum += A[y * WIDTH + k] * B[k * WIDTH + x + t * block_size_x];
        C[y * WIDTH + x + t * block_size_x] = sum;
    }
}
"""

SUM = """
#if broken == 1
not a kernel
#endif
__kernel void sum_floats(__global float *sums, __global float *x, int n) {
    __local float part[block_size_x];
    float sum = 0.0f;
    for (int i = get_group_id(0) * block_size_x + get_local_id(0); i < n;
         i += num_blocks * block_size_x) sum += x[i];
    part[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        for (int k = 1; k < block_size_x; ++k) sum += part[k];
        sums[get_group_id(0)] = sum;
    }
}
"""


@needs_opencl
class Scripts(WithFolder):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        screen = contextlib.redirect_stdout(io.StringIO())
        self.screen = screen.__enter__()
        self.addCleanup(screen.__exit__, None, None, None)

    def test_a_product_of_matrices_in_a_file_with_an_answer_in_double(self):
        width = 64
        (self.folder / "product.cl").write_text(MATRIX)
        (self.folder / "width.h").write_text(f"#define WIDTH {width}\n")
        A = numpy.random.randn(width, width).astype(numpy.float32)
        B = numpy.random.randn(width, width).astype(numpy.float32)
        tune_params = OrderedDict()
        tune_params["block_size_x"] = [8, 16, 32]
        tune_params["block_size_y"] = [1, 2, 4]
        tune_params["tile_size_x"] = [1, 2]
        answer = [numpy.dot(A.astype(numpy.float64), B), None, None]
        metrics = OrderedDict()
        metrics["GFLOP/s"] = lambda p: (2 * width**3 / 1e9) / (p["time"] / 1e3)
        results, env = tune_kernel(
            "product", "product.cl", (width, width), [numpy.zeros_like(A), A, B], tune_params,
            grid_div_x=["block_size_x", "tile_size_x"], grid_div_y=["block_size_y"],
            restrictions=["block_size_x >= block_size_y * 4"], verbose=True, answer=answer,
            atol=1e-3, metrics=metrics, **FEW)
        with open("product.json", "w") as file:
            json.dump(results, file)
        self.assertEqual([r for r in results if "__error__" in r], [])
        self.assertEqual(env["best_config"]["GFLOP/s"], max(r["GFLOP/s"] for r in results))
        self.assertIn("GFLOP/s=", self.screen.getvalue())

    def test_a_naive_kernel_makes_the_answer(self):
        width = 64
        source = MATRIX.replace('#include "width.h"', f"#define WIDTH {width}") + """
        __kernel void naive(__global float *C, __global float *A, __global float *B) {
            int x = get_global_id(0), y = get_global_id(1);
            float sum = 0;
            for (int k = 0; k < WIDTH; ++k) sum += A[y * WIDTH + k] * B[k * WIDTH + x];
            C[y * WIDTH + x] = sum;
        }"""
        A = numpy.random.rand(width, width).astype(numpy.float32)
        args = [numpy.zeros_like(A), A, A]
        # The naive kernel has no tiles, but its source has a kernel with them.
        naive = run_kernel("naive", source, (width, width), args,
                           {"block_size_x": 16, "block_size_y": 4, "tile_size_x": 1},
                           grid_div_x=["block_size_x"], grid_div_y=["block_size_y"])
        results, _ = tune_kernel(
            "product", source, (width, width), args,
            {"block_size_x": [8, 16], "block_size_y": [1, 2], "tile_size_x": [1, 2]},
            grid_div_x=["block_size_x", "tile_size_x"], grid_div_y=["block_size_y"],
            answer=[naive[0], None, None], **FEW)
        self.assertEqual([r for r in results if "__error__" in r], [])

    def test_two_kernels_of_a_reduction_with_a_verifier(self):
        tune_params = OrderedDict()
        tune_params["broken"] = [1, 0]  # the first value does not compile
        tune_params["block_size_x"] = [8, 16]
        tune_params["num_blocks"] = [2, 4]
        x = numpy.random.rand(4096).astype(numpy.float32)
        sums = numpy.zeros(4, numpy.float32)

        def verify(cpu_result, gpu_result, atol=None):
            return numpy.isclose(cpu_result[0], numpy.sum(gpu_result[0]), rtol=1e-4, atol=atol)

        first, _ = tune_kernel("sum_floats", SUM, "num_blocks", [sums, x, numpy.int32(x.size)],
                               tune_params, grid_div_x=[], verbose=True,
                               answer=[numpy.sum(x), None, None], verify=verify, iterations=1)
        self.assertEqual(len(first), 8)
        failed = [r for r in first if "__error__" in r]
        self.assertEqual([r["broken"] for r in failed], [1] * 4)
        for result in failed:
            self.assertIsInstance(result["__error__"], CompilationFailedConfig)
            self.assertEqual(str(result["__error__"]), "CompilationFailedConfig")
            self.assertIn("unknown type name 'not'", result["__error__"].why)
        tune_params["broken"], tune_params["num_blocks"] = [0], [1]
        second, _ = tune_kernel("sum_floats", SUM, "num_blocks", [sums, sums, numpy.int32(4)],
                                tune_params, grid_div_x=[], iterations=1)
        best = min(second, key=lambda r: r["time"])
        for result in (r for r in first if "__error__" not in r):
            result["total"] = result["time"] + best["time"]
        with open("reduce.json", "w") as file:
            json.dump(first, file)
        self.assertIn("num_blocks=1", get_config_string(best))

    def test_a_wrong_answer_is_an_error_of_its_configuration_and_ends_nothing(self):
        x = numpy.ones(64, numpy.float32)
        source = """__kernel void copy(__global float *y, __global float *x) {
            y[get_global_id(0)] = x[get_global_id(0)] * (block_size_x == 16 ? 2 : 1); }"""
        results, env = tune_kernel("copy", source, 64, [numpy.zeros_like(x), x],
                                   {"block_size_x": [16, 32, 64]}, answer=[x, None], iterations=1)
        (failed,) = [r for r in results if "__error__" in r]
        self.assertIsInstance(failed["__error__"], RuntimeFailedConfig)
        self.assertEqual(failed["block_size_x"], 16)
        self.assertIn("y[0] is 2, not 1", failed["__error__"].why.replace("argument_0", "y"))
        self.assertGreater(env["best_config"]["block_size_x"], 16)

    def test_a_space_of_a_million(self):
        tune_params = {"filter_width": list(range(3, 19, 2)),
                       "block_size_x": [16 * i for i in range(1, 65)],
                       "block_size_y": [2**i for i in range(6)],
                       "tile_size_x": list(range(1, 11)), "tile_size_y": list(range(1, 11)),
                       "use_padding": [0, 1], "read_only": [0, 1]}
        source = """__kernel void fill(__global float *y) {
            y[get_global_id(0)] = filter_width + tile_size_x + tile_size_y + use_padding; }"""
        results, env = tune_kernel(
            "fill", source, (64, 64), [numpy.zeros(1 << 20, numpy.float32)], tune_params,
            grid_div_x=["block_size_x", "tile_size_x"], grid_div_y=["block_size_y", "tile_size_y"],
            restrictions=["use_padding==0 or (block_size_x % 32 != 0)",
                          "block_size_x*block_size_y >= 32"], verbose=True, **FEW)
        with open("fill.json", "w") as file:
            json.dump((results, env), file)
        self.assertEqual(len(results), 4)

    def test_generated_code_and_t4(self):
        def generate(params):
            return """__kernel void add(__global float *c, __global const float *a, int n) {
                int i = get_local_id(0) + get_group_id(0) * %s;
                if (i < n) c[i] = a[i] + 1; }""" % params["block_size_x"]

        a = numpy.random.rand(1000).astype(numpy.float32)
        args = [numpy.zeros_like(a), a, numpy.int32(a.size)]
        tune_params = {"block_size_x": [32, 64, 96]}
        results, env = tune_kernel("add", generate, a.size, args, tune_params, lang="OpenCL",
                                   verify=lambda answer, got: numpy.allclose(got[0], a + 1),
                                   iterations=1)
        json.dumps((results, env))
        self.assertEqual(len([r for r in results if "__error__" not in r]), 3)
        store_output_file("add.json", results, tune_params)
        store_metadata_file("add-metadata.json")
        self.assertEqual(len(json.loads((self.folder / "add.json").read_text())["results"]), 3)

    def test_options_of_strategies(self):
        x = numpy.ones(64, numpy.float32)
        source = "__kernel void add(__global float *x) { x[get_global_id(0)] += tile; }"
        options = {"fraction": 0.25, "x0": [32, 3], "popsize": 9}
        results, _ = tune_kernel("add", source, 64, [x],
                                 {"block_size_x": [16, 32], "tile": [1, 2, 3, 4]}, iterations=1,
                                 strategy="random_sample", strategy_options=options)
        self.assertEqual([(r["block_size_x"], r["tile"]) for r in results], [(16, 1), (32, 3)])
        self.assertIn("strategy_options without effect: popsize", self.screen.getvalue())

    def test_observers_and_missing_files_say_what_is_wrong(self):
        with self.assertRaisesRegex(ImportError, "vyre.kernel_tuner has no observers; leave them"):
            from vyre.kernel_tuner.observers.nvml import NVMLObserver  # noqa: F401
        with self.assertRaisesRegex(FileNotFoundError, "nothing.cl"):
            tune_kernel("add", "nothing.cl", 64, [], {"block_size_x": [16]})
        with self.assertRaisesRegex(TypeError, "argument list and provided results do not match"):
            tune_kernel("add", "__kernel void add(__global float *x) {}", 64,
                        [numpy.zeros(4, numpy.float32)], {"block_size_x": [16]},
                        answer=[None, None])


if __name__ == "__main__":
    unittest.main()
