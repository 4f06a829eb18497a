"""How steady motions, their reactions and eigenvalues move with numbers: closed forms, and motions found again."""

from __future__ import annotations

import math
import runpy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit.test_modes import governor
from unit.test_steady import needed, top

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.errors import UsageError
from linkwork.linearisation.steady_freedoms import undetermined

G, M, ARM, ACROSS, ALONG = 9.81, 0.6, 0.15, 0.002, 0.0015  # of the top
bicycle: Any = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "bicycle.py"))["build"]


def spinning(lean: float, W: float, **how: Any) -> Any:
    """The top that leans so while it precesses with W, found by its spin from another lean."""
    start = lw.State.start(top(lean + 0.1, 0.0))
    omega = start.rotation[0].T @ [0.0, 0.0, W] + [0.0, 0.0, needed(lean, W)]
    state = lw.State(start.position, start.rotation, start.velocity, omega[None])
    return lw.steady_motion(top(lean + 0.1, 0.0), state, turning=(0, 0, W), **how)


def test_the_spin_of_a_heavy_top_for_its_lean() -> None:
    """s = ((I + m l^2) W^2 cos + m g l) / (J W) - W cos."""
    W, cosine = 3.0, math.cos(0.5)
    motion = lw.steady_motion(top(0.5, 100.0), turning=(0, 0, W), keep="pose")
    to = ["top.mass", "gravity[2]", "top.inertia[2]"]
    found = lw.sensitivities(motion, of=["top.spin", "position", "pivot.force"], to=to)
    total = (ACROSS + M * ARM**2) * W**2 * cosine + M * G * ARM
    wanted = [(ARM**2 * W**2 * cosine + G * ARM) / (ALONG * W), -M * ARM / (ALONG * W), -total / (ALONG**2 * W)]
    assert found["top.spin"] == pytest.approx(wanted, rel=1e-10)
    assert np.max(np.abs(found["position"])) == 0.0
    radial = -(W**2) * ARM * math.sin(0.5)
    assert found["pivot.force", "top.mass"] == pytest.approx([radial, 0.0, G], abs=1e-10)
    assert found["pivot.force", "gravity[2]"] == pytest.approx([0.0, 0.0, -M], abs=1e-10)


def test_the_lean_and_nutation_of_a_heavy_top_for_its_spin() -> None:
    """cos = (J W s - m g l) / ((I + m l^2 - J) W^2); nutation^2 = I'^2 W^4 - 2 I' W^2 m g l cos + (m g l)^2, over
    (I' W)^2, I' = I + m l^2, of a top whose spin stays the same while it is moved."""
    W, lean = 12.0, 0.5
    motion = spinning(lean, W)
    assert undetermined(motion) == ""

    def cosine(m: float = M, J: float = ALONG) -> float:
        return (J * W * needed(lean, W) - m * G * ARM) / ((ACROSS + m * ARM**2 - J) * W**2)

    def nutation(m: float = M, J: float = ALONG) -> float:
        pivot, weight = ACROSS + m * ARM**2, m * G * ARM
        squared = pivot**2 * W**4 - 2 * pivot * W**2 * weight * cosine(m, J) + weight**2
        return math.sqrt(squared) / (pivot * W)

    def slope(f: Any, at: float) -> float:
        h = 1e-3 * at
        return float((8 * (f(at + h) - f(at - h)) - (f(at + 2 * h) - f(at - 2 * h))) / (12 * h))

    of = {"lean": lambda found: found.state.rotation[0, 2, 2], "spin": "spin", "eigenvalues": "eigenvalues"}
    found = lw.sensitivities(motion, of=of, to=["top.mass", "top.inertia[2]"])
    wanted = [slope(cosine, M), slope(partial(cosine, M), ALONG)]
    assert found["lean"] == pytest.approx(wanted, rel=1e-9)
    assert np.max(np.abs(found["spin"])) == 0.0
    values = found.values["eigenvalues"]
    assert np.max(np.abs(values)) == pytest.approx(nutation(), rel=1e-10)
    assert np.sum(values == 0.0) >= 2  # its precession and its spin may begin anywhere
    (k,) = np.flatnonzero(values)
    by = found["eigenvalues"][k]
    assert by.imag == pytest.approx([slope(nutation, M), slope(partial(nutation, M), ALONG)], rel=1e-8)
    assert np.max(np.abs(by.real)) <= 1e-8 * np.max(np.abs(by.imag))


@pytest.mark.parametrize("driven", [True, False])
def test_a_spinning_governor(driven: bool) -> None:
    """z = g / W^2 below the pin whatever the mass; eigenvalue i W ((m l^2 sin^2) / (m l^2 + I))^(1/2)."""
    speed, m, arm, inertia = 7.0, 0.7, 0.4, 0.01
    mech = governor(speed, 1.0)
    if not driven:  # what turns on is brought back by nothing, and may
        mech = lw.Mechanism.from_dict({key: of for key, of in mech.to_dict().items() if key != "drivers"})
    rest = lw.equilibrium(mech, turning=(0, 0, speed))
    assert bool(rest.unrestored) is not driven
    found = lw.sensitivities(rest, of=["ball.position", "pin.force", "eigenvalues"], to=["gravity[2]", "ball.mass"])
    assert found["ball.position"][2] == pytest.approx([1.0 / speed**2, 0.0], abs=1e-12)
    assert found["pin.force"][2] == pytest.approx([-m, G], rel=1e-10)
    if driven:
        sine = 1.0 - (G / (arm * speed**2)) ** 2
        whole = m * arm**2 + inertia
        by_mass = 0.5 * speed * math.sqrt(m * arm**2 * sine / whole) * (1.0 / m - arm**2 / whole)
        assert abs(found["eigenvalues", "ball.mass"][0] - 1j * by_mass) <= 1e-10 * by_mass


def test_against_motions_that_are_found_again() -> None:
    """A disc that rolls in a circle, and the benchmark bicycle: central differences of fourth order."""
    disc, ride = lw.load("rolling_disc"), bicycle(5.0)
    cases: tuple[tuple[Any, Any, str, list[Any]], ...] = (
        (disc, (0, 0, 1.4), "gravity[2]", ["disc.velocity", "drift", "ground contact.force"]),
        (ride, (0, 0, 0), "frame.mass", ["eigenvalues", "rear contact.force"]),
    )
    for mech, turning, to, of in cases:
        found = lw.sensitivities(lw.steady_motion(mech, turning=turning), of=of, to=to)
        (number,) = numbers_of(mech, to)
        h = 1e-3 * abs(number.value)
        beside = [lw.steady_motion(number.moved(by), turning=turning) for by in (-2 * h, -h, h, 2 * h)]
        for name in of:
            if name == "eigenvalues":
                known = found.values[name]
                moving = known != 0.0
                every = [np.array(lw.modes(one._source, one).eigenvalues) for one in beside]
                near = [[values[np.argmin(np.abs(values - one))] for one in known[moving]] for values in every]
                wanted, seen = _slope(np.array(near), h), found[name][moving, 0]
                assert np.sum(moving) == 3  # weave, and two on the real axis
            else:
                some = [_quantity(one, name) for one in beside]
                wanted, seen = _slope(np.array(some), h), found[name][..., 0]
            assert np.max(np.abs(seen - wanted)) <= 1e-7 * np.max(np.abs(wanted)), name


def _slope(values: Any, h: float) -> Any:
    return (8 * (values[2] - values[1]) - (values[3] - values[0])) / (12 * h)


def _quantity(motion: Any, name: str) -> Any:
    owner, _, what = name.rpartition(".")
    if what == "velocity":
        return motion.state.velocity[motion.bodies.index(owner)]
    return motion.drift if name == "drift" else motion.reactions[owner].force


def test_what_is_refused() -> None:
    free = spinning(0.5, 12.0, keep=None)
    with pytest.raises(UsageError, match="nothing determines the spin of 'top'"):
        lw.sensitivities(free, of="spin", to="top.mass")
    motion = spinning(0.5, 12.0)
    with pytest.raises(UsageError, match="'top' has no axis of symmetry beside"):
        lw.sensitivities(motion, of="spin", to="top.inertia[0]")
    with pytest.raises(UsageError, match=r"a steady motion has no quantity 'lean'.*spin"):
        lw.sensitivities(motion, of="lean", to="top.mass")
    with pytest.raises(UsageError, match="have no modes"):
        lw.sensitivities(motion, of="spin", to="top.mass", mode="adjoint")
    with pytest.raises(UsageError, match=r"Of a steady motion take linkwork\.sensitivities"):
        lw.equilibrium(governor(7.0, 1.0), turning=(0, 0, 7.0)).sensitivity("ball.mass")
    with pytest.raises(UsageError, match="another one, or none, beside"):  # where it stands upright, and leans no more
        lw.sensitivities(spinning(0.02, 12.0), of="position", to="top.inertia[2]")
