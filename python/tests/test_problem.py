"""Problems: kernels as strings, as files, bundled; and mistakes found before anything runs."""

import unittest

import numpy

import vyre
from support import N, SOURCE, TOP, WithFolder, numbers, twice


class FromSource(unittest.TestCase):
    def test_has_its_space_and_default(self):
        problem = twice()
        self.assertEqual(problem.name, "twice")
        self.assertEqual(problem.parameters, {"block": [16, 32, 64], "items": [1, 2]})
        self.assertEqual(len(problem.space), 6)
        self.assertEqual(problem.default, {"block": 32, "items": 1})
        self.assertEqual(problem.sizes, {"n": N})
        self.assertEqual(problem.warnings, [])
        self.assertIn("6 configurations", repr(problem))

    def test_takes_constraints_as_texts_and_functions(self):
        both = twice(constraints=["block * items <= 64", lambda c: c["block"] > 16])
        self.assertEqual([dict(c) for c in both.space],
                         [c for c in both.space if c["block"] > 16])
        self.assertEqual(len(both.space), 3)
        self.assertEqual(len(twice(constraints="items == 1").space), 3)

    def test_completes_a_default_with_first_values(self):
        problem = twice(defaults={"block": 64})
        self.assertEqual(problem.default, {"block": 64, "items": 1})
        self.assertEqual(problem.warnings, [])

    def test_moves_a_default_that_a_function_forbids(self):
        problem = twice(constraints=[lambda c: c["block"] != 32])
        self.assertEqual(problem.default["items"], 1)
        self.assertIn(problem.default["block"], (16, 64))

    def test_configurations_that_do_not_divide_the_size_are_left_out(self):
        self.assertEqual(len(twice(parameters={"block": [16, 48], "items": [1]},
                                   defaults=None).space), 1)

    def test_counts_workgroups_in_a_grid(self):
        problem = twice(parameters={"block": [16, 48], "items": [1]}, global_size=None,
                        grid="(n + block - 1) // block", defaults=None)
        self.assertEqual(len(problem.space), 2)

    def test_takes_kernel_tuners_names_for_the_local_size(self):
        problem = twice(source=SOURCE.replace("items", "1"),
                        parameters={"block_size_x": [16, 32]}, defaults=None, local_size=None,
                        global_size="n")
        self.assertEqual(len(problem.space), 2)

    def test_takes_sizes_without_names(self):
        problem = twice(problem_size=N, global_size="problem_size_x // items",
                        arguments={"x": numbers(), "y": numbers(), "n": numpy.uint32(N), "a": 2.0})
        self.assertEqual(problem.sizes, {"problem_size_x": N})

    def test_refuses(self):
        cases = [
            (dict(name="twize"), r'no kernel "twize", did you mean "twice"|no kernel "twize"'),
            (dict(global_size=None), "give either global_size"),
            (dict(local_size=None), "give local_size"),
            (dict(language="opencl c"), 'there is no language "opencl c"'),
            (dict(defaults={"blocks": 1}), 'defaults: there is no parameter "blocks"'),
            (dict(constraints=["block +"]), "block"),
            (dict(constraints=[7]), "a constraint is an expression as text, or a function"),
            (dict(constraints=[lambda c: False]), "no configuration satisfies the constraints"),
            (dict(local_size=[1, 1, 1, 1]), "a size has one to three"),
            (dict(problem_size={"n": 1024}), 'argument "n" is 4096, and problem_size says'),
            (dict(arguments={"x": numbers()}), "takes 4 arguments"),
            (dict(arguments={"x": "text"}), "a str is no argument of a kernel"),
            (dict(reference={"z": numbers()}), '"z"'),
            (dict(ignore=["x"]), 'there is no output "x"'),
            (dict(reference={"y": 1.0}), 'the reference of "y" must be an array'),
        ]
        for changes, message in cases:
            with self.subTest(message), self.assertRaisesRegex(vyre.BadInputs, message):
                twice(**changes)

    def test_a_function_over_too_many_configurations_is_refused(self):
        many = {f"p{k}": list(range(8)) for k in range(8)} | {"block": [16], "items": [1]}
        with self.assertRaisesRegex(vyre.BadInputs, "tried on every configuration"):
            twice(parameters=many, defaults=None, constraints=[lambda c: True])

    def test_an_exception_of_a_function_is_the_callers(self):
        with self.assertRaises(KeyError):
            twice(constraints=[lambda c: c["blocks"] > 1])


class Arguments(unittest.TestCase):
    def test_refuses_memory_that_no_kernel_can_take(self):
        cases = [
            (lambda: vyre.In(numpy.zeros((4, 4))[:, 1]), "not contiguous"),
            (lambda: vyre.In(numpy.zeros(4, ">f4")), "big-endian"),
            (lambda: vyre.In(numpy.array(["a"])), "no kernel takes elements"),
            (lambda: vyre.In(3), "In takes an array, not a int"),
            (lambda: vyre.Out(dtype="f4"), "memory without a size"),
            (lambda: vyre.Out(size=4), "memory without a type"),
        ]
        for make, message in cases:
            with self.subTest(message), self.assertRaisesRegex(vyre.BadInputs, message):
                make()

    def test_types_are_those_of_numpy(self):
        problem = vyre.Problem(
            "kernel void f(global double* d, global half* h, global uchar* c, local float* l,"
            " long big, ushort s, float a, global float* e) {}", "f",
            parameters={"block": [8, 16]},
            arguments={"d": numpy.zeros(8), "h": numpy.zeros(8, "f2"), "c": numpy.zeros(8, "u1"),
                       "l": vyre.Local("f4", "block * 2"), "big": numpy.int64(-(2**40)),
                       "s": numpy.uint16(7), "a": 1.5,
                       "e": numpy.zeros(2, [("x", "f4"), ("y", "i4")])},
            local_size="block", grid=1)
        numbers = {name: bits for name, _, _, bits in problem._core.numbers}
        self.assertEqual(numbers["big"], 2**64 - 2**40)
        self.assertEqual(numbers["s"], 7)
        self.assertEqual(numbers["a"], int.from_bytes(numpy.float32(1.5).tobytes(), "little"))


class FromFiles(WithFolder):
    def test_loads_t1_and_sequences(self):
        problem = vyre.Problem.load(TOP / "kernels" / "transpose.json")
        self.assertIn("transpose", problem.name)
        self.assertGreater(len(problem.space), 1)
        chain = sorted((TOP / "examples" / "chains").glob("*.vyre"))[0]
        self.assertGreater(len(vyre.Problem.chain(str(chain)).space), 0)

    def test_has_the_bundled_ones(self):
        self.assertIn("saxpy", vyre.bundled_problems())
        self.assertEqual(vyre.Problem.bundled("saxpy", {"n": 1024}).sizes["n"], 1024)
        with self.assertRaisesRegex(vyre.BadInputs, "there is no bundled problem"):
            vyre.Problem.bundled("saxpi")

    def test_names_a_file_that_is_not_there(self):
        with self.assertRaisesRegex(vyre.Error, "nothing.json"):
            vyre.Problem.load(self.folder / "nothing.json")


if __name__ == "__main__":
    unittest.main()
