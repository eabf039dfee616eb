"""The line that shows how tuning goes on, in terminals and notebooks."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, NamedTuple, Optional

_COLUMNS = 80


class Progress(NamedTuple):
    """What is known while a kernel is tuned."""

    evaluations: int  # configurations tried, failures included
    failures: int
    seconds: float
    default_ns: float
    best_ns: float
    best: int  # index in the space


class Silent:
    def show(self, text: str) -> None:
        pass

    def close(self) -> None:
        pass


class Terminal:
    """One line that is written over, and cut to the terminal's width. Nothing is left of it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def show(self, text: str) -> None:
        self._stream.write(f"\r\x1b[K{text[:self._columns() - 1]}")
        self._stream.flush()

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or _COLUMNS
        except (AttributeError, OSError, ValueError):  # no terminal after all
            return _COLUMNS

    def close(self) -> None:
        self.show("")


class Notebook:
    """One output of the cell that is replaced."""

    def __init__(self) -> None:
        from IPython.display import display

        self._handle = display({"text/plain": ""}, raw=True, display_id=True)

    def show(self, text: str) -> None:
        self._handle.update({"text/plain": text}, raw=True)

    def close(self) -> None:
        self.show("")


def _in_notebook() -> bool:
    # A module that nobody has imported cannot run us.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


def screen_for(wish: Optional[bool]) -> Any:
    """None: where a person looks on. False: nowhere. True: also where the output goes to a file."""
    if wish is False:
        return Silent()
    if _in_notebook():
        return Notebook()
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    return Terminal(sys.stderr) if is_terminal or (wish and sys.stderr is not None) else Silent()


class Bar:
    """Shows a campaign as a bar with its best time so far, as the command does."""

    WIDTH = 20

    def __init__(self, name: str, seconds: float, evaluations: int, screen: Any,
                 also: Optional[Callable[[Progress], Any]] = None) -> None:
        self._name, self._seconds, self._evaluations = name, seconds, evaluations
        self._screen, self._also = screen, also
        self._has_measured = False
        self._shown = ""

    def progress(self, told: dict[str, Any]) -> Any:
        now = Progress(**told)
        self._has_measured = now.best_ns > 0
        if self._has_measured:
            self._show(f"{self._bar(now)} best {now.best_ns / 1e6:.4g} ms, "
                       f"{now.default_ns / now.best_ns:.2f} x, {now.evaluations} tried, "
                       f"{now.failures} failed, {now.seconds:.0f} s")
        else:
            self._show(f"measuring the default, {now.seconds:.0f} s")
        return None if self._also is None else self._also(now)

    def wait(self, seconds: float) -> None:
        if not self._has_measured:
            self._show(f"compiling the default, {seconds:.0f} s")

    def close(self) -> None:
        self._screen.close()

    def _bar(self, now: Progress) -> str:
        shares = [now.seconds / self._seconds] if self._seconds > 0 else []
        if self._evaluations > 0:
            shares.append(now.evaluations / self._evaluations)
        if not shares:
            return ""
        full = round(self.WIDTH * min(1.0, max(shares)))
        return f"[{'#' * full}{'.' * (self.WIDTH - full)}]"

    def _show(self, text: str) -> None:
        if text != self._shown:
            self._screen.show(f"{self._name}: {text}")
            self._shown = text
