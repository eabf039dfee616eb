"""Our search inside Kernel Tuner, through its interface for user-defined strategies."""

from __future__ import annotations

import sys
from typing import Any

from .._search import Space, Strategy


class Search:
    """A strategy for Kernel Tuner's own tune_kernel:

        kernel_tuner.tune_kernel(..., strategy=vyre.kernel_tuner.Search("natural", seed=1))

    Kernel Tuner compiles, runs and counts; this proposes what to try next.
    """

    def __init__(self, name: str = "natural", *, seed: int = 1) -> None:
        self._name, self._seed = name, seed

    def tune(self, searchspace: Any, runner: Any, tuning_options: Any) -> list[dict[str, Any]]:
        from kernel_tuner.strategies.common import CostFunc
        from kernel_tuner.util import StopCriterionReached

        if len(tuning_options.objective) > 1:
            raise ValueError("vyre.kernel_tuner.Search takes one objective; give objective=")
        rows = [tuple(row) for row in searchspace.list]
        names = list(searchspace.tune_params)
        space = Space.listed([dict(zip(names, row)) for row in rows])
        strategy = Strategy(self._name, space, seed=self._seed)
        cost_of = CostFunc(searchspace, tuning_options, runner, snap=False)
        try:
            while asked := strategy.ask():
                cost = cost_of(rows[asked[0]], check_restrictions=False)
                _tell(strategy, asked[0], cost)
        except StopCriterionReached as reached:  # the budget is spent
            if tuning_options.verbose:
                print(reached)
        results: list[dict[str, Any]] = cost_of.results
        return results


def _tell(strategy: Strategy, index: int, cost: float) -> None:
    """Kernel Tuner's cost is a time, or the negative of what is to be made large."""
    if cost == sys.float_info.max or cost == 0:
        strategy.tell(index, status="runtime")
    else:
        strategy.tell(index, cost if cost > 0 else -1 / cost)
