"""Results of tuning: what was chosen, why, and everything that was measured."""

from __future__ import annotations

import base64
import html
import os
from typing import Any, NamedTuple, Sequence, Union

from . import _core
from ._errors import Error
from ._search import Config

File = Union[str, "os.PathLike[str]"]


class Plot(str):
    """SVG text that notebooks show as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # As an image: the style of the drawing is not that of the page.
        data = base64.b64encode(self.encode()).decode()
        return f'<img alt="the campaign" src="data:image/svg+xml;base64,{data}"/>'

    def save(self, file: File) -> None:
        with open(file, "w", encoding="utf-8") as out:
            out.write(self)


class Estimate(NamedTuple):
    """A time in nanoseconds, with an interval that holds the true one about 19 times in 20."""

    ns: float
    low_ns: float
    high_ns: float

    def __str__(self) -> str:
        if self.ns <= 0:
            return "not measured"
        return f"{_ms(self.ns)} ({_ms(self.low_ns)} to {_ms(self.high_ns)})"


class Gain(NamedTuple):
    """How many times faster than the default, from runs side by side, with its interval."""

    times: float
    low: float
    high: float
    pairs: int  # of runs; 0: not known

    def __float__(self) -> float:
        return self.times

    def __str__(self) -> str:
        interval = f" ({self.low:.2f} to {self.high:.2f})" if self.pairs else ""
        return f"{self.times:.2f} x{interval}"


class Candidate(NamedTuple):
    """A configuration that ran."""

    config: Config
    elapsed: Estimate
    samples_ns: list[float]
    fate: str  # racing: in at the end; dropped: slower
    is_default: bool


class Failure(NamedTuple):
    config: Config
    status: str  # compile, runtime, timeout, correctness
    why: str


class Result:
    """What `tune` has found. `config` is the fastest configuration, or the default if none is
    faster; `gain` says how much faster it is."""

    def __init__(self, values: dict[str, Any], handle: "_core.Tuned", device: Any,
                 messages: list[str]) -> None:
        self._values, self._handle, self._device = values, handle, device
        decision, report = values["decision"], values["report"]
        self.remembered: bool = values["is_remembered"]  # decided before: nothing was searched
        found = decision if self.remembered else report
        self.name: str = values["name"]
        self.key: str = values["key"]
        self.config: Config = dict(decision["config"] if self.remembered else report["best"])
        self.elapsed = Estimate(**found["elapsed"])
        self.default_elapsed = Estimate(**found["default_elapsed"])
        self.gain = Gain(**found["gain"])
        self.evaluations: int = report["evaluations"]
        self.seconds: float = report["seconds"]
        self.stopped: str = report["stopped"]  # why the search ended
        self.interrupted: bool = values["is_interrupted"]
        self.kept: bool = values["is_kept"]  # and served from now on
        self.why_not_kept: str = values["why_not_kept"] or values["unsaved"]
        self.ended_by: str = values["ended_by"]  # why the campaign could not go on, if it could not
        self.messages = messages
        self.candidates = [_candidate(row) for row in report["candidates"]
                           if row["fate"] != "failed"]
        self.failures = [Failure(dict(row["config"]), row["status"], row["why"])
                         for row in report["failures"]]

    @property
    def time_ms(self) -> float:
        return self.elapsed.ns / 1e6

    def summary(self) -> str:
        """One line."""
        chosen = ", ".join(f"{name}={value}" for name, value in self.config.items())
        tried = "remembered" if self.remembered else f"{self.evaluations} tried"
        if self.failures:
            tried += f", {len(self.failures)} failed"
        return f"{self.name}: {chosen}: {_ms(self.elapsed.ns)}, {self.gain} the default; {tried}"

    def __repr__(self) -> str:
        return f"<vyre.Result {self.summary()}>"

    def explain(self) -> str:
        """Why this configuration was chosen, as `vyre explain` says it."""
        return self._handle.explain().rstrip("\n")

    def plot(self) -> Plot:
        """The campaign's samples in order, and what the race dropped when, as `vyre explain --plot`
        draws them. Of a decision that was remembered, the campaign that made it."""
        return Plot(self._handle.draw())

    def report(self, file: File) -> None:
        """Everything about this campaign as one HTML page, as `vyre report` makes it."""
        report(file, [self])

    def frame(self) -> Any:
        """All configurations that were tried as a pandas frame: parameters, times, fates."""
        try:
            import pandas
        except ImportError:
            raise ImportError("frame needs pandas, which is not installed: pip install pandas, or "
                              "use .candidates and .failures") from None
        rows: list[dict[str, Any]] = []
        for tried in self.candidates:
            rows.append({**tried.config, "time_ms": tried.elapsed.ns / 1e6,
                         "low_ms": tried.elapsed.low_ns / 1e6,
                         "high_ms": tried.elapsed.high_ns / 1e6,
                         "samples": len(tried.samples_ns), "fate": tried.fate, "why": ""})
        for failed in self.failures:
            rows.append({**failed.config, "samples": 0, "fate": failed.status, "why": failed.why})
        return pandas.DataFrame(rows)

    def write_t4(self, file: File) -> None:
        """Everything that was measured, in the field's exchange format."""
        info = self._device.info
        self._handle.write_t4(os.fspath(file), [
            ("kernel", self.name), ("device", info["name"]),
            ("driver", f"{info['backend']} {info['driver']}")])

    def _repr_html_(self) -> str:
        text = f"<pre>{html.escape(self.explain())}</pre>"
        try:
            return text + self.plot()._repr_html_()
        except Error:  # there is no journal to draw from, or nothing was measured
            return text


def report(file: File, results: Sequence[Result]) -> None:
    """Campaigns side by side, and a chapter for each, as one HTML page that loads nothing."""
    page = _core.report_page([result._handle for result in results])
    with open(file, "w", encoding="utf-8") as out:
        out.write(page)


def _candidate(row: dict[str, Any]) -> Candidate:
    return Candidate(dict(row["config"]), Estimate(**row["elapsed"]), row["samples_ns"],
                     row["fate"], row["is_default"])


def _ms(ns: float) -> str:
    return f"{ns / 1e6:.4g} ms"
