"""Problems: a kernel, the space of its parameters, and data to run it on."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _core
from ._arguments import (Argument, HostMemory, Local, Number, Size, argument_of, letters_of,
                         memory_of)
from ._arguments import _Memory as MemoryArgument
from ._devices import Device, memory_on
from ._errors import BadInputs
from ._search import Config, Constraint, Space, Value, entries_of, parameters_of, plain, split

Sizes = Union[Size, Sequence[Size], None]
_AXES = "XYZ"
_LANGUAGES = {"opencl": "OpenCL", "cuda": "CUDA", "hip": "HIP"}
_NO_DEFAULT = "no Default is declared"  # T1's warning; here defaults are an option


class Problem:
    """All that tuning needs to know about one kernel.

    `source` is OpenCL C, CUDA C++ or HIP C++; its tunable parameters are preprocessor names.
    `arguments` are in the order of the kernel's parameters. Sizes are numbers or expressions in
    Python's syntax over parameters and the names of `problem_size`. The launch is `local_size`
    with either `global_size`, which counts invocations, or `grid`, which counts workgroups.
    """

    def __init__(self, source: str, name: str, *, parameters: Mapping[str, Sequence[Any]],
                 arguments: Mapping[str, Any], problem_size: Any = None, local_size: Sizes = None,
                 global_size: Sizes = None, grid: Sizes = None,
                 constraints: Sequence[Constraint] = (),
                 defaults: Optional[Mapping[str, Any]] = None, language: str = "opencl",
                 compiler_options: Sequence[str] = (),
                 reference: Optional[Mapping[str, Any]] = None, ignore: Sequence[str] = (),
                 tolerance: Optional[tuple[float, float]] = None,
                 metrics: Optional[Mapping[str, str]] = None, folder: str = ".") -> None:
        given = {key: argument_of(value) for key, value in arguments.items()}
        sizes = _named_sizes(problem_size)
        texts, functions = split(constraints)
        kernel = _kernel(name, language, compiler_options, given, sizes, metrics)
        kernel.update(_launch(local_size, global_size, grid, parameters))
        t1 = {"General": {"BenchmarkName": name}, "KernelSpecification": kernel}

        def build(untuned: Mapping[str, Any]) -> "_core.Problem":
            t1["ConfigurationSpace"] = _space(parameters, texts, untuned)
            core = _core.t1_problem(json.dumps(t1), source, folder, {})
            if functions:
                core.restrict(lambda e: all(function(dict(e)) for function in functions))
            return core

        core = build(defaults or {})
        if functions:
            core = build(dict(core.default))  # a function may have moved the default
        self._take(core, given)
        self._fill(given, sizes)
        for output, expected in (reference or {}).items():
            self.set_reference(output, expected)
        for output in ignore:
            core.ignore_output(self._names.get(output, output))
        if tolerance is not None:
            core.set_tolerance(*tolerance)

    @classmethod
    def load(cls, file: Union[str, "os.PathLike[str]"],
             sizes: Optional[Mapping[str, int]] = None) -> "Problem":
        """A T1 file and the kernel that it names."""
        return cls._of(_core.load_problem(os.fspath(file), dict(sizes or {})))

    @classmethod
    def bundled(cls, name: str, sizes: Optional[Mapping[str, int]] = None,
                device: Optional[Device] = None) -> "Problem":
        """One of `bundled_problems`, in the language of the device."""
        return cls._of(_core.bundled_problem(name, dict(sizes or {}),
                                             device.backend if device else ""))

    @classmethod
    def chain(cls, text: str, *, sizes: Optional[Mapping[str, int]] = None,
              scalars: Optional[Mapping[str, Any]] = None, fuse: bool = False,
              device: Optional[Device] = None) -> "Problem":
        """A program or sequence of vyre's kernel language (docs/ir_text.md), or a file of one."""
        make = _core.load_chain if text.endswith(".vyre") else _core.chain_problem
        numbers = {name: plain(value) for name, value in (scalars or {}).items()}
        return cls._of(make(text, dict(sizes or {}), numbers, fuse,
                            device._core if device else None))

    @classmethod
    def _of(cls, core: "_core.Problem") -> "Problem":
        out = cls.__new__(cls)
        out._take(core)
        return out

    def _take(self, core: "_core.Problem",
              arguments: Optional[Mapping[str, Argument]] = None) -> None:
        self._core = core
        self._arguments = dict(arguments or {})
        self._names: dict[str, str] = {}  # of arguments in the program, where they differ
        self._numbers = {name: rest for name, *rest in core.numbers}
        self.warnings = [w for w in core.warnings if not w.startswith(_NO_DEFAULT)]

    def _fill(self, given: Mapping[str, Argument], sizes: Mapping[str, int]) -> None:
        memory = [key for key, value in given.items() if isinstance(value, MemoryArgument)]
        self._names = dict(zip(memory, (name for name, *_ in self._core.buffers)))
        data = {}
        for key, value in given.items():
            if isinstance(value, Number):
                _check_size_value(key, value, sizes)
                if key not in sizes:
                    self._core.set_number(key, value.bits)
            elif isinstance(value, MemoryArgument) and isinstance(value.memory, HostMemory):
                data[self._names[key]] = (value.memory.address, value.memory.bytes)
        self._core.set_inputs(data)
        self._numbers = {name: rest for name, *rest in self._core.numbers}

    def set_input(self, name: str, values: Any) -> None:
        """Replaces the data of one input."""
        memory = memory_of(values)
        if not isinstance(memory, HostMemory):
            raise BadInputs(f"input \"{name}\" needs an array in the memory of the host")
        self._core.set_inputs({self._names.get(name, name): (memory.address, memory.bytes)})

    def set_reference(self, name: str, values: Any) -> None:
        """Sets what an output must be. Without it the default configuration's result is right."""
        memory = memory_of(values)
        if not isinstance(memory, HostMemory):
            raise BadInputs(f"the reference of \"{name}\" must be an array")
        self._core.set_expected(self._names.get(name, name), memory.address, memory.bytes)

    def _arrays(self, outputs: Sequence[bytes]) -> dict[str, Any]:
        """What a run has left, by the names of arguments, in the shapes of the caller's arrays."""
        import numpy

        keys = {name: key for key, name in self._names.items()}
        written = [(name, kind) for name, access, kind in self._core.buffers if access != "in"]
        out = {}
        for (name, kind), content in zip(written, outputs):
            key = keys.get(name, name)
            argument = self._arguments.get(key)
            value = argument.value if isinstance(argument, MemoryArgument) else None
            dtype = getattr(value, "dtype", None)
            if dtype is None:
                letters = argument.type.letters if isinstance(argument, MemoryArgument) else None
                dtype = numpy.dtype(letters or letters_of(kind))
            array = numpy.frombuffer(content, dtype)
            is_whole = getattr(value, "nbytes", None) == array.nbytes
            out[key] = array.reshape(value.shape) if value is not None and is_whole else array
        return out

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def default(self) -> Config:
        """The untuned configuration."""
        return dict(self._core.default)

    @property
    def parameters(self) -> dict[str, list[Value]]:
        return dict(self._core.parameters)

    @property
    def space(self) -> Space:
        return Space._of(self._core.space)

    @property
    def sizes(self) -> dict[str, int]:
        return {name: int(size) for name, size in self._core.sizes.items()}

    def __repr__(self) -> str:
        return f"<vyre.Problem {self.name}: {len(self.space)} configurations>"

    def _on(self, device: Device) -> "_core.Problem":
        """The problem with its memory on the device, where the caller's arrays are there."""
        on_device = {
            key: value for key, value in self._arguments.items()
            if isinstance(value, MemoryArgument) and value.access != "WriteOnly"
            and value.memory is not None and not isinstance(value.memory, HostMemory)}
        if not on_device:
            return self._core
        core = self._core.copy()
        for key, value in on_device.items():
            if (buffer := memory_on(device, value.memory)) is not None:
                core.set_device_input(self._names[key], buffer)
        return core


def bundled_problems() -> dict[str, str]:
    """Names of the problems that come with vyre, and what each computes."""
    return dict(_core.bundled_names())


def _named_sizes(given: Any) -> dict[str, int]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {name: int(size) for name, size in given.items()}
    listed = [given] if not isinstance(given, (list, tuple)) else given
    return {f"problem_size_{axis.lower()}": int(size) for axis, size in zip(_AXES, listed)}


def _check_size_value(key: str, value: Number, sizes: Mapping[str, int]) -> None:
    if key in sizes and value.value != sizes[key]:
        raise BadInputs(f"argument \"{key}\" is {value.value}, and problem_size says that it is "
                        f"{sizes[key]}; make them equal, or name one of them otherwise")


def _kernel(name: str, language: str, options: Sequence[str], arguments: Mapping[str, Argument],
            sizes: Mapping[str, int], metrics: Optional[Mapping[str, str]]) -> dict[str, Any]:
    if language not in _LANGUAGES:
        raise BadInputs(f"there is no language \"{language}\"; use opencl, cuda or hip")
    options = [options] if isinstance(options, str) else list(options)
    return {
        "Language": _LANGUAGES[language], "KernelName": name, "KernelFile": "kernel",
        "CompilerOptions": options, "ProblemSize": list(sizes.values()),
        "ProblemSizeNames": list(sizes),
        "Arguments": [_argument(key, value) for key, value in arguments.items()],
        "Metrics": [{"Name": key, "Expression": text} for key, text in (metrics or {}).items()],
    }


def _argument(name: str, argument: Argument) -> dict[str, Any]:
    out: dict[str, Any] = {"Name": name, "Type": argument.type.t1}
    if not argument.type.is_known:
        out["TypeSize"] = argument.type.bytes
    if isinstance(argument, Number):
        return out | {"MemoryType": "Scalar", "FillValue": 0}
    out["Size"] = str(argument.size)
    if isinstance(argument, Local):
        return out | {"MemoryType": "Local"}
    return out | {"MemoryType": "Vector", "AccessType": argument.access, "FillType": "Constant",
                  "FillValue": 0}


def _space(parameters: Mapping[str, Sequence[Any]], constraints: Sequence[str],
           defaults: Mapping[str, Any]) -> dict[str, Any]:
    if unknown := [name for name in defaults if name not in parameters]:
        raise BadInputs(f"defaults: there is no parameter \"{unknown[0]}\"")
    listed = []
    for name, values in parameters_of(parameters):
        row: dict[str, Any] = {"Name": name, "Type": _parameter_type(values), "Values": values}
        if defaults and values:
            row["Default"] = plain(defaults.get(name, values[0]))
        listed.append(row)
    return {"TuningParameters": listed,
            "Conditions": [{"Expression": text} for text in constraints]}


def _parameter_type(values: Sequence[Value]) -> str:
    kinds = {type(value) for value in values}
    if kinds <= {bool}:
        return "bool"
    if kinds <= {bool, int}:
        return "int"
    return "float" if kinds <= {bool, int, float} else "string"


def _launch(local: Sizes, total: Sizes, grid: Sizes,
            parameters: Mapping[str, Any]) -> dict[str, Any]:
    if (total is None) == (grid is None):
        raise BadInputs("give either global_size, which counts invocations, or grid, which counts "
                        "workgroups")
    if local is None:  # Kernel Tuner's names
        names = [f"block_size_{axis}" for axis in "xyz"]
        local = [name if name in parameters else 1 for name in names]
        if local == [1, 1, 1]:
            raise BadInputs("give local_size, for example local_size=\"block\"")
    return {"LocalSize": _extent(local), "GlobalSize": _extent(grid if total is None else total),
            "GlobalSizeType": "CUDA" if total is None else "OpenCL"}


def _extent(sizes: Any) -> dict[str, str]:
    listed = [sizes] if not isinstance(sizes, (list, tuple)) else sizes
    if not 1 <= len(listed) <= 3:
        raise BadInputs("a size has one to three numbers or expressions")
    return {axis: str(size) for axis, size in zip(_AXES, listed)}
