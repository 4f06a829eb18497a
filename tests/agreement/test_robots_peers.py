"""Robots' files beside Pinocchio and MuJoCo: poses, mass matrix, bias, efforts and accelerations to ten digits.

The robots that come with linkwork; where the packages example-robot-data and gymnasium are installed, theirs, too.
"""

from __future__ import annotations

import importlib.util
import math
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.errors import ModelError

ROOT = Path(__file__).parents[2]
SAME = 1e-10


def installed(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) if places else None


def urdf_files() -> list[Path]:
    own = [ROOT / "examples" / "robots" / name for name in ("six_axis_arm.urdf", "walker.urdf")]
    package = installed("example_robot_data")
    shared = [folder / "share" / "example-robot-data" for folder in package.parents[:5]] if package else []
    return own + [file for folder in shared for file in sorted(folder.rglob("*.urdf"))]


def mjcf_files() -> list[Path]:
    package = installed("gymnasium")
    return sorted((package / "envs" / "mujoco" / "assets").glob("*.xml")) if package else []


@pytest.mark.parametrize("file", urdf_files(), ids=lambda file: file.stem)
def test_urdf_beside_pinocchio(file: Path) -> None:
    pytest.importorskip("pinocchio")
    from benchmarks.robot_peers import Robot

    try:
        robot = Robot(file)
    except ModelError as error:
        assert "holds no link" in str(error)  # noqa: PT017  # one file of the package is empty
        return
    found = robot.apart(2)
    assert max(x for x in found[:5] if not math.isnan(x)) < SAME
    account = robot.mechanism.account
    assert account is not None
    namespaces = sum(one.element.rpartition("@")[2].startswith("xmlns") for one in account)
    assert len(account) - namespaces == sum(1 + len(node.attrib) for node in ET.parse(file).getroot().iter())


@pytest.mark.parametrize("file", mjcf_files(), ids=lambda file: file.stem)
def test_mjcf_beside_mujoco(file: Path) -> None:
    pytest.importorskip("mujoco")
    from benchmarks.mujoco_robots import MujocoRobot

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # MuJoCo's, of deprecated attributes
        robot = MujocoRobot.of_file(file)
    assert max(robot.apart(2)[:5]) < SAME


def test_the_delta_robot_beside_mujoco() -> None:
    pytest.importorskip("mujoco")
    import mujoco

    from benchmarks.mujoco_robots import MujocoRobot

    file = ROOT / "examples" / "robots" / "delta.xml"
    whole = lw.load(file)
    open_tree = whole.to_dict()
    open_tree["joints"] = [joint for joint in open_tree["joints"] if not joint["name"].startswith("ball")]
    robot = MujocoRobot(lw.Mechanism.from_dict(open_tree), mujoco.MjModel.from_xml_path(str(file)))
    assert max(robot.apart(2)[:5]) < SAME


FINGERS = """<robot name="hand"><link name="base"/>{links}
  <joint name="wrist" type="revolute"><parent link="base"/><child link="palm"/><origin xyz="0 0 0.1" rpy="0.2 0.1 0"/>
    <axis xyz="0 1 0"/><dynamics damping="0.2"/>{limit}</joint>
  <joint name="thumb" type="revolute"><parent link="palm"/><child link="one"/><origin xyz="0.05 0 0.1" rpy="0 0 0.4"/>
    <axis xyz="0 0.6 0.8"/><dynamics damping="0.1"/>{limit}</joint>
  <joint name="tip" type="revolute"><parent link="one"/><child link="two"/><origin xyz="0.1 0.02 0"/><axis xyz="0 1 0"/>
    <mimic joint="thumb" multiplier="-0.7" offset="0.2"/>{limit}</joint>
  <joint name="track" type="prismatic"><parent link="palm"/><child link="three"/><origin xyz="-0.05 0 0.1"/>
    <axis xyz="1 0 0.2"/><mimic joint="thumb" multiplier="0.05" offset="-0.01"/><dynamics damping="3"/>{limit}</joint>
</robot>
"""
LIMIT = '<limit lower="-3" upper="3" effort="1" velocity="1"/>'
LINK = """<link name="{}"><inertial><origin xyz="0.03 0.01 {}" rpy="0.1 0 0.2"/><mass value="{}"/>
  <inertia ixx="0.002" ixy="0.0001" ixz="0" iyy="0.003" iyz="0.0002" izz="0.0025"/></inertial></link>"""


def test_followers_beside_pinocchio_without_their_coordinates(tmp_path: Path) -> None:
    """A rigid coupling is the same motion as a coordinate fewer."""
    pytest.importorskip("pinocchio")
    from benchmarks.robot_mimic import apart

    sizes = (("palm", 0.05, 0.8), ("one", 0.04, 0.2), ("two", 0.03, 0.1), ("three", 0.02, 0.3))
    (tmp_path / "hand.urdf").write_text(FINGERS.format(links="".join(LINK.format(*one) for one in sizes), limit=LIMIT))
    assert apart(tmp_path / "hand.urdf", 3) < SAME
