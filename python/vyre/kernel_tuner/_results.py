"""Results as Kernel Tuner has them: one dict for each configuration, and the environment's."""

from __future__ import annotations

import datetime
from typing import Any, Mapping, Optional, Sequence

from .._result import Result
from ._tables import replace
from .util import CompilationFailedConfig, RuntimeFailedConfig, get_best_config, get_config_string

TIMES = ("framework_time", "strategy_time", "compile_time", "verification_time", "benchmark_time")


def results_of(result: Result, names: Sequence[str]) -> list[dict[str, Any]]:
    """Kernel Tuner's dicts. Times of compiling and searching are known in sum, and shared out."""
    count = max(1, len(result.candidates) + len(result.failures))
    samples = sum(sum(c.samples_ns) for c in result.candidates) / 1e6
    kernels = 1000 * result._values["report"]["kernel_seconds"]
    shared = {"compile_time": max(0.0, kernels - samples) / count, "verification_time": 0.0,
              "strategy_time": 0.0,
              "framework_time": max(0.0, 1000 * result.seconds - kernels) / count}
    now = _now()
    out = []
    for tried in result.candidates:
        times = [ns / 1e6 for ns in tried.samples_ns]
        out.append({**_in_order(tried.config, names), "time": tried.elapsed.ns / 1e6,
                    "times": times, **shared, "benchmark_time": sum(times), "timestamp": now})
    for failed in result.failures:
        out.append(failure_of(failed.config, names, failed.status, failed.why) | shared)
    return out


def failure_of(config: Mapping[str, Any], names: Sequence[str], status: str,
               why: str) -> dict[str, Any]:
    is_compiling = status == "compile" or status.startswith("build_")  # a limit of compiling
    kind = CompilationFailedConfig if is_compiling else RuntimeFailedConfig
    return {**_in_order(config, names), "__error__": kind(why), **dict.fromkeys(TIMES, 0.0),
            "timestamp": _now()}


def _now() -> str:
    return str(datetime.datetime.now(datetime.timezone.utc))


def _in_order(config: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: config[name] for name in names}


def add_metrics(results: list[dict[str, Any]], metrics: Optional[Mapping[str, Any]]) -> None:
    for result in results:
        if "__error__" in result:
            continue
        for name, metric in (metrics or {}).items():
            if callable(metric):
                result[name] = metric(result)
            else:
                result[name] = eval(replace(metric, result))  # the script's own text


def report(results: list[dict[str, Any]], env: dict[str, Any], names: list[str], objective: str,
            is_higher: bool, metrics: Optional[Mapping[str, Any]], quiet: bool) -> None:
    units = {"time": "ms"}
    keys = [*names, "time", *(metrics or {})]
    if not quiet:
        for result in results:
            print(get_config_string(result, [*keys, "__error__"], units))
    if not results:
        return
    if objective != "time" and not quiet:
        print(f"vyre.kernel_tuner: the search looks for the least time; {objective} chooses among "
              "its results")
    env["best_config"] = get_best_config(results, objective, is_higher)
    if not quiet:
        print(f"\nBEST PERFORMING CONFIGURATION FOR OBJECTIVE {objective}:")
        print(get_config_string(env["best_config"], [*names, objective, *(metrics or {})], units))


def with_totals(results: list[dict[str, Any]], env: dict[str, Any],
                 overhead: float) -> dict[str, Any]:
    total = 0.0
    for key in TIMES:
        env[f"total_{key}"] = sum(float(result.get(key, 0)) for result in results)
        total += env[f"total_{key}"]
    env["overhead_time"] = overhead + float(env.get("simulated_time", 0)) - total
    return env
