"""The part of kernel_tuner.util that scripts use."""

from __future__ import annotations

import sys
from typing import Any, Mapping, Optional, Sequence


class ErrorConfig(str):
    """What a result has under "__error__". Its text is the name of its class."""

    def __new__(cls, why: str = "") -> "ErrorConfig":
        out = super().__new__(cls, cls.__name__)
        out.why = why
        return out

    why: str

    def __repr__(self) -> str:
        return type(self).__name__


class InvalidConfig(ErrorConfig):
    """Refused before it was compiled."""


class CompilationFailedConfig(ErrorConfig):
    """Did not compile."""


class RuntimeFailedConfig(ErrorConfig):
    """Crashed, hung, or gave a wrong result."""


HIGHER_IS_BETTER = {"time": False, "energy": False, "fitness": True, "cost": False, "loss": False,
                    "GFLOP/s": True, "TFLOP/s": True, "GB/s": True, "TB/s": True,
                    "GFLOPS/W": True, "TFLOPS/W": True, "GFLOP/J": True, "TFLOP/J": True}


def get_config_string(params: Mapping[str, Any], keys: Optional[Sequence[str]] = None,
                      units: Optional[Mapping[str, str]] = None) -> str:
    """A result in one line: "block_size_x=64, time=1.234ms"."""
    shown = []
    for key, value in params.items():
        if keys and key not in keys:
            continue
        unit = "" if not isinstance(units, Mapping) or isinstance(value, ErrorConfig) \
            else units.get(key, "")
        text = f"{value:.3f}" if isinstance(value, float) else str(value)
        shown.append(f"{key}={text}{unit}")
    return ", ".join(shown)


def get_best_config(results: Sequence[dict[str, Any]], objective: str = "time",
                    objective_higher_is_better: bool = False) -> dict[str, Any]:
    """The result with the best objective; failures only if there is nothing else."""
    worst = -sys.float_info.max if objective_higher_is_better else sys.float_info.max

    def value_of(result: dict[str, Any]) -> float:
        return worst if "__error__" in result else float(result[objective])

    return (max if objective_higher_is_better else min)(results, key=value_of)


def get_objective_defaults(objective: Optional[str],
                           higher_is_better: Optional[bool]) -> tuple[str, bool]:
    objective = objective or "time"
    if higher_is_better is None:
        if objective not in HIGHER_IS_BETTER:
            raise ValueError(f"Please specify objective_higher_is_better for objective {objective}")
        higher_is_better = HIGHER_IS_BETTER[objective]
    return objective, higher_is_better
