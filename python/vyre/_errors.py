"""Exceptions: one class per kind of error, with the text that the library has for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._result import Result


class Error(Exception):
    """What can fail in the world. Its text is one line: the mistake, its place, the remedy."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code  # stable and short, for example "V012"; may be empty


class BadInputs(Error, ValueError):
    """The caller's input is wrong: a size, a value, a file's text, a missing argument."""


class Rejected(Error):
    """The program is not valid, or this device will not run it."""


class BackendFailed(Error, RuntimeError):
    """The device failed, or gave back something impossible."""


class IoFailed(Error):
    """The file system refused."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a kernel was tuned. `result` has what was found until then, if anything was.

    With a folder the same call goes on from there: all that was measured is in a journal.
    """

    def __init__(self, result: "Optional[Result]", resumes: bool = True) -> None:
        found = "" if result is None else f": {result.summary()}"
        then = "; the same call goes on from there" if resumes else ""
        super().__init__(f"interrupted{found}{then}")
        self.result = result
