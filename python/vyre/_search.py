"""Spaces of configurations, and strategies that search them by ask and tell."""

from __future__ import annotations

import math
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

from . import _core
from ._errors import BadInputs

Value = Union[bool, int, float, str]
Config = dict[str, Value]
Constraint = Union[str, Callable[[Config], Any]]


def plain(value: Any) -> Value:
    """A number of numpy as Python's own."""
    out: Value = value.item() if hasattr(value, "item") else value
    return out


def entries_of(config: Mapping[str, Any]) -> list[tuple[str, Value]]:
    return [(name, plain(value)) for name, value in config.items()]


def parameters_of(given: Mapping[str, Iterable[Any]]) -> list[tuple[str, list[Value]]]:
    return [(name, [plain(value) for value in values]) for name, values in given.items()]


def split(constraints: Sequence[Constraint]) -> tuple[list[str], list[Callable[[Config], Any]]]:
    """Texts, and functions."""
    if isinstance(constraints, str) or callable(constraints):
        constraints = [constraints]
    texts = [c for c in constraints if isinstance(c, str)]
    functions = [c for c in constraints if callable(c)]
    if len(texts) + len(functions) < len(constraints):
        raise BadInputs("a constraint is an expression as text, or a function of a configuration")
    return texts, functions


class Space:
    """All configurations that parameters and constraints allow, with indices from 0 on.

    Constraints that are texts are propagated, so huge spaces are built without listing them.
    """

    def __init__(self, parameters: Mapping[str, Iterable[Any]],
                 constraints: Sequence[Constraint] = ()) -> None:
        texts, functions = split(constraints)
        listed = parameters_of(parameters)
        self._core = _core.build_space(listed, texts)
        if functions:
            kept = [c for c in self if all(function(c) for function in functions)]
            self._core = Space.listed(kept, parameters)._core

    @classmethod
    def listed(cls, configs: Sequence[Mapping[str, Any]],
               parameters: Optional[Mapping[str, Iterable[Any]]] = None) -> "Space":
        """Exactly these configurations; the first has index 0."""
        if parameters is None:
            names = configs[0] if configs else ()
            seen: dict[str, dict[Any, None]] = {name: {} for name in names}
            for config in configs:
                for name in seen:
                    seen[name].setdefault(plain(config[name]))
            parameters = seen
        listed = parameters_of(parameters)
        places = [(name, {value: k for k, value in enumerate(values)}) for name, values in listed]
        rows = [[place[plain(config[name])] for name, place in places] for config in configs]
        return cls._of(_core.space_from_rows(listed, rows))

    @classmethod
    def _of(cls, core: "_core.Space") -> "Space":
        out = cls.__new__(cls)
        out._core = core
        return out

    def __len__(self) -> int:
        return self._core.size()

    def __getitem__(self, index: int) -> Config:
        if index < 0 or index >= len(self):
            raise IndexError(f"there is no configuration {index}; the space has {len(self)}")
        return dict(self._core.config_at(index))

    def __iter__(self) -> Iterator[Config]:
        return (self[index] for index in range(len(self)))

    def find(self, config: Mapping[str, Any]) -> Optional[int]:
        """The index of a configuration; None if it is not in the space."""
        return self._core.find(entries_of(config))

    def __contains__(self, config: Mapping[str, Any]) -> bool:
        return self.find(config) is not None

    def neighbours(self, index: int) -> list[int]:
        """Those that differ in exactly one parameter."""
        return self._core.neighbours(index)


class Strategy:
    """Proposes configurations to measure, and learns from what is measured.

        strategy = vyre.Strategy("natural", space, seed=1)
        for _ in range(20):
            for index in strategy.ask():
                strategy.tell(index, time_ms=measure(space[index]))

    The same space, seed and tells give the same asks, on every machine.
    """

    def __init__(self, name: str, space: Space, *, seed: int = 0, start: Sequence[int] = ()):
        self.space = space
        self._core = _core.make_strategy(name, space._core, seed, list(start))

    def ask(self, most: int = 1, seconds: float = math.inf) -> list[int]:
        """Indices to measure next, best first. Empty: all of the space is known or under way."""
        return self._core.ask(most, seconds)

    def tell(self, index: int, time_ms: Optional[float] = None, *, status: str = "runtime",
             compile_seconds: float = 0, run_seconds: float = 0) -> None:
        """The time of a configuration; without a time it has failed, with `status`."""
        self._core.tell(index, time_ms, status, compile_seconds, run_seconds)

    def withdraw(self, index: int) -> None:
        """It was asked for and will not be measured now; it may be asked for again."""
        self._core.withdraw(index)

    @property
    def expected_gain(self) -> Optional[float]:
        """Of the last configuration asked for, as a share of the best time so far."""
        return self._core.expected_gain()


def strategies() -> dict[str, str]:
    """Names of strategies and what each does; the default first."""
    return dict(_core.strategies())
