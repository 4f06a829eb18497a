"""A formulation says beforehand, without a compiler, whether it takes a mechanism: and a run then agrees with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from oracles.redundant import n_four_bar

import linkwork as lw
from linkwork.formulations import FORMULATIONS
from linkwork.starting import prepare


def single(inertia: list[float], kind: str, **place: Any) -> lw.Mechanism:
    m = lw.Mechanism("one body", gravity=(0, 0, -9.81))
    m.body("bob", mass=1, inertia=inertia, position=(1, 0, 0))
    m.joint("pin", kind, "ground", "bob", point=(0, 0, 0), **place)
    return m


def massless_link() -> lw.Mechanism:
    m = lw.Mechanism("a link without mass", gravity=(0, 0, -9.81))
    m.body("link", mass=0, inertia=[0, 0, 0], position=(0.5, 0, 0))
    m.body("bob", mass=1, inertia=[0.1, 0.1, 0.1], position=(1, 0, 0))
    m.joint("pin", "revolute", "ground", "link", point=(0, 0, 0), axis=(0, 1, 0))
    m.joint("weld", "fixed", "link", "bob", point=(1, 0, 0))
    return m


def thin_leg() -> lw.Mechanism:
    """Universal, cylindrical, universal: the upper half spins without inertia once the loop is opened above it."""
    m = lw.Mechanism("legs", gravity=(0, 0, -9.81))
    m.body("top", mass=5, inertia=[0.3, 0.3, 0.5], position=(0, 0, 1.2))
    for k, angle in enumerate((0.0, 2.1, 4.2)):
        p = np.array([np.cos(angle), np.sin(angle), 0.0])
        q = np.array([0.5 * np.cos(angle + 0.3), 0.5 * np.sin(angle + 0.3), 1.2])
        d = (q - p) / np.linalg.norm(q - p)
        x = np.cross(d, (0.0, 0.0, 1.0)) / np.linalg.norm(np.cross(d, (0.0, 0.0, 1.0)))
        turned = np.column_stack([x, np.cross(d, x), d]).tolist()
        for name, share in (("lower", 0.3), ("upper", 0.7)):
            place = (p + share * (q - p)).tolist()
            m.body(f"{name} {k}", mass=1, inertia=[0.1, 0.1, 0.0], position=place, rotation=turned)
        m.joint(
            f"base {k}", "universal", "ground", f"lower {k}", point=p.tolist(), axis=x.tolist(), axis2=turned_y(d, x)
        )
        m.joint(f"slide {k}", "cylindrical", f"lower {k}", f"upper {k}", point=p.tolist(), axis=d.tolist())
        m.joint(f"tip {k}", "universal", f"upper {k}", "top", point=q.tolist(), axis=x.tolist(), axis2=turned_y(d, x))
    return m


def turned_y(d: np.ndarray, x: np.ndarray) -> list[float]:
    return [float(c) for c in np.cross(d, x)]


CASES: dict[str, Callable[[], lw.Mechanism]] = {
    "a point on a hinge": lambda: single([0, 0, 0], "revolute", axis=(0, 1, 0)),
    "a rod on a ball": lambda: single([0, 0.1, 0.1], "spherical"),
    "a flat plate": lambda: single([0.1, 0.1, 0.2], "revolute", axis=(0, 1, 0)),
    "thin four-bar": lambda: n_four_bar(1),
    "massless link": massless_link,
    "thin legs": thin_leg,
    "no mass": lambda: lw.load("kissel2021_slider_crank").change("crank", mass=None),
}


def test_refusals_name_the_body_or_joint() -> None:
    compiled = prepare(CASES["thin four-bar"](), dynamics=True).compiled
    assert "crank 0" in str(FORMULATIONS.load("range-space").refusal(compiled))
    compiled = prepare(CASES["a rod on a ball"](), dynamics=True).compiled
    assert "bob" in str(FORMULATIONS.load("rA").refusal(compiled))
    assert FORMULATIONS.load("null-space").refusal(compiled, basis="forest") == "basis is 'forest'. [LW-USAGE]"
    assert "does not exist" in str(FORMULATIONS.load("canonical").refusal(compiled, root="nobody"))


def test_nothing_is_compiled_for_it() -> None:
    code = (
        "import sys, linkwork as lw\n"
        "from linkwork.formulations import FORMULATIONS\n"
        "from linkwork.starting import prepare\n"
        "c = prepare(lw.load('kissel2021_four_link'), dynamics=True).compiled\n"
        "said = [FORMULATIONS.load(name).refusal(c) for name in FORMULATIONS]\n"
        "assert any(said) and not all(said)\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
