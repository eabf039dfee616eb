"""Runs the Python code of docs/python.md and of the notebooks in examples/python.

Code cells are executed one after the other in one namespace. Jupyter would add a process, a
protocol and a dozen packages, and shows nothing more of code that neither plots nor asks.
"""

import ast
import contextlib
import io
import json
import os
import re
import unittest

from support import TOP, WithFolder, needs_opencl

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def cells_of(notebook):
    """The code cells, as texts."""
    document = json.loads(notebook.read_text())
    assert document["nbformat"] == 4 and document["cells"], notebook
    return ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]


def run_cell(cell, name, namespace):
    """A last expression is shown, as in a notebook."""
    tree = ast.parse(cell, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        shown = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
        show = getattr(shown, "_repr_html_", None)
        assert repr(shown) if show is None else show(), name


@needs_opencl
class Documents(WithFolder):
    def run_cells(self, name, cells):
        self.assertGreater(len(cells), 1, name)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        namespace = {"__name__": name}
        for cell in cells:
            with contextlib.redirect_stdout(io.StringIO()):
                run_cell(cell, f"{name}: {cell.strip().splitlines()[0]}", namespace)

    def test_document(self):
        text = (TOP / "docs" / "python.md").read_text()
        self.run_cells("docs/python.md", BLOCK.findall(text))

    def test_notebooks(self):
        notebooks = sorted((TOP / "examples" / "python").glob("*.ipynb"))
        self.assertGreater(len(notebooks), 0)
        for notebook in notebooks:
            with self.subTest(notebook.name):
                self.run_cells(notebook.name, cells_of(notebook))


if __name__ == "__main__":
    unittest.main()
