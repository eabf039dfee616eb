"""Results: explanations, pictures, pages and frames."""

import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

import vyre


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = vyre.tune("saxpy", sizes={"n": 4096}, device="reference", folder=None,
                               seconds=0, evaluations=5, progress=False)

    def test_explains_itself(self):
        lines = self.result.explain().splitlines()
        self.assertEqual(lines[0], self.result.key)
        titles = [line[2:14].strip() for line in lines[1:]]
        for title in ("program", "config", "elapsed", "default", "gain", "evidence", "valid for"):
            self.assertIn(title, titles)
        self.assertFalse(self.result.kept)
        self.assertEqual(self.result.why_not_kept, "folder=None keeps nothing")

    def test_prints_in_one_line(self):
        self.assertEqual(len(repr(self.result).splitlines()), 1)
        self.assertIn("saxpy", repr(self.result))
        self.assertEqual(float(self.result.gain), self.result.gain.times)
        self.assertEqual(str(vyre.Gain(1.5, 1.25, 1.75, 8)), "1.50 x (1.25 to 1.75)")
        self.assertEqual(str(vyre.Gain(1, 1, 1, 0)), "1.00 x")
        self.assertEqual(str(vyre.Estimate(2e6, 1e6, 3e6)), "2 ms (1 ms to 3 ms)")
        self.assertEqual(str(vyre.Estimate(0, 0, 0)), "not measured")

    def test_draws_the_campaign(self):
        plot = self.result.plot()
        root = xml.fromstring(plot)
        titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(titles, ["saxpy: a campaign's samples in order"])
        self.assertEqual(plot._repr_svg_(), str(plot))

    def test_shows_both_in_a_notebook(self):
        shown = self.result._repr_html_()
        self.assertTrue(shown.startswith("<pre>"), shown)
        self.assertIn("src=\"data:image/svg+xml;base64,", shown)

    def test_is_a_page_to_look_at(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = pathlib.Path(folder, "one.html"), pathlib.Path(folder, "two.html")
            self.result.report(one)
            vyre.report(two, [self.result, self.result])
            page = one.read_text(encoding="utf-8")
            self.assertTrue(page.startswith("<!doctype html>"))
            self.assertIn("Every configuration", page)
            self.assertNotIn("Side by side", page)
            self.assertIn("Side by side", two.read_text(encoding="utf-8"))

    def test_is_a_frame_where_pandas_is_there(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = self.result.frame()
        self.assertEqual(len(frame), len(self.result.candidates) + len(self.result.failures))
        self.assertAlmostEqual(frame["time_ms"].min(),
                               min(c.elapsed.ns for c in self.result.candidates) / 1e6)
        for name in self.result.config:
            self.assertIn(name, frame.columns)

    def test_says_what_a_frame_needs(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "frame needs pandas"):
                self.result.frame()


if __name__ == "__main__":
    unittest.main()
