"""Ctrl-C: the campaign ends, its result so far is there, and the same call goes on."""

import os
import signal
import subprocess
import sys
import unittest

import vyre
from support import WithFolder, needs_opencl, twice

SCRIPT = """
import os, sys, vyre
sys.path.insert(0, {tests!r})
from support import twice
def tell(progress):
    print(progress.evaluations, flush=True)
try:
    vyre.tune(twice(), device="opencl:0", folder={folder!r}, seconds=100, workers=1, progress=tell,
              strategy="random")
except KeyboardInterrupt as stopped:
    print(type(stopped).__name__, stopped.result.interrupted, stopped, flush=True)
    raise
"""


class InThisProcess(WithFolder):
    def tune(self, progress, **options):
        return vyre.tune("saxpy", sizes={"n": 4096}, device="reference", seconds=0, evaluations=6,
                         progress=progress, **({"folder": self.folder} | options))

    def test_is_raised_with_the_result_so_far(self):
        def interrupt(progress):
            if progress.evaluations == 3:
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(vyre.Interrupted) as stopped:
            self.tune(interrupt)
        self.assertIsInstance(stopped.exception, KeyboardInterrupt)
        self.assertTrue(stopped.exception.result.interrupted)
        self.assertIn("the same call goes on from there", str(stopped.exception))
        with self.assertRaises(vyre.Interrupted) as stopped:
            self.tune(interrupt, folder=None)
        self.assertNotIn("goes on", str(stopped.exception))
        resumed = self.tune(False)
        self.assertGreaterEqual(resumed._values["report"]["resumed"], 3)


class WithWorkers(WithFolder):
    @needs_opencl
    def test_ends_a_script_and_shows_what_was_found(self):
        script = SCRIPT.format(tests=os.path.dirname(os.path.abspath(__file__)),
                               folder=str(self.folder))
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.PIPE) as run:
            while run.stdout.readline().strip() != "2":
                self.assertIsNone(run.poll())
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=30)
        self.assertIn("Interrupted True interrupted: twice:", out, err)
        self.assertEqual(run.returncode, 1, err)  # as that of the command


if __name__ == "__main__":
    unittest.main()
