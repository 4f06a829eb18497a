"""SDF files: the same arm as in URDF has the same dynamics; loops, frames and the account."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ModelError, UnsupportedElementError

ARM = """<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><model name="arm">
  <pose>0 0 0 0 0 0</pose>
  <frame name="mount" attached_to="base"><pose>0 0 0.1 0.1 0.2 0.3</pose></frame>
  <link name="base"><inertial><mass>1</mass></inertial></link>
  <link name="upper">
    <pose relative_to="mount">0 0 0 0 0 0</pose>
    <inertial><pose>0 0 0.25 0 0 0.3</pose><mass>2</mass>
      <inertia><ixx>0.02</ixx><ixy>0.001</ixy><iyy>0.03</iyy><izz>0.015</izz></inertia></inertial>
    <collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision>
  </link>
  <link name="slide">
    <pose relative_to="rail">0 0 0 0 0 0</pose>
    <inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
  </link>
  <joint name="weld" type="fixed"><parent>world</parent><child>base</child></joint>
  <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child>
    <axis><xyz>0 1 0</xyz><limit><lower>-1</lower></limit><dynamics><damping>0.4</damping></dynamics></axis></joint>
  <joint name="rail" type="prismatic"><pose relative_to="upper">0 0 0.5 0 0 0</pose>
    <parent>upper</parent><child>slide</child>
    <axis><xyz expressed_in="upper">0 0 1</xyz><dynamics><damping>7</damping></dynamics></axis></joint>
</model></world></sdf>
"""


def load(folder: Path, text: str, **options: Any) -> lw.Mechanism:
    path = folder / "arm.sdf"
    path.write_text(text)
    return lw.load(path, **options)


def test_it_is_the_same_arm_as_in_urdf(tmp_path: Path) -> None:
    from unit.test_urdf import ARM as URDF

    ours = load(tmp_path, ARM)
    (tmp_path / "arm.urdf").write_text(URDF)
    theirs = lw.load(tmp_path / "arm.urdf")
    for q, v in (([0.3, 0.2], [0.5, -0.25]), ([-1.0, 0.1], [2.0, 1.0])):
        one, two = (lw.forward_kinematics(mech, q, v) for mech in (ours, theirs))
        np.testing.assert_allclose(one.position[1:], two.position[1:], atol=1e-14)
        np.testing.assert_allclose(lw.mass_matrix(ours, one), lw.mass_matrix(theirs, two), atol=1e-14)
        np.testing.assert_allclose(
            lw.inverse_dynamics(ours, [1, -2], one), lw.inverse_dynamics(theirs, [1, -2], two), atol=1e-11
        )


def test_the_account_has_every_element_and_attribute(tmp_path: Path) -> None:
    account = load(tmp_path, ARM).account
    assert account is not None
    assert len(account) == sum(1 + len(node.attrib) for node in ET.fromstring(ARM).iter())
    assert account.counts["refused"] == 0


def test_a_second_joint_closes_a_loop(tmp_path: Path) -> None:
    closing = '<joint name="hand" type="ball"><parent>world</parent><child>slide</child></joint></model>'
    mech = load(tmp_path, ARM.replace("</model>", closing))
    assert lw.check(mech).freedom.velocities == 0
    assert mech.element("hand").type == "spherical"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<parent>upper</parent>", "<parent>uper</parent>", "did you mean 'upper'"),
        ('relative_to="rail"', 'relative_to="rial"', "did you mean 'rail'"),
        ('<pose relative_to="upper">', '<pose relative_to="rail">', "relative to itself"),
        ("<mass>2</mass>", "<mass>-2</mass>", "negative mass"),
        ("<mass>2</mass>", "<mass>nan</mass>", "finite"),
        ("<xyz>0 1 0</xyz>", "<xyz>0 0 0</xyz>", "zero vector"),
        ('type="prismatic"', 'type="prismatik"', "did you mean 'prismatic'"),
        ('version="1.9"', 'version="1.3"', "1.5 and later"),
        ('<link name="slide">', '<link name="upper">', "another element"),
        ("<child>base</child>", "", "needs <child>"),
    ],
)
def test_errors_name_line_and_element(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in ARM
    with pytest.raises(ModelError) as caught:
        load(tmp_path, ARM.replace(old, new, 1))
    assert said in str(caught.value)
    assert "line " in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<damping>7</damping>", "<damping>7</damping><friction>1</friction>"),
        ("<mass>2</mass>", "<mass>2</mass><wings/>"),
        ("<mass>2</mass>", "<mass>2</mass><fluid_added_mass/>"),
        ('<link name="slide">', '<link name="slide"><gravity>false</gravity>'),
        ('type="prismatic"', 'type="screw"'),
    ],
)
def test_what_cannot_be_represented_is_refused_or_reported(tmp_path: Path, old: str, new: str) -> None:
    text = ARM.replace(old, new, 1)
    with pytest.raises(UnsupportedElementError):
        load(tmp_path, text)
    assert load(tmp_path, text, on_unsupported="report").account.counts["refused"] > 0  # type: ignore[union-attr]
