"""Static equilibrium: closed forms, redundant and non-holonomic rows, drivers, what nothing holds, refusals."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import NoEquilibriumError, UsageError

PIN = {"axis": [0, 1, 0]}


def hanging_chain(n: int, span: float, length: float) -> lw.Mechanism:
    """n bars of 1 kg between two points of the ground, in the x-z plane, started as a wide arc."""
    mech = lw.Mechanism("hanging chain", gravity=(0, 0, -9.81))
    bar = length / n
    half = 0.5 * math.pi
    angles = half - (np.arange(n) + 0.5) * math.pi / n  # a half circle, roughly closed: assembly does the rest
    end = np.zeros(3)
    ends = [end]
    for k, angle in enumerate(angles):
        along = bar * np.array([math.cos(angle), 0.0, -math.sin(angle)])
        mech.body(
            f"bar {k}", mass=1.0, inertia=[1e-3, bar**2 / 12, bar**2 / 12], position=(end + 0.5 * along).tolist(),
            rotation={"axis": [0, 1, 0], "angle": float(angle)},
        )  # fmt: skip
        end = end + along
        ends.append(end)
    for k in range(n):
        first = "ground" if k == 0 else f"bar {k - 1}"
        mech.joint(f"pin {k}", "revolute", first, f"bar {k}", point=ends[k].tolist(), **PIN)
    mech.joint(
        "last", "revolute", "ground", f"bar {n - 1}", on_first={"point": [span, 0, 0], "axis": [0, 1, 0]},
        on_second={"point": [0.5 * bar, 0, 0], "axis": [0, 1, 0]},
    )  # fmt: skip
    return mech


def chain_angles(n: int, span: float, length: float) -> list[Any]:
    """Slopes of the links to 40 digits: tan of each is the vertical over the horizontal tension at its middle."""
    mpmath.mp.dps = 40
    bar = mpmath.mpf(length) / n

    def reach(pull: Any) -> Any:  # by symmetry only the horizontal tension over a link's weight is unknown
        total = mpmath.mpf(0)
        for k in range(n):
            total += bar / mpmath.sqrt(1 + ((mpmath.mpf(n - 1) / 2 - k) / pull) ** 2)
        return total - mpmath.mpf(span)

    pull = mpmath.findroot(reach, mpmath.mpf(n) / 4)
    return [mpmath.atan((mpmath.mpf(n - 1) / 2 - k) / pull) for k in range(n)]


@pytest.mark.parametrize("n", [5, 100])
def test_a_hanging_chain_hangs_as_it_should(n: int) -> None:
    """Redundant rows and all: the pins of a planar loop hold it in its plane many times over."""
    found = lw.equilibrium(hanging_chain(n, 1.0, 1.5), stable=True)
    wanted = [float(a) for a in chain_angles(n, 1.0, 1.5)]
    slopes = [math.atan2(-A[2, 0], A[0, 0]) for A in found.state.rotation]
    assert found.residual < 1e-12
    assert found.stability == "stable"
    np.testing.assert_allclose([-a for a in slopes], [-a for a in wanted], atol=1e-11)


def truss(load: float, height: float) -> lw.Mechanism:
    """Half of von Mises' truss: a bar as a spring from (1, 0, 0) to a slider at (0, 0, height), pushed down."""
    mech = lw.Mechanism("truss", gravity=(0, 0, 0))
    mech.body("apex", mass=1.0, inertia=[1, 1, 1], position=[0, 0, height])
    mech.joint("guide", "translational", "ground", "apex", point=[0, 0, height], axis=[0, 0, 1])
    end = {"on_first": {"point": [1, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
    mech.force("bar", "spring", first="ground", second="apex", stiffness=1000.0, length=math.hypot(1.0, 0.2), **end)
    mech.force("load", "force", body="apex", components=[0, 0, -load])
    return mech


def push(z: float) -> float:
    """The load that von Mises' truss carries at height z."""
    return -1000.0 * (math.hypot(1.0, z) - math.hypot(1.0, 0.2)) * z / math.hypot(1.0, z)


def test_von_mises_truss_before_and_after_it_snaps_through() -> None:
    standing = lw.equilibrium(truss(1.0, 0.2))
    z = float(standing.position("apex")[2])
    assert standing.stability == "stable"
    assert push(z) == pytest.approx(1.0, rel=1e-12)
    assert 0.1 < z < 0.2
    flat = lw.equilibrium(truss(1.0, 0.02))
    assert flat.stability == "unstable"
    assert push(float(flat.position("apex")[2])) == pytest.approx(1.0, rel=1e-11)
    through = lw.equilibrium(truss(3.0, 0.2), stable=True)  # more than the truss carries: about 1.5 N
    assert float(through.position("apex")[2]) < -0.2
    assert push(float(through.position("apex")[2])) == pytest.approx(3.0, rel=1e-12)


def test_all_equilibria_of_von_mises_truss_by_deflation() -> None:
    found = lw.equilibria(truss(1.0, 0.2))
    heights = sorted(float(one.position("apex")[2]) for one in found)
    assert len(found) == 3
    assert [push(z) for z in heights] == pytest.approx([1.0] * 3, rel=1e-11)
    by_height = {float(one.position("apex")[2]): one.stability for one in found}
    assert [by_height[z] for z in heights] == ["stable", "unstable", "stable"]


def apex(rest: float, load: float) -> lw.Mechanism:
    """A whole truss, free in its plane: springs of 1 kN/m from (-1, 0, 0) and (1, 0, 0) to a carried body."""
    mech = lw.Mechanism("apex", gravity=(0, 0, 0))
    for name, height in (("carriage", 0.0), ("apex", 0.2)):
        mech.body(name, mass=1.0, inertia=[1, 1, 1], position=[0, 0, height])
    mech.joint("across", "translational", "ground", "carriage", point=[0, 0, 0], axis=[1, 0, 0])
    mech.joint("up", "translational", "carriage", "apex", point=[0, 0, 0.2], axis=[0, 0, 1])
    for name, x in (("left", -1.0), ("right", 1.0)):
        ends = {"on_first": {"point": [x, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
        mech.force(name, "spring", first="ground", second="apex", stiffness=1000.0, length=rest, **ends)
    mech.force("load", "force", body="apex", components=[0, 0, -load])
    return mech


def test_equilibria_behind_the_ends_of_springs_are_found_too() -> None:
    """Three on the middle line, and two with the apex beyond an end, where one spring is longer and one shorter."""
    rest = 1.02
    found = lw.equilibria(apex(rest, 0.0), most=5)
    places = sorted(tuple(np.round(one.position("apex")[[0, 2]], 9) + 0.0) for one in found)
    high = math.sqrt(rest**2 - 1.0)
    wanted = sorted([(0.0, 0.0), (0.0, high), (0.0, -high), (rest, 0.0), (-rest, 0.0)])
    np.testing.assert_allclose(places, wanted, atol=1e-8)


def test_the_branch_of_von_mises_truss_turns_back_where_it_snaps_through() -> None:
    """d(push)/dz = 0 where hypot(1, z)^3 = hypot(1, 0.2), of a bar of unit base and a linear spring."""
    found = lw.branch(lambda load: truss(load, 0.2), (-2.0, 3.0), step=0.1)
    for point in found.points:
        assert push(float(point.equilibrium.position("apex")[2])) == pytest.approx(point.value, abs=1e-11)
    z = math.sqrt(math.hypot(1.0, 0.2) ** (2 / 3) - 1.0)
    assert [fold.value for fold in found.folds] == pytest.approx([push(z), push(-z)], rel=1e-10)
    assert found.stability[0] == "stable"
    assert "unstable" in found.stability
    assert found.stability[-1] == "stable"
    assert found.values[-1] >= 3.0


def column(force: float, bars: int, bent: float = 0.0) -> lw.Mechanism:
    """Bars of 1 m one on the other, with coils of 10 N m/rad between them that rest at an angle, pressed from above."""
    mech = lw.Mechanism("column", gravity=(0, 0, 0))
    for k in range(bars):
        mech.body(f"bar {k}", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0, 0, k + 0.5])
        below = f"bar {k - 1}" if k else "ground"
        mech.joint(f"hinge {k}", "revolute", below, f"bar {k}", point=[0, 0, k], **PIN)
        mech.force(f"coil {k}", "torsion", joint=f"hinge {k}", stiffness=10.0, angle=bent)
    mech.force("press", "force", body=f"bar {bars - 1}", components=[0, 0, -force], point=[0, 0, 0.5])
    return mech


def lean(one: lw.State) -> float:
    """rad, of the lowest bar."""
    return math.atan2(one.rotation[0][0, 2], one.rotation[0][2, 2])


@pytest.mark.parametrize("bent", [1e-2, 1e-6])
def test_a_branch_stays_its_own_where_another_runs_close_by(bent: float) -> None:
    """10 (a - bent) = force sin(a): the column leans over near 10 N. The branch left for the upright one, which another
    way leads to, and called itself unstable from there on."""
    found = lw.branch(lambda force: column(force, 1, bent), (0.0, 30.0), step=0.2)
    assert set(found.stability) == {"stable"}
    assert not found.bifurcations
    for point in found.points:
        angle = lean(point.equilibrium.state)
        assert 10.0 * (angle - bent) == pytest.approx(point.value * math.sin(angle), abs=1e-8)
    assert lean(found.points[-1].equilibrium.state) > 2.2


def test_bifurcations_of_an_upright_column_are_met_and_told() -> None:
    """Two bars: forces at which one of the stiffnesses k (2 - 1; -1 1) - P l is zero, 10 (3 -+ sqrt(5)) / 2 N."""
    found = lw.branch(lambda force: column(force, 2), (0.0, 30.0), step=0.05)
    wanted = [5.0 * (3.0 - math.sqrt(5.0)), 5.0 * (3.0 + math.sqrt(5.0))]
    assert [one.value for one in found.bifurcations] == pytest.approx(wanted, rel=1e-8)
    assert "other branches cross it at 3.81966, 26.1803" in found.message
    assert "2 bifurcations" in repr(found)
    assert found.stability[0] == "stable"
    assert found.stability[-1] == "unstable"
    assert not found.folds


def test_both_sides_of_a_buckled_column_are_found() -> None:
    """Just beyond the buckling load the two leaning poses lie close to the upright one; one of them was missed."""
    found = lw.equilibria(column(1.001 * 5.0 * (3.0 - math.sqrt(5.0)), 2))
    leans = sorted((lean(one.state), one.stability) for one in found)
    assert [stability for _, stability in leans] == ["stable", "unstable", "stable"]
    assert leans[0][0] == pytest.approx(-leans[2][0], rel=1e-9)


def test_sensitivities_of_the_truss_against_its_closed_form() -> None:
    """The implicit derivative of push(z; k, l) = load, by hand."""
    found = lw.equilibria(truss(1.0, 0.2), most=1)[0]
    z, k, free = float(found.position("apex")[2]), 1000.0, math.hypot(1.0, 0.2)
    length = math.hypot(1.0, z)
    slope = -k * (1.0 - free / length**3)  # d(push)/dz
    wanted = {
        "load.z": 1.0 / -slope,
        "bar.stiffness": (length - free) * z / length / slope,
        "bar.length": -k * z / length / slope,
        "apex.mass": 0.0,
    }
    for name, value in wanted.items():
        moved = found.sensitivity(name)
        np.testing.assert_allclose(moved[0, 2], value, rtol=1e-11, atol=1e-15, err_msg=name)
        np.testing.assert_allclose(np.delete(moved[0], 2), 0.0, atol=1e-15)


def test_a_number_that_does_not_exist_is_refused() -> None:
    found = lw.equilibrium(truss(1.0, 0.2))
    with pytest.raises(UsageError, match=r"no number 'bar.stifness' .*bar.stiffness"):
        found.sensitivity("bar.stifness")
    loose = lw.equilibrium(lw.load("dumitriu2015_double_pendulum"))
    with pytest.raises(UsageError, match="no restoring force"):
        loose.sensitivity("bar 1.mass")


def test_drivers_are_held_at_the_time_asked_for() -> None:
    mech = lw.load("planar_four_bar")
    found = lw.equilibrium(mech, t=0.3)
    there = lw.kinematics(mech, 0.3, 0.1)
    assert found.stability == "rigid"
    np.testing.assert_allclose(found.state.position, there["position"][-1], atol=1e-9)


def test_redundant_rows_get_the_least_multipliers() -> None:
    """At rest the reactions are those that `accelerations` finds where nothing is accelerated."""
    mech = lw.load("planar_four_bar")
    found = lw.equilibrium(mech)
    e = found._rest.equations
    np.testing.assert_allclose(e.G.T @ found.multipliers, e.force, atol=1e-11)
    assert np.linalg.norm(found.multipliers) <= np.linalg.norm(found._rest.multipliers) * (1 + 1e-12)


def test_freedoms_that_nothing_holds_are_named() -> None:
    found = lw.equilibrium(lw.load("dumitriu2015_double_pendulum"))
    assert found.stability == "neutral"
    assert len(found.unrestored) == 2
    assert "'bar 1' turns about" in found.text()


def test_a_disc_may_stand_anywhere_on_its_plane() -> None:
    found = lw.equilibrium(lw.load("rolling_disc"))
    assert found.residual <= 1e-12
    assert any("'disc' moves along" in one for one in found.unrestored)


def test_what_falls_is_named_with_its_weight() -> None:
    mech = lw.Mechanism("loose", gravity=(0, 0, -9.81))
    mech.body("brick", mass=2.0, inertia=[1, 1, 1])
    with pytest.raises(NoEquilibriumError, match=r"'brick' by 19\.62 N .* Nothing brings back 'brick'"):
        lw.equilibrium(mech)


def test_no_rest_where_a_row_prescribes_a_velocity() -> None:
    mech = lw.Mechanism("belt", gravity=(0, 0, 0))
    mech.body("box", mass=1.0, inertia=[1, 1, 1])
    mech.constraint("belt", "PFAFFIAN", "box", "ground", g_i=[1, 0, 0, 0, 0, 0], f=0.3)
    with pytest.raises(UsageError, match=r"row 'belt' prescribes a velocity of 0\.3"):
        lw.equilibrium(mech)


def test_a_state_of_another_mechanism_is_refused() -> None:
    other = lw.State.start(lw.load("rolling_disc"))
    with pytest.raises(UsageError, match="the state has 1 body, the mechanism 2"):
        lw.equilibrium(lw.load("kissel2021_double_pendulum"), other)
    with pytest.raises(UsageError, match="a State is wanted"):
        lw.equilibrium(lw.load("rolling_disc"), 3.0)  # type: ignore[arg-type]


def test_the_command_line_says_it_and_writes_the_mechanism(tmp_path: Any, capsys: Any) -> None:
    target = tmp_path / "rest.yaml"
    assert status_of(["equilibrium", "kissel2021_double_pendulum", "--out", str(target)]) == 0
    assert "stable; 2 freedoms" in capsys.readouterr().out
    again = lw.equilibrium(lw.load(target))
    assert again.iterations <= 1
    assert float(np.max(again.turned)) < 1e-7


def test_a_file_that_no_format_writes_is_refused_before_the_search(tmp_path: Any, capsys: Any) -> None:
    assert status_of(["equilibrium", "kissel2021_double_pendulum", "--out", str(tmp_path / "rest.foo")]) == 2
    said = capsys.readouterr()
    assert "cannot hold an equilibrium. Use .yaml" in said.err
    assert not said.out


def test_json_has_the_bodies(capsys: Any) -> None:
    assert status_of(["equilibrium", "kissel2021_double_pendulum", "--json"]) == 0
    assert '"stability": "stable"' in capsys.readouterr().out


def test_a_branch_that_is_cut_off_says_how_to_go_on() -> None:
    def family(load: float) -> lw.Mechanism:
        return truss(load, 0.2)

    with pytest.warns(RuntimeWarning, match=r"goes on: it was followed to 8 points \(most\), up to .* of -2 to 3"):
        first = lw.branch(family, (-2.0, 3.0), step=0.2, most=8)
    assert not first.complete
    here = first.points[-1]
    assert here.rate < 0.0  # behind the fold: on to smaller loads, as the message says
    assert f"({here.value!r}, -2.0)" in first.message
    rest = lw.branch(family, (here.value, -2.0), at=here.equilibrium.state, step=0.2)
    whole = lw.branch(family, (-2.0, 3.0), step=0.2)
    assert whole.complete
    assert rest.complete
    assert rest.values[-1] > here.value  # where it comes back to where it began
    together = [*first.folds, *rest.folds]
    assert [fold.value for fold in together] == pytest.approx([fold.value for fold in whole.folds], rel=1e-9)
    assert len(together) == 2


def two_pendulums(ratio: float) -> lw.Mechanism:
    """Beside each other and let go level, the one as much heavier than the other."""
    mech = lw.Mechanism("two", gravity=(0, 0, -9.81))
    for name, mass, x in (("heavy", 1.0, 0.0), ("light", 1.0 / ratio, 3.0)):
        mech.body(name, mass=mass, inertia=[0.01 * mass] * 3, position=[x + 1, 0, 0])
        mech.joint(f"pin {name}", "revolute", "ground", name, point=[x, 0, 0], **PIN)
    return mech


@pytest.mark.parametrize("ratio", [1e9, 1e10])
def test_stiffnesses_are_judged_by_the_bodies_that_freedoms_move(ratio: float) -> None:
    """The light one's stiffness is nothing beside the heavy one's: it was called neutral, or left where it was."""
    found = lw.equilibrium(two_pendulums(ratio))
    np.testing.assert_allclose(found.position("light"), [3, 0, -1], atol=1e-6)
    assert (found.stability, found.unrestored) == ("stable", ())
    w = math.sqrt(9.81 / 1.01)
    np.testing.assert_allclose(lw.modes(found.mechanism, found).eigenvalues, [1j * w] * 2, atol=1e-6)


def test_a_freedom_that_nothing_restores_is_neutral_beside_weak_and_strong_springs() -> None:
    mech = lw.Mechanism("sliders", gravity=(0, 0, 0))
    for k, stiffness in enumerate((1e-6, 1e6, 0.0)):
        mech.body(f"slider {k}", mass=1.0, inertia=[1, 1, 1], position=[0.1, k, 0])
        mech.joint(f"guide {k}", "translational", "ground", f"slider {k}", point=[0.1, k, 0], axis=[1, 0, 0])
        ends = {"on_first": {"point": [-0.5, k, 0]}, "on_second": {"point": [0, 0, 0]}}
        mech.force(
            f"spring {k}", "spring", first="ground", second=f"slider {k}", length=0.5, stiffness=stiffness, **ends
        )
    found = lw.equilibrium(mech)
    assert found.stability == "neutral"
    assert found.unrestored == ("'slider 2' moves along (1, 0, 0)",)
    np.testing.assert_allclose(found.state.position[:, 0], [0.0, 0.0, 0.1], atol=1e-12)


def test_a_body_too_light_beside_another_is_refused() -> None:
    """Left as it was, and called neutral; its weight is rounding to the other."""
    with pytest.raises(NoEquilibriumError, match="forces on 'light' are lost in the rounding"):
        lw.equilibrium(two_pendulums(1e17))
