"""What pieces of converged steps need of a record, on disk: another process finds the same bits, or records again."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives import adjoint, moving, run_tape, steps_in_pieces
from linkwork.kernels import kept_files
from linkwork.lanes.traced import engine, kept_records, reverse_files, tangent_steps
from linkwork.lanes.traced.kept_records import KeptRecords
from linkwork.lanes.traced.linear_nodes import LinearNodeRecorder
from linkwork.lanes.traced.newton_layout import NewtonLayout
from tests.unit.test_adjoint_pieces import TO, chain

WAY = ("rA", "generalized-alpha")


class Process:
    """What a process begins with: no records, and the files of the processes before it. recorded : how often it has
    recorded a start."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.patch, self.folder, self.recorded = patch, folder, 0
        for module in (reverse_files, engine):
            patch.setattr(module, "cache_directory", lambda: folder)
        patch.setattr(engine, "LEAST", 1)
        patch.setattr(steps_in_pieces, "LEAST", 1)
        in_parts = LinearNodeRecorder.in_parts

        def counted(recorder: Any, *given: Any) -> Any:
            self.recorded += 1
            return in_parts(recorder, *given)

        patch.setattr(LinearNodeRecorder, "in_parts", counted)

    def derivatives(self, mech: lw.Mechanism | None = None, functions: int = 1, way: Any = WAY) -> Any:
        """In a process that begins now."""
        own, self.recorded = KeptRecords(), 0
        for module in (kept_records, tangent_steps, steps_in_pieces, moving, adjoint, run_tape):
            self.patch.setattr(module, "RECORDS", own)
        of = {f"end {k}": lw.Final(lambda res, k=k: res["position"][:, -1, k]) for k in range(functions)}
        how: dict[str, Any] = {"of": of, "to": TO, "mode": "adjoint", "digits": False}
        found = lw.sensitivities(mech or chain(2), 0.1, 0.01, *way, **how)
        assert found.way == "recorded steps"
        return np.stack(list(found.derivatives.values()))

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("linkwork.lanes.reversed-steps-*.code"))


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Process:
    return Process(monkeypatch, tmp_path)


def test_another_process_records_nothing_and_finds_the_same_bits(process: Process) -> None:
    first = process.derivatives()
    assert (process.recorded, len(process.files)) == (1, 1)
    np.testing.assert_array_equal(process.derivatives(), first)
    assert process.recorded == 0
    heavier = process.derivatives(chain(2, mass=0.9))  # what is differentiated by is no constant
    assert process.recorded == 0
    process.files[0].unlink()
    np.testing.assert_array_equal(process.derivatives(chain(2, mass=0.9)), heavier)
    assert process.recorded == 1
    assert not np.array_equal(heavier, first)


def test_another_constant_mechanism_or_method_is_another_file(process: Process) -> None:
    process.derivatives()
    stiffer = chain(2)
    document = stiffer.to_dict()
    document["forces"][0]["stiffness"] *= 1.0 + 2.0**-50
    for k, (mech, way) in enumerate(
        ((lw.Mechanism.from_dict(document), WAY), (chain(3), WAY), (None, ("rA", "implicit-euler")))
    ):
        found = process.derivatives(mech, way=way)
        assert (process.recorded, len(process.files)) == (1, k + 2)
        np.testing.assert_array_equal(process.derivatives(mech, way=way), found)
        assert process.recorded == 0


def test_more_functions_at_once_are_recorded_again(process: Process) -> None:
    process.derivatives()
    found = process.derivatives(functions=3)
    assert (process.recorded, len(process.files)) == (1, 1)
    np.testing.assert_array_equal(process.derivatives(functions=3), found)
    assert process.recorded == 0


def arrays_of(file: Path) -> dict[str, Any]:
    return dict(np.load(BytesIO(kept_files.read(file) or b""), allow_pickle=False))


def write(file: Path, arrays: dict[str, Any]) -> None:
    stream = BytesIO()
    np.savez(stream, **arrays)
    kept_files.write(file, stream.getvalue())


class RecordedError(Exception):
    """A start was to be recorded."""


def records(*_: Any) -> None:
    raise RecordedError


def test_files_that_are_damaged_or_hold_something_else_count_as_absent(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = process.derivatives()
    (file,) = process.files
    whole = arrays_of(file)
    places = ("tables", "kinds", "sources", "state", "constants_at", "shown", "corrected", "matrix", "weights")
    names = ["carried", "kept", "fixed", "constants", *(f"1 of {name}" for name in (*places, "0 solution", "started"))]
    wrong = [{**whole, name: np.append(whole[name][:-1], 10**9)} for name in names]
    shorter = ("tables", "moves", "constants", "state", "matrix", "unknowns", "0 right", "1 matrix_moves", "backs")
    wrong += [{**whole, name: whole[name][:-1]} for name in ("carried", *(f"1 of {name}" for name in shorter))]
    wrong += [{**whole, "1 of equations": np.array(0)}, {**whole, "integers 0": whole["integers 0"][:-1]}]
    wrong += [{**whole, "about": whole["about"][::-1]}, {**whole, "1 of words": 0.5 * whole["1 of words"]}, {}]
    wrong += [{**whole, "kept": np.array([{}], dtype=object)}]
    with monkeypatch.context() as patch:
        patch.setattr(LinearNodeRecorder, "in_parts", records)
        for arrays in wrong:
            write(file, arrays)
            with pytest.raises(RecordedError):
                process.derivatives()
        write(file, whole)
        np.testing.assert_array_equal(process.derivatives(), first)
        for content in (b"no archive", file.read_bytes()[:-1] + b"x"):
            file.write_bytes(content)
            with pytest.raises(RecordedError):
                process.derivatives()
    np.testing.assert_array_equal(process.derivatives(), first)
    assert process.recorded == 1
    np.testing.assert_array_equal(process.derivatives(), first)
    assert process.recorded == 0


def test_a_layout_is_what_it_was(process: Process) -> None:
    process.derivatives()
    whole = {name.removeprefix("1 of "): array for name, array in arrays_of(process.files[0]).items()}
    layout = NewtonLayout.read(whole)
    assert layout is not None
    assert all(np.array_equal(array, whole[name]) for name, array in layout.arrays().items())
    assert len(layout.solved) == len(layout.started) - 1 > 0


def test_machine_code_that_is_gone_is_made_of_a_new_record(process: Process) -> None:
    first = process.derivatives()
    for file in process.folder.glob(f"{engine.NAME}-*"):
        file.unlink()
    np.testing.assert_array_equal(process.derivatives(), first)
    assert process.recorded == 1
