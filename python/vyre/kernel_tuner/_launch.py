"""Kernel Tuner's problem sizes, grid divisors, sources and macros as those of a vyre.Problem."""

from __future__ import annotations

import math
import os
import re
from typing import Any, Mapping, Optional, Sequence

from .._errors import BadInputs
from .._search import Space
from ._tables import C, MOST, choose, expression, replace, tabulate

BLOCK_NAMES = ["block_size_x", "block_size_y", "block_size_z"]
_PLAIN = re.compile(r"[\w\s+*()-]+$")  # arithmetic that means the same here and there


class Configs:
    """All configurations, listed when a function must be called for each."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def names_one(self, text: str) -> bool:
        """Whether a parameter stands in the text."""
        return replace(text, dict.fromkeys(self._space[0], "")) != text

    def all(self, what: str) -> list[dict[str, Any]]:
        if len(self._space) > MOST:
            raise BadInputs(f"{what} is called for every configuration, and {len(self._space)} are "
                            "too many; give it as text over the parameters")
        return [self._space[index] for index in range(len(self._space))]


def block_names(given: Optional[Sequence[str]], params: Mapping[str, Any]) -> list[str]:
    """The three names of the block's sizes; other cases of the usual ones count, too."""
    if given is None:
        by_lower = {name.lower(): name for name in params}
        return [by_lower.get(name, name) for name in BLOCK_NAMES]
    if not isinstance(given, (list, tuple)) or len(given) > 3:
        raise ValueError("block_size_names should be a list of at most three strings!")
    return list(given) + BLOCK_NAMES[len(given):]


def local_size(names: Sequence[str], params: Mapping[str, Any]) -> list[Any]:
    return [name if name in params else default for name, default in zip(names, (256, 1, 1))]


def grid_of(problem_size: Any, divisors: Sequence[Any], names: Sequence[str],
            params: Mapping[str, Any], configs: Configs) -> list[str]:
    """Workgroups in each direction, as expressions."""
    return [_axis(problem_size, axis, divisor, names[axis], params, configs)
            for axis, divisor in enumerate(divisors)]


def _axis(size: Any, axis: int, divisor: Any, name: str, params: Mapping[str, Any],
          configs: Configs) -> str:
    over, under = _plain_size(size, axis), _plain_divisor(divisor, name, params)
    if over is not None and under is not None:
        return over if under == "1" else f"({over} + {under} - 1) // ({under})"

    def groups(config: Mapping[str, Any]) -> int:
        return math.ceil(float(_size(size, axis, config)) / float(_divisor(divisor, config, name)))

    return expression(tabulate(configs.all("the grid's function"), groups))


def _plain_size(size: Any, axis: int) -> Optional[str]:
    """The size as text, unless it must be computed by Python."""
    if callable(size):
        return None
    listed = size if isinstance(size, (list, tuple)) else (size,)
    part = listed[axis] if axis < len(listed) else 1
    if isinstance(part, str):
        return f"({part})" if _PLAIN.match(part) else None
    return str(int(part))


def _plain_divisor(divisor: Any, name: str, params: Mapping[str, Any]) -> Optional[str]:
    if divisor is None:
        return name if name in params else "1"
    if callable(divisor):
        return None
    parts = [divisor] if isinstance(divisor, (str, int)) else list(divisor)
    if any(callable(p) or (isinstance(p, str) and not _PLAIN.match(p)) for p in parts):
        return None
    return " * ".join(f"({p})" for p in parts) or "1"


def _size(size: Any, axis: int, config: Mapping[str, Any]) -> int:
    given = size(config) if callable(size) else size
    listed = given if isinstance(given, (list, tuple)) else (given,)
    part = listed[axis] if axis < len(listed) else 1
    return int(_evaluate(part, config)) if isinstance(part, str) else int(part)


def _divisor(divisor: Any, config: Mapping[str, Any], name: str) -> float:
    if divisor is None:
        return float(config.get(name, 1))
    if callable(divisor):
        return float(divisor(config))
    if isinstance(divisor, str):
        return int(_evaluate(divisor, config))
    if isinstance(divisor, (list, tuple)):
        out: float = 1
        for part in divisor:
            out *= _divisor(part, config, name)
        return out
    return int(divisor)


def _evaluate(text: str, config: Mapping[str, Any]) -> Any:
    # The script's own text, as Kernel Tuner evaluates it.
    return eval(replace(text, config))  # noqa: S307


def text_of(source: Any) -> str:
    """A string of code, or the content of a file; of several, the first includes the others."""
    if isinstance(source, (list, tuple)):
        return text_of(source[0])
    if _is_file(source):
        with open(source, encoding="utf-8") as file:
            return file.read()
    return str(source)


def folder_of(source: Any) -> str:
    """Where the files lie that the source includes."""
    if isinstance(source, (list, tuple)):
        return folder_of(source[0])
    return os.path.dirname(os.fspath(source)) or "." if _is_file(source) else "."


def _is_file(source: Any) -> bool:
    if isinstance(source, os.PathLike):
        return True
    return isinstance(source, str) and re.fullmatch(r"[^\n{}();]+\.\w+", source) is not None


def source_of(given: Any, configs: Configs) -> str:
    """The kernel's text; that of a function has all its variants."""
    if not callable(given):
        return text_of(given)
    listed = configs.all("the function that makes the source")
    return choose(tabulate(listed, lambda config: text_of(given(config))), str)


def macros(defines: Optional[Mapping[str, Any]], source: str, grid: Sequence[str],
           names: Sequence[str], params: Mapping[str, Any], configs: Configs) -> str:
    """Lines before the source. Parameters are macros already; `defines` takes their place."""
    if defines is None:
        return _usual_macros(source, grid, names, params, configs)
    out = []
    for name, value in defines.items():
        if not name.isidentifier():
            raise ValueError(f"name is not a valid identifier: {name}")
        out.append(_macro(name, value, configs))
    kept = [f"#undef {name}\n" for name in params if name not in defines]
    return "".join(out + kept) + "#line 1\n"


def _macro(name: str, value: Any, configs: Configs) -> str:
    def text(config: Mapping[str, Any]) -> str:
        given = value(config) if callable(value) else replace(str(value), config)
        return str(given).replace("\n", "\\\n")

    if not callable(value) and not configs.names_one(str(value)):
        return f"#undef {name}\n#define {name} {value}\n"
    table = tabulate(configs.all("a function in defines"), text)
    return choose(table, lambda body: f"#define vyre_new_{name} {body}") + _renamed(name)


def _renamed(name: str) -> str:
    return f"#undef {name}\n#define {name} vyre_new_{name}\n"


def _usual_macros(source: str, grid: Sequence[str], names: Sequence[str],
                  params: Mapping[str, Any], configs: Configs) -> str:
    out = ["#define kernel_tuner 1\n"]
    for name, default in zip(names, (256, 1, 1)):
        if name not in params:
            out.append(f"#define {name} {default}\n")
    for axis, groups in zip("xyz", grid):
        name = f"grid_size_{axis}"
        if re.search(rf"\b{name}\b", source):
            out.append(f"#define {name} ({_in_c(groups, configs)})\n")
    return "".join(out) + "#line 1\n"


def _in_c(groups: str, configs: Configs) -> str:
    if " if " not in groups:
        return groups.replace("//", "/")
    def value(config: Mapping[str, Any]) -> int:
        return int(eval(groups, {}, dict(config)))  # noqa: S307

    return expression(tabulate(configs.all("the grid's function"), value), C)
