"""The part of kernel_tuner.file_utils that scripts use: T4 files."""

from __future__ import annotations

import json
import os
import platform
from typing import Any, Mapping, Sequence

from .util import CompilationFailedConfig, ErrorConfig, InvalidConfig

_TIMES = {"compile_time": "compilation", "benchmark_time": "benchmark",
          "framework_time": "framework", "strategy_time": "search_algorithm",
          "verification_time": "validation"}


def _plain(value: Any) -> Any:
    """For json: numbers and arrays of numpy as Python's own."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _file(name: str) -> str:
    path = name if name.endswith(".json") else name + ".json"
    if folder := os.path.dirname(path):
        os.makedirs(folder, exist_ok=True)
    return path


def _invalidity(result: Mapping[str, Any]) -> str:
    error = result.get("__error__")
    if error is None:
        return "correct"
    if isinstance(error, CompilationFailedConfig):
        return "compile"
    return "constraints" if isinstance(error, InvalidConfig) else "runtime"


def get_t4_results(results: Sequence[dict[str, Any]], tune_params: Mapping[str, Any],
                   objective: str = "time") -> dict[str, Any]:
    """Results of tune_kernel as a T4 document."""
    out = []
    for result in results:
        hidden = {*tune_params, *_TIMES, "timestamp", "times"}
        out.append({
            "timestamp": result.get("timestamp", ""),
            "configuration": {k: v for k, v in result.items() if k in tune_params},
            "times": {t4: result.get(key, 0) for key, t4 in _TIMES.items()}
            | {"runtimes": result.get("times", [])},
            "invalidity": _invalidity(result),
            "correctness": 1,
            "measurements": [
                {"name": k, "value": v, "unit": "ms" if k.startswith("time") else ""}
                for k, v in result.items() if k not in hidden and not isinstance(v, ErrorConfig)],
            "objectives": [objective],
        })
    return {"results": out, "schema_version": "1.0.0", "metadata": {"timeunit": "milliseconds"}}


def store_output_file(output_filename: str, results: Sequence[dict[str, Any]],
                      tune_params: Mapping[str, Any], objective: str = "time") -> None:
    """Writes results of tune_kernel as a T4 file."""
    with open(_file(output_filename), "w", encoding="utf-8") as out:
        json.dump(get_t4_results(results, tune_params, objective), out, default=_plain)


def get_t4_metadata() -> dict[str, Any]:
    """The machine and its devices."""
    from .. import __version__, devices

    return {"metadata": {
        "operating_system": platform.system() or "unidentified OS",
        "hardware": {"hardware_description": [device.info for device in devices()]},
        "environment": {"device_query": {}, "requirements": [f"vyre=={__version__}"]},
    }, "schema_version": "1.0.0"}


def store_metadata_file(metadata_filename: str) -> None:
    """Writes a description of the machine as T4's metadata."""
    with open(_file(metadata_filename), "w", encoding="utf-8") as out:
        json.dump(get_t4_metadata(), out, indent="  ", default=_plain)
