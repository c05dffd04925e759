from __future__ import annotations

import ast
import subprocess
import sys
import time
from pathlib import Path

import pytest

import phiscrub

CORE = Path(phiscrub.__file__).parent / "core"
FILES = sorted(CORE.glob("**/*.py"))
ALLOWED = sys.stdlib_module_names | {"numpy"}


def imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def strangers(names: set[str]) -> set[str]:
    return {
        n for n in names if n.split(".")[0] not in ALLOWED and not n.startswith("phiscrub.core")
    }


def test_the_rule_sees_what_it_forbids():
    source = (
        "import rich\nfrom phiscrub.formats import plain\nfrom . import x\nimport os, numpy.random"
    )
    found = strangers(imported(ast.parse(source)))
    assert found == {"rich", "phiscrub.formats", "."}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_core_imports_the_standard_library_numpy_and_itself(file):
    assert strangers(imported(ast.parse(file.read_text("utf-8")))) == set()


def test_importing_phiscrub_is_quick_and_loads_nothing_heavy():
    code = (
        "import time; began = time.perf_counter(); import phiscrub; "
        "took = time.perf_counter() - began; import sys; "
        "heavy = {'numpy', 'typer', 'rich', 'click', 'pyarrow', 'logging'} & set(sys.modules); "
        "print(took, *heavy)"
    )
    took, heavy = [], set()
    for _ in range(3):  # the best of three: other work on the machine is not ours
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        seconds, *loaded = run.stdout.decode().split()
        took.append(float(seconds))
        heavy |= set(loaded)
    assert heavy == set()
    assert min(took) < 0.2


def test_a_module_of_core_does_nothing_when_imported():
    """A fresh import of all of core prints nothing, and takes well under a second with numpy."""
    names = ", ".join(f"phiscrub.core.{file.stem}" for file in FILES if file.stem != "__init__")
    began = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import {names}"], capture_output=True, check=True
    )
    assert run.stdout == run.stderr == b""
    assert time.perf_counter() - began < 5
