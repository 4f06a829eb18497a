"""Twenty thousand cases of junk for all readers (`tests.fuzzing`), in a process that may die of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from linkwork.mechanism.expressions import Expression
from tests import fuzzing

ROOT = Path(__file__).resolve().parents[2]


def test_junk_is_read_or_refused_in_time(tmp_path: Path) -> None:
    """No foreign exception, no case of more than two seconds, no crash; what went wrong is said with its number."""
    note = tmp_path / "case"
    command = [sys.executable, "-m", "tests.fuzzing", "--cases", "20000", "--noted", str(note)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-2000:]}\nlast case: {note.read_text()}"
    all_cases = sum(1 for _ in fuzzing.order(20_000))  # whole rounds of the shares
    assert all_cases >= 20_000
    assert f"{all_cases - len(fuzzing.IN_HDF5)} cases" in done.stdout


def test_a_case_is_made_from_its_number_alone() -> None:
    for reader in fuzzing.SHARES:
        assert fuzzing.case(reader, 7, 0) == fuzzing.case(reader, 7, 0)
        assert len({fuzzing.case(reader, k, 0) for k in range(50)}) > 10


def test_many_signs_in_a_row_take_no_time() -> None:
    """A line's two numbers were looked for twice at every sign: 2^60 times here."""
    with fuzzing.limited(1.0):
        found = Expression.parse("-" * 60 + "t").program()
    assert len(found.ops) == 1
    assert found.args == [1.0]


def test_brackets_in_brackets_are_refused_in_no_time(tmp_path: Path) -> None:
    """YAML's scanner takes the square of their number: minutes for a file of 16 kB."""
    (tmp_path / "model.yaml").write_text("linkwork: 1\nbodies: " + "[" * 16_000)
    with fuzzing.limited(1.0):
        fuzzing.read("yaml", (tmp_path / "model.yaml").read_bytes(), tmp_path)
