"""SDF files whose every pose is told from another frame, in every way of telling: the mechanism is the one described.

The other description is in global components, made of the same random numbers by SciPy's rotations.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.errors import ModelError, UnsupportedElementError

TYPES = {"revolute": "revolute", "continuous": "revolute", "prismatic": "translational"}
ARM = """<sdf version="1.9">{world}<model name="m"{model}>{first}
  <frame name="f" attached_to="a"><pose>0 0 1 0 0 0</pose></frame>
  <link name="a">{pose}<inertial{auto}>{inertial}<mass>2</mass></inertial>{link}</link>
  <link name="b"><pose>1 0 0 0 0 0</pose></link>
  <joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz>{axis}</axis>
    {joint}</joint>
  <joint name="k" type="revolute"><parent>{parent}</parent><child>{child}</child><axis><xyz>0 1 0</xyz></axis></joint>
</model>{end}</sdf>
"""
WORLD = {"world": '<world name="w">', "end": "</world>"}
MOMENTS = (("ixx", 0, 0), ("iyy", 1, 1), ("izz", 2, 2), ("ixy", 0, 1), ("ixz", 0, 2), ("iyz", 1, 2))


class Told:
    """A model's frames in the world, R (3, 3) and p (3,) by name, and how they are written."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.known = {"world": (np.eye(3), np.zeros(3))}

    def somewhere(self) -> tuple[Any, Any]:
        return Rotation.random(random_state=self.random).as_matrix(), self.random.normal(size=3)

    def some(self) -> str:
        """A frame that is known, the world's excepted."""
        return str(self.random.choice([name for name in self.known if name != "world"]))

    def pose(self, R: Any, p: Any, base: str, *, said: bool = True) -> str:
        """<pose> of what is at R, p, told from a frame; not said: from where SDF takes it to be told from."""
        B, r = self.known[base]
        turn = Rotation.from_matrix(B.T @ R)
        form = int(self.random.integers(3))
        numbers = [turn.as_euler("xyz"), turn.as_euler("xyz", degrees=True), turn.as_quat()][form]
        more = ["", ' degrees="True"', ' rotation_format="quat_xyzw"'][form]
        whence = f' relative_to="{base}"' if said else ""
        return f"<pose{whence}{more}>{' '.join(repr(float(x)) for x in (*(B.T @ (p - r)), *numbers))}</pose>"

    def axis(self, direction: Any, frame: str) -> str:
        R, _ = self.known[frame]
        return f'<xyz expressed_in="{frame}">{" ".join(repr(float(x)) for x in R.T @ direction)}</xyz>'


def arm(seed: int, count: int = 4) -> tuple[str, lw.Mechanism]:
    """A chain of links as SDF, and the same mechanism by itself."""
    told, mech = Told(seed), lw.Mechanism("m", gravity=[0.5, 0.0, -9.8])
    random = told.random
    told.known["__model__"] = told.somewhere()
    parts = [told.pose(*told.known["__model__"], "world", said=False)]
    names = ["world", *(f"link {k}" for k in range(count))]
    for name in names[1:]:
        R, p = told.somewhere()
        base = told.some()
        where = told.pose(R, p, base)
        told.known[name] = R, p
        J, c = Rotation.random(random_state=random).as_matrix(), 0.1 * random.normal(size=3)
        local = J @ np.diag([0.1, 0.2, 0.25] * random.uniform(0.8, 1.2, 3)) @ J.T
        turn, mass = Rotation.random(random_state=random), float(random.uniform(0.5, 3.0))
        tensor = "".join(f"<{key}>{float(local[i, k])!r}</{key}>" for key, i, k in MOMENTS)
        rpy = " ".join(repr(float(x)) for x in (*c, *turn.as_euler("xyz")))
        inertial = f"<inertial><pose>{rpy}</pose><mass>{mass!r}</mass><inertia>{tensor}</inertia></inertial>"
        parts.append(f'<link name="{name}">{where}{inertial}</link>')
        inertia = turn.as_matrix() @ local @ turn.as_matrix().T
        mech.body(name, mass=mass, inertia=(inertia + inertia.T) / 2, centre_of_mass=c, position=p, rotation=R)
    for k, (parent, child) in enumerate(pairwise(names)):
        F, base = told.somewhere(), told.some()
        attached = parent if parent != "world" else "__model__"
        where = told.pose(*F, attached, said=False) if k % 2 else told.pose(*F, base)
        told.known[f"frame {k}"] = F
        parts.append(f'<frame name="frame {k}" attached_to="{attached}">{where}</frame>')
        R, p = told.somewhere()
        where = told.pose(R, p, child, said=False) if k % 2 else told.pose(R, p, told.some())
        told.known[f"joint {k}"] = R, p
        type, axis = str(random.choice(list(TYPES))), random.normal(size=3)
        damping, stiffness, free = (float(x) for x in random.uniform(0.1, 2.0, 3))
        acting = f"<damping>{damping}</damping><spring_stiffness>{stiffness}</spring_stiffness>"
        acting = f"<dynamics>{acting}<spring_reference>{free}</spring_reference></dynamics>"
        first = f"frame {k}" if parent != "world" else "world"
        parts.append(
            f'<joint name="joint {k}" type="{type}">{where}<parent>{first}</parent><child>{child}</child>'
            f"<axis>{told.axis(axis, told.some())}{acting}</axis></joint>"
        )
        first = "ground" if parent == "world" else parent
        mech.joint(f"joint {k}", TYPES[type], first, child, point=p, axis=axis)
        spring = {"stiffness": stiffness, "damping": damping, "free": free}
        mech.force(f"spring {k}", "joint-spring", joint=f"joint {k}", **spring)
    model = "".join(sorted(parts, key=lambda part: part.startswith("<link")))  # what is spoken of may come later
    world = f'<world name="w"><gravity>0.5 0 -9.8</gravity><model name="m">{model}</model></world>'
    return f'<sdf version="1.9">{world}</sdf>', mech


@pytest.mark.parametrize("seed", range(8))
def test_places_told_from_anywhere_are_the_same_places(seed: int, tmp_path: Path) -> None:
    text, ours = arm(seed)
    path = tmp_path / "arm.sdf"
    path.write_text(text)
    theirs = lw.load(path)
    for q, v in (([0.0] * 4, [0.0] * 4), ([0.3, -0.2, 0.5, 0.1], [1.0, -2.0, 0.5, 0.7])):
        one, two = (lw.forward_kinematics(mech, q, v) for mech in (ours, theirs))
        np.testing.assert_allclose(one.position, two.position, atol=1e-12)
        one, two = (lw.accelerations(mech, state) for mech, state in ((ours, one), (theirs, two)))
        np.testing.assert_allclose(one.rddot, two.rddot, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(one.omegadot, two.omegadot, rtol=1e-10, atol=1e-10)


# words that were passed over, and elements of which the account did not say what they are


def load(folder: Path, **said: str) -> lw.Mechanism:
    usual = dict.fromkeys(("world", "model", "first", "pose", "auto", "inertial", "link", "axis", "joint", "end"), "")
    path = folder / "arm.sdf"
    path.write_text(ARM.format(**{**usual, "parent": "a", "child": "b", **said}))
    return lw.load(path)


@pytest.mark.parametrize("word", ["true", "True", "TRUE", "1", " true "])
def test_true_is_true_however_it_is_written(word: str, tmp_path: Path) -> None:
    static = load(tmp_path, first=f"<static>{word}</static>")
    assert [joint.name for joint in static.joints if joint.type == "fixed"] == ["a static", "b static"]
    assert load(tmp_path, link=f"<gravity>{word}</gravity>").account.counts["refused"] == 0
    turned = load(
        tmp_path, pose="<pose>0 0 0 0 0 1</pose>", axis=f"<use_parent_model_frame>{word}</use_parent_model_frame>"
    )
    np.testing.assert_allclose(turned.joints[0].axis, [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("first", "<static>yes</static>"),
        ("link", "<gravity>yes</gravity>"),
        ("axis", "<use_parent_model_frame>2</use_parent_model_frame>"),
        ("pose", '<pose degrees="on">0 0 0 0 0 0</pose>'),
        ("pose", '<pose rotation_format="quat_wxyz">0 0 0 1 0 0 0</pose>'),
        ("pose", '<pose rotation_format="quat_xyzw">0 0 0 1 1 0 0</pose>'),
        ("pose", '<pose rotation_format="quat_xyzw" degrees="true">0 0 0 1 0 0 0</pose>'),
        ("parent", "g"),
        ("model", ' canonical_link="c"'),
    ],
)
def test_other_words_are_errors_with_their_line(where: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="line "):
        load(tmp_path, **{where: text})


@pytest.mark.parametrize(
    ("where", "text", "said"),
    [
        ("inertial", '<pose relative_to="b">0 0 1 0 0 0</pose>', "an inertial's pose is relative to its link"),
        ("link", "<velocity_decay><linear>0.1</linear></velocity_decay>", "velocities that decay"),
        ("link", "<gravity>false</gravity>", "a link without gravity"),
        ("link", "<kinematic>true</kinematic>", "a link that no force moves"),
        ("joint", "<physics><ode><max_force>1</max_force></ode></physics>", "a motor"),
        ("first", '<model name="n"><link name="l"/></model>', "a model in a model"),
        ("first", "<include><uri>model://hand</uri></include>", "another file is not opened"),
        ("model", ' placement_frame="f"', "a pose of another frame"),
        ("auto", ' auto="true"', "inertias are not made of collisions"),
    ],
)
def test_what_would_change_the_motion_is_refused_by_its_name(where: str, text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedElementError, match=said):
        load(tmp_path, **{where: text})
    same = text.replace(">1<", ">0<").replace(">0.1<", ">0.0<").replace(">false<", ">true<").replace("true", "false")
    if where in ("auto", "joint") or "decay" in text:
        assert load(tmp_path, **{where: same}).account.counts["refused"] == 0


@pytest.mark.parametrize(("parent", "body"), [("f", "a"), ("j", "a"), ("__model__", "a"), ("world", "ground")])
def test_joints_hold_links_by_their_frames(parent: str, body: str, tmp_path: Path) -> None:
    assert load(tmp_path, parent=parent).joints[1].first == body
    static = load(tmp_path, parent=parent, first="<static>1</static>")
    assert static.joints[1].first == ("ground" if parent == "__model__" else body)


def test_a_world_brings_its_gravity_and_what_does_not_move_is_left_out(tmp_path: Path) -> None:
    around = "<scene><ambient>1 1 1 1</ambient></scene><gui/><light name='sun'/><physics type='ode'/><atmosphere/>"
    ground = '<model name="ground_plane"><static>true</static><link name="l"><collision name="c"/></link></model>'
    world = {**WORLD, "end": f"{around}{ground}</world>"}
    mech = load(tmp_path, **world)
    assert [body.name for body in mech.bodies] == ["a", "b"]
    assert mech.gravity == (0.0, 0.0, -9.8)  # SDF's, where a world does not say
    assert load(tmp_path).gravity == (0.0, 0.0, -9.81)
    assert load(tmp_path, **{**world, "end": "<gravity>0 0 -1.6</gravity></world>"}).gravity == (0.0, 0.0, -1.6)
    with pytest.raises(ModelError, match="holds 3 models, 2 of them not static"):
        load(tmp_path, **{**world, "end": f'{ground}<model name="n"><link name="l"/></model></world>'})
    for text, said in (("<wind><linear_velocity>0 1 0</linear_velocity></wind>", "wind"),
                       ('<joint name="j" type="fixed"/>', "a joint of a world"),
                       ("<include><uri>model://sun</uri></include>", "another file")):  # fmt: skip
        with pytest.raises(UnsupportedElementError, match=said):
            load(tmp_path, **{**world, "end": f"{text}</world>"})


def test_degrees_are_noticed(tmp_path: Path) -> None:
    (note,) = load(tmp_path, pose="<pose>0 0 0 0 90 0</pose>").notes
    assert "link 'a'/pose: turns by 90 rad, more than a turn; 90 degrees are 1.5708 rad" in note
    assert load(tmp_path, pose='<pose degrees="1">0 0 0 0 90 0</pose>').notes == ()


def test_nothing_stops_a_continuous_joint(tmp_path: Path) -> None:
    path = tmp_path / "arm.sdf"
    usual = dict.fromkeys(("world", "model", "first", "pose", "auto", "inertial", "link", "joint", "end"), "")
    limit = "<limit><lower>-1</lower><upper>1</upper></limit>"
    text = ARM.format(**usual, parent="a", child="b", axis=limit)
    for type, stops in (("revolute", 1), ("continuous", 0)):
        path.write_text(text.replace('"j" type="revolute"', f'"j" type="{type}"'))
        assert len(lw.load(path, stops=(100.0, 0.0)).forces) == stops
