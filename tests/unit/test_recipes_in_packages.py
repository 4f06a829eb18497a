"""Recipes followed to the letter from another package: its entry points are found, and what it adds works."""

from __future__ import annotations

from pathlib import Path

import pytest
from packages import EXAMPLES, ROOT, alone, installed, package_of

from linkwork.formulations import FORMULATIONS

TESTS = ROOT / "tests"


def laws(folder: Path, name: str, *files: str) -> None:
    """The tests over a registry, for what the package has entered there."""
    chosen = [str(TESTS / file) for file in files]
    said = alone(["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *chosen, "-k", name], folder)
    assert " passed" in said


def test_a_joint_with_a_parameter(tmp_path: Path) -> None:
    assert package_of("joint", tmp_path) == {"linkwork.joints": {"hoop": "my_package.hoop:Hoop"}}
    said = alone(
        [
            "-c",
            "import linkwork as lw\n"
            "print(lw.check(lw.load('planar_four_bar')).text())\n"
            "m = lw.Mechanism('bead')\n"
            "m.body('bead', mass=1, inertia=[1, 1, 1], position=[0.4, 0, 0])\n"
            "m.joint('h', 'hoop', 'ground', 'bead', point=[0, 0, 0], axis=[0, 1, 0], point2=[0.4, 0, 0], radius=0.4)\n"
            "print(lw.check(m).text())\n"
            "print([row.kind for row in lw.Mechanism.from_dict(m.to_dict()).lower().rows])\n",
        ],
        tmp_path,
    )
    assert "allows the same motions" in said  # suggestions look at every joint there is
    assert "['DP2', 'D']" in said


def test_a_joint_of_a_package_is_held_to_the_laws_of_joints(tmp_path: Path) -> None:
    package_of("joint", tmp_path)
    laws(tmp_path, "hoop", "laws/test_joints.py", "laws/test_motion_subgroups.py", "unit/test_analysis_assembly.py")


def test_a_force(tmp_path: Path) -> None:
    package_of("force", tmp_path)
    said = alone(
        [
            "-c",
            "import linkwork as lw\n"
            "m = lw.Mechanism('rocket')\n"
            "m.body('rocket', mass=2, inertia=[1, 1, 1])\n"
            "m.force('engine', 'thruster', body='rocket', thrust='6*t', point=[0, 0.5, 0])\n"
            "(load,) = lw.Mechanism.from_dict(m.to_dict()).lower().loads\n"
            "print(load.name, load.body, load.point, load.body_axes, float(load.components[0].jet(2.0)[0]))\n",
        ],
        tmp_path,
    )
    assert said.split("\n")[0] == "engine 0 (0.0, 0.5, 0.0) True 12.0"


HARDENED = """
import re
import sys
import linkwork as lw, numpy as np
from linkwork.mechanism.forces import FORCES

page = open(sys.argv[1], encoding="utf-8").read()
exec(re.findall(r"```python\\n(.*?)```", page, re.DOTALL)[2])
FORCES._entries["hardening"] = "__main__:Hardening"

def run(kind, **law):
    m = lw.Mechanism("hung")
    m.body("bob", mass=1.5, inertia=[0.1, 0.2, 0.25], position=[0.3, 0, -0.5], angular_velocity=[1.0, 2.0, -1.0])
    m.force("coil", kind, first="ground", second="bob", point=[0, 0, 0], point2=[0.4, 0, -0.4], length=0.3, **law)
    return lw.simulate(m, 0.4, 1e-3, formulation=sys.argv[2], **({"newton": "full"} if sys.argv[2] == "rA" else {}))

a = run("hardening", stiffness=40, cubic=30, damping=0.0)
b = run("spring", stiffness="40*(1 + 30*stretch**2)")
apart = max(float(np.abs(a[q] - b[q]).max()) for q in ("position", "velocity", "rotation"))
energy = a["kinetic_energy"] + a["potential_energy"]
stored = np.ptp(energy) / np.ptp(a["kinetic_energy"])
f, g = a.force("coil"), b.force("coil")
x = f["length"] - 0.3
law = float(np.abs(f["force"] - 40 * (x + 30 * x**3)).max())
print(apart, stored, law, float(np.abs(f.power - g.power).max()), float(np.ptp(f["length"])))
"""


@pytest.mark.parametrize(("formulation", "kept"), [("lie-mixed", 1e-8), ("rA", 1e-2)])
def test_a_law_of_force_with_a_kernel_of_its_own(formulation: str, kept: float, tmp_path: Path) -> None:
    """The motion of the same law as a formula, with its energy stored, where a formula's counts as work."""
    assert package_of("force-law", tmp_path) == {"linkwork.force_laws": {"HARDENING": "my_package.hardening:LAW"}}
    page = str(ROOT / "docs" / "recipes" / "force-law.md")
    numbers = [float(x) for x in alone(["-c", HARDENED, page, formulation], tmp_path).split()[-5:]]
    apart, drift, law, power, swing = numbers
    assert swing > 0.1
    assert apart < 1e-9
    assert drift < kept
    assert law < 1e-9
    assert power < 1e-6


def test_the_facts_of_a_law_of_a_package_are_held_against_its_kernels(tmp_path: Path) -> None:
    package_of("force-law", tmp_path)
    laws(tmp_path, "HARDENING", "unit/test_force_laws.py")


def test_a_format(tmp_path: Path) -> None:
    package_of("format", tmp_path)
    (tmp_path / "two.masses").write_text("a 1.5 0 0 1\nb 2 1e-1 0 0\n")
    code = f"import linkwork as lw; print([body.mass for body in lw.load({str(tmp_path / 'two.masses')!r}).bodies])"
    assert alone(["-c", code], tmp_path).strip() == "[1.5, 2.0]"


def test_a_plot(tmp_path: Path) -> None:
    package_of("plot", tmp_path)
    said = alone(
        [
            "-c",
            "import numpy as np\n"
            "from linkwork.header import Header\nfrom linkwork.result import Result\n"
            "arrays = {'time': np.linspace(0, 1, 3), 'position': np.zeros((3, 1, 3)),\n"
            "          'rotation': np.tile(np.eye(3), (3, 1, 1, 1)), 'velocity': np.full((3, 1, 3), 2.0)}\n"
            "(line,) = Result(Header(bodies=('bead',)), arrays).plot('speeds').axes[0].lines\n"
            "print(np.round(line.get_ydata() ** 2, 9).tolist())\n",
        ],
        tmp_path,
    )
    assert said.strip() == "[12.0, 12.0, 12.0]"


@pytest.mark.parametrize(
    ("recipe", "name", "formulation", "order"),
    [("integrator", "hht", "rA", 2), ("tableau", "three-eighths", "lie-mixed", 4)],
)
def test_an_integrator(recipe: str, name: str, formulation: str, order: int, tmp_path: Path) -> None:
    """Half the step, and the error falls by two to the order."""
    package_of(recipe, tmp_path)
    said = alone(
        [
            "-c",
            "import linkwork as lw, numpy as np\n"
            "m = lw.load('muller2013_heavy_top')\n"
            f"def end(h, *how): return lw.simulate(m, 0.04, h, *how, every=round(0.04 / h))['position'][-1]\n"
            f"runs = [end(h, {formulation!r}, {name!r}) for h in (2e-3, 1e-3, 5e-4)]\n"
            "print(np.log2(np.linalg.norm(runs[0] - runs[1]) / np.linalg.norm(runs[1] - runs[2])))\n",
        ],
        tmp_path,
    )
    assert float(said) == pytest.approx(order, abs=0.3)


LIFTED = """
import sys
import linkwork as lw, numpy as np
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.motions import Ball, Slide
from linkwork.mechanism.primitives import Primitive
from linkwork.system import compile_mechanism

class Lift(Joint):
    type: str = "lift"
    def locks(self, i, j):
        return (Primitive("HEAVE", a_i=i.z, s_i=j.point, swapped=True),)
    def moves(self, i, j):
        return (Slide(i.x), Slide(i.y), Ball(j.point))

JOINTS._entries["lift"] = "__main__:Lift"
m = lw.Mechanism("plate")
m.body("plate", mass=2.0, inertia=[0.1, 0.2, 0.25], position=[0, 0, 1], angular_velocity=[1.0, 2.0, -1.0],
       velocity=[0.3, 0.0, 0.4])
m.joint("lift", "lift", "ground", "plate", point=[0.2, 0.0, 1.1], axis=[0, 0, 1])
name = sys.argv[1]
said = FORMULATIONS.load(name).refusal(compile_mechanism(m.lower()))
if said:
    print("refused:", said)
else:
    r = lw.simulate(m, 0.05, 1e-3, name)
    s = np.array([0.2, 0.0, 0.1])
    A, w = r.rotation("plate"), r.angular_velocity("plate")
    speed = r.velocity("plate") + np.einsum("tij,tj->ti", A, np.cross(w, s))
    print(bool(r.success), np.abs(speed[:, 2]).max() < 1e-6, np.ptp(r.velocity("plate")[:, 2]) > 0.01)
"""


def test_the_facts_of_a_row_of_a_package_are_held_against_its_kernels(tmp_path: Path) -> None:
    assert package_of("primitive", tmp_path) == {"linkwork.rows": {"HEAVE": "my_package.heave:KIND"}}
    laws(tmp_path, "HEAVE", "unit/test_row_kinds.py")


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_row_of_velocity_level_holds_in_every_formulation(formulation: str, tmp_path: Path) -> None:
    """The point's vertical velocity stays zero while the plate turns, which a row met as a position would not give."""
    package_of("primitive", tmp_path)
    said = alone(["-c", LIFTED, formulation], tmp_path).strip().splitlines()[-1]
    assert said == "True True True" or said.startswith("refused:")


def test_a_formulation_with_rotation_vectors(tmp_path: Path) -> None:
    """The motion of rA, also of a body that turns by more than the two radians after which its vectors count anew."""
    package = EXAMPLES / "rotation_vectors"
    installed("rotation_vectors", (package / "pyproject.toml").read_text(encoding="utf-8"), tmp_path)
    code = """
import linkwork as lw, numpy as np
m = lw.Mechanism("pair")
m.body("arm", mass=2.0, inertia=[0.1, 0.2, 0.25], position=[0.3, 0, 0], angular_velocity=[0, 0, 60],
       velocity=[0, 18, 0])
m.body("top", mass=1.0, inertia=[0.02, 0.03, 0.04], position=[0.6, 0, 0.1], angular_velocity=[10, 5, 60],
       velocity=[0.5, 35, 0])
m.joint("pin", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 0, 1])
m.joint("ball", "spherical", "arm", "top", point=[0.6, 0, 0])
a, b = (lw.simulate(m, 0.06, 2e-4, name, every=300) for name in ("rv", "rA"))
print(max(float(np.abs(a[q][-1] - b[q][-1]).max()) for q in ("position", "rotation")), bool(a.success))
"""
    apart, success = alone(["-c", code], tmp_path, package).split()[-2:]
    assert float(apart) < 1e-3
    assert success == "True"
