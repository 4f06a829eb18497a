"""Errors of a sweep's runs name the file and the line that they are about, wherever they are computed."""

from __future__ import annotations

import pickle
from importlib.resources import files
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.sweeps.lines import Lines, lines_of, paths_in
from linkwork.sweeps.sweep import _task

ROD = "rod end.f"


@pytest.fixture
def crank(tmp_path: Path) -> lw.Mechanism:
    """A slider crank from a file of its own."""
    file = tmp_path / "crank.yaml"
    file.write_text((files("linkwork") / "mechanisms" / "kissel2021_slider_crank.yaml").read_text())
    return lw.load(file)


def test_a_run_that_is_refused_names_file_and_line(crank: lw.Mechanism) -> None:
    found = lw.sweep(crank, {ROD: [1.0, -1.0]}, keep="max(slider.position.y)", t_end=2e-3, step=1e-3, threads=1)
    with pytest.raises(LinkworkError) as refused:
        crank.with_numbers({ROD: -1.0})
    assert found.errors[1] == str(refused.value)
    assert str(crank.file) in found.errors[1]
    assert "'rod end' (line " in found.errors[1]


def test_mechanisms_that_were_not_read_have_no_lines(crank: lw.Mechanism) -> None:
    assert lines_of(lw.Mechanism.from_dict(crank.to_dict()), crank.to_dict()) is None


def test_other_processes_know_the_lines(crank: lw.Mechanism) -> None:
    document, locate = crank.to_dict(), crank._kept.locate
    lines = pickle.loads(pickle.dumps(lines_of(crank, document)))
    assert isinstance(lines, Lines)
    assert locate is not None
    told = {path: locate(path) for path in paths_in(document)}
    assert sum(line is not None for line in told.values()) > 50
    assert all(lines(path) == line for path, line in told.items() if line is not None)
    assert lines(("bodies", 0, "no such part")) == told["bodies", 0]


def test_what_is_added_stands_in_no_file(crank: lw.Mechanism) -> None:
    crank.body("flywheel", mass=1.0, inertia=[1.0, 1.0, 1.0])
    lines, last = lines_of(crank, crank.to_dict()), len(crank.bodies) - 1
    assert lines is not None
    assert lines(("bodies", last)) is None
    assert lines(("bodies", last, "mass")) is None
    assert lines(("bodies", 0, "mass")) is not None


def test_results_do_not_depend_on_the_file(crank: lw.Mechanism) -> None:
    plain = lw.Mechanism.from_dict(crank.to_dict())
    tasks = [
        _task(
            one,
            {ROD: [1.0]},
            None,
            None,
            None,
            "energy",
            (1e-2, 1e-3),
            "rA",
            None,
            {"judge": None, "lanes": False, "gpu": False},
        )[1]
        for one in (crank, plain)
    ]
    assert tasks[0].file != tasks[1].file
    assert tasks[0].digest == tasks[1].digest
