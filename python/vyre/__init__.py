"""Finds, proves, remembers and serves the fastest launch configuration of a kernel.

    import numpy, vyre

    problem = vyre.Problem(source, "scale", parameters={"block": [32, 64, 128]}, ...)
    result = vyre.tune(problem, seconds=10)   # or vyre.tune("kernel.json")
    runtime = vyre.Runtime()                  # serves what was decided
    runtime.launch(problem, {"x": x, "y": y})

docs/python.md has the whole story.
"""

from . import _core
from ._arguments import In, InOut, Local, Out
from ._devices import Device, adopt_opencl, devices, open_device
from ._errors import BackendFailed, BadInputs, Error, Interrupted, IoFailed, Rejected
from ._problem import Problem, bundled_problems
from ._progress import Progress
from ._result import Candidate, Estimate, Failure, Gain, Plot, Result, report
from ._runtime import Resolved, Runtime
from ._search import Space, Strategy, strategies
from ._tune import tune

__version__: str = _core.version

__all__ = [
    "BackendFailed", "BadInputs", "Candidate", "Device", "Error", "Estimate", "Failure", "Gain",
    "In", "InOut", "Interrupted", "IoFailed", "Local", "Out", "Plot", "Problem", "Progress",
    "Rejected", "Resolved", "Result", "Runtime", "Space", "Strategy", "adopt_opencl",
    "bundled_problems", "devices", "open_device", "report", "strategies", "tune",
]
