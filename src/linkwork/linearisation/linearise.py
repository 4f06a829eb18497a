"""Linear models: `linearise(mech, at=state)` gives xdot = A x + B s, y = C x + D s of small motions about a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.arguments import names_of, three_numbers
from linkwork.errors import SingularPositionError, UsageError
from linkwork.linearisation.equations import Equations, diagonal, tilde
from linkwork.linearisation.equilibrium import Equilibrium
from linkwork.linearisation.linear_model import LinearModel
from linkwork.linearisation.readings import reading_names
from linkwork.linearisation.signals import input_force, output_of
from linkwork.linearisation.smoothness import need_smooth, need_smooth_couplings
from linkwork.linearisation.start import equations_of, where
from linkwork.linearisation.steady import SteadyMotion
from linkwork.mechanism import Mechanism
from linkwork.one_thread import one_blas_thread

Array = NDArray[np.float64]
STEADY = 1e-7  # of the speeds and accelerations that there are


@one_blas_thread()
def linearise(
    mech: Mechanism,
    at: State | Equilibrium | SteadyMotion | None = None,
    *,
    inputs: str | Sequence[str] = (),
    outputs: str | Sequence[str] = (),
    turning: Sequence[float] | None = None,
) -> LinearModel:
    """Small motions about a state, on the manifold of the constraints: exact, without differences.

    Parameters
    ----------
    mech : every body needs mass and inertia. Loops, redundant, non-holonomic and driven rows are allowed.
    at : an assembled state, an equilibrium or a steady motion; the assembled start state if left out. About an
        equilibrium drivers stay held, as they are in it.
    inputs : NAME of an input that formulas read, of a force element (its actuator), NAME.x of a load, BODY.force.x,
        BODY.torque.x.
    outputs : BODY.position.x, .rotation.x, .velocity.x, .angular_velocity.x, .acceleration.x, .angular_acceleration.x,
        JOINT.angle, JOINT.displacement, JOINT.angle_rate, JOINT.reaction_force.x, JOINT.reaction_torque.x of joints
        and drivers (as `Result.reaction` has them), sensors (height, imu.acceleration.x).
    turning : of a steady motion, in which everything turns about a fixed axis with this angular velocity (3,) rad/s,
        global, while bodies may spin about axes of symmetry of their own: displacements are then taken along axes that
        turn along, in which A is constant. Raises UsageError where the motion is not steady.

    Raises AssemblyError for a state that does not fit the constraints, SingularPositionError where a freedom has no
    inertia, UsageError for names that do not exist, ModelError, MissingMassError.
    """
    inputs, outputs = names_of("inputs", inputs), names_of("outputs", outputs)
    state, turning, held = asked_about(at, turning)
    return linear_model(equations_of(mech, state, held=held), inputs, outputs, turning)


def asked_about(
    at: State | Equilibrium | SteadyMotion | None, turning: Sequence[float] | None
) -> tuple[State | None, Sequence[float] | None, bool]:
    """Where small motions are taken, what everything turns with unless told otherwise, whether drivers are held."""
    if at is None or isinstance(at, State):
        return at, turning, False
    if not isinstance(at, Equilibrium | SteadyMotion):
        raise UsageError(
            f"a State, an equilibrium or a steady motion is wanted, not {type(at).__name__}.",
            remedy='Take State.of(result, k), equilibrium(mech), or lw.start_state(mech, {"hip": 0.3}).',
        )
    turning = at.turning if turning is None else turning
    return at.state, turning, isinstance(at, Equilibrium) and turning is None


def linear_model(
    e: Equations, inputs: Sequence[str] = (), outputs: Sequence[str] = (), turning: Sequence[float] | None = None
) -> LinearModel:
    """`linearise` from equations at a state."""
    need_smooth(e.at, e.applied.operands, e.time)
    need_smooth_couplings(e.at)
    try:
        udot, lam = e.accelerations()
    except np.linalg.LinAlgError as singular:
        raise SingularPositionError(
            "a freedom has no inertia: its accelerations are not determined.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy="Give every body inertia about the axes that its joints leave free.",
        ) from singular
    frame = _frame(e, udot, turning)
    places, speeds, M = e.displacements, e.velocities, e.mass_matrix()
    Z, Y = places.basis, speeds.basis
    nz, n = Z.shape[1], Z.shape[1] + Y.shape[1]
    moves = np.hstack([Z, np.zeros((e.size, n - nz))])
    along = np.hstack([-speeds.least_change(e.rate_derivative() @ Z), Y])
    by_place, by_speed = e.second_rate_derivatives(udot)
    forced = speeds.least_change(by_place @ moves + by_speed @ along)
    inertia = Y.T @ M @ Y
    push = np.array([input_force(e, name) for name in inputs]).reshape(len(inputs), e.size).T
    rest = e.damping() @ along + e.stiffness(lam, udot) @ moves + M @ forced
    second = (
        np.linalg.solve(inertia, Y.T @ np.hstack([-rest, push])) if Y.shape[1] else np.zeros((0, n + push.shape[1]))
    )
    borne = speeds.multipliers(np.hstack([-rest, push]) - M @ Y @ second)  # d lambda: G^T d lambda is what is left
    A = np.vstack(
        [
            places.coordinates(along + (frame - diagonal(e.turning)) @ moves),
            second[:, :n] + speeds.coordinates(frame @ along),
        ]
    )
    B = np.vstack([np.zeros((nz, push.shape[1])), second[:, n:]])
    C, D = np.zeros((len(outputs), n)), np.zeros((len(outputs), push.shape[1]))
    channels = [one.name for one in e.at.lowered.inputs]
    for k, name in enumerate(outputs):
        out = output_of(e, name, udot, lam)
        if turning is not None and name in reading_names(e.at.lowered):
            raise UsageError(
                f"sensor {name!r} reads along fixed axes, and in steady motion displacements are along axes that turn.",
                element=f"mechanism {e.at.lowered.name!r}",
                remedy="Take outputs of bodies and joints: BODY.position.x, BODY.rotation.x, JOINT.angle.",
            )
        C[k] = out.by_place @ moves + out.by_speed @ along + out.by_acceleration @ (forced + Y @ second[:, :n])
        C[k] += out.by_multiplier @ borne[:, :n]
        D[k] = out.by_acceleration @ Y @ second[:, n:] + out.by_multiplier @ borne[:, n:]
        D[k] += [out.by_input[channels.index(one)] if one in channels else 0.0 for one in inputs]
    return LinearModel(
        A=A,
        B=B,
        C=C,
        D=D,
        displacements=moves,
        velocities=along,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        state=where(e),
        bodies=tuple(e.at.body_names),
        accelerations=udot,
        inertia=e.inertia,
    )


def _frame(e: Equations, udot: Array, turning: Sequence[float] | None) -> Array:
    """(6 nb, 6 nb) how components change because they are taken along axes that turn.

    Translations along axes that turn with W, rotations along axes that the body spins against, omega - A^T W.
    """
    nb = e.at.nb
    blocks = np.zeros((nb, 6, 6))
    if turning is not None:
        W = three_numbers("turning", turning, "rad/s")
        spin = e.at.w[:nb] - e.at.A[:nb].reshape(nb, 3, 3).transpose(0, 2, 1) @ W
        _need_steady(e, udot, W, spin)
        blocks[:, :3, :3] = -tilde(np.tile(W, (nb, 1)))
        blocks[:, 3:, 3:] = tilde(spin)
    return diagonal(blocks)


def _need_steady(e: Equations, udot: Array, W: Array, spin: Array) -> None:
    """Raise UsageError for bodies whose velocities or accelerations are not those of a steady motion."""
    nb = e.at.nb
    r, v, w = e.at.r[:nb], e.at.v[:nb], e.at.w[:nb]
    drift = v - np.cross(W, r)
    wanted = np.hstack([np.cross(W, v), np.cross(w - spin, spin)])
    speed = max(float(np.max(np.abs(e.u / e.unit), initial=0.0)), float(np.linalg.norm(W)))
    apart = udot.reshape(nb, 6) - wanted
    off = [float(np.max(np.abs(x), initial=0.0)) for x in (drift - drift[0], apart)]
    accelerated = float(np.max(np.abs(apart.ravel() / e.unit), initial=0.0))
    if off[0] / e.at.extent > STEADY * speed or accelerated > STEADY * max(speed**2, e.fall):
        differs = np.max(np.abs(np.hstack([drift - drift[0], apart])), axis=1)
        raise UsageError(
            f"the motion is no steady one: turning with {W.tolist()} rad/s body "
            f"'{e.at.body_names[int(np.argmax(differs))]}' does not keep its velocity (off by {off[0]:.3g} m/s, "
            f"accelerations by {off[1]:.3g}).",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy="Find the state of steady motion first; leave turning out to linearise at this instant.",
        )


def moving(e: Equations) -> bool:
    """Whether anything moves, or is about to."""
    return bool(np.any(e.u) or np.any(e.drive[:, 1:]))


def at_rest(e: Equations, udot: Any) -> bool:
    """Whether nothing moves, and nothing starts to."""
    return not moving(e) and bool(np.max(np.abs(udot / e.unit), initial=0.0) <= 1e-6 * e.fall)
