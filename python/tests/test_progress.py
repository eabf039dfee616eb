"""The progress line, in terminals, in notebooks and where nobody looks."""

import fcntl
import io
import os
import pty
import struct
import sys
import termios
import types
import unittest
from unittest import mock

import vyre
from vyre._progress import Bar, Silent, Terminal, screen_for

TOLD = dict(evaluations=5, failures=1, seconds=5.0, default_ns=4e6, best_ns=2e6, best=3)


class Screens(unittest.TestCase):
    def test_a_terminal_is_written_over_and_left_clean(self):
        stream = io.StringIO()
        bar = Bar("twice", 10, 0, Terminal(stream))
        bar.wait(0.4)
        bar.progress(TOLD)
        bar.close()
        self.assertEqual(stream.getvalue(),
                         "\r\x1b[Ktwice: compiling the default, 0 s"
                         "\r\x1b[Ktwice: [##########..........] best 2 ms, 2.00 x, 5 tried, "
                         "1 failed, 5 s\r\x1b[K")

    def test_the_nearer_limit_fills_the_bar(self):
        stream = io.StringIO()
        Bar("twice", 0, 10, Terminal(stream)).progress(TOLD | {"evaluations": 10})
        self.assertIn("[####################]", stream.getvalue())

    def test_a_line_is_cut_to_the_width_of_the_terminal(self):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        with os.fdopen(follower, "w") as stream:
            Bar("n" * 30, 10, 0, Terminal(stream)).progress(TOLD)
            shown = os.read(leader, 1000).decode()
        os.close(leader)
        self.assertEqual(shown, "\r\x1b[K" + "n" * 30 + ": [######")
        stream = io.StringIO()
        Terminal(stream).show("x" * 100)
        self.assertEqual(stream.getvalue(), "\r\x1b[K" + "x" * 79)

    def test_nothing_is_shown_to_a_file_unless_asked(self):
        with mock.patch.object(sys, "stderr", io.StringIO()):
            self.assertIsInstance(screen_for(None), Silent)
            self.assertIsInstance(screen_for(False), Silent)
            self.assertIsInstance(screen_for(True), Terminal)

    def test_a_notebook_gets_one_output_that_is_replaced(self):
        shown = []
        handle = types.SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))
        ipython = types.ModuleType("IPython")
        ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
        ipython.display = types.ModuleType("IPython.display")
        ipython.display.display = lambda *_, **__: handle
        modules = {"IPython": ipython, "IPython.display": ipython.display}
        with mock.patch.dict(sys.modules, modules):
            vyre.tune("saxpy", sizes={"n": 1024}, device="reference", folder=None, seconds=0,
                      evaluations=2)
        self.assertIn("saxpy: [", "".join(shown))
        self.assertEqual(shown[-1], "")


if __name__ == "__main__":
    unittest.main()
