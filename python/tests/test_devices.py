"""Devices: what there is, and how it is opened."""

import unittest

import vyre
from support import needs_opencl, needs_pyopencl, queue


class Devices(unittest.TestCase):
    def test_lists_the_interpreter_at_least(self):
        devices = vyre.devices()
        interpreter = next(d for d in devices if d.backend == "reference")
        self.assertEqual((interpreter.kind, interpreter.selector), ("interpreter", "reference"))
        self.assertGreater(interpreter.info["limits"]["workgroup_items"], 0)
        self.assertIn("reference", repr(interpreter))

    @needs_opencl
    def test_opens_by_name_and_takes_what_is_open(self):
        device = vyre.open_device("opencl:0")
        self.assertEqual(device.backend, "opencl")
        self.assertIs(vyre.open_device(device), device)

    def test_refuses_names_that_it_does_not_know(self):
        with self.assertRaisesRegex(vyre.BadInputs, "referense"):
            vyre.open_device("referense")

    def test_a_message_that_was_cut_within_a_letter_is_text(self):
        for name in ("\u00e9" * 60, "a" + "\u00e9" * 60):
            with self.assertRaisesRegex(vyre.BadInputs, "\u00e9\u00e9"):
                vyre.open_device(name)

    def test_refuses_other_things(self):
        with self.assertRaisesRegex(vyre.BadInputs, "a dict is no device; give a selector"):
            vyre.open_device({})

    @needs_pyopencl
    def test_takes_a_queue_of_pyopencl(self):
        device = vyre.open_device(queue())
        self.assertEqual((device.backend, device.selector), ("opencl", ""))
        self.assertIn("adopted", repr(device))


if __name__ == "__main__":
    unittest.main()
