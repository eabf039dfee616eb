"""Launches: on numpy arrays, and on memory of pyopencl without a copy."""

import unittest
import warnings

import numpy

import vyre
from support import (N, SOURCE, WithFolder, needs_opencl, needs_pyopencl, numbers,
                     only_another_thread_goes_on, queue, twice)

SAXPY_N = 1024


class OnTheInterpreter(WithFolder):
    def setUp(self):
        super().setUp()
        self.problem = vyre.Problem.bundled("saxpy", {"n": SAXPY_N})
        self.x, self.y = numbers(SAXPY_N), numpy.ones(SAXPY_N, numpy.float32)
        self.arguments = {"a": 2.0, "x": self.x, "y": self.y}

    def test_launches_on_arrays(self):
        with vyre.Runtime("reference", folder=None) as runtime:
            self.assertEqual(runtime.resolve(self.problem, self.arguments).source, "untuned")
            runtime.launch(self.problem, self.arguments)
        numpy.testing.assert_array_equal(self.y, 2 * self.x + 1)

    def test_serves_what_was_tuned(self):
        result = vyre.tune(self.problem, device="reference", folder=self.folder, seconds=0,
                           evaluations=4, progress=False)
        runtime = vyre.Runtime("reference", folder=self.folder)
        resolved = runtime.resolve(self.problem, self.arguments)
        self.assertEqual(resolved.source, "decision")
        self.assertEqual(resolved.config or self.problem.default, result.config)
        runtime.launch(self.problem, self.arguments)
        numpy.testing.assert_array_equal(self.y, 2 * self.x + 1)

    def test_tunes_at_the_first_launch_where_it_may(self):
        runtime = vyre.Runtime("reference", mode="natural", seconds=0, evaluations=3,
                               folder=self.folder)
        with warnings.catch_warnings(record=True) as events:
            warnings.simplefilter("always")
            runtime.launch(self.problem, self.arguments)
        numpy.testing.assert_array_equal(self.y, 2 * self.x + 1)
        self.assertTrue(any("saxpy" in str(event.message) for event in events), events)
        self.assertEqual(runtime.resolve(self.problem, self.arguments).source, "decision")

    def test_takes_a_configuration(self):
        vyre.Runtime("reference", folder=None).launch(self.problem, self.arguments,
                                                      config=self.problem.space[0])
        numpy.testing.assert_array_equal(self.y, 2 * self.x + 1)

    def test_refuses(self):
        runtime = vyre.Runtime("reference", folder=None)
        frozen = self.y.copy()
        frozen.flags.writeable = False
        cases = [({"y": frozen}, "its memory is const"),
                 ({"y": self.y.astype(numpy.int32)}, "has elements of f32"),
                 ({"y": self.y[:7]}, "y"),
                 ({"z": 1}, 'there is no buffer, shape or scalar "z"'),
                 ({"y": 3.0}, "is a buffer, and a number is given"),
                 ({"a": self.x}, "is a number, and memory is given"),
                 ({"y": self.y[::2]}, "not contiguous")]
        for change, message in cases:
            with self.subTest(message), self.assertRaisesRegex(vyre.BadInputs, message):
                runtime.launch(self.problem, self.arguments | change)
        with self.assertRaisesRegex(vyre.BadInputs, 'there is no mode "sometimes"'):
            vyre.Runtime("reference", mode="sometimes", folder=None)


@needs_opencl
class OnOpencl(unittest.TestCase):
    def test_numbers_that_are_not_given_are_the_problems(self):
        y = numpy.zeros(N, numpy.float32)
        vyre.Runtime("opencl:0", folder=None).launch(twice(), {"x": numbers(), "y": y})
        numpy.testing.assert_array_equal(y, 2 * numbers())

    def test_a_grid_of_the_callers_own(self):
        y = numpy.zeros(N, numpy.float32)
        vyre.Runtime("opencl:0", folder=None).launch(twice(), {"x": numbers(), "y": y}, grid=[1])
        numpy.testing.assert_array_equal(y[:32], 2 * numbers()[:32])
        self.assertEqual(y[32:].max(), 0)

    def test_passes_every_type_of_number(self):
        problem = vyre.Problem(
            "kernel void f(global double* out, double d, char c, ushort s, int i, long l, uint u)"
            "{ out[0] = d; out[1] = c; out[2] = s; out[3] = i; out[4] = l; out[5] = u; }", "f",
            parameters={"block": [1]},
            arguments={"out": numpy.zeros(6), "d": numpy.float64(0.1), "c": numpy.int8(-3),
                       "s": numpy.uint16(60000), "i": -5, "l": numpy.int64(-(2**40)),
                       "u": numpy.uint32(2**32 - 1)},
            local_size="block", grid=1)
        out = numpy.zeros(6)
        runtime = vyre.Runtime("opencl:0", folder=None)
        runtime.launch(problem, {"out": out})
        self.assertEqual(out.tolist(), [0.1, -3, 60000, -5, -(2**40), 2**32 - 1])
        runtime.launch(problem, {"out": out, "d": 0.2, "c": numpy.int8(4), "i": -6, "l": -7})
        self.assertEqual(out.tolist(), [0.2, 4, 60000, -6, -7, 2**32 - 1])


@needs_pyopencl
class OnPyopencl(unittest.TestCase):
    def setUp(self):
        import pyopencl.array

        self.array = pyopencl.array
        self.runtime = vyre.Runtime(queue(), folder=None)

    def test_uses_its_memory_without_a_copy_and_in_order(self):
        x = self.array.to_device(queue(), numbers())
        y = self.array.zeros(queue(), N, numpy.float32)
        x *= 3  # enqueued by pyopencl, before our launch
        self.runtime.launch(twice(), {"x": x, "y": y})
        y += 1  # and behind it
        numpy.testing.assert_array_equal(y.get(), 6 * numbers() + 1)

    def test_takes_buffers_and_parts_of_arrays(self):
        import pyopencl

        both = self.array.to_device(queue(), numbers(2 * N))
        y = self.array.zeros(queue(), N, numpy.float32)
        self.runtime.launch(twice(), {"x": both[N:], "y": y})
        numpy.testing.assert_array_equal(y.get(), 2 * numbers(2 * N)[N:])
        z = pyopencl.Buffer(queue().context, pyopencl.mem_flags.READ_WRITE, 4 * N)
        self.runtime.launch(twice(), {"x": y.data, "y": z})
        back = numpy.empty(N, numpy.float32)
        pyopencl.enqueue_copy(queue(), back, z)
        numpy.testing.assert_array_equal(back, 4 * numbers(2 * N)[N:])

    def test_arrays_of_the_host_too(self):
        y = self.array.zeros(queue(), N, numpy.float32)
        self.runtime.launch(twice(), {"x": numbers(), "y": y})
        numpy.testing.assert_array_equal(y.get(), 2 * numbers())

    def test_other_threads_run_while_a_launch_is_waited_for(self):
        x = self.array.to_device(queue(), numbers())
        y = self.array.zeros(queue(), N, numpy.float32)
        with only_another_thread_goes_on(self):
            self.runtime.launch(twice(), {"x": x, "y": y})
            self.runtime.finish()
        numpy.testing.assert_array_equal(y.get(), 2 * numbers())

    def test_memory_of_another_device_is_refused(self):
        y = self.array.zeros(queue(), N, numpy.float32)
        runtime = vyre.Runtime("reference", folder=None)
        problem = vyre.Problem.bundled("saxpy", {"n": N})
        with self.assertRaises(vyre.Error):
            runtime.launch(problem, {"a": 1.0, "x": numbers(), "y": y})


if __name__ == "__main__":
    unittest.main()
