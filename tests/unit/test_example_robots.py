"""The robots of examples/robots are what their pages say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import linkwork as lw

ROOT = Path(__file__).parents[2]
FILES = ROOT / "examples" / "robots"
MUJOCO = pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MJCF is read by MuJoCo's compiler")
ROBOTS = [
    ("six_axis_arm.urdf", 8, 6), ("walker.urdf", 13, 12), ("five_bar.urdf", 5, 2), ("four_bar.urdf", 4, 1),
    ("leg.urdf", 5, 2), pytest.param("delta.xml", 10, 3, marks=MUJOCO),
]  # fmt: skip


@pytest.mark.parametrize(("file", "links", "freedoms"), ROBOTS)
def test_nothing_is_refused_and_each_has_a_page(file: str, links: int, freedoms: int) -> None:
    robot = lw.load(FILES / file)
    assert sum(" carrier " not in body.name for body in robot.bodies) == links
    assert lw.check(robot).freedom.velocities == freedoms
    assert robot.account is not None
    assert robot.account.counts["refused"] == 0
    page = ROOT / "docs" / "example-robots" / f"{Path(file).stem.replace('_', '-')}.md"
    assert f"examples/robots/{file}" in page.read_text(encoding="utf-8")


def test_the_arm_is_held_by_its_motors() -> None:
    arm = lw.load(FILES / "six_axis_arm.urdf")
    efforts = lw.inverse_dynamics(arm, [0] * 6, lw.forward_kinematics(arm, {"joint 2.angle": np.pi / 2}))
    assert abs(efforts[1]) > 50.0


def test_the_walker_falls_as_a_whole() -> None:
    walker = lw.load(FILES / "walker.urdf", base="floating")
    assert lw.check(walker).freedom.velocities == 18
    fall = lw.accelerations(walker, formulation="articulated-body")
    np.testing.assert_allclose(fall.acceleration("trunk"), [0, 0, -9.81], atol=1e-9)
    np.testing.assert_allclose(fall.angular_acceleration("trunk"), 0.0, atol=1e-9)


def test_a_humanoid_of_forty_joints_is_read_in_half_a_second(tmp_path: Path) -> None:
    """With inertias, limits and shapes as such files have them; processor time, the least of three."""
    import time

    link = (
        '<link name="l{0}"><inertial><origin xyz="0.01 0 0.1" rpy="0 0.1 0"/><mass value="1.5"/><inertia ixx="0.01" '
        'ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.004"/></inertial><visual><geometry><box size="0.1 0.1 0.2"/>'
        '</geometry></visual><collision><geometry><box size="0.1 0.1 0.2"/></geometry></collision></link>'
    )
    joint = (
        '<joint name="j{0}" type="revolute"><parent link="l{1}"/><child link="l{0}"/><origin xyz="0 0.1 0.2"/>'
        '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/><dynamics damping="0.1"/></joint>'
    )
    parts = [link.format(0)]
    for k in range(1, 41):
        parts += [link.format(k), joint.format(k, k - 1 if k % 8 else 0)]  # five limbs
    (tmp_path / "humanoid.urdf").write_text(f'<robot name="humanoid">{"".join(parts)}</robot>')
    spent = []
    for _ in range(3):
        began = time.process_time()
        assert len(lw.load(tmp_path / "humanoid.urdf").joints) == 41
        spent.append(time.process_time() - began)
    assert min(spent) < 0.5


@pytest.mark.parametrize(
    "file", sorted(f for f in FILES.iterdir() if f.suffix in (".urdf", ".xml")), ids=lambda f: f.name
)
def test_the_account_has_as_many_entries_as_the_file_elements_and_attributes(file: Path) -> None:
    if file.suffix == ".xml":
        pytest.importorskip("mujoco")
    account = lw.load(file).account
    assert account is not None
    entries = [one for one in account if not one.element.rpartition("@")[2].startswith("xmlns")]
    assert len(entries) == sum(1 + len(node.attrib) for node in ElementTree.parse(file).getroot().iter())
    assert sum(account.counts.values()) == len(list(account))
