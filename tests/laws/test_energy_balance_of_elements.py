"""Energy changes by the work that is done, and by nothing else, on random mechanisms with every element: motors,
dampers, inputs, tendons, bushings, springs by formula and table, couplings elastic and rigid, rotors, cams, drivers.

Runs are accurate to 1e-10; the power is integrated by Simpson's rule, whose error falls with the fourth power of the
distance of samples. What is counted wrong leaves more, and stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanism_generator import mechanism_with_elements
from mechanism_generator_couplings import mechanism_with_couplings
from scipy.integrate import cumulative_simpson

import linkwork as lw


def loaded(seed: int) -> lw.Mechanism:
    """A random mechanism with elements, and those that the generator does not know."""
    data = mechanism_with_elements(seed).to_dict()
    data["inputs"], data["parameters"] = {"gas": 0.7}, {"k": 3.0}
    data["tables"] = {"tyre": {"x": [-1, -0.3, 0.2, 1.1], "y": [-5, -1, 2, 9], "between": "pchip", "outside": "extend"}}
    body = data["bodies"][-1]["name"]
    drag = [f"-0.3*speed('{body}')*velocity('{body}', '{axis}')" for axis in "xyz"]
    blow = ["5*input('gas')*cos(9*t)", "k", f"table('tyre', position('{body}', 'x'))"]
    ends = {"first": "ground", "second": body, "point": [0.1, 0.9, 0.2], "point2": [-0.4, 0.1, 0.3]}
    band = {"actuator": "40*stretch + 300*stretch**3 + k*sin(3*t)", "damping": "0.3 + 0.2*rate**2"}
    more: list[dict[str, Any]] = [
        {"name": "drag", "type": "force", "body": body, "components": drag},
        {"name": "shake", "type": "base-acceleration", "components": ["2*sin(7*t)", "k*cos(5*t)", 0]},
        {"name": "blow", "type": "force", "body": body, "axes": "body", "point": [0.1, 0.2, -0.1], "components": blow},
        {"name": "band", "type": "spring", **ends, **band},
    ]
    kinds = {joint["name"]: joint["type"] for joint in data["joints"]}
    one = [name for name, kind in kinds.items() if kind in ("revolute", "translational")]
    if len(one) > 1:
        pull = {"stiffness": "20 + k*stretch", "damping": 2.0, "force": "0.4*sin(6*t)"}
        more.append({"name": "tendon", "type": "tendon", "coordinates": one[:2], "factors": [0.3, -0.5], **pull})
    if hinges := [name for name in one if kinds[name] == "revolute"]:
        gains = {"stiffness": "8 + k", "damping": "0.5 + 0.1*rate**2", "effort": "0.4*input('gas')", "ratio": 1.5}
        wanted = {"position": "0.5*sin(4*t)", "velocity": "2*cos(4*t)"}
        more.append({"name": "servo", "type": "motor", "joint": hinges[0], **wanted, **gains})
    if balls := [name for name, kind in kinds.items() if kind == "spherical"]:
        more.append({"name": "ball", "type": "spherical-spring", "joint": balls[0], "stiffness": 4.0, "damping": 0.3})
    data["forces"] = [*data.get("forces", ()), *more]
    return lw.assemble(lw.Mechanism.from_dict(data)).mechanism


def unexplained(mech: lw.Mechanism, interval: float) -> tuple[float, float]:
    """The largest change of energy that is no work, and the largest work, both as parts of what is exchanged."""
    res = lw.simulate(mech, 0.1, interval, "augmented", "dop853", rtol=1e-10, atol=1e-12, stabilisation="projection")
    work = cumulative_simpson(res["power"], x=res.time, initial=0.0)[::2]
    energies = [res[name][::2] for name in ("kinetic_energy", "potential_energy")]
    total = sum(energies)
    exchanged = max(np.ptp(part) for part in (*energies, work))
    return float(np.abs(total - total[0] - work).max() / exchanged), float(np.ptp(work) / exchanged)


@pytest.mark.parametrize(
    ("make", "seed"),
    [*((loaded, seed) for seed in (3, 13, 15, 20)), *((mechanism_with_couplings, seed) for seed in (5, 12))],
)
def test_the_change_of_energy_is_the_work_of_every_element(make: Any, seed: int) -> None:
    left, share = unexplained(make(seed), 1e-3)
    assert left < 2e-8
    assert share > 0.1
