"""tune: from a kernel and a budget to a decision that can be trusted, remembered and served."""

from __future__ import annotations

import os
import warnings
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _core
from ._devices import ENVIRONMENT, Device, Folder, folders_of, open_device, worker
from ._errors import Interrupted
from ._problem import Problem
from ._progress import Bar, Progress, screen_for
from ._result import Result
from ._search import Config, Value, entries_of

Kernel = Union[Problem, str, "os.PathLike[str]"]
Verify = Callable[[Config, dict[str, Any]], Any]


def problem_of(kernel: Kernel, sizes: Optional[Mapping[str, int]] = None,
               device: Optional[Device] = None) -> Problem:
    """A T1 file, a sequence in text form (.vyre), the name of a bundled kernel, or a Problem."""
    if isinstance(kernel, Problem):
        return kernel
    name = os.fspath(kernel)
    if name.endswith(".vyre"):
        return Problem.chain(name, sizes=sizes, device=device)
    if name in dict(_core.bundled_names()):
        return Problem.bundled(name, sizes, device)
    return Problem.load(name, sizes)


def _judge(problem: Problem,
           verify: Verify) -> Callable[[list[tuple[str, Value]], list[bytes]], Optional[str]]:
    """The caller's function as the library asks it: None, or what is wrong."""
    def judge(config: list[tuple[str, Value]], outputs: list[bytes]) -> Optional[str]:
        try:
            said = verify(dict(config), problem._arrays(outputs))
        except AssertionError as wrong:
            return " ".join(str(wrong).split()) or "an assertion of verify fails"
        if isinstance(said, str):
            return said or None
        return None if said is None or said else "verify says that its result is wrong"

    return judge


def tune(kernel: Kernel, *, seconds: float = 15, evaluations: int = 0,
         device: Union[Device, str, Any] = "best", strategy: str = "natural", seed: int = 1,
         sizes: Optional[Mapping[str, int]] = None, again: bool = False, force: bool = False,
         retry: bool = False, first: Sequence[Mapping[str, Any]] = (),
         seed_from: Sequence[Union[str, "os.PathLike[str]"]] = (), folder: Folder = ENVIRONMENT,
         samples: int = 0, isolation: str = "automatic", workers: Optional[int] = None,
         build_limit: float = 120, run_limit: float = 10,
         verify: Optional[Verify] = None,
         progress: Union[bool, None, Callable[[Progress], Any]] = None) -> Result:
    """Searches for the fastest configuration, verifies it, remembers it and returns it.

    The first of `seconds` and `evaluations` that is reached ends the search; 0 is no limit. A
    kernel that was decided before on this device is not searched: `again` does so anyway, and
    `force` keeps the new decision whatever the old one rests on. `samples` is the least number of
    samples of each configuration; 0: losers get one or two. `folder` keeps decisions; None:
    memory only. `verify` is asked about each configuration before it is timed: it gets the
    configuration and the outputs, as arrays by name, and a result is wrong if it returns False or a
    text, or fails an assertion. `progress` is called after each configuration, and ends the search
    if it returns False; True and False switch the progress line on and off, which is shown where a
    person looks.

    Ctrl-C raises `Interrupted`, whose `result` has the best so far; the same call goes on from
    there. Errors are `vyre.Error`.
    """
    opened = open_device(device, folder)
    problem = problem_of(kernel, sizes, opened)
    user, system = folders_of(folder)
    wishes = {
        "seconds": float(seconds), "evaluations": evaluations, "strategy": strategy, "seed": seed,
        "folder": user, "system_folder": system, "again": again, "force": force, "retry": retry,
        "samples": samples, "first": [entries_of(config) for config in first],
        "seed_from": [os.fspath(file) for file in seed_from], "isolation": isolation,
        "workers": workers, "build_limit": float(build_limit), "run_limit": float(run_limit),
        "worker": worker(),
    }
    for message in problem.warnings:
        warnings.warn(f"{problem.name}: {message}", stacklevel=2)
    also, shown = (progress, None) if callable(progress) else (None, progress)
    bar = Bar(problem.name, seconds, evaluations, screen_for(shown), also)
    try:
        values, handle, messages, raised = _core.tune(
            opened._core, problem._on(opened), wishes, bar.progress, bar.wait,
            None if verify is None else _judge(problem, verify))
    finally:
        bar.close()
    if values is not None and not user:
        values["is_kept"], values["why_not_kept"] = False, "folder=None keeps nothing"
    result = None if values is None else Result(values, handle, opened, messages)
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(result, bool(user)) from None
    if raised is not None:
        raise raised
    assert result is not None
    for message in messages:
        warnings.warn(f"{problem.name}: {message}", stacklevel=2)
    return result
