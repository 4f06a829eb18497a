"""Tables in files beside a description: read into it, and refused with file and line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.kernels.curves import value_of
from linkwork.mechanism.tables import Table
from linkwork.system.operands import with_profiles

MODEL = "linkwork: 1\nname: m\ntables:\n  tyre: {file: FILE}\n"


def model(folder: Path, table: str, csv: str = "x,y\n0,1\n1,3\n2,0\n", name: str = "tyre.csv") -> Path:
    (folder / name).write_text(csv, encoding="utf-8")
    path = folder / "model.yaml"
    path.write_text(MODEL.replace("file: FILE", table), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("csv", "said"),
    [
        ("0,1\n1,3\n2,0\n", "file: tyre.csv"),
        ("travel;other;force\n0;7;1\n1;7;3\n2;7;0\n", "file: tyre.csv, x: travel, y: force"),
        ("# measured\n\n1 0.0\t# first\n3 1.0\n0 2\n", "file: tyre.csv, x: 2, y: 1"),
        ('"travel","force"\r\n0,1e0\r\n 1 , +3.\r\n2,.0\r\n', "file: tyre.csv, x: travel, y: force"),
    ],
)
def test_points_are_read_into_the_description(csv: str, said: str, tmp_path: Path) -> None:
    mech = lw.load(model(tmp_path, f"{said}, between: pchip, unit: N", csv))
    assert (mech.tables["tyre"].x, mech.tables["tyre"].y) == ((0.0, 1.0, 2.0), (1.0, 3.0, 0.0))
    assert mech.to_dict()["tables"]["tyre"] == {"x": [0, 1, 2], "y": [1, 3, 0], "between": "pchip", "unit": "N"}


@pytest.mark.parametrize(
    ("csv", "said", "words"),
    [
        ("x,y\n0,1\n1,a\n", "file: tyre.csv", r"tyre.csv: tables.tyre: line 3: 'a' is no number"),
        ("x,y\n0,1\n1,nan\n", "file: tyre.csv", "line 3: 'nan' is no number"),
        ("x,y\n0,1\n1,1e999\n", "file: tyre.csv", "line 3: '1e999' is no number"),
        ("x,y\n0,1\n1,1e200\n", "file: tyre.csv", "line 3: '1e200' is too large"),
        ("x,y\n0,1\n\n0,2\n", "file: tyre.csv", "line 4: x = 0 follows 0"),
        ("x,y\n0,1\n1,2,3\n", "file: tyre.csv", "line 3: 3 cells, where the first row has 2"),
        ("x,y\n0,1\n", "file: tyre.csv", "two rows"),
        ("x,y\n0,1\n1,2\n", "file: tyre.csv, x: xx", "no column is called 'xx'; did you mean 'x'"),
        ("0,1\n1,2\n", "file: tyre.csv, x: xx", "columns have no names"),
        ("0,1\n1,2\n", "file: tyre.csv, y: 3", "no column 3, of 2"),
        ("0,1\n1,2\n", "file: tyre.csv, y: true", "no column True"),
        ("0,1\n1,2\n", "file: other.csv", "'other.csv', which does not exist"),
        ("0,1\n1,2\n", "file: ../tyre.csv", "outside the folder"),
        ("0,1\n1,2\n", "file: /etc/hostname", "outside the folder"),
        ("0,1\n1,2\n", "file: 3", "by 3, not by text"),
        ("\0\0,1\n1,2\n", "file: tyre.csv", "not text"),
        ("", "file: tyre.csv", "is empty"),
        ("0,1\n1,2\n", 'file: "a\\0b"', "no path"),
        ("0,1\n" * 20_003, "file: tyre.csv", "more than 20000 rows"),
    ],
)
def test_what_is_no_table_is_refused_with_file_and_line(csv: str, said: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=words):
        lw.load(model(tmp_path, said, csv))


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "secret.csv"
    inside.mkdir()
    outside.write_text("0,1\n1,2\n", encoding="utf-8")
    (inside / "link.csv").symlink_to(outside)
    with pytest.raises(ModelError, match="outside the folder"):
        lw.load(model(inside, "file: link.csv"))


def test_without_a_file_there_is_no_folder() -> None:
    with pytest.raises(ModelError, match="for description files"):
        lw.Mechanism.from_dict({"tables": {"a": {"file": "tyre.csv", "x": [0, 1], "y": [0, 1]}}})


def test_long_natural_splines_are_quick_and_those_of_scipy() -> None:
    from scipy.interpolate import CubicSpline

    rng = np.random.default_rng(1)
    x, y = np.cumsum(rng.uniform(0.1, 1.0, 5000)), rng.normal(size=5000)
    curves, _ = with_profiles([Table(x=x, y=y, between="cubic").lowered("a")], ())
    spline = CubicSpline(x, y, bc_type="natural")
    for u in rng.uniform(x[0], x[-1], 50):
        assert_allclose(value_of(curves, 0, u), spline(u), atol=1e-12)
