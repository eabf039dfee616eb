"""What several tests share: a kernel, a device for it, and a folder for its decisions."""

import contextlib
import faulthandler
import functools
import pathlib
import tempfile
import threading
import time
import unittest

import numpy

import vyre

TOP = pathlib.Path(__file__).resolve().parents[2]
N = 4096

SOURCE = """
kernel void twice(global const float* x, global float* y, uint n, float a) {
  for (uint k = 0; k < items; ++k) {
    uint i = get_global_id(0) + k * get_global_size(0);
    if (i < n) y[i] = a * x[i];
  }
}
"""


@functools.cache
def opencl():
    """The first OpenCL device, or None."""
    return next((device for device in vyre.devices() if device.backend == "opencl"), None)


def needs_opencl(test):
    return unittest.skipIf(opencl() is None, "this machine has no OpenCL device")(test)


@functools.cache
def queue():
    """A queue of pyopencl, or None."""
    try:
        import pyopencl

        platform = pyopencl.get_platforms()[0]
        return pyopencl.CommandQueue(pyopencl.Context(platform.get_devices()[:1]))
    except Exception:  # no loader, no platform, no device
        return None


def needs_pyopencl(test):
    return unittest.skipIf(queue() is None, "pyopencl finds no device")(test)


@contextlib.contextmanager
def only_another_thread_goes_on(test):
    """What is in the block waits for an event of the queue that only another thread of Python's
    completes. If the block holds the GIL, both wait for ever."""
    import pyopencl

    event = pyopencl.UserEvent(queue().context)
    pyopencl.enqueue_barrier(queue(), wait_for=[event])

    def complete():
        time.sleep(0.2)  # the block waits by then
        event.set_status(pyopencl.command_execution_status.COMPLETE)

    other = threading.Thread(target=complete)
    faulthandler.dump_traceback_later(60, exit=True)
    test.addCleanup(faulthandler.cancel_dump_traceback_later)
    other.start()
    yield
    other.join()


def numbers(count=N):
    return numpy.arange(count, dtype=numpy.float32)


def twice(**changes):
    """y = 2 x on the host's memory, with a space of six configurations."""
    wishes = dict(
        parameters={"block": [16, 32, 64], "items": [1, 2]},
        arguments={"x": vyre.In(numbers(), size="n"), "y": vyre.Out(dtype="f4", size="n"),
                   "n": N, "a": 2.0},
        problem_size={"n": N}, local_size="block", global_size="n // items",
        defaults={"block": 32, "items": 1})
    return vyre.Problem(changes.pop("source", SOURCE), changes.pop("name", "twice"),
                        **(wishes | changes))


class WithFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
