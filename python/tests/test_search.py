"""Spaces and strategies by ask and tell."""

import unittest

import vyre

PARAMETERS = {"block": [16, 32, 64, 128], "items": [1, 2, 4, 8]}


def time_of(config):
    return 1 + abs(config["block"] - 64) / 16 + abs(config["items"] - 4)


class Spaces(unittest.TestCase):
    def test_are_indexed(self):
        space = vyre.Space(PARAMETERS, ["block * items <= 256"])
        self.assertEqual(len(space), 13)
        for index, config in enumerate(space):
            self.assertEqual(space.find(config), index)
            self.assertIn(config, space)
        self.assertIsNone(space.find({"block": 128, "items": 8}))
        for near in space.neighbours(0):
            differ = [n for n in PARAMETERS if space[near][n] != space[0][n]]
            self.assertEqual(len(differ), 1)
        with self.assertRaises(IndexError):
            space[13]

    def test_take_functions_and_lists(self):
        space = vyre.Space(PARAMETERS, [lambda c: c["block"] == 16])
        self.assertEqual([c["items"] for c in space], [1, 2, 4, 8])
        listed = vyre.Space.listed([{"a": 1, "b": 2}, {"a": 3, "b": 2}])
        self.assertEqual(listed[1], {"a": 3, "b": 2})

    def test_huge_ones_are_not_listed(self):
        space = vyre.Space({f"p{k}": list(range(10)) for k in range(12)}, ["p0 + p1 < 9"])
        self.assertEqual(len(space), 45 * 10**10)

    def test_refuse(self):
        for parameters, constraints, message in [({}, [], "parameter"),
                                                 (PARAMETERS, ["blok > 1"], "blok"),
                                                 (PARAMETERS, ["block > 999"], "block > 999")]:
            with self.subTest(message), self.assertRaisesRegex(vyre.BadInputs, message):
                vyre.Space(parameters, constraints)


class Strategies(unittest.TestCase):
    def search(self, name, seed=1):
        space = vyre.Space(PARAMETERS)
        first = space.find({"block": 16, "items": 1})
        strategy = vyre.Strategy(name, space, seed=seed, start=[first])
        told = []
        for _ in range(12):
            for index in strategy.ask():
                told.append(index)
                strategy.tell(index, time_of(space[index]))
        return space, told

    def test_all_propose_new_configurations_only(self):
        for name in vyre.strategies():
            with self.subTest(name):
                _, told = self.search(name)
                self.assertEqual(len(told), len(set(told)))
                self.assertEqual(len(told), 12)

    def test_natural_finds_the_best_of_a_small_space(self):
        space, told = self.search("natural")
        self.assertIn(space.find({"block": 64, "items": 4}), told)

    def test_are_deterministic(self):
        self.assertEqual(self.search("natural")[1], self.search("natural")[1])

    def test_hear_of_failures_and_withdrawals(self):
        strategy = vyre.Strategy("natural", vyre.Space(PARAMETERS))
        first, second = strategy.ask(2)
        strategy.tell(first, status="compile")
        strategy.withdraw(second)
        left = strategy.ask(16)
        self.assertNotIn(first, left)
        self.assertIn(second, left)

    def test_refuse(self):
        space = vyre.Space(PARAMETERS)
        strategy = vyre.Strategy("random", space)
        (index,) = strategy.ask()
        with self.assertRaisesRegex(vyre.BadInputs, "a time must be above 0"):
            strategy.tell(index, 0)
        with self.assertRaisesRegex(vyre.BadInputs, 'there is no status "lost"'):
            strategy.tell(index, status="lost")
        with self.assertRaisesRegex(vyre.BadInputs, "magic"):
            vyre.Strategy("magic", space)


if __name__ == "__main__":
    unittest.main()
