"""Measuring: a kernel of Kernel Tuner's as a problem of vyre, tuned, run and verified."""

from __future__ import annotations

import inspect
import itertools
import random
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence

from .._arguments import InOut, Number, memory_of
from .._devices import Device
from .._errors import Rejected
from .._problem import Problem
from .._runtime import Runtime
from .._search import Config, Constraint, Space
from .._tune import tune
from ._results import failure_of, results_of

_RELATIVE = 1e-5  # of numpy.allclose, by which Kernel Tuner compares
_MOST_DEFAULTS = 32  # that fail before the kernel is given up


class Kernel(NamedTuple):
    """A kernel with its launch, as a problem of vyre takes them."""

    name: str
    source: str
    language: str
    local: list[Any]
    grid: list[str]
    options: list[str]
    folder: str  # of the files that it includes


class Task(NamedTuple):
    """What is measured, and what its results must be."""

    kernel: Kernel
    arguments: Sequence[Any]
    params: Mapping[str, Sequence[Any]]
    constraints: list[Constraint]
    answer: Optional[Sequence[Any]]
    verify: Optional[Callable[..., Any]]
    atol: float


class Search(NamedTuple):
    """How is searched, and for how long."""

    strategy: str
    seed: int
    evaluations: int  # 0: no limit
    seconds: float  # 0: no limit
    samples: int
    first: list[dict[str, Any]]  # configurations


def measure(task: Task, search: Search, device: Device,
            cached: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Tunes what is in no cache file.

    The library compares everything with one configuration, the default, which must run. Kernel
    Tuner knows no such thing, so where one does not run, another takes its place.
    """
    if cached and len(Space(task.params, task.constraints[:-1])) <= len(cached):
        return []
    names = list(task.params)
    problem = problem_of(task)
    space, draw = problem.space, random.Random(search.seed)
    most = min(search.evaluations or len(space), len(space))
    failed: dict[str, dict[str, Any]] = {}
    while len(failed) < most:
        left = search.evaluations - len(failed) if search.evaluations else 0
        try:
            result = tune(problem, device=device, folder=None, strategy=search.strategy,
                          seed=search.seed, seconds=search.seconds, evaluations=left,
                          samples=search.samples, first=search.first, retry=True, progress=False,
                          verify=_asks(task))
        except Rejected as error:
            if not error.code.startswith(("default_", "build_")):
                raise
            status = error.code.removeprefix("default_")
            failed[str(problem.default)] = failure_of(problem.default, names, status, str(error))
            if len(failed) == _MOST_DEFAULTS < most:
                raise
            problem = problem_of(task, _other_default(space, failed, draw))
            continue
        results = results_of(result, names)
        known = {str({name: r[name] for name in names}) for r in results}
        return results + [r for key, r in failed.items() if key not in known]
    return list(failed.values())


def _other_default(space: Space, failed: Mapping[str, Any], draw: random.Random) -> Config:
    """One that has not failed; any, if all of them have."""
    config = space[draw.randrange(len(space))]
    for index in itertools.chain((draw.randrange(len(space)) for _ in range(100)),
                                 range(len(space))):
        config = space[index]
        if str(config) not in failed:
            break
    return config


def problem_of(task: Task, default: Optional[Mapping[str, Any]] = None) -> Problem:
    """The kernel with its arguments; `argument_0` is the first."""
    kernel = task.kernel
    given = {f"argument_{k}": value for k, value in enumerate(task.arguments)}
    expected = _expected(task) if task.verify is None else {}
    # What the script expects nothing of is not compared, as there.
    unchecked = [key for key, value in given.items()
                 if memory_of(value) is not None and key not in expected]
    return Problem(
        kernel.source, kernel.name, parameters=task.params, constraints=task.constraints,
        arguments={key: _argument(value) for key, value in given.items()},
        local_size=kernel.local, grid=kernel.grid, language=kernel.language, defaults=default,
        compiler_options=kernel.options, reference=expected, ignore=unchecked,
        tolerance=(task.atol, _RELATIVE), folder=kernel.folder)


def _expected(task: Task) -> dict[str, Any]:
    """The answers that are arrays, in the types of the arguments."""
    if task.answer is None or len(task.answer) == 0:
        return {}
    if len(task.answer) != len(task.arguments):
        raise TypeError("The length of argument list and provided results do not match.")
    out = {}
    for k, (answer, argument) in enumerate(zip(task.answer, task.arguments)):
        if answer is None or memory_of(argument) is None:
            continue
        if answer.size != argument.size:
            raise ValueError(f"Element {k} of the expected results list has a size different from "
                             f"the kernel argument: {answer.size} != {argument.size}.")
        out[f"argument_{k}"] = answer.astype(argument.dtype, order="C")
    return out


def _argument(value: Any) -> Any:
    return Number(value) if memory_of(value) is None else InOut(value)


def run(problem: Problem, device: Device, arguments: Sequence[Any],
        config: Optional[Mapping[str, Any]]) -> list[Any]:
    """What the arguments are after one launch."""
    copies = [value.copy() if memory_of(value) is not None else value for value in arguments]
    runtime = Runtime(device, folder=None)
    runtime.launch(problem, {f"argument_{k}": value for k, value in enumerate(copies)},
                   config=config)
    runtime.finish()
    return copies


def _asks(task: Task) -> Optional[Callable[[Config, dict[str, Any]], bool]]:
    """The script's function as vyre asks it; where an answer is None, nothing is shown."""
    verify, answer = task.verify, task.answer
    if verify is None:
        return None
    options = {"atol": task.atol} if "atol" in inspect.signature(verify).parameters else {}

    def ask(_: Config, outputs: dict[str, Any]) -> bool:
        shown = [outputs.get(f"argument_{k}") if answer is None or answer[k] is not None else None
                 for k in range(len(task.arguments))]
        return bool(verify(answer, shown, **options))

    return ask
