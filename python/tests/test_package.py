"""What the wheel installs."""

import importlib.resources
import os
import re
import subprocess
import sys
import unittest

import vyre
from support import TOP


class Package(unittest.TestCase):
    def test_has_the_version_of_cmake(self):
        text = (TOP / "CMakeLists.txt").read_text()
        expected = re.search(r"project\(vyre VERSION ([0-9.]+)", text)[1]
        self.assertEqual(vyre.__version__, expected)
        from importlib.metadata import version

        self.assertEqual(version("vyre"), expected)

    def test_is_typed_and_has_its_worker(self):
        files = importlib.resources.files("vyre")
        for name in ("py.typed", "_core.pyi", "vyre-worker"):
            self.assertTrue(files.joinpath(name).is_file(), name)
        self.assertTrue(os.access(str(files.joinpath("vyre-worker")), os.X_OK))

    def test_comes_from_the_wheel(self):
        self.assertFalse(vyre.__file__.startswith(str(TOP / "python")), vyre.__file__)

    def test_exports_what_it_names(self):
        for name in vyre.__all__:
            self.assertTrue(hasattr(vyre, name), name)

    def test_imports_nothing_large(self):
        code = ("import sys, vyre\n"
                "print([n for n in ('numpy', 'pandas', 'pyopencl', 'IPython')"
                " if n in sys.modules])")
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(run.stdout.strip(), "[]", run.stderr)


if __name__ == "__main__":
    unittest.main()
