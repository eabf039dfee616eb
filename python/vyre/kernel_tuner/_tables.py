"""Functions of a configuration as expressions.

Kernel Tuner computes grids, sources and macros by calling Python for each configuration; a problem
of vyre says them once, as expressions over its parameters. So a function is called for every
configuration, the few parameters that it depends on are found, and its values become a decision
tree over those.
"""

from __future__ import annotations

import itertools
import re
from typing import Any, Callable, Mapping, NamedTuple, Sequence

MOST = 200_000  # configurations that a function is called for

Config = Mapping[str, Any]


class Table(NamedTuple):
    """Values by those of a few parameters."""

    names: tuple[str, ...]
    rows: dict[tuple[Any, ...], Any]


def tabulate(configs: Sequence[Config], value_of: Callable[[Config], Any]) -> Table:
    """The smallest set of parameters that decides the value, and its value for each of theirs."""
    values = [value_of(dict(config)) for config in configs]
    names = list(configs[0]) if configs else []
    for count in range(len(names) + 1):
        for some in itertools.combinations(names, count):
            rows = _decides(configs, values, some)
            if rows is not None:
                return Table(some, rows)
    raise ValueError("a function gives different values for the same configuration")


def _decides(configs: Sequence[Config], values: Sequence[Any],
             names: tuple[str, ...]) -> "dict[tuple[Any, ...], Any] | None":
    rows: dict[tuple[Any, ...], Any] = {}
    for config, value in zip(configs, values):
        if rows.setdefault(tuple(config[name] for name in names), value) != value:
            return None
    return rows


PYTHON = "({0} if {2} < {3} else {1})"
C = "({2} < {3} ? {0} : {1})"


def expression(table: Table, form: str = PYTHON) -> str:
    """A tree of comparisons. Parameters must be numbers."""
    return _tree(list(table.names), table.rows, form)


def _tree(names: list[str], rows: dict[tuple[Any, ...], Any], form: str) -> str:
    if not names:
        return str(next(iter(rows.values())))
    parts: dict[Any, dict[tuple[Any, ...], Any]] = {}
    for key, value in rows.items():
        parts.setdefault(key[0], {})[key[1:]] = value
    leaves = [(value, _tree(names[1:], parts[value], form)) for value in sorted(parts)]
    return _split(names[0], leaves, form)


def _split(name: str, leaves: list[tuple[Any, str]], form: str) -> str:
    if all(text == leaves[0][1] for _, text in leaves):
        return leaves[0][1]
    half = len(leaves) // 2
    return form.format(_split(name, leaves[:half], form), _split(name, leaves[half:], form), name,
                       leaves[half][0])


def choose(table: Table, text_of: Callable[[Any], str]) -> str:
    """Preprocessor lines that keep the text for the configuration at hand."""
    if not table.names:
        return text_of(next(iter(table.rows.values())))
    by_value: dict[Any, list[str]] = {}
    for key, value in table.rows.items():
        same = " && ".join(f"{name} == {part}" for name, part in zip(table.names, key))
        by_value.setdefault(value, []).append(f"({same})")
    out = []
    for place, (value, conditions) in enumerate(by_value.items()):
        out.append(f"#{'if' if place == 0 else 'elif'} {' || '.join(conditions)}")
        out.append(text_of(value))
    return "\n".join([*out, "#endif", ""])


def replace(text: str, config: Config) -> str:
    """Parameters in the text by their values, as Kernel Tuner does it."""
    return "".join(str(config[part]) if part in config else part
                   for part in re.split("([a-zA-Z0-9_]+)", text))
