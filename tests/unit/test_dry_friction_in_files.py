"""Dry friction of joints in robots' files: refused with a reason, or left out and reported, never in silence."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.errors import UnsupportedElementError

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'  # of URDF
LINKS = f'<link name="a"/><link name="b">{INERTIAL}</link><link name="c">{INERTIAL}</link>'
ENDS = '<parent link="{}"/><child link="{}"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/>'
URDF = (
    f'<robot name="r">{LINKS}<joint name="j" type="{{}}">{ENDS.format("a", "b")}<dynamics friction="{{}}"/></joint>'
    f'<joint name="k" type="revolute">{ENDS.format("b", "c")}</joint></robot>'
)
SDF = (
    '<sdf version="1.7"><model name="m"><link name="b"><inertial><mass>1</mass></inertial></link><joint name="j" '
    'type="{}"><parent>world</parent><child>b</child><axis><xyz>0 0 1</xyz><dynamics><friction>{}</friction></dynamics>'
    "</axis>{}</joint></model></sdf>"
)
MJCF = '<mujoco>{}<worldbody><body name="a"><joint name="h" {}/><geom size="0.1"/></body></worldbody>{}</mujoco>'
TENDON = '<tendon><fixed name="t" {}><joint joint="h" coef="1"/></fixed></tendon>'
SECOND = "<axis2><xyz>1 0 0</xyz><dynamics><friction>{}</friction></dynamics></axis2>"

FILES = {
    **{f"{type}.urdf": URDF.format(type, "{}")
       for type in ("revolute", "continuous", "prismatic", "planar", "floating", "spherical")},
    **{f"{type}.sdf": SDF.format(type, "{}", "") for type in ("revolute", "prismatic", "continuous", "screw")},
    **{f"{type}.sdf": SDF.format(type, "0", SECOND) for type in ("universal", "revolute2")},
    **{f"{type}.xml": MJCF.format("", f'type="{type}" frictionloss="{{}}"', "")
       for type in ("hinge", "slide", "ball", "free")},
    "default.xml": MJCF.format('<default><joint frictionloss="{}"/></default>', "", ""),
    "tendon.xml": MJCF.format("", "", TENDON.format('frictionloss="{}"')),
    "tendon by default.xml": MJCF.format('<default><tendon frictionloss="{}"/></default>', "", TENDON.format("")),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_dry_friction_is_refused_or_reported(name: str, tmp_path: Path) -> None:
    if name.endswith(".xml") and importlib.util.find_spec("mujoco") is None:
        pytest.skip("MJCF is read by MuJoCo's compiler")
    file = tmp_path / name
    file.write_text(FILES[name].replace("{}", "0.3"))
    reason = "no dry friction in joints"
    with pytest.raises(UnsupportedElementError, match=reason):
        lw.load(file)
    account = lw.load(file, on_unsupported="report").account
    assert account is not None
    assert any("friction" in one.element and reason in one.how for one in account.of("refused"))
    file.write_text(FILES[name].replace("{}", "0"))
    without = lw.load(file).account
    assert without is not None
    assert without.counts["refused"] == 0
