"""A mechanism whose points coincide up to rounding is as large as its widest body."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.system import compile_mechanism

WAYS = [
    ("rA", "generalized-alpha", {}),
    ("lie-mixed", "rk4", {}),
    ("canonical", "dop853", {"rtol": 1e-6}),
    (None, None, {}),
]
INERTIA = [1e-3, 2e-3, 2.5e-3]


def rotor(off: float, inertia: list[float] = INERTIA) -> lw.Mechanism:
    mech = lw.Mechanism("rotor")
    mech.body("disc", mass=1, inertia=inertia, position=[off, 0, 0], angular_velocity=[0, 0, 3])
    mech.joint("axle", "revolute", "ground", "disc", point=[0, 0, 0], axis=[0, 0, 1])
    return mech


@pytest.mark.parametrize(("formulation", "integrator", "options"), WAYS)
def test_centres_that_are_a_rounding_error_off_their_axis(
    formulation: str | None, integrator: str | None, options: dict[str, float]
) -> None:
    for off in (0.3 * math.cos(math.pi / 2), 1e-12, 1e-7):  # 2e-17: what a user computes for zero
        run = lw.simulate(rotor(off), 2.0, 1e-2, formulation, integrator, **options)
        assert run.success, (off, run.messages)
        assert not run.verdicts, off
        turned = run.joint("axle")["angle"][-1]
        assert abs(turned - 6.0) < 1e-3  # gravity's moment about the axle is m g off at most
        assert np.max(np.linalg.norm(run.position("disc"), axis=1)) < 1.01 * off + 1e-9


def test_lengths_are_those_of_points_unless_these_are_rounding() -> None:
    widest = math.sqrt(0.5 * sum(INERTIA))
    for off, expected in (
        (1.0, 1.0),
        (0.2 * widest, 0.2 * widest),
        (0.05 * widest, 0.05 * widest),
        (1e-100, widest),
        (0.0, 1.0),
    ):
        mech = compile_mechanism(rotor(off).lower())
        assert math.isclose(mech.length, expected, rel_tol=1e-12), off
        assert mech.extent == mech.length


def test_springs_that_reach_farther_count() -> None:
    mech = rotor(1e-8)
    mech.force("spring", "spring", first="ground", second="disc", point=[0.7, 0, 0], point2=[1e-8, 0, 0], stiffness=10)
    assert 0.69 < compile_mechanism(mech.lower()).length < 0.71


@pytest.mark.parametrize("name", ["disc.inertia", "disc.mass"])
def test_models_of_narrow_mechanisms_give_the_bits_of_single_runs(name: str) -> None:
    model = lw.compile(rotor(1e-9), "rA", "generalized-alpha")
    for factor in (1.0, 2.0, 3.0, 4.0, 0.7):
        number = factor if name == "disc.mass" else None
        given = {name: number} if number else {"disc.inertia.x": 1e-3 * factor}
        found = model.run(0.5, 1e-2, parameters=given)
        single = lw.simulate(rotor(1e-9).with_numbers(given), 0.5, 1e-2, "rA", "generalized-alpha")
        assert np.array_equal(found.rotation("disc"), single.rotation("disc"))
        assert np.array_equal(found.reaction("axle"), single.reaction("axle"))


def test_masses_of_a_mechanism_go_in_lanes() -> None:
    """Lengths do not hang on masses that are tried, however small."""
    mech = lw.Mechanism("pendulum")
    mech.body("bob", mass=1, inertia=[1, 1, 1], position=[0, 0, -0.01])
    mech.joint("pivot", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0])
    found = lw.sweep(
        mech, {"bob.mass": [float(k) for k in range(1, 9)]}, keep="final(bob.position.z)", t_end=0.01, step=1e-3,
        formulation="canonical", integrator="rk4",
    )  # fmt: skip
    assert "built one by one" not in repr(found)


@pytest.mark.parametrize("off", [2e-6, 2e-5])
@pytest.mark.parametrize("kind", ["translational", "point-in-line"])
@pytest.mark.parametrize(
    ("formulation", "integrator"),
    [("rA", "generalized-alpha"), ("rp", "implicit-euler"), ("lie-mixed", "generalized-alpha"), ("canonical", "rk4")],
)
def test_a_bead_that_starts_a_hair_off_the_point_of_its_wire(
    formulation: str, integrator: str, kind: str, off: float
) -> None:
    """All points of it lie within 0.02 mm, it has a radius of gyration of 4 cm, and slides 3.5 m down: corrections that
    are the rounding of these are no failure."""
    mech = lw.Mechanism("bead", gravity=[0, 0, -9.81])
    mech.body("bead", mass=1, inertia=[1e-3] * 3, position=[off, 0, 0])
    point = [0, 0, 0] if kind == "translational" else [off, 0, 0]
    mech.joint("wire", kind, "ground", "bead", point=point, axis=[1, 0, 1])
    run = lw.simulate(mech, 1.0, 1e-2, formulation, integrator, limits={"energy": 0.05})
    assert run.success, run.messages
    wanted = np.array([off, 0, 0]) - 9.81 / 4 * np.array([1, 0, 1])
    assert np.max(np.abs(run.position("bead")[-1] - wanted)) < (0.03 if integrator == "implicit-euler" else 1e-12)


@pytest.mark.parametrize("formulation", ["rA", "rp", "lie-mixed"])
def test_a_mechanism_that_has_gone_far_from_where_it_began(formulation: str) -> None:
    """A pendulum of 1 m on a car at 300 km/s: after 3,000 km it swings as at rest, but for the rounding of where it is,
    which is told."""

    def pendulum(speed: float) -> lw.Result:
        mech = lw.Mechanism("pendulum on a car", gravity=[0, 0, -9.81])
        mech.body("car", mass=1000, inertia=[100] * 3, velocity=[speed, 0, 0])
        mech.body(
            "rod",
            mass=10,
            inertia=[0.1] * 3,
            position=[0, 0, -1],
            velocity=[speed + 0.5, 0, 0],
            angular_velocity=[0, -0.5, 0],
        )
        mech.joint("rail", "translational", "ground", "car", point=[0, 0, 0], axis=[1, 0, 0])
        mech.joint("pin", "revolute", "car", "rod", point=[0, 0, 0], axis=[0, 1, 0])
        return lw.simulate(mech, 10.0, 1e-2, formulation, "generalized-alpha", limits={"speed": math.inf})

    still, fast = pendulum(0.0), pendulum(3e5)
    assert fast.success, fast.messages
    assert np.max(np.abs(fast.joint("pin")["angle"] - still.joint("pin")["angle"])) < 1e-5
    assert any("steps ended at the rounding of coordinates" in message for message in fast.messages)
    assert not any("rounding of coordinates" in message for message in still.messages)
