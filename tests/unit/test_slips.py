"""Slips that a student makes: each is answered by a note or an error that says what to do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from unit import handmade

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import ModelError, StartStateError, UsageError
from linkwork.io.formats import save
from linkwork.plots import PLOTS, plot
from linkwork.plots.options import check_options
from linkwork.run.starting import prepare


def slider_crank(scale: float, rate: str) -> lw.Mechanism:
    """A crank of 0.5 and a block on a rail, lengths times a scale, driven."""
    mechanism = lw.Mechanism("crank")
    mechanism.body("crank", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0.25 * scale, 0, 0])
    mechanism.body("block", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[1.5 * scale, 0, 0])
    mechanism.joint("pivot", "revolute", "ground", "crank", point=[0, 0, 0], axis=[0, 1, 0])
    mechanism.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mechanism.driver("motor", "pivot", rate)
    return mechanism


def notes(mechanism: lw.Mechanism) -> str:
    return "\n".join(prepare(mechanism, dynamics=True).messages)


def test_metres_and_radians_are_not_remarked_on() -> None:
    assert notes(slider_crank(1.0, "6*t")) == "assembly: velocities that are not stated were found for 'crank'"


def test_millimetres_and_degrees_are_noticed() -> None:
    found = notes(slider_crank(1000.0, "360*t"))
    assert "it reaches over 1250 m and weighs 2 kg; lengths are in metres" in found
    assert "body 'crank' starts at 9e+04 m/s; lengths are in metres, angles in radians" in found


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rotation": {"axis": [0, 0, 1], "angle": 90}}, "more than a turn; 90 degrees are 1.5708 rad"),
        ({"rotation": {"euler_zxz": [0, 45, 0]}}, "the angle 45 rad"),
        ({"mass": 0.1, "shape": {"type": "box", "size": [1e-110] * 3}, "inertia": None}, "a density of inf kg/m^3"),
        ({"mass": 0.1, "shape": {"type": "box", "size": [100, 20, 10]}, "inertia": None}, "a density of 5e-06 kg/m^3"),
        (
            {"shape": {"type": "box", "size": [400, 50, 50], "density": 7800}, "mass": None, "inertia": None},
            "its mass is",
        ),
        ({"angular_velocity": [0, 0, 1e5]}, "turns a minute"),
        ({"mass": 0.0}, "it has no mass (0 kg)"),
    ],
)
def test_bodies_of_wrong_units_are_noticed(fields: dict, said: str) -> None:
    mechanism = lw.Mechanism("m")
    whole = {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]} | fields
    mechanism.body("b", **{key: value for key, value in whole.items() if value is not None})
    assert said in notes(mechanism)
    if "angular_velocity" not in fields:
        assert any(said in note for note in lw.check(mechanism).notes)


def test_an_inertia_in_other_units_is_noticed() -> None:
    mechanism = lw.Mechanism("m")
    for k in range(2):
        mechanism.body(f"b{k}", mass=0.5, inertia=[500.0, 500.0, 500.0], position=[k, 0, 0])
    assert "times as large as the mechanism; inertias are in kg m^2" in notes(mechanism)


def test_gravity_in_millimetres_and_negative_stiffness_are_noticed() -> None:
    mechanism = lw.Mechanism("m", gravity=[0, 0, -9810])
    mechanism.body("b", mass=1.0, inertia=[0.1, 0.1, 0.1])
    ends = {"first": "ground", "second": "b", "point": [0, 0, 1], "point2": [0, 0, 0]}
    mechanism.force("s", "spring", stiffness=-10.0, damping=-1.0, **ends)
    found = notes(mechanism)
    assert "gravity is 9810 m/s^2" in found
    assert "force 's': its stiffness is negative (-10)" in found
    assert "force 's': its damping is negative (-1)" in found


@pytest.mark.parametrize("name", ["planar_four_bar", "stewart_platform_actuated", "gyroscope", "muller2013_heavy_top"])
def test_what_is_shipped_has_no_slips(name: str) -> None:
    assert notes(lw.load(name)) == ""


@pytest.mark.parametrize("stated", [False, True])
def test_axes_a_right_angle_apart_are_named(stated: bool) -> None:
    mechanism = lw.Mechanism("door")
    pose = {"rotation": np.eye(3).tolist()} if stated else {}
    mechanism.body("door", mass=1.0, inertia=[1, 1, 1], **pose)
    point = {"point": [0, 0, 0]}
    first, second = {**point, "axis": [0, 0, 1]}, {**point, "axis": [1, 0, 0]}
    mechanism.joint("hinge", "revolute", "ground", "door", on_first=first, on_second=second)
    said = "joint 'hinge': the axes of its two bodies are 90 degrees apart at the start pose"
    assert any(said in warning for warning in lw.check(mechanism).warnings)
    if stated:
        with pytest.raises(StartStateError, match="'door' has to turn by 90 degrees"):
            prepare(mechanism, dynamics=True)
    else:
        assert said in notes(mechanism)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("springs", "forces: [{type: spring"),
        ("motors", "motors are drivers"),
        ("links", "`bodies`"),
        ("restrictions", "`joints`"),
        ("contacts", "docs/limits.md"),
        ("jonts", "did you mean 'joints'?"),
        ("prescriptions", "there is 'bodies', 'joints', 'constraints', 'drivers', 'forces'"),
    ],
)
def test_an_unknown_list_of_elements_is_answered_with_the_right_one(key: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        lw.Mechanism.from_dict({"linkwork": 1, key: [{"name": "a"}]})
    assert said in str(caught.value)
    assert "description" not in str(caught.value)


def test_an_unknown_plot_option_is_a_usage_error(tmp_path: Path) -> None:
    """Before a result is looked at; Matplotlib answered with an AttributeError of its own."""
    for kind, wrong, said in (
        ("paths", {"bodys": ["a"]}, "did you mean 'bodies'"),
        ("overview", {"linewdith": 2}, "did you mean 'linewidth'"),
        ("energy", {"frobnicate": 1}, "has no option 'frobnicate'"),
        ("torques", {"joint": "a"}, "did you mean 'joints'"),
    ):
        with pytest.raises(UsageError, match=said):
            plot(None, kind, tmp_path / "a.png", **wrong)  # type: ignore[arg-type]
    for kind, right in (("paths", {"bodies": [], "lw": 2}), ("positions", {"components": "xz", "color": "k"})):
        check_options(kind, PLOTS.load(kind), (), right)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_or_a_device_is_refused_at_once(tmp_path: Path) -> None:
    """In a process of its own: reading one never ends."""
    pipe, link = tmp_path / "pipe.yaml", tmp_path / "zero.json"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    code = (
        "import sys, linkwork as lw\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n        lw.load(path)\n"
        "    except lw.errors.ModelError as error:\n        print(error.code, error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(pipe), str(link)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.count("LW-MODEL is a pipe, a device or a socket") == 2


@pytest.mark.parametrize("radius", [1e30, 3e79])
def test_a_disc_of_any_size_is_checked(radius: float) -> None:
    """NumPy's LinAlgError came out where the disc had come to lie flat on the way."""
    mechanism = lw.load("rolling_disc")
    mechanism.change("ground contact", radius=radius)
    report = lw.check(mechanism)
    assert not report.ok
    assert "no velocities meet row 'ground contact.lock" in report.assembly_problem


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"color": "blurple"}, r"the plot 'positions' cannot be drawn with color='blurple'"),
        ({"linewidth": "thick"}, r"linewidth='thick'"),
        ({"linestyle": "wavy"}, r"linestyle='wavy'"),
        ({"alpha": 7.0}, r"alpha=7\.0"),
        ({"marker": object}, r"marker="),
        ({"zorder": "first"}, r"zorder='first'"),
        ({"size": (0.0, 4.0)}, "size must be two positive numbers"),
        ({"size": (4.0,)}, "size must be two positive numbers"),
        ({"dpi": -1}, "dpi one"),
    ],
)
def test_values_that_no_line_or_page_can_have_are_usage_errors(option: dict, said: str, tmp_path: Path) -> None:
    result = handmade.result()
    with pytest.raises(UsageError, match=said):
        result.plot("positions", tmp_path / "plot.png", **option)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("body", "force", "said"),
    [
        ({"mass": 1e-320}, {}, "a mass of 1e-320 kg, which is too small"),
        ({"mass": 9e-101}, {}, "a mass of 9e-101 kg"),
        ({"inertia": [1, 5e-324, 1]}, {}, "a moment of inertia of 4.94e-324 kg m^2"),
        ({"inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1e-200]]}, {}, "a moment of inertia of 1e-200 kg m^2"),
        ({"point_masses": [{"mass": 1e-320, "point": [0, 0, 0]}]}, {}, "a mass of 1e-320 kg"),
        (
            {"inertia": None, "mass": None, "shape": {"type": "sphere", "radius": 1, "density": 1e-150}},
            {},
            "a mass of 4",
        ),
        ({}, {"stiffness": 1e-320}, "a stiffness of 1e-320"),
        ({}, {"damping": -1e-150}, "a damping of -1e-150"),
    ],
)
def test_what_is_too_small_to_be_divided_by_is_refused(body: dict, force: dict, said: str) -> None:
    joint = {"name": "j", "type": "revolute", "first": "ground", "second": "a", "point": [0, 0, 0], "axis": [0, 1, 0]}
    document = {
        "linkwork": 1,
        "bodies": [{"name": "a", "mass": 1.0, "inertia": [1.0, 1.0, 1.0], **body}],
        "joints": [joint],
        "forces": [{"name": "s", "type": "torsion", "joint": "j", **force}],
    }
    with pytest.raises(ModelError, match=re.escape(said)):
        lw.Mechanism.from_dict(document)


def test_masses_of_0_and_small_numbers_of_other_kinds_stay(tmp_path: Path) -> None:
    mech = lw.Mechanism("m")
    mech.body("a", mass=0, inertia=[0, 0, 0], position=[1e-320, 0, 6e-17])
    mech.body("b", mass=1e-99, inertia=[[1e-99, 1e-320, 0], [1e-320, 1, 0], [0, 0, 1]])
    assert not [note for note in mech.notes if "times the mass" in note]


@pytest.mark.parametrize(("light", "noted"), [(2e-10, False), (5e-11, True), (0.0, False)])
def test_masses_that_differ_beyond_rounding_are_noted(light: float, noted: bool) -> None:
    mech = lw.Mechanism("m")
    mech.body("anchor", mass=1.0, inertia=[1.0, 1.0, 1.0])
    mech.body("fly", mass=light, inertia=[1.0, 1.0, 1.0])
    assert any("'anchor' has 2e+10 times the mass of 'fly'" in note for note in mech.notes) == noted


VERBS_WITHOUT_NOTES = (
    "equilibrium m.yaml", "modes m.yaml", "plan m.yaml", "count m.yaml --formulation rA", "view m.yaml",
    "compare m.yaml --formulation rA --repeats 0 --no-reference", "study s.yaml", "sweep w.yaml",
    "run m.yaml", "run m.yaml --formulation rA", "check m.yaml", "convert m.yaml n.yaml",
)  # fmt: skip


@pytest.mark.parametrize("line", VERBS_WITHOUT_NOTES)
def test_every_verb_tells_what_is_unusual_about_a_model(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    mech = lw.Mechanism("m", run={"t_end": 0.01, "step": 1e-3})
    mech.body("a", mass=1e12, inertia=[1, 1, 1], position=[0, 0, -1])
    mech.body("b", mass=1, inertia=[1, 1, 1], position=[0, 0, -2])
    mech.joint("j", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("k", "revolute", "a", "b", point=[0, 0, -1.5], axis=[0, 1, 0])
    save(mech, "m.yaml")
    Path("s.yaml").write_text("study: 1\nname: s\nmechanism: m.yaml\nformulations: [rA]\nrepeats: 0\nreference: none\n")
    Path("w.yaml").write_text("mechanism: m.yaml\nover: {b.mass: [1, 2]}\nkeep: [max(a.velocity.x)]\nout: w.nc\n")
    status_of(line.split())
    said = "".join(capsys.readouterr())
    assert said.count("body 'a' has 1e+12 times the mass of 'b'") == 1
    if line.startswith(("run", "equilibrium", "view")):
        status_of([*line.split(), "--quiet", "--force"])
        assert "times the mass" not in "".join(capsys.readouterr())
