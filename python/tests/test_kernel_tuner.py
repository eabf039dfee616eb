"""Kernel Tuner's interface: scripts with its calls, its cache files, and our search inside it."""

import contextlib
import importlib.util
import io
import json
import unittest

import numpy

import vyre.kernel_tuner as kernel_tuner
from support import WithFolder, needs_opencl
from vyre.kernel_tuner.util import RuntimeFailedConfig, get_config_string

VECTOR_ADD = """
__kernel void vector_add(__global float *c, __global const float *a, __global const float *b,
                         int n) {
    int i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}
"""


def vector_arguments(n=4096):
    a = numpy.random.default_rng(1).random(n, dtype=numpy.float32)
    return [numpy.zeros_like(a), a, a + 1, numpy.int32(n)]


@needs_opencl
class Scripts(WithFolder):
    def setUp(self):
        super().setUp()
        self.arguments = vector_arguments()
        self.params = {"block_size_x": [16, 32, 64, 128]}

    def tune(self, *arguments, **options):
        """The results, env and what was printed."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            results, env = kernel_tuner.tune_kernel(*arguments, **options)
        self.printed = out.getvalue()
        return results, env

    def add(self, source=VECTOR_ADD, **options):
        return self.tune("vector_add", source, 4096, self.arguments, self.params,
                         **({"iterations": 1} | options))

    def test_tries_every_configuration_without_a_strategy(self):
        results, env = self.add(answer=[self.arguments[1] + self.arguments[2], None, None, None])
        self.assertEqual(sorted(r["block_size_x"] for r in results), [16, 32, 64, 128])
        for result in results:
            self.assertGreater(result["time"], 0)
            self.assertGreaterEqual(len(result["times"]), 1)
            for key in ("compile_time", "verification_time", "benchmark_time", "strategy_time",
                        "framework_time", "timestamp"):
                self.assertIn(key, result)
        self.assertEqual(env["best_config"], min(results, key=lambda r: r["time"]))
        self.assertIn("device_name", env)
        self.assertIn("total_benchmark_time", env)
        self.assertIn("BEST PERFORMING CONFIGURATION FOR OBJECTIVE time:", self.printed)
        json.dumps(results)  # as scripts store them
        t4 = self.folder / "t4.json"
        kernel_tuner.file_utils.store_output_file(str(t4), results, self.params)
        self.assertEqual(len(json.loads(t4.read_text())["results"]), 4)
        kernel_tuner.file_utils.store_metadata_file(str(self.folder / "metadata"))
        self.assertTrue((self.folder / "metadata.json").exists())

    def test_runs_a_kernel_once(self):
        out = kernel_tuner.run_kernel("vector_add", VECTOR_ADD, 4096, self.arguments,
                                      {"block_size_x": 32})
        numpy.testing.assert_array_equal(out[0], self.arguments[1] + self.arguments[2])
        self.assertEqual(self.arguments[0].max(), 0)

    def test_sizes_and_divisors_may_be_texts_and_functions(self):
        for size, divisor in ((4096, None), ("32 * 128", ["block_size_x"]),
                              (lambda p: (4096,), lambda p: p["block_size_x"]),
                              ((4096, 1, 1), ["block_size_x/1"])):
            with self.subTest(size=size, divisor=divisor):
                out = kernel_tuner.run_kernel("vector_add", VECTOR_ADD, size, self.arguments,
                                              {"block_size_x": 64}, grid_div_x=divisor)
                numpy.testing.assert_array_equal(out[0], self.arguments[1] + self.arguments[2])

    def test_where_nothing_is_right_all_are_errors(self):
        results, env = self.add(verify=lambda *_: False, quiet=True, strategy="random_sample",
                                strategy_options={"max_fevals": 2})
        self.assertEqual(len(results), 2)
        self.assertTrue(all(isinstance(r["__error__"], RuntimeFailedConfig) for r in results))
        self.assertIn("__error__", env["best_config"])
        self.assertEqual(self.printed, "")

    def test_restrictions_metrics_and_objectives(self):
        results, env = self.add(restrictions=["block_size_x > 16"], quiet=True,
                                metrics={"GB/s": lambda p: 3 * 4096 / p["time"],
                                         "twice": "2 * time"}, objective="GB/s")
        self.assertEqual(sorted(r["block_size_x"] for r in results), [32, 64, 128])
        self.assertEqual(env["best_config"], max(results, key=lambda r: r["GB/s"]))
        self.assertAlmostEqual(results[0]["twice"], 2 * results[0]["time"])
        for function in (lambda p: p["block_size_x"] > 64, lambda block_size_x: block_size_x > 64):
            results, _ = self.add(restrictions=function, quiet=True)
            self.assertEqual([r["block_size_x"] for r in results], [128])

    def test_maps_strategies_with_one_notice(self):
        results, _ = self.add(strategy="genetic_algorithm", strategy_options={"max_fevals": 2},
                              seed=3)
        self.assertLessEqual(len(results), 3)  # the default is measured, too
        self.assertEqual(self.printed.count("strategy genetic_algorithm stands for"), 1)

    def test_defines_take_the_place_of_parameters(self):
        source = VECTOR_ADD.replace("get_global_id(0)", "get_local_id(0) + get_group_id(0) * WIDTH")
        for defines in ({"WIDTH": "block_size_x"}, {"WIDTH": lambda p: p["block_size_x"]}):
            results, _ = self.add(source, defines=defines, quiet=True, answer=[
                self.arguments[1] + self.arguments[2], None, None, None])
            self.assertEqual(len([r for r in results if "__error__" not in r]), 4, results)

    def test_refuses_by_name(self):
        for name in ("observers", "texmem_args", "parallel"):
            with self.assertRaisesRegex(NotImplementedError, f"vyre.kernel_tuner has no {name}"):
                self.add(**{name: [1]})
        with self.assertRaisesRegex(ValueError, "Unknown strategy magic"):
            self.add(strategy="magic")
        with self.assertRaisesRegex(NotImplementedError, "has no lang 'C'"):
            self.add(lang="C")
        with self.assertRaisesRegex(ValueError, "Simulation mode requires an existing cachefile"):
            self.add(simulation_mode=True)

    def test_continues_from_its_cache_and_simulates_on_it(self):
        cache = self.folder / "cache"
        self.params = {"block_size_x": [16, 32]}
        first, _ = self.add(cache=str(cache), quiet=True)
        self.params = {"block_size_x": [16, 32]}
        again, _ = self.add(cache=str(cache), quiet=True)
        self.assertEqual([r["time"] for r in again], [r["time"] for r in first])
        simulated, env = self.add(cache=str(cache), simulation_mode=True, quiet=True,
                                  strategy="bayes_opt", strategy_options={"max_fevals": 1})
        self.assertEqual(len(simulated), 1)
        self.assertTrue(env["simulation"])
        document = json.loads((self.folder / "cache.json").read_text())
        for changes, message in (({"device_name": "another"}, "different device"),
                                 ({"kernel_name": "another"}, "different kernel"),
                                 ({"tune_params_keys": ["tile"]}, "different tunable parameters")):
            (self.folder / "cache.json").write_text(json.dumps(document | changes))
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                self.add(cache=str(cache), quiet=True)


    def test_an_interrupted_run_leaves_its_cache(self):
        cache, asked = self.folder / "cache.json", []

        def verify(answer, got):
            asked.append(answer)
            if len(asked) == 3:
                raise KeyboardInterrupt
            return True

        with self.assertRaises(KeyboardInterrupt):
            self.add(cache=cache, verify=verify, quiet=True)
        found = len(json.loads(cache.read_text())["cache"])
        self.assertIn(found, (1, 2))
        results, _ = self.add(cache=cache, quiet=True)
        self.assertEqual(len(results), 4)


class Texts(unittest.TestCase):
    def test_config_strings(self):
        self.assertEqual(get_config_string({"block_size_x": 64, "time": 1.23456}, None,
                                           {"time": "ms"}), "block_size_x=64, time=1.235ms")
        self.assertEqual(get_config_string({"a": 1, "b": 2}, ["b"]), "b=2")


@unittest.skipIf(importlib.util.find_spec("kernel_tuner") is None, "Kernel Tuner is not installed")
class InsideKernelTuner(WithFolder):
    PARAMS = {"block_size_x": [16, 32, 64, 128, 256], "tile": list(range(1, 9)), "pad": [0, 1]}

    @staticmethod
    def time_of(x, tile, pad):
        return 1 + abs(x - 64) / 64 + abs(tile - 5) / 4 + 0.3 * pad

    def write_cache(self):
        """Kernel Tuner's own format; every seventh configuration has failed."""
        entries = {}
        for x in self.PARAMS["block_size_x"]:
            for tile in self.PARAMS["tile"]:
                for pad in self.PARAMS["pad"]:
                    entry = {"block_size_x": x, "tile": tile, "pad": pad, "compile_time": 100.0,
                             "verification_time": 0, "benchmark_time": 10.0, "strategy_time": 0,
                             "framework_time": 0, "timestamp": ""}
                    if len(entries) % 7 == 3:
                        entry["time"] = entry["__error__"] = "RuntimeFailedConfig"
                    else:
                        entry["time"] = self.time_of(x, tile, pad)
                        entry["times"] = [entry["time"]]
                    entries[f"{x},{tile},{pad}"] = entry
        document = {"device_name": "recorded", "kernel_name": "vector_add", "problem_size": 4096,
                    "tune_params_keys": list(self.PARAMS), "tune_params": self.PARAMS,
                    "objective": "time", "cache": entries}
        (self.folder / "cache.json").write_text(json.dumps(document, indent=""))
        return [e["time"] for e in entries.values() if "__error__" not in e]

    def simulate(self, tuner, **options):
        with contextlib.redirect_stdout(io.StringIO()):
            return tuner.tune_kernel("vector_add", VECTOR_ADD, 4096, vector_arguments(),
                                     self.PARAMS, cache=str(self.folder / "cache.json"),
                                     simulation_mode=True, lang="OpenCL", quiet=True, **options)

    def test_our_search_is_a_strategy(self):
        import kernel_tuner as theirs

        times = self.write_cache()
        results, env = self.simulate(theirs, strategy=kernel_tuner.Search("natural", seed=1),
                                     strategy_options={"max_fevals": 30})
        self.assertLessEqual(len(results), 30)
        self.assertTrue(env["simulation"])
        best = min(r["time"] for r in results if "__error__" not in r)
        self.assertEqual(best, min(times))

    def test_it_ends_when_all_is_known(self):
        import kernel_tuner as theirs

        self.write_cache()
        results, _ = self.simulate(theirs, strategy=kernel_tuner.Search("random"),
                                   restrictions=["tile < 3"])
        self.assertEqual(len(results), 20)

    def test_makes_large_what_is_to_be_large(self):
        import kernel_tuner as theirs

        times = self.write_cache()
        results, _ = self.simulate(theirs, strategy=kernel_tuner.Search(), objective="speed",
                                   objective_higher_is_better=True,
                                   metrics={"speed": lambda p: 1 / p["time"]},
                                   strategy_options={"max_fevals": 30})
        self.assertEqual(max(r["speed"] for r in results if "__error__" not in r), 1 / min(times))

    def test_the_same_file_simulates_here(self):
        times = self.write_cache()
        results, env = self.simulate(kernel_tuner, strategy="bayes_opt",
                                     strategy_options={"max_fevals": 60})
        self.assertEqual(env["best_config"]["time"], min(times))
        self.assertGreater(env["simulated_time"], 0)


if __name__ == "__main__":
    unittest.main()
