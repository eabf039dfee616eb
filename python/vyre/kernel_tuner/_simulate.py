"""Kernel Tuner's cache files: results of earlier runs, and searches that run on them alone."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Sequence

from .._search import Space, Strategy
from .file_utils import _plain
from .util import CompilationFailedConfig, ErrorConfig, InvalidConfig, RuntimeFailedConfig

_ERRORS = {kind.__name__: kind for kind in
           (ErrorConfig, InvalidConfig, CompilationFailedConfig, RuntimeFailedConfig)}


def file_name(cache: Any) -> str:
    path: str = os.fspath(cache)
    return path if path.endswith(".json") else path + ".json"


def key_of(config: Mapping[str, Any], names: Sequence[str]) -> str:
    return ",".join(str(config[name]) for name in names)


def read(file: str, kernel_name: str, names: Sequence[str],
         device_name: Optional[str]) -> dict[str, dict[str, Any]]:
    """The results in a cache file by key; one that was not closed is read, too."""
    with open(file, encoding="utf-8") as source:
        text = source.read().strip()
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        document = json.loads(text.rstrip(",") + "}\n}")
    if device_name is not None and document["device_name"] != device_name:
        raise ValueError("Cannot load cache which contains results for different device (cache: "
                         f"{document['device_name']}, actual: {device_name})")
    if document["kernel_name"] != kernel_name:
        raise ValueError(f"Cannot load cache which contains results for different kernel (cache: "
                         f"{document['kernel_name']}, actual: {kernel_name})")
    if document["tune_params_keys"] != list(names):
        raise ValueError("Cannot load cache which contains results obtained with different tunable "
                         f"parameters: {file} has {document['tune_params_keys']}")
    for entry in document["cache"].values():
        for name, value in list(entry.items()):
            if isinstance(value, str) and value in _ERRORS:
                entry["__error__"] = _ERRORS[value]()
    entries: dict[str, dict[str, Any]] = document["cache"]
    return entries


def write(file: str, results: Sequence[dict[str, Any]], header: Mapping[str, Any]) -> None:
    """All results, in a form that Kernel Tuner continues from and simulates on. A file that is there
    is replaced in one step."""
    names = header["tune_params_keys"]
    entries = {key_of(result, names): result for result in results}
    with open(file + ".new", "w", encoding="utf-8") as out:
        json.dump({**header, "cache": entries}, out, indent="", default=_plain)
    os.replace(file + ".new", file)


class Simulation:
    """Searches the configurations of a cache file; times are those of the file."""

    def __init__(self, cache: Mapping[str, dict[str, Any]], space: Space, names: Sequence[str]):
        self._cache, self._space, self._names = cache, space, names
        self.simulated_ms = 0.0

    def run(self, strategy: str, seed: int, most: Optional[int], milliseconds: Optional[float],
            first: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = []
        start = [index for index in map(self._space.find, first) if index is not None]
        search = Strategy(strategy, self._space, seed=seed, start=start)
        while (most is None or len(results) < most) and (asked := search.ask()):
            result = self._result(asked[0])
            results.append(result)
            failed = "__error__" in result
            search.tell(asked[0], None if failed else float(result["time"]))
            if milliseconds is not None and self.simulated_ms >= milliseconds:
                break
        return results

    def _result(self, index: int) -> dict[str, Any]:
        config = self._space[index]
        key = key_of(config, self._names)
        if key not in self._cache:
            raise ValueError(f"kernel configuration {key} not in cache - in simulation mode, all "
                             "configurations must be present in the cache")
        result = dict(self._cache[key])
        self.simulated_ms += sum(float(result.get(name, 0)) for name in
                                 ("compile_time", "verification_time", "benchmark_time"))
        return result
