"""Every verb of the command line, name of the front door, formulation and integrator, where nothing has run before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from documented.fresh import Outcome, linkwork, python
from documented.pages import pages, steps

import linkwork as lw
from linkwork.cli.main import VERBS as KNOWN
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.run.matching import fitting

TREE, LOOP = "kissel2021_double_pendulum", "planar_four_bar"
SHORT = ["--t-end", "0.02", "--step", "1e-3"]
VERBS: dict[str, list[str]] = {
    "run": [TREE, *SHORT, "--out", "run.nc"],
    "kinematics": [LOOP, *SHORT],
    "check": [LOOP],
    "equilibrium": [TREE],
    "models": [],
    "modes": [TREE, "--plot", "modes.svg"],
    "count": [TREE],
    "formulations": ["--json"],
    "convert": [TREE, "copy.yaml"],
    "plot": ["run.nc", "--out", "run.svg"],
    "compare": [TREE, "--t-end", "0.02", "--formulation", "rA", "--step", "1e-3"],
    "study": ["study.yaml"],
    "reproduce": ["--list"],
    "plan": [TREE, "--accuracy", "1e-4"],
    "sweep": ["sweep.yaml"],
    "warm": ["rA", "--quiet"],
    "tune": ["--off"],
    "view": [TREE],
    "doctor": [],
}
BEGIN = f"import linkwork as lw; tree, loop = lw.load({TREE!r}), lw.load({LOOP!r}); "
NAMES = {
    "Mechanism": "lw.Mechanism('empty').to_dict()",
    "Result": "lw.Result",
    "State": "lw.State.of(lw.simulate(tree, 0.02, 1e-3), -1)",
    "JointState": "lw.joint_coordinates(tree).values",
    "accelerations": "lw.accelerations(tree)",
    "assemble": "lw.assemble(loop)",
    "check": "lw.check(loop).text()",
    "compare": "lw.compare(tree, t_end=0.02, formulations=['rA', 'lie-se3'], steps=[1e-3]).table()",
    "counts_of": "lw.counts_of(tree, 'canonical').total",
    "branch": "lw.branch",
    "equilibria": "lw.equilibria(lw.load('spatial_slider_crank_spring'), most=2)",
    "equilibrium": "lw.equilibrium(tree).text()",
    "errors": "lw.errors.ModelError",
    "floquet": "lw.floquet(loop, 1.0, accuracy=1e-6).text()",
    "forward_kinematics": "lw.forward_kinematics(tree, [0.1, 0.2])",
    "inverse_dynamics": "lw.inverse_dynamics(tree, [0.1, 0.2])",
    "jacobian": "lw.jacobian(tree, 'bar 2')",
    "joint_coordinates": "lw.joint_coordinates(tree)",
    "joints": "lw.joints",
    "kinematics": "lw.kinematics(loop, 0.02, 1e-3)",
    "linearise": "lw.linearise(loop, outputs=['crank.rotation.z']).A",
    "Model": "lw.Model",
    "Sweep": "lw.Sweep",
    "compile": "lw.compile(tree).run(0.02, 1e-3)['position']",
    "plan": "lw.plan(tree, 0.02, 1e-3, accuracy=1e-4)",
    "sweep": "lw.sweep(lw.load('kissel2021_slider_crank'), {'crank.mass': [1, 2]}, t_end=0.02, step=1e-3)['energy']",
    "open_sweep": "lw.open_sweep",
    "Final": 'lw.Final("hinge.angle")',
    "Integral": 'lw.Integral("hinge.angle")',
    "uniform": "lw.uniform(0.0, 1.0)",
    "log_uniform": "lw.log_uniform(0.1, 1.0)",
    "triangular": "lw.triangular(0.0, 1.0)",
    "normal": "lw.normal(0.0, 1.0)",
    "sensitivities": "lw.sensitivities",
    "load": f"lw.load({TREE!r})",
    "load_plan": "lw.plan(tree, 0.02, 1e-3).save('plan.yaml'); lw.load_plan('plan.yaml').run()['position']",
    "load_study": "lw.load_study('study.yaml')",
    "mass_matrix": "lw.mass_matrix(tree)",
    "modes": "lw.modes(tree).text()",
    "open_result": "lw.simulate(tree, 0.02, 1e-3).save('run.nc'); lw.open_result('run.nc')['position']",
    "resume": "lw.simulate(tree, 0.02, 1e-3, out='run.nc'); lw.resume('run.nc')['position']",
    "run_study": "lw.run_study(lw.load_study('study.yaml'), folder='results')",
    "control": "lw.control",
    "controller": "lw.controller(0.01)",
    "PID": "lw.PID",
    "Simulator": "lw.Simulator(tree, 1e-3)",
    "start_state": "lw.start_state(tree)",
    "steady_motion": "lw.steady_motion(lw.load('rolling_disc'), turning=(0, 0, 1.5)).text()",
    "simulate": "lw.simulate(loop, 0.02, 1e-3)",
    "topology": "lw.topology(loop)",
    "verify": "lw.verify(lw.simulate(tree, 0.02, 1e-3))",
    "Samples": "lw.simulate(loop, 0.02, 1e-3, samples=lw.Samples(every=2))",
    "Option": "lw.Option('what it is', unit='m')",
}
METHODS = (
    *("RA", "RP", "RE", "LieSE3", "LieProduct", "LieMixed", "RotationMatrix", "Augmented", "RangeSpace", "Partial"),
    *("JointRates", "Barycentric", "CutJoint", "NullSpace", "Penalty", "ArticulatedBody", "Canonical"),
    *("ImplicitEuler", "GeneralizedAlpha", "Radau5", "Radau9", "Radau13", "RadauVariable"),
    *("ImplicitMidpoint", "StormerVerlet"),
    *("Rattle", "Rattle4", "Rattle6", "Shake"),
    *("Euler", "Heun", "RK4", "BS32", "DP54", "TS54", "DOP853"),
)
NAMES |= {name: f"lw.{name}().describe()" for name in METHODS}
NAMES |= {name: f"lw.{name}.describe" for name in ("Formulation", "Integrator", "RungeKutta", "EmbeddedPair")}
STUDY = (
    f"study: 1\nmechanism: {TREE}\nt_end: 0.02\nruns: [{{formulation: rA, integrator: implicit-euler, step: 1e-3}}]\n"
)
SWEEP = "mechanism: kissel2021_slider_crank\nover: {crank.mass: [1.0, 2.0]}\nt_end: 0.02\nstep: 0.001\nkeep: [energy]\n"
USUAL = {name: fitting(name)[0] for name in FORMULATIONS}
TAKES = {integrator: next(name for name in FORMULATIONS if integrator in fitting(name)) for integrator in INTEGRATORS}
PAIRS = sorted(set(USUAL.items()) | {(name, i) for i, name in TAKES.items()})


def test_every_verb_and_name_is_here() -> None:
    assert set(KNOWN) == set(VERBS), "enter the new verb above, with a short call"
    names = {name for name in lw.__all__ if not name.startswith("__")}
    assert names == set(NAMES), "enter the new name above, with a short call"


def test_every_verb_stands_on_a_page() -> None:
    shown = {step.words[1] for page in pages() for step in steps(page) if step.text.startswith("linkwork ")}
    assert set(VERBS) - shown <= {
        "convert",
        "count",
        "formulations",
        "doctor",
        "warm",
        "tune",
    }  # named in docs/cli.md, in its table


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_where_nothing_has_run(verb: str, tmp_path: Path, good: Callable[[Outcome], Outcome]) -> None:
    (tmp_path / "study.yaml").write_text(STUDY)
    (tmp_path / "sweep.yaml").write_text(SWEEP)
    if verb == "plot":
        assert linkwork(["run", *VERBS["run"], "--quiet"], tmp_path).status == 0
    good(linkwork([verb, *VERBS[verb]], tmp_path))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_front_door_where_nothing_has_run(
    name: str, tmp_path: Path, good: Callable[[Outcome], Outcome]
) -> None:
    (tmp_path / "study.yaml").write_text(STUDY)
    good(python(BEGIN + NAMES[name], tmp_path))


@pytest.mark.parametrize(("formulation", "integrator"), PAIRS)
def test_a_formulation_and_an_integrator_where_nothing_has_run(
    formulation: str, integrator: str, tmp_path: Path, good: Callable[[Outcome], Outcome]
) -> None:
    words = ["run", TREE, *SHORT, "--formulation", formulation, "--integrator", integrator]
    words += ["--limit", "energy=0.1"]  # methods of order one are 5 % off at this step
    good(linkwork(words, tmp_path))


@pytest.mark.parametrize("formulation", [name for name in FORMULATIONS if FORMULATIONS.load(name).supports_kinematics])
def test_kinematics_where_nothing_has_run(formulation: str, tmp_path: Path, good: Callable[[Outcome], Outcome]) -> None:
    good(linkwork(["kinematics", LOOP, *SHORT, "--formulation", formulation], tmp_path))
