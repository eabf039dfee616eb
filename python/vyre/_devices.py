"""Devices, and where decisions are kept."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from . import _core
from ._errors import BadInputs

Folder = Union[str, "os.PathLike[str]", None]
ENVIRONMENT: Any = type("Environment", (), {"__repr__": lambda self: "the user's cache folder"})()


def folders_of(folder: Folder) -> tuple[str, str]:
    """The user's folder and the system's; empty texts: everything stays in memory."""
    if folder is ENVIRONMENT:
        environment = _core.environment()
        return environment["folder"], environment["system_folder"]
    return ("" if folder is None else os.fspath(folder)), ""


class Device:
    """A device that kernels run on. `devices` lists them, `open_device` opens one by its name."""

    def __init__(self, core: "_core.Device", same_as: str = "") -> None:
        self._core = core
        self.same_as = same_as  # selector of an earlier device that is the same hardware
        self.info: dict[str, Any] = core.describe()

    @property
    def selector(self) -> str:
        """Opens it in any process: "opencl:0". Empty: the application's own context."""
        return str(self.info["selector"])

    @property
    def name(self) -> str:
        return str(self.info["name"])

    @property
    def backend(self) -> str:
        return str(self.info["backend"])

    @property
    def kind(self) -> str:
        return str(self.info["kind"])

    def __repr__(self) -> str:
        return f"<vyre.Device {self.selector or 'adopted'}: {self.name} ({self.backend})>"


def devices() -> list[Device]:
    """All devices, the best first."""
    found, _ = _core.list_devices(folders_of(ENVIRONMENT)[0])
    return [Device(core, same_as) for core, same_as in found]


def open_device(device: Union[Device, str, Any] = "best", folder: Folder = ENVIRONMENT) -> Device:
    """By its selector ("opencl:0", "reference", "best"), or from a pyopencl queue."""
    if isinstance(device, Device):
        return device
    if isinstance(device, str):
        return Device(_core.open_device(device, folders_of(folder)[0]))
    return adopt_opencl(device, folder=folder)


def adopt_opencl(queue: Any, *, folder: Folder = ENVIRONMENT) -> Device:
    """The device of a pyopencl queue. Its memory is used without a copy, and launches go into the
    queue, in order with the application's own. Candidates then run in this process."""
    try:
        handles = queue.context.int_ptr, queue.device.int_ptr, queue.int_ptr
    except AttributeError:
        raise BadInputs(f"a {type(queue).__name__} is no device; give a selector such as "
                        "\"opencl:0\", a vyre.Device or a pyopencl.CommandQueue") from None
    return Device(_core.adopt_opencl(*handles, folders_of(folder)[0]))


def worker() -> str:
    """The program in which candidates run: it is installed beside this file."""
    path = os.path.join(os.path.dirname(os.path.abspath(_core.__file__)), "vyre-worker")
    return path if os.path.exists(path) else ""


def memory_on(device: Device, memory: Any) -> Optional["_core.Buffer"]:
    """Memory of pyopencl or cupy as a buffer of the device; None for memory of the host."""
    from ._arguments import CudaMemory, OpenclMemory

    if isinstance(memory, OpenclMemory):
        return _core.adopt_opencl_memory(device._core, memory.handle, memory.offset)
    if isinstance(memory, CudaMemory):
        return _core.adopt_cuda_memory(device._core, memory.address, memory.bytes)
    return None
