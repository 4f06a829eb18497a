"""What tests/documented rests on: which steps a page has, and when what is printed is not what is shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from documented import fresh, pages
from documented.shown import is_shown, unmet

PAGE = """
Words, and a command in them: `linkwork models`.

```python
mech = 3          # (3,) of no array
```

```python
print(mech)
```

```text
3
```

A message, which no block prints:

```text
something [LW-MODEL]
```

```yaml
# model.yaml
linkwork: 1
```

```sh
linkwork check model.yaml   # says what it is
linkwork run MODEL [options]
```
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def test_a_page_has_its_blocks_commands_and_files_as_steps(page: Path) -> None:
    found = pages.steps(page)
    assert [(step.kind, step.line) for step in found] == [("python", 5), ("python", 9), ("file", 23), ("command", 28)]
    assert [step.shows for step in found] == ["", "3\n", "", ""]
    assert found[2].name == "model.yaml"
    assert found[3].words == ["linkwork", "check", "model.yaml"]


@pytest.mark.parametrize(
    ("value", "comment"),
    [
        (42, "42"),
        (np.int64(42), "42 of them"),
        (True, "True: it can be run"),
        (0.12345, "0.123"),
        (-1.0813, "-1.08 J"),
        ("rA", "'rA', as asked"),
        (np.zeros((7, 3)), "(7, 3) m"),
        (np.zeros((7, 3)), "(nt, 3) m, global"),
        (np.array([-1, 0]), "array([-1, 0]); -1 is ground"),
        (["a", "b"], "'a', 'b': in order"),
        ((("a", "b"), 1.0), "('a', 'b'), rad, rad/s"),
        (("body 'top' cannot turn", "b", "c"), "(\"body 'top' cannot ...\", ...)"),
        ((2.356194490192345, 0.0), "(2.356194490192345, 0.0): value and derivative"),
        (object(), "1000 steps of 1 ms"),
        (object(), "m, global"),
    ],
)
def test_a_comment_that_is_so(value: object, comment: str) -> None:
    assert unmet(value, comment) is None


@pytest.mark.parametrize(
    ("value", "comment"),
    [
        (43, "42"),
        (False, "True: it can be run"),
        (0.12395, "0.123"),
        (1.0813, "-1.08 J"),
        ("rp", "'rA', as asked"),
        (np.zeros((8, 3)), "(7, 3) m"),
        (np.zeros((7, 2)), "(nt, 3) m, global"),
        (np.array([-1, 1]), "array([-1, 0]); -1 is ground"),
        (["b", "a"], "'a', 'b': in order"),
        ((("a",), 1.0), "('a', 'b'), rad, rad/s"),
        (("body 'top' may turn", "b", "c"), "(\"body 'top' cannot ...\", ...)"),
        (("body 'top' cannot turn", "b"), "(\"body 'top' cannot ...\",)"),
        ((2.356194490192346, 0.1), "(2.356194490192345, 0.0): value and derivative"),
    ],
)
def test_a_comment_that_is_not_so(value: object, comment: str) -> None:
    assert unmet(value, comment) is not None


def test_beside_a_name_only_the_shape_is_told() -> None:
    assert unmet(np.zeros((2, 2)), "(2, 3) kg", assigned=True) is not None
    assert unmet(7, "8 of them", assigned=True) is None


def test_dots_stand_for_what_is_left_out_and_nothing_else_may_differ() -> None:
    output = "four-bar: 3 bodies\n  crank\n  rocker\nrank 18 of 21\n"
    assert is_shown("four-bar: ... bodies\n...\nrank 18 of 21\n", output)
    assert is_shown("...\nrank 18 of ...\n", "", output)
    assert not is_shown("four-bar: 3 bodies\nrank 18 of 21\n", output)
    assert not is_shown("four-bar: 3 bodies\n...\nrank 17 of 21\n", output)
    assert not is_shown("four-bar: 3 bodies\n", output)


def run(text: str, names: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(fresh.BLOCK), "page.md", "10", str(names)]
    return subprocess.run(words, input=text, capture_output=True, text=True, check=False)


def test_names_go_from_block_to_block_and_what_is_wrong_is_said_with_its_line(tmp_path: Path) -> None:
    first = run("import math\n\ndef twice(x):\n    return 2 * x\n\nhalf = math.pi / 2\n", tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    second = run("whole = twice(half)\nprint(math.sin(whole) < 1e-9)\nwhole          # 3.15\n", tmp_path)
    assert (second.returncode, second.stdout) == (1, "True\n")
    assert "page.md:12: the page says 3.15" in second.stderr
    third = run("print(1)\nunknown\n", tmp_path)
    assert third.returncode == 1
    assert 'File "page.md", line 11' in third.stderr


def test_a_command_that_fails_hangs_or_prints_something_else_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = fresh.process("it", [sys.executable, "-c", "print('one')"], tmp_path)
    assert good.complaint() is None
    assert good.complaint("one\n") is None
    assert "something else" in str(good.complaint("two\n"))
    bad = fresh.process("it", [sys.executable, "-c", "import sys; sys.exit('no')"], tmp_path)
    assert "exit status 1" in str(bad.complaint())
    monkeypatch.setattr(fresh, "LIMIT", 0.3)
    late = fresh.process("it", [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path)
    assert "ended after" in str(late.complaint())
