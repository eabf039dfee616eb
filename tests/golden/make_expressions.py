#!/usr/bin/env python3
"""Writes expressions.tsv: random expressions and what Python evaluates them to.

Expressions with an intermediate integer outside 64 bits or a complex number are left out, because
there vyre differs from Python on purpose.
"""
import ast
import pathlib
import random

NAMES = {"a": 7, "b": -3, "c": 0, "n": 1024, "f": 2.5, "g": -0.75, "t": True, "s": "row"}
random.seed(20240607)


def number(depth):
    kind = random.randrange(22) if depth > 0 else random.randrange(4)
    sub = lambda: number(depth - 1)
    if kind < 2:
        return random.choice(list("abcnfgt"))
    if kind == 2:
        return str(random.choice([0, 1, 2, 3, 5, 16, 31, 100, 4097]))
    if kind == 3:
        return random.choice(["0.5", "1.5", "2.0", "1e3", ".25", "3.7", "True", "False", "0x1f"])
    if kind < 11:
        return f"({sub()} {random.choice(['+', '-', '*', '/', '//', '%', '//', '%'])} {sub()})"
    if kind == 11:
        return f"({sub()} ** {random.choice(['2', '3', '-1', '0.5', 'b', '-2', '0'])})"
    if kind == 12:
        return f"({sub()} {random.choice(['&', '|', '^', '<<', '>>'])} {random.choice(['3', 'a', 't', 'b', 'f'])})"
    if kind == 13:
        return f"({random.choice(['-', '+', '~', 'not '])}{sub()})"
    if kind == 14:
        return f"{random.choice(['min', 'max'])}({sub()}, {sub()})"
    if kind == 15:
        return f"{random.choice(['abs', 'int', 'float', 'round', 'bool'])}({sub()})"
    if kind == 16:
        return f"round({sub()}, {random.choice(['0', '1', '2', '-1', '-2', '3'])})"
    if kind == 17:
        return f"({sub()} if {truth(depth - 1)} else {sub()})"
    if kind == 18:
        return f"({sub()} {random.choice(['and', 'or'])} {sub()})"
    if kind == 19:
        return f"len({sequence(depth - 1)})"
    if kind == 20:
        return f"{random.choice(['min', 'max', 'any', 'all'])}({sequence(depth - 1)})"
    return f"({truth(depth - 1)})"


def truth(depth):
    sub = lambda: number(max(depth - 1, 0))
    kind = random.randrange(6)
    ops = ["<", "<=", ">", ">=", "==", "!="]
    if kind < 3:
        return f"{sub()} {random.choice(ops)} {sub()}"
    if kind == 3:
        return f"{sub()} {random.choice(ops)} {sub()} {random.choice(ops)} {sub()}"
    if kind == 4:
        return f"{sub()} {random.choice(['in', 'not in'])} {sequence(depth - 1)}"
    return random.choice(["s == 'row'", "s in ('row', 'col')", "'o' in s", "s + 'x' > s", "s * 2 != 'rowrow'"])


def sequence(depth):
    sub = lambda: number(max(depth - 1, 0))
    kind = random.randrange(6)
    if kind == 0:
        return f"[{sub()}, {sub()}, {sub()}]"
    if kind == 1:
        return f"({sub()}, {sub()})"
    if kind == 2:
        return f"range({random.randrange(-5, 9)}, {random.randrange(-5, 30)}, {random.choice([1, 2, 3, -1, -4])})"
    if kind == 3:
        return f"[i * {sub()} for i in range(1, 6) if i % {random.choice([2, 3])}]"
    if kind == 4:
        return f"[i + j for i in range(3) for j in [{sub()}, 4]]"
    return f"[{sub()}] + list(range({random.randrange(6)}))"


def differs_on_purpose(tree):
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(NAMES)
    scopes = [dict(NAMES)]
    if bound - set(dir(__builtins__)):
        scopes = [dict(NAMES, i=i, j=j) for i in range(6) for j in (0, 4)]
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        code = compile(ast.Expression(node), "x", "eval")
        for scope in scopes:
            try:
                value = eval(code, dict(scope))
            except Exception:
                continue
            for item in value if isinstance(value, (list, tuple, range)) else [value]:
                too_big = isinstance(item, int) and not -(2**63) <= item < 2**63
                if too_big or isinstance(item, complex):
                    return True
    return False


def expected(text):
    try:
        value = eval(text, dict(NAMES))
    except (ArithmeticError, TypeError, ValueError):
        return "error"
    if isinstance(value, complex):
        return "error"
    return f"{type(value).__name__} {value.hex() if isinstance(value, float) else value}"


rows = set()
for kind, wanted in ((number, 420), (truth, 620)):
    while len(rows) < wanted:
        text = kind(random.randrange(1, 4))
        tree = ast.parse(text, mode="eval")
        result = expected(text)
        if len(text) > 160 or differs_on_purpose(tree) or (result == "error" and random.random() < 0.6):
            continue
        rows.add(f"{text}\t{result}\n")
path = pathlib.Path(__file__).parent / "expressions.tsv"
path.write_text("".join(sorted(rows)))
