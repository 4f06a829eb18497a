"""What a prompt shows of what is found: one line, however many numbers there are; `print` shows the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import linkwork as lw
from linkwork.plots.overview import footer
from linkwork.shown import counted, some

ROUND = {"t_end": 0.1, "step": 1e-2, "formulation": "canonical", "integrator": "rk4"}


def pendulum() -> lw.Mechanism:
    return lw.load("dumitriu2015_double_pendulum")


def run() -> lw.Result:
    return lw.simulate(pendulum(), **ROUND)


def driven() -> lw.Mechanism:
    return lw.load("planar_four_bar")


FOUND: dict[str, Callable[[], Any]] = {
    "accelerations": lambda: lw.accelerations(pendulum()),
    "accuracy": lambda: lw.simulate(pendulum(), 0.1).accuracy,
    "assemble": lambda: lw.assemble(driven()),
    "check": lambda: lw.check(driven()),
    "compile": lambda: lw.compile(pendulum(), formulation="canonical", integrator="rk4"),
    "energy": lambda: run().energy_balance(),
    "equilibrium": lambda: lw.equilibrium(pendulum()),
    "floquet": lambda: lw.floquet(driven(), 1.0, accuracy=1e-6),
    "inverse_dynamics": lambda: lw.inverse_dynamics(driven(), lw.kinematics(driven(), 0.1, 1e-2)),
    "joint_coordinates": lambda: lw.joint_coordinates(pendulum()),
    "kinematics": lambda: lw.kinematics(driven(), 0.1, 1e-2),
    "linearise": lambda: lw.linearise(pendulum(), at=lw.equilibrium(pendulum()).state),
    "modes": lambda: lw.modes(pendulum()),
    "plan": lambda: lw.plan(pendulum(), 0.1),
    "reaction": lambda: run().reaction(pendulum().joints[0].name),
    "simulate": run,
    "start_state": lambda: lw.start_state(pendulum()),
    "topology": lambda: lw.topology(driven()),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_prompt_shows_one_line(name: str) -> None:
    found = FOUND[name]()
    line = repr(found)
    assert line.startswith(f"<{type(found).__name__}")
    assert line.endswith(">")
    assert "\n" not in line
    assert len(line) < 200
    assert str(found) == (found.text() if hasattr(found, "text") else str(found))
    assert "array(" not in str(found)
    assert "Compiled" not in line  # a thousand lines of a terminal


def test_lines_tell_what_is_there() -> None:
    assert repr(lw.check(driven())) == "<CheckReport of 'planar four-bar': 3 bodies, 21 rows, can be run>"
    assert repr(FOUND["topology"]()) == "<Topology of 'planar four-bar': 3 bodies, 4 joints, 1 cut joint>"
    assert repr(FOUND["inverse_dynamics"]()) == "<Loads of motor: 11 samples, 0 to 0.1 s>"
    assert repr(lw.start_state(pendulum())) == "<State of 2 bodies at t = 0 s>"
    assert "canonical" in repr(FOUND["plan"]())
    assert ": neutral, 6 freedoms" in repr(FOUND["equilibrium"]())
    assert repr(FOUND["kinematics"]()).endswith("; 3 bodies, 4 joints, 1 driver>")  # which has a reaction, too
    assert footer(FOUND["kinematics"]()).startswith("3 bodies, 4 joints, 1 driver, 11 samples;")
    assert (counted(0, "mode"), some("abcdef")) == ("0 modes", "a, b, c, d and 2 more")
