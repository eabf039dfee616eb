"""Runtime: launches kernels the way that was decided for them."""

from __future__ import annotations

import struct
import warnings
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from ._arguments import HostMemory, memory_of, number_of
from ._arguments import _Memory as MemoryArgument
from ._devices import ENVIRONMENT, Device, Folder, folders_of, memory_on, open_device, worker
from ._problem import Problem
from ._search import Config, entries_of


class Resolved(NamedTuple):
    config: Config
    source: str  # decision, seed, nearest or untuned


class Runtime:
    """Launches on numpy arrays, which are copied to the device and back, and on memory of pyopencl
    and cupy, which is used as it is: then a launch only enqueues, and `finish` waits.

    In mode "off" it serves decisions and never measures. In modes "on" and "natural" a launch that
    finds no decision is followed by tuning, for `seconds` or `evaluations`; `online` spreads it
    over the next launches. Thread-safe; the GIL is free while kernels run.
    """

    def __init__(self, device: Union[Device, str, Any] = "best", *, mode: str = "off",
                 seconds: float = 2, evaluations: int = 0, online: bool = False,
                 folder: Folder = ENVIRONMENT) -> None:
        self.device = open_device(device, folder)
        self._core = _core.Runtime(self.device._core, mode, float(seconds), evaluations, online,
                                   *folders_of(folder), worker())
        self._declared: dict[int, Problem] = {}  # keeps them alive, so that no id is used twice

    def launch(self, problem: Problem, arguments: Mapping[str, Any], *,
               config: Optional[Mapping[str, Any]] = None,
               grid: Optional[Sequence[int]] = None) -> None:
        """Runs the kernel with what was decided for these sizes, or with `config`. Numbers that are
        not given are the problem's own. `grid` counts workgroups."""
        self._declare(problem)
        chosen = None if config is None else entries_of(config)
        self._core.launch(problem._core, self._given(problem, arguments), chosen,
                          None if grid is None else list(grid))
        self._warn()

    def resolve(self, problem: Problem, arguments: Mapping[str, Any]) -> Resolved:
        """The configuration that a launch would use, and where it comes from. An empty
        configuration is the default."""
        self._declare(problem)
        entries, source = self._core.resolve(problem._core, self._given(problem, arguments))
        return Resolved(dict(entries), source)

    def finish(self) -> None:
        """Waits for all that was enqueued, and raises its failure."""
        self._core.finish()
        self._warn()

    def __enter__(self) -> "Runtime":
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()

    def _declare(self, problem: Problem) -> None:
        if id(problem) not in self._declared:
            self._core.declare(problem._core)
            self._declared[id(problem)] = problem

    def _warn(self) -> None:
        for message in self._core.take_events():
            warnings.warn(message, stacklevel=3)

    def _given(self, problem: Problem, arguments: Mapping[str, Any]) -> list[tuple[str, Any]]:
        out = [(problem._names.get(name, name), self._value(problem, name, value))
               for name, value in arguments.items()]
        for name, (kind, _, bits) in problem._numbers.items():
            if name not in arguments:
                out.append((name, _from_bits(kind, bits)))
        return out

    def _value(self, problem: Problem, name: str, value: Any) -> Any:
        if isinstance(value, MemoryArgument):
            value = value.value
        memory = memory_of(value)
        if memory is None:
            return _number(problem, name, value)
        if isinstance(memory, HostMemory):
            return (memory.type.memory, memory.type.bytes, memory.address, memory.bytes,
                    memory.is_read_only)
        return memory_on(self.device, memory)


def _from_bits(kind: str, bits: int) -> Union[int, float]:
    """The number that the library gives back the same bits for."""
    if kind == "f32":
        return float(struct.unpack("<f", struct.pack("<I", bits))[0])
    if kind in ("i32", "i64"):
        width = int(kind[1:])
        return bits - (1 << width) if bits >> (width - 1) else bits
    return bits


def _number(problem: Problem, name: str, value: Any) -> Union[bool, int, float]:
    """Types that the kernel language lacks are passed as their bits, in unsigned numbers."""
    number, given = number_of(value)
    kind, passed_bytes, _ = problem._numbers.get(name, ("", 0, 0))
    if kind in ("u32", "u64") and isinstance(number, float):
        letters = given.letters if given else ("f2" if passed_bytes == 2 else "f8")
        packed = struct.pack("<" + {"f2": "e", "f4": "f", "f8": "d"}[letters], number)
        return int.from_bytes(packed, "little")
    if kind in ("u32", "u64") and not isinstance(number, float) and number < 0:
        return int(number) & ((1 << int(kind[1:])) - 1)
    return number
