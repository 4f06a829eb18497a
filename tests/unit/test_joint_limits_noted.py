"""Limits of joints in robots' files are told where nothing stops the joint there."""

from __future__ import annotations

from pathlib import Path

import pytest

import linkwork as lw
from linkwork.errors import ModelError

HINGE = """<link name="{b}"><pose>0 0 {z} 0 0 0</pose></link>
<joint name="{name}" type="revolute"><parent>{a}</parent><child>{b}</child>
<axis><xyz>0 1 0</xyz>{limit}</axis></joint>"""
LIMIT = "<limit><lower>{}</lower><upper>{}</upper></limit>"


def sdf(folder: Path, limits: list[str]) -> Path:
    joints = [HINGE.format(name=f"h{k}", a=f"l{k}", b=f"l{k + 1}", z=k + 1, limit=one) for k, one in enumerate(limits)]
    base = '<link name="l0"/><joint name="base" type="fixed"><parent>world</parent><child>l0</child></joint>'
    path = folder / "m.sdf"
    path.write_text(f'<sdf version="1.7"><model name="m">{base}{"".join(joints)}</model></sdf>')
    return path


@pytest.mark.parametrize(
    ("lower", "upper", "told"),
    [
        ("-1", "1", True),
        ("-inf", "1", True),
        ("-1e16", "1e16", False),
        ("-inf", "+Inf", False),
        ("-1e16", "2", True),
        ("-1.79769e+308", "1.79769e+308", False),
    ],
)
def test_limits_of_sdf_are_noted_unless_there_are_none(lower: str, upper: str, told: bool, tmp_path: Path) -> None:
    path = sdf(tmp_path, [LIMIT.format(lower, upper)])
    notes = [note for note in lw.load(path).notes if "nothing stops" in note]
    assert bool(notes) == told
    stopped = lw.load(path, stops=(1e3, 0.1))
    assert bool(stopped.forces) == told
    assert not any("nothing stops" in note for note in stopped.notes)


def test_limits_that_exclude_each_other_matter_where_stops_are_asked_for(tmp_path: Path) -> None:
    path = sdf(tmp_path, [LIMIT.format(1, -1)])
    assert lw.load(path).joints
    with pytest.raises(ModelError, match="has the lower limit 1 above the upper one, -1"):
        lw.load(path, stops=(1e3, 0.1))


def test_many_joints_are_told_in_one_line(tmp_path: Path) -> None:
    (note,) = lw.load(sdf(tmp_path, [LIMIT.format(-1, 1)] * 8)).notes
    assert note.startswith("nothing stops 'h0', 'h1', 'h2', 'h3', 'h4', 'h5' and 2 more at the limits of the file")


def test_a_run_tells_it(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    path = tmp_path / "m.xml"
    path.write_text(
        '<mujoco><worldbody><body name="arm"><joint name="hip" axis="0 1 0" range="-30 30"/>'
        '<geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/></body></worldbody></mujoco>'
    )
    mech = lw.load(path)
    assert any("nothing stops 'hip'" in note for note in mech.notes)
    result = lw.simulate(mech, 0.1, 1e-2)
    assert any("nothing stops 'hip'" in text for text in result.messages)
