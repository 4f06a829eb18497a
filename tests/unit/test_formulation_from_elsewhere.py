"""Another package supplies a formulation by the recipe's first way: a space, its equations as entries, an object."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.kernels import parallel_compilation

SPACE = '''"""Rotations by increments that count half angles: A = A0 exp((2 dq)~), omega = 2 qd."""

from linkwork.kernels.jit import kernel
from linkwork.spaces import rotation_matrix as whole
from linkwork.spaces.rotation_matrix import (
    coordinates_of, linearise as linearise_whole, needs_rebase, normalisation, retract as retract_whole,
    tangent as tangent_whole, transpose_apply as apply_whole, transpose_variation,
)

SIZE, NORMALISED, ALGEBRA, NAMES = 3, False, True, ("half1", "half2", "half3")


@kernel
def twice(q):
    return (2.0 * q[0], 2.0 * q[1], 2.0 * q[2], 0.0)


@kernel
def retract(A0, R, q0, dq):
    return retract_whole(A0, R, q0, twice(dq))


@kernel
def omega(q, qd):
    return (2.0 * qd[0], 2.0 * qd[1], 2.0 * qd[2])


@kernel
def alpha(q, qd, qdd):
    return (2.0 * qdd[0], 2.0 * qdd[1], 2.0 * qdd[2])


@kernel
def rates_from(q, w):
    return (0.5 * w[0], 0.5 * w[1], 0.5 * w[2], 0.0)


@kernel
def accelerations_from(q, qd, w, al):
    return (0.5 * al[0], 0.5 * al[1], 0.5 * al[2], 0.0)


@kernel
def double(T):
    return (
        2.0 * T[0], 2.0 * T[1], 2.0 * T[2], 2.0 * T[3], 2.0 * T[4], 2.0 * T[5], 2.0 * T[6], 2.0 * T[7], 2.0 * T[8],
        2.0 * T[9], 2.0 * T[10], 2.0 * T[11],
    )


@kernel
def tangent(q):
    return double(tangent_whole(q))


@kernel
def linearise(dq, q, qd, qdd, c_v, c_q):
    T_a, T_w, T_th = linearise_whole(twice(dq), q, twice(qd), twice(qdd), c_v, c_q)
    return double(T_a), double(T_w), double(T_th)


@kernel
def transpose_apply(q, y):
    return twice(apply_whole(q, y))


def rebase(A, w, al):
    R, q, qd, qdd = whole.rebase(A, w, al)
    return R, q, tuple(0.5 * x for x in qd), tuple(0.5 * x for x in qdd)
'''

EQUATIONS = '''"""Index-3 equations in half angles."""

from half_angles.space import alpha, linearise, omega, retract, tangent
from linkwork.equations.index_3.coordinates import start_of, store_rotation, three_coordinates
from linkwork.equations.index_3.iteration_matrix import add_gyroscopic, fill_matrix
from linkwork.equations.index_3.residual import newton_euler, set_translation
from linkwork.equations.time import unwrap_angles, evaluate_time
from linkwork.kernels.jit import kernel
from linkwork.kernels.tuple_access import at4, set12
from linkwork.problems.context import MATRIX, TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import T_A, T_TH, T_W, B, Q
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.problems.step_state import set_base


@kernel
def begin(tables, work):
    evaluate_time(tables, work)
    unwrap_angles(tables, work)
    set_base(work.motion, work.base)
    return 0


@kernel
def set_state(tables, work):
    for b in range(tables.body.shape[0] - 1):
        set_translation(work, b, 6 * b)
        dq, qd, qdd = three_coordinates(work, 6 * b + 3)
        A0, R, q0 = start_of(work, b)
        A, q = retract(A0, R, q0, dq)
        store_rotation(work, b, A, q, omega(q, qd), alpha(q, qd, qdd))
    return 0


@kernel
def evaluate(tables, work):
    set_state(tables, work)
    nb = tables.body.shape[0] - 1
    newton_euler(tables, work, 6 * nb)
    for b in range(nb):
        for c in range(3):
            work.residual[6 * b + c] = work.e[b, c]
            work.residual[6 * b + 3 + c] = 2.0 * work.e[b, 3 + c]
    return 0


@kernel
def assemble(tables, work, matrix):
    c_v, c_q = work.request.c_v[0], work.request.c_q[0]
    index_3 = work.request.level[0] != ACCELERATION_LEVEL
    for b in range(tables.body.shape[0] - 1):
        q = at4(work.motion, b, Q)
        set12(matrix.tangent, b, B, tangent(q))
        if index_3:
            dq, qd, qdd = three_coordinates(work, 6 * b + 3)
            T_a, T_w, T_th = linearise(dq, q, qd, qdd, c_v, c_q)
            set12(matrix.tangent, b, T_A, T_a)
            set12(matrix.tangent, b, T_W, T_w)
            set12(matrix.tangent, b, T_TH, T_th)
        else:
            set12(matrix.tangent, b, T_A, tangent(q))
    if index_3:
        add_gyroscopic(tables, work, matrix)
    fill_matrix(tables, work, matrix)
    return 0


BEGIN = entry(begin, TABLES, WORK)
SET_STATE = entry(set_state, TABLES, WORK)
EVALUATE = entry(evaluate, TABLES, WORK)
ASSEMBLE = entry(assemble, TABLES, WORK, MATRIX)
'''

OBJECT = """from linkwork.formulations.absolute.formulation import AbsoluteFormulation

FORMULATION = AbsoluteFormulation(
    name="half-angles",
    summary="rotations by half angles; index-3 equations",
    paper="none",
    space_module="half_angles.space",
    kernels_module="half_angles.equations",
    supports_kinematics=False,
)
"""

METADATA = "Metadata-Version: 2.1\nName: half-angles\nVersion: 1.0\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package, as an installer leaves it."""
    home, about = tmp_path / "half_angles", tmp_path / "half_angles-1.0.dist-info"
    home.mkdir()
    about.mkdir()
    for file, text in (("__init__", OBJECT), ("space", SPACE), ("equations", EQUATIONS)):
        (home / f"{file}.py").write_text(text)
    (about / "METADATA").write_text(METADATA)
    (about / "entry_points.txt").write_text("[linkwork.formulations]\nhalf-angles = half_angles:FORMULATION\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(FORMULATIONS, "_entries", dict(FORMULATIONS._entries))
    monkeypatch.setattr(FORMULATIONS, "_looked_outside", False)
    yield
    for name in [name for name in sys.modules if name.startswith("half_angles")]:
        del sys.modules[name]


@pytest.mark.usefixtures("package")
def test_a_formulation_of_another_package_runs_as_ours_do() -> None:
    assert "half-angles" in list(FORMULATIONS)
    mech = lw.load("kissel2021_slider_crank")
    ours, theirs = (lw.simulate(mech, 0.05, 1e-3, formulation=name) for name in ("rA", "half-angles"))
    assert theirs.success
    for name in ("position", "rotation", "velocity", "multiplier"):
        x, y = theirs.dataset[name].values, ours.dataset[name].values
        assert_allclose(x, y, rtol=0.0, atol=1e-6 * np.abs(y).max(), err_msg=name)
    with pytest.raises(UsageError, match="radau5 asks a formulation for an entry CONSTRAIN"):
        lw.simulate(mech, 0.01, 1e-3, "half-angles", "radau5")
    from half_angles import equations  # type: ignore[import-not-found]

    assert parallel_compilation.name_of(equations.ASSEMBLE) == ("half_angles.equations", "ASSEMBLE")
    assert parallel_compilation.can_be_found(equations.ASSEMBLE)
    assert equations.ASSEMBLE.kept
