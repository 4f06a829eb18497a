"""The reverse of recorded steps on disk: another process finds what recording comes to, bit by bit, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from benchmarks.pin_chains import as_mechanism, pin_chain
from linkwork.derivatives import adjoint, moving
from linkwork.derivatives.described import moved, numbers_of
from linkwork.kernels import kept_files
from linkwork.lanes.traced import kept_records, reverse_files, reversible, step
from linkwork.lanes.traced.kept_records import KeptRecords
from linkwork.lanes.traced.numbers import Graph, NotTracedError
from linkwork.lanes.traced.reversible import Reversible
from linkwork.lanes.traced.selections import _passed_over
from linkwork.lanes.traced.shapes_code import ShapesCode
from linkwork.lanes.traced.shapes_layout import Layout

CHAIN = as_mechanism(lw, pin_chain(7))
END = f"final('{CHAIN.joints[-1].name}'.angle)"
TO = ["gravity[2]", f"{CHAIN.bodies[2].name}.mass", f"{CHAIN.bodies[5].name}.inertia[1]"]


class Process:
    """What a process begins with: no records, and the files of the processes before it. recorded : how often it has
    recorded a step."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.patch, self.folder, self.recorded = monkeypatch, folder, 0
        monkeypatch.setattr(reverse_files, "cache_directory", lambda: folder)
        anew: Any = step.Recorder.anew

        def counted(recorder: Any, *given: Any) -> Any:
            self.recorded += 1
            return anew(recorder, *given)

        monkeypatch.setattr(step.Recorder, "anew", counted)
        self.begin()

    def begin(self) -> None:
        own, self.recorded = KeptRecords(), 0
        for module in (kept_records, step, reversible, moving, adjoint):
            self.patch.setattr(module, "RECORDS", own)

    def derivatives(self, mech: lw.Mechanism = CHAIN, of: Any = END) -> Any:
        """The derivatives, in a process that begins now."""
        self.begin()
        monkeypatch = self.patch
        monkeypatch.setattr("linkwork.derivatives.traced.FEW", 100)
        found = lw.sensitivities(mech, 0.02, 1e-3, "canonical", "rk4", of=of, to=TO, mode="adjoint", digits=False)
        assert found.way == "recorded steps"
        return np.concatenate([np.atleast_2d(one) for one in found.derivatives.values()])

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("linkwork.lanes.reversible-*.code"))


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Process:
    return Process(monkeypatch, tmp_path)


def test_another_process_records_nothing_and_finds_the_same_bits(process: Process) -> None:
    first = process.derivatives()
    assert (process.recorded, len(process.files)) == (1, 1)
    assert np.array_equal(process.derivatives(), first)
    assert process.recorded == 0
    numbers = numbers_of(CHAIN, TO)
    other = moved(numbers, [0.01 * one.value for one in numbers])
    found = process.derivatives(other)
    assert process.recorded == 0
    process.files[0].unlink()
    assert np.array_equal(process.derivatives(other), found)
    assert process.recorded == 1
    assert not np.array_equal(found, first)


def test_another_constant_is_another_file(process: Process) -> None:
    process.derivatives()
    (number,) = numbers_of(CHAIN, [f"{CHAIN.bodies[3].name}.mass"])
    other = moved([number], [1e-9])
    found = process.derivatives(other)
    assert (process.recorded, len(process.files)) == (1, 2)
    assert np.array_equal(process.derivatives(other), found)
    assert process.recorded == 0


def test_more_functions_at_once_record_again_and_are_kept_as_well(process: Process) -> None:
    process.derivatives()
    several = [END, f"final({CHAIN.bodies[-1].name!r}.position.x)"]
    found = process.derivatives(of=several)
    assert (process.recorded, len(process.files)) == (1, 1)
    assert np.array_equal(process.derivatives(of=several), found)
    process.derivatives()
    assert process.recorded == 0


def arrays_of(file: Path) -> dict[str, Any]:
    from io import BytesIO

    return dict(np.load(BytesIO(kept_files.read(file) or b""), allow_pickle=False))


def write(file: Path, arrays: dict[str, Any]) -> None:
    from io import BytesIO

    stream = BytesIO()
    np.savez(stream, **arrays)
    kept_files.write(file, stream.getvalue())


def test_files_that_are_damaged_or_hold_something_else_count_as_absent(process: Process) -> None:
    first = process.derivatives()
    (file,) = process.files
    whole = arrays_of(file)
    outside = {
        name: {**whole, name: np.append(whole[name][:-1], 10**9)}
        for name in (
            "carried", "inputs", "later", "1 tables", "1 kinds", "1 sources", "1 state", "1 constants_at", "1 shown"
        )
    }  # fmt: skip
    shorter = {name: {**whole, name: whole[name][:-1]} for name in ("1 tables", "1 moves", "1 constants", "carried")}
    foreign = {"about": {**whole, "about": whole["about"][::-1]}, "kind": {**whole, "1 words": whole["1 words"] * 0.5}}
    objects = {"pickled": {**whole, "1 shares": np.array([{}], dtype=object)}, "nothing": {}}
    for arrays in (*outside.values(), *shorter.values(), *foreign.values(), *objects.values()):
        write(file, arrays)
        assert np.array_equal(process.derivatives(), first)
        assert process.recorded == 1
    kept_files.write(file, b"no archive")
    assert np.array_equal(process.derivatives(), first)
    assert process.recorded == 1
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    assert np.array_equal(process.derivatives(), first)
    assert process.recorded == 1
    assert np.array_equal(process.derivatives(), first)
    assert process.recorded == 0


def test_machine_code_that_is_gone_is_made_of_a_new_record(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    first = process.derivatives()
    with monkeypatch.context() as patch:
        patch.setattr("linkwork.lanes.traced.engine.engine_kept", lambda stamp: None)
        assert np.array_equal(process.derivatives(), first)
    assert process.recorded == 1


def test_a_run_that_leaves_what_was_read_is_recorded(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    first, begins = process.derivatives(), list[int]()
    start: Any = ShapesCode.start

    def leaves_first(self: Any, *where: Any) -> int:
        begins.append(process.recorded)
        return 1 if len(begins) == 1 else int(start(self, *where))

    monkeypatch.setattr(ShapesCode, "start", leaves_first)
    np.testing.assert_allclose(process.derivatives(), first, rtol=0, atol=1e-13 * np.abs(first).max())
    assert begins[:2] == [0, 1]


def test_a_choice_by_values_is_told() -> None:
    graph = Graph()
    small, large = graph.input(0, 1.0), graph.input(1, 2.0)
    assert not _passed_over(large, small, 0.0, 0.5)
    assert not graph.chosen
    assert _passed_over(small, large, 0.0, 0.5)
    assert graph.chosen


def test_a_layout_is_what_it_was(process: Process) -> None:
    process.derivatives()
    (file,) = process.files
    whole = arrays_of(file)
    layout = Layout.read({name.removeprefix("1 "): array for name, array in whole.items()})
    assert layout is not None
    assert layout.lanes == 1
    assert all(np.array_equal(array, whole[f"1 {name}"]) for name, array in layout.arrays().items())
    with pytest.raises(NotTracedError, match="not here"):
        _ = Reversible(frozenset(), layout.cells * (0,), frozenset(), False, 1, None).moves
