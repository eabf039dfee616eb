"""Memory of cupy, by what it shows of it: __cuda_array_interface__.

There is no card here. A driver that interprets PTX takes its place (tests/fake_cuda), and an array
with cupy's attribute takes that of cupy's.
"""

import os
import subprocess
import sys
import types
import unittest

import vyre
from support import N, numbers, twice
from vyre._arguments import CudaMemory, memory_of

SCRIPT = """
import ctypes, numpy, vyre

cuda = ctypes.CDLL("libcuda.so.1")
def must(error):
    assert error == 0, error

must(cuda.cuInit(0))
context = ctypes.c_void_p()
must(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
must(cuda.cuCtxSetCurrent(context))

class Array:
    def __init__(self, values):
        self.values, self.address = values, ctypes.c_uint64()
        must(cuda.cuMemAlloc_v2(ctypes.byref(self.address), ctypes.c_size_t(values.nbytes)))
        must(cuda.cuMemcpyHtoDAsync_v2(self.address, ctypes.c_void_p(values.ctypes.data),
                                       ctypes.c_size_t(values.nbytes), None))
        must(cuda.cuStreamSynchronize(None))
        self.__cuda_array_interface__ = {
            "shape": values.shape, "typestr": values.dtype.str, "version": 3, "strides": None,
            "data": (self.address.value, False), "stream": 1}

    def get(self):
        must(cuda.cuMemcpyDtoHAsync_v2(ctypes.c_void_p(self.values.ctypes.data), self.address,
                                       ctypes.c_size_t(self.values.nbytes), None))
        must(cuda.cuStreamSynchronize(None))
        return self.values

n = 256
x = Array(numpy.arange(n, dtype=numpy.float32))
y = Array(numpy.zeros(n, dtype=numpy.float32))
problem = vyre.Problem(
    "extern \\"C\\" __global__ void twice(const float* x, float* y, unsigned n) {"
    "  unsigned i = blockIdx.x * block + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }", "twice",
    parameters={"block": [32, 64]}, language="cuda", local_size="block", global_size="n",
    problem_size={"n": n},
    arguments={"x": vyre.In(x, size="n"), "y": vyre.Out(y, size="n"), "n": numpy.uint32(n)})
runtime = vyre.Runtime("cuda:0", folder=None)
runtime.launch(problem, {"x": x, "y": y})
runtime.finish()
print("launched", (y.get() == 2 * x.values).all())
result = vyre.tune(problem, device="cuda:0", folder=None, seconds=0, evaluations=2, workers=1)
print("tuned", len(result.candidates), len(result.failures))
"""


def array(**changes):
    """As cupy's, with an address that is nobody's."""
    interface = {"shape": (N,), "typestr": "<f4", "data": (4096, False), "version": 3}
    return types.SimpleNamespace(__cuda_array_interface__=interface | changes)


class Interface(unittest.TestCase):
    def test_is_read_as_memory_of_a_card(self):
        memory = memory_of(array())
        self.assertIsInstance(memory, CudaMemory)
        self.assertEqual((memory.type.t1, memory.address, memory.bytes), ("float", 4096, 4 * N))
        self.assertEqual(vyre.In(array()).size, N)

    def test_refuses_what_no_kernel_can_take(self):
        with self.assertRaisesRegex(vyre.BadInputs, "not contiguous"):
            vyre.In(array(strides=(8,)))

    def test_is_refused_on_another_device(self):
        runtime = vyre.Runtime("reference", folder=None)
        problem = vyre.Problem.bundled("saxpy", {"n": N})
        with self.assertRaisesRegex(vyre.BadInputs, "is no device of CUDA or HIP"):
            runtime.launch(problem, {"a": 1.0, "x": numbers(), "y": array()})
        with self.assertRaisesRegex(vyre.BadInputs, "is no device of CUDA or HIP"):
            vyre.tune(twice(arguments={"x": vyre.In(array(), size="n"), "n": N, "a": 2.0,
                                       "y": vyre.Out(dtype="f4", size="n")},
                            source="kernel void twice(global const float* x, uint n, float a,"
                                   " global float* y) { y[get_global_id(0)] = a * x[0] * items; }"),
                      device="reference", folder=None, evaluations=2, progress=False)


@unittest.skipUnless(os.environ.get("VYRE_FAKE_CUDA"), "no driver of CUDA, or no NVRTC")
class OnACard(unittest.TestCase):
    def test_is_used_as_it_is(self):
        folders = os.environ["VYRE_FAKE_CUDA"]
        run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True,
                             env=os.environ | {"LD_LIBRARY_PATH": folders})
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, "launched True\ntuned 2 0\n", run.stderr)


if __name__ == "__main__":
    unittest.main()
