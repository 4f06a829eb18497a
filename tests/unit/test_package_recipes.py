"""The recipes work as printed: their code is run, registered and used."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.header import Header
from linkwork.integrators import INTEGRATORS
from linkwork.integrators.tableaux import TABLEAUX
from linkwork.io.formats import FORMATS
from linkwork.mechanism.forces import FORCES
from linkwork.mechanism.joints import JOINTS
from linkwork.plots import PLOTS
from linkwork.registry import Registry
from linkwork.result import Result
from linkwork.run.matching import fitting

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"


def follow(recipe: str, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the file that a recipe prints first, enter it where the recipe's line says, and return its name there."""
    page = (RECIPES / f"{recipe}.md").read_text()
    file, line = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[:2]
    name, attribute = re.search(r'"([\w-]+)": f?".*:(\w+)"', line).groups()  # type: ignore[union-attr]
    module = ModuleType(f"recipe_{recipe}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(file, f"{recipe}.md", "exec"), vars(module))
    monkeypatch.setitem(registry._entries, name, f"{module.__name__}:{attribute}")
    return name


def test_a_joint_made_by_the_recipe_holds_its_body_on_the_hoop(monkeypatch: pytest.MonkeyPatch) -> None:
    hoop = follow("joint", JOINTS, monkeypatch)
    mech = lw.Mechanism("bead")
    mech.body("bead", mass=1.0, inertia=[1.0, 1.0, 1.0], position=[0.4, 0.0, 0.0])
    centre, normal = [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]
    mech.joint("hoop", hoop, "ground", "bead", point=centre, axis=normal, point2=[0.4, 0.0, 0.0], radius=0.4)
    assert len(mech.lower().rows) == 2
    result = lw.simulate(mech, t_end=0.1, step=1e-3, formulation="rA")
    r, v = result.position("bead"), result.velocity("bead")
    assert_allclose(np.hypot(r[:, 0], r[:, 2]), 0.4, atol=1e-12)
    assert_allclose(r[:, 1], 0.0, atol=1e-12)
    assert_allclose(
        result.acceleration("bead")[0], [0.0, 0.0, -9.81], rtol=1e-9, atol=1e-9
    )  # straight down at its side
    assert_allclose(0.5 * np.sum(v**2, axis=1), -9.81 * r[:, 2], atol=1e-4)


def test_a_force_made_by_the_recipe_pushes(monkeypatch: pytest.MonkeyPatch) -> None:
    thruster = follow("force", FORCES, monkeypatch)
    mech = lw.Mechanism("rocket", gravity=[0.0, 0.0, 0.0])
    upright = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]  # body x points along global z
    mech.body("rocket", mass=2.0, inertia=[1.0, 1.0, 1.0], rotation=upright)
    mech.force("engine", thruster, body="rocket", thrust="6*t")
    result = lw.simulate(mech, t_end=0.1, step=1e-3, formulation="rA")
    assert_allclose(result.acceleration("rocket")[-1], [0.0, 0.0, 0.3], rtol=1e-9, atol=1e-12)


def test_a_plot_made_by_the_recipe_shows_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = follow("plot", PLOTS, monkeypatch)
    time = np.linspace(0.0, 1.0, 5)
    velocity = np.zeros((5, 1, 3))
    velocity[:, 0, :2] = time[:, None] * [3.0, 4.0]
    arrays = {
        "time": time,
        "position": np.zeros((5, 1, 3)),
        "rotation": np.tile(np.eye(3), (5, 1, 1, 1)),
        "velocity": velocity,
    }
    figure = Result(Header(bodies=("bead",)), arrays).plot(kind)
    (line,) = figure.axes[0].lines
    assert_allclose(line.get_ydata(), 5.0 * time)


def test_a_format_made_by_the_recipe_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    follow("format", FORMATS, monkeypatch)
    path = tmp_path / "two.masses"
    path.write_text("a 1.5 0 0 1\nb 2 1e-1 0 0\n")
    mech = lw.load(path)
    assert [(body.name, body.mass, body.position) for body in mech.bodies] == [
        ("a", 1.5, (0.0, 0.0, 1.0)),
        ("b", 2.0, (0.1, 0.0, 0.0)),
    ]
    path.write_text("a 1.5 0 0 1\nb two 0 0 0\n")
    with pytest.raises(ModelError, match="line 2"):
        lw.load(path)


def errors_at_the_end(
    mech: lw.Mechanism, exact: lw.Result, formulation: str, integrator: str, t_end: float, step: float
) -> list[float]:
    """Of positions, velocities and multipliers."""
    run = lw.simulate(mech, t_end, step, formulation, integrator, every=round(t_end / step))
    return [float(np.abs(run[q][-1] - exact[q][-1]).max()) for q in ("position", "velocity", "multiplier")]


def test_a_tableau_made_by_the_recipe_has_its_order_on_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(INTEGRATORS, "_entries", dict(INTEGRATORS._entries))  # it takes over every tableau's name
    method = follow("tableau", TABLEAUX, monkeypatch)
    assert method in fitting("lie-se3")
    assert method not in fitting("rA")
    mech, t_end = lw.load("muller2013_heavy_top"), 0.1
    exact = lw.simulate(mech, t_end, 1e-3, "lie-se3", "dop853", every=100)
    coarse, fine = (errors_at_the_end(mech, exact, "lie-se3", method, t_end, h) for h in (1e-3, 5e-4))
    assert_allclose(np.log2(coarse) - np.log2(fine), 4.0, atol=0.1)
    assert fine[0] < 1e-6


def test_an_integrator_made_by_the_recipe_has_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    method = follow("integrator", INTEGRATORS, monkeypatch)
    assert method in fitting("rA")
    assert method in fitting("lie-se3")
    mech, t_end = lw.load("muller2013_floating_pair"), 0.2
    exact = lw.simulate(mech, t_end, 1e-3, "lie-mixed", "dop853", every=200)
    coarse, fine = (errors_at_the_end(mech, exact, "rA", method, t_end, h) for h in (4e-3, 2e-3))
    assert_allclose(np.log2(coarse) - np.log2(fine), 2.0, atol=0.1)
    assert fine[0] < 1e-4


@pytest.mark.parametrize(
    "page", ["joint", "primitive", "force", "force-law", "formulation", "integrator", "tableau", "format", "plot"]
)
def test_the_files_that_a_recipe_names_exist(page: str) -> None:
    text = (RECIPES / f"{page}.md").read_text()
    new = {
        "hoop.py",
        "heave.py",
        "thruster.py",
        "speeds.py",
        "point_masses.py",
        "hht.py",
        "hardening.py",
        "three_eighths.py",
    }
    for path in re.findall(r"`(src/linkwork/[\w/.]+)`", text):
        if Path(path).name not in new:
            assert (RECIPES.parents[1] / path).exists(), path


def test_a_joint_with_a_parameter_of_its_own_does_not_disturb_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.mechanism.elements import Positive
    from linkwork.mechanism.joints.base import Joint
    from linkwork.mechanism.markers import Marker
    from linkwork.mechanism.primitives import Primitive, on_line

    class Pulley(Joint):
        type: str = "pulley"
        radius: Positive

        def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
            assert self.radius > 0.0
            return on_line(i, j)

    module = ModuleType("recipe_pulley")
    module.Pulley = Pulley  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(JOINTS._entries, "pulley", "recipe_pulley:Pulley")
    text = lw.check(lw.load("planar_four_bar")).text()
    assert "allows the same motions" in text
