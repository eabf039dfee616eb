"""Tuning: on PoCL in workers and in this process, on the interpreter, and what ends it."""

import unittest

import numpy

import vyre
from support import (N, SOURCE, TOP, WithFolder, needs_opencl, needs_pyopencl, numbers,
                     only_another_thread_goes_on, queue, twice)

FEW = dict(seconds=0, evaluations=3, progress=False)


class OnTheInterpreter(WithFolder):
    def tune(self, **wishes):
        return vyre.tune("saxpy", sizes={"n": 4096}, device="reference",
                         **(FEW | {"folder": self.folder} | wishes))

    def test_finds_something_not_slower_than_the_default(self):
        result = self.tune()
        self.assertGreaterEqual(result.gain.times, 1)
        self.assertLessEqual(result.gain.low, result.gain.times)
        self.assertGreater(result.elapsed.ns, 0)
        self.assertFalse(result.remembered or result.interrupted)
        self.assertTrue(any(c.config == result.config for c in result.candidates))

    def test_remembers_in_its_folder(self):
        first = self.tune()
        second = self.tune()
        self.assertTrue(second.remembered)
        self.assertEqual(second.config, first.config)
        self.assertEqual(second.key, first.key)
        with self.assertRaisesRegex(vyre.BadInputs, 'there is no strategy "magic"'):
            self.tune(strategy="magic")
        self.assertEqual(second.plot(), first.plot())  # of the campaign that decided
        for journal in (self.folder / "journals").iterdir():
            journal.unlink()
        with self.assertRaises(vyre.Error):
            second.plot()
        self.assertIn("<pre>", second._repr_html_())  # without the picture
        self.assertFalse(self.tune(again=True, force=True).remembered)

    def test_keeps_nothing_without_a_folder(self):
        self.assertFalse(self.tune(folder=None).remembered)
        self.assertFalse(self.tune(folder=None).remembered)

    def test_tells_progress_and_ends_when_asked(self):
        told = []

        def stop_after_two(progress):
            told.append(progress)
            return progress.evaluations < 2

        result = self.tune(progress=stop_after_two, evaluations=6)
        self.assertTrue(result.interrupted)
        self.assertEqual(result.stopped, "stopped")
        self.assertEqual(told[-1].evaluations, 2)
        self.assertGreater(told[-1].best_ns, 0)

    def test_an_exception_in_progress_ends_it(self):
        def fail(progress):
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            self.tune(progress=fail)

    def test_writes_t4(self):
        result = self.tune()
        result.write_t4(self.folder / "t4.json")
        again = self.tune(folder=None, seed_from=[self.folder / "t4.json"])
        self.assertGreater(again.evaluations, 0)

    def test_refuses(self):
        for wishes, message in [(dict(strategy="magic"), "magic"),
                                (dict(seconds=0, evaluations=0), "budget"),
                                (dict(isolation="none"), 'not "none"')]:
            with self.subTest(message), self.assertRaisesRegex(vyre.BadInputs, message):
                self.tune(**wishes)


@needs_opencl
class OnOpencl(WithFolder):
    def test_tunes_a_kernel_that_is_a_string(self):
        result = vyre.tune(twice(), device="opencl:0", folder=self.folder, **FEW)
        self.assertIn(result.config["block"], (16, 32, 64))
        self.assertTrue(result.kept or result.gain.times == 1, result.why_not_kept)
        self.assertIn("verified against a reference run", result.explain())

    def test_workers_are_those_of_the_wheel(self):
        result = vyre.tune(twice(), device="opencl:0", folder=None, isolation="workers", workers=1,
                           **FEW)
        self.assertGreater(result.evaluations, 0)

    def test_tunes_t1_files(self):
        result = vyre.tune(TOP / "kernels" / "transpose.json", device="opencl:0", folder=None,
                           sizes={"width": 64, "height": 64}, **FEW)
        self.assertGreaterEqual(result.gain.times, 1)

    def test_a_reference_decides_what_is_right(self):
        right = twice(reference={"y": 2 * numbers()})
        self.assertGreater(
            vyre.tune(right, device="opencl:0", folder=None, **FEW).evaluations, 0)
        wrong = twice(reference={"y": 3 * numbers()})
        with self.assertRaisesRegex(vyre.Rejected, "twice"):
            vyre.tune(wrong, device="opencl:0", folder=None, **FEW)
        loose = twice(reference={"y": 2 * numbers() + 1}, tolerance=(1.5, 0))
        self.assertGreater(
            vyre.tune(loose, device="opencl:0", folder=None, **FEW).evaluations, 0)

    def test_outputs_that_are_ignored_may_be_anything(self):
        source = SOURCE.replace("y[i] = a", "y[i] = items")
        result = vyre.tune(twice(source=source, ignore=["y"]), device="opencl:0", folder=None,
                           seconds=0, strategy="exhaustive", samples=2, progress=False)
        self.assertEqual(result.failures, [])
        self.assertEqual(len(result.candidates), 6)
        self.assertTrue(all(len(c.samples_ns) >= 2 for c in result.candidates))
        self.assertIn("not verified", result.explain())

    def test_failures_have_their_kind_and_reason(self):
        source = SOURCE.replace("y[i] = a", "y[i] = (items == 2 ? 3 : a)")
        result = vyre.tune(twice(source=source), device="opencl:0", folder=None, seconds=0,
                           strategy="exhaustive", progress=False)
        self.assertEqual({f.config["items"] for f in result.failures}, {2})
        self.assertEqual({f.status for f in result.failures}, {"correctness"})
        self.assertEqual(result.config["items"], 1)
        self.assertIn("failed: correctness", result.plot())

    def test_a_function_decides_what_is_right(self):
        """Each invocation leaves a part of a sum, so outputs differ between configurations."""
        source = """
        kernel void parts(global const float* x, global float* y, uint n) {
          float sum = 0;
          for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i];
          y[get_global_id(0)] = wrong ? 0 : sum;
        }
        """
        problem = vyre.Problem(
            source, "parts", parameters={"block": [8, 16], "wrong": [0, 1]},
            arguments={"x": numpy.ones((64, 64), numpy.float32),
                       "y": vyre.Out(dtype="f4", size=16), "n": numpy.uint32(N)},
            local_size="block", grid=1, ignore=["x", "y"])
        asked = []

        def verify(config, outputs):
            asked.append(config)
            self.assertEqual(outputs["x"].shape, (64, 64))
            self.assertEqual(outputs["y"].dtype, numpy.float32)
            numpy.testing.assert_allclose(outputs["y"].sum(), N)

        def tune(verify):
            return vyre.tune(problem, device="opencl:0", folder=None, seconds=0, verify=verify,
                             strategy="exhaustive", progress=False)

        result = tune(verify)
        self.assertEqual(len(asked), 4)
        self.assertEqual([c.config["wrong"] for c in result.candidates], [0, 0])
        self.assertEqual({f.status for f in result.failures}, {"correctness"})
        self.assertIn("Not equal to tolerance", result.failures[0].why)
        self.assertIn("verified", result.explain())
        result = tune(lambda config, outputs: "no" if config["block"] == 16 else True)
        self.assertEqual({f.why for f in result.failures}, {"no"})
        with self.assertRaisesRegex(vyre.Rejected, "verify says that its result is wrong"):
            tune(lambda config, outputs: False)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            tune(lambda config, outputs: 1 / 0)

    def test_a_kernel_that_does_not_compile_says_why(self):
        broken = twice(source=SOURCE.replace("y[i] = a", "y[i] = b"))
        with self.assertRaisesRegex(vyre.Rejected, "undeclared identifier 'b'"):
            vyre.tune(broken, device="opencl:0", folder=None, **FEW)


@needs_pyopencl
class OnPyopencl(unittest.TestCase):
    def test_tunes_memory_of_the_application(self):
        import pyopencl.array

        x = pyopencl.array.to_device(queue(), numbers())
        y = pyopencl.array.zeros(queue(), N, numpy.float32)
        problem = twice(arguments={"x": vyre.In(x, size="n"), "y": vyre.Out(y, size="n"), "n": N,
                                   "a": 2.0},
                        reference={"y": 2 * numbers()})
        result = vyre.tune(problem, device=queue(), folder=None, **FEW)
        self.assertGreater(result.evaluations, 0)
        self.assertEqual(y.get().tolist(), [0.0] * N)  # candidates run on copies

    def test_other_threads_run_meanwhile(self):
        with only_another_thread_goes_on(self):
            result = vyre.tune(twice(), device=queue(), folder=None, **FEW)
        self.assertGreater(result.evaluations, 0)

    def test_buffers_need_a_type(self):
        import pyopencl

        buffer = pyopencl.Buffer(queue().context, pyopencl.mem_flags.READ_WRITE, 64)
        with self.assertRaisesRegex(vyre.BadInputs, "memory without a type"):
            vyre.In(buffer)
        self.assertEqual(vyre.In(buffer, dtype="f4").size, 16)


if __name__ == "__main__":
    unittest.main()
