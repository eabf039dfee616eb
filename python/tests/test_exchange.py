"""What moves between vyre and Kernel Tuner: problems as T1 files, recordings as its cache files."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import unittest

from support import TOP, WithFolder, needs_pyopencl

needs_kernel_tuner = unittest.skipIf(importlib.util.find_spec("kernel_tuner") is None,
                                     "Kernel Tuner is not installed")
BUNDLED = ("conv2d", "stencil", "transpose")
RECORDED = ("conv2d", "transpose")  # the recording of stencil is of a smaller space


def tune_t1(file, **options):
    """What Kernel Tuner makes of a T1 file: results in its T4 format."""
    from kernel_tuner.interface import tune_kernel_T1

    with contextlib.redirect_stdout(io.StringIO()):
        return tune_kernel_T1(pathlib.Path(file), **options)[1]["results"]


@needs_kernel_tuner
class Problems(WithFolder):
    @needs_pyopencl
    def test_bundled_files_tune_under_kernel_tuner(self):
        from unittest import mock

        from kernel_tuner.backends.opencl import OpenCLFunctions

        # tune_kernel_T1 of Kernel Tuner 1.5 hands constant memory, empty or not, to every backend,
        # and that of OpenCL refuses it.
        with mock.patch.object(OpenCLFunctions, "copy_constant_memory_args", lambda self, args: None):
            for name in BUNDLED:
                results = tune_t1(TOP / "kernels" / f"{name}.json", device=0, iterations=1,
                                  strategy="random_sample", strategy_options={"max_fevals": 2})
                self.assertEqual([r["invalidity"] for r in results], ["correct"] * 2, name)


@needs_kernel_tuner
class Recordings(WithFolder):
    def convert(self, *arguments):
        return subprocess.run([os.environ["VYRE_COMMAND"], "convert", *map(str, arguments)],
                              capture_output=True, text=True, check=False)

    def test_its_simulation_runs_on_our_recordings(self):
        for name in RECORDED:
            cache = self.folder / f"{name}.json"
            converted = self.convert(TOP / "recordings" / "pocl" / f"{name}_T4.json.gz", cache,
                                     "--format", "kernel-tuner")
            self.assertEqual(converted.returncode, 0, converted.stderr)
            recorded = json.loads(cache.read_text())["cache"]
            results = tune_t1(TOP / "kernels" / f"{name}.json", cache_filepath=str(cache),
                              simulation_mode=True, strategy="brute_force")
            self.assertEqual(len(results), len(recorded), name)
            fastest = min(r["measurements"][0]["value"] for r in results)
            self.assertEqual(fastest, min(entry["time"] for entry in recorded.values()), name)

    def test_our_replay_runs_on_its_cache(self):
        cache = self.folder / "its.json"
        recording = TOP / "recordings" / "pocl" / "stencil_T4.json.gz"
        self.assertEqual(self.convert(recording, cache, "--format", "kernel-tuner").returncode, 0)
        # As Kernel Tuner leaves the file if it is killed.
        text = cache.read_text()
        cache.write_text(text[: text.rindex("}\n}")] + ",")
        back = self.folder / "back.json"
        self.assertEqual(self.convert(cache, back).returncode, 0)
        times = [sorted(r["measurements"][0]["value"] for r in json.loads(file)["results"])
                 for file in (back.read_text(), self.unpacked(recording))]
        self.assertEqual(times[0], times[1])

    def unpacked(self, recording):
        import gzip

        return gzip.decompress(recording.read_bytes()).decode()


if __name__ == "__main__":
    unittest.main()
