"""Runs the tests of this folder, or those that are named, and prints counts as GoogleTest does.

    python run.py [test_tune[.Class[.test]]...]
"""

import os
import pathlib
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent


class Result(unittest.TextTestResult):
    """Names what is skipped in the form that tools/lib.sh counts."""

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"[  SKIPPED ] {test.id()}\n{reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        print(f"[  FAILED  ] {test.id()}")

    def addError(self, test, err):
        super().addError(test, err)
        print(f"[  FAILED  ] {test.id()}")


def main():
    sys.path.insert(0, str(FOLDER))
    loader = unittest.TestLoader()
    names = sys.argv[1:]
    suite = (loader.loadTestsFromNames(names) if names
             else loader.discover(str(FOLDER), pattern="test_*.py", top_level_dir=str(FOLDER)))
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # no test sees the user's decisions
        os.environ.pop("VYRE_AUTOTUNER", None)
        result = unittest.TextTestRunner(resultclass=Result, verbosity=1).run(suite)
    passed = result.testsRun - len(result.failures) - len(result.errors) - len(result.skipped)
    print(f"[  PASSED  ] {passed} tests.")
    return 0 if result.wasSuccessful() and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
