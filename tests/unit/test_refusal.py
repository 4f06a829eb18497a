"""A formulation says beforehand, without a compiler, whether it takes a mechanism: and a run then agrees with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracles.redundant import n_four_bar

import linkwork as lw
from linkwork.errors import LinkworkError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.run.starting import prepare


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


def massless_crank() -> lw.Mechanism:
    m = lw.Mechanism("crank", gravity=(0, 0, -9.81))
    m.body("crank", position=(1, 0, 0))
    m.joint("pin", "revolute", "ground", "crank", point=(0, 0, 0), axis=(0, 1, 0))
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
    "no mass": massless_crank,
}
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {}) for name in FORMULATIONS),
    ("null-space", {"basis": "graph"}),
    ("null-space", {"basis": "partition"}),
    ("rotation-matrix", {"elimination": "one-shot"}),
    ("rotation-matrix", {"multipliers": "step"}),
    ("articulated-body", {"frames": "joints"}),
)


@pytest.mark.parametrize("case", [name for name in CASES if name != "no mass"])
def test_formulations_refuse_beforehand_what_they_refuse_in_a_run(case: str) -> None:
    mechanism = CASES[case]()
    start = prepare(mechanism, dynamics=True)
    for name, options in WAYS:
        said = FORMULATIONS.load(name).with_options(**options).refusal(start.compiled)
        error = raised(mechanism, name, options)
        assert (said is None) == (error is None), f"{name} {options} says {said!r}, and then {error!r}"
        if said is not None and error is not None:
            assert f"[{error.code}]" in said
            assert said.rpartition(" [")[0].rstrip(".") in str(error), "in the same words"


def raised(mechanism: lw.Mechanism, name: str, options: dict[str, Any]) -> LinkworkError | None:
    """What a formulation has against the mechanism when it is asked for accelerations; None: it gives them."""
    try:
        found = lw.accelerations(mechanism, formulation=name, options=options)
    except LinkworkError as error:
        return error
    assert np.all(np.isfinite(found.rddot))
    return None


def test_a_body_without_mass_is_named_by_all() -> None:
    compiled = prepare(CASES["no mass"](), dynamics=True).compiled
    for name in FORMULATIONS:
        assert "crank" in str(FORMULATIONS.load(name).refusal(compiled))


def test_refusals_name_the_body_or_joint() -> None:
    compiled = prepare(CASES["thin four-bar"](), dynamics=True).compiled
    assert "crank 0" in str(FORMULATIONS.load("range-space").refusal(compiled))
    compiled = prepare(CASES["a rod on a ball"](), dynamics=True).compiled
    assert "bob" in str(FORMULATIONS.load("rA").refusal(compiled))
    with pytest.raises(UsageError, match="there is no basis 'forest'"):
        FORMULATIONS.load("null-space").with_options(basis="forest")
    assert "does not exist" in str(FORMULATIONS.load("canonical").with_options(root="nobody").refusal(compiled))


def test_nothing_is_compiled_for_it() -> None:
    code = (
        "import sys, linkwork as lw\n"
        "from linkwork.formulations import FORMULATIONS\n"
        "from linkwork.run.starting import prepare\n"
        "c = prepare(lw.load('kissel2021_four_link'), dynamics=True).compiled\n"
        "said = [FORMULATIONS.load(name).refusal(c) for name in FORMULATIONS]\n"
        "assert any(said) and not all(said)\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
