"""What a result derives from recorded states: reactions, energies, power, violations (`header.Deriver`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.sensing import RECORDED, Sensing
from linkwork.kernels.compiling import purpose
from linkwork.kernels.couplings import INERTIA, CoupledRows, Couplings
from linkwork.kernels.forces import LoadValues
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Efforts, Floats
from linkwork.mechanism.lowered import LoweredSensor
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import address_table, slots
from linkwork.problems.one_by_one import OneByOne
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.coupling_samples import CoupledSamples, sample_couplings
from linkwork.system.couplings import angles_at_start, new_coupled_rows
from linkwork.system.derived_force_kernels import Applied, ForceScratch, add_forces, element_forces
from linkwork.system.derived_kernels import Derived, Joints, Scratch, derive
from linkwork.system.packed import Tables, pack

Array = NDArray[np.float64]
ENERGIES = ("kinetic_energy", "potential_energy", "power", "taken_power")
REACTIONS = ("reaction_force", "reaction_torque")
# what results call the fields of `Derived`, in order
OF_DERIVED = (*REACTIONS, *ENERGIES, "position_violation", "velocity_violation")
FORCELESS = frozenset((*REACTIONS, "kinetic_energy", "position_violation", "velocity_violation"))

TABLES, JOINTS, SCRATCH, *STATE = slots(Tables, Joints, Scratch, *RECORDED)
MULTIPLIERS, OUT = slots(Annotated[Floats, Shape("n", "nc")], Derived, after=STATE[-1])
DERIVE = direct_entry(derive, TABLES, JOINTS, SCRATCH, *STATE, MULTIPLIERS, OUT)

WHOLE, LOSSY, ROOM, FORCES, *MOTION = slots(Tables, Tables, Scratch, ForceScratch, *RECORDED)
(ENERGIES_AND_POWER,) = slots(Derived, after=MOTION[-1])
ADD_FORCES = direct_entry(add_forces, WHOLE, LOSSY, ROOM, FORCES, *MOTION, ENERGIES_AND_POWER)

ALONE, SPACE, ELEMENTS, *SAMPLES = slots(Tables, Scratch, ForceScratch, *RECORDED)
(APPLIED,) = slots(Applied, after=SAMPLES[-1])
ELEMENT_FORCES = direct_entry(element_forces, ALONE, SPACE, ELEMENTS, *SAMPLES, APPLIED)

BARE, COUPLINGS, COUPLED_ROWS, PLACE, COUPLED, *SEEN = slots(
    Tables, Couplings, CoupledRows, Scratch, CoupledSamples, *RECORDED
)
SAMPLE_COUPLINGS = direct_entry(sample_couplings, BARE, COUPLINGS, COUPLED_ROWS, PLACE, COUPLED, *SEEN)


class Missed(NamedTuple):
    """Residuals of n samples of a mechanism with couplings, those of its other rows apart."""

    position: Array  # (n,) the largest of rows without couplings
    velocity: Array  # (n,) the same of their rates
    phi: Array  # (n, rigid) of couplings
    rate: Array  # (n, rigid) of their rates


class MechanismDeriver:
    """Derived variables of one mechanism. Without masses there are no energies, without multipliers no reactions.

    Blocks of a run are to be asked for in order: angles are counted on with their turns from block to block.
    sensing : whether sensors are read, too. missed : of the last samples derived, where there are couplings.
    """

    missed: Missed | None = None

    def __init__(self, mechanism: CompiledMechanism, *, sensing: bool = False) -> None:
        self.coupled, self.mechanism = mechanism, mechanism.bare
        self._angles = angles_at_start(mechanism).copy()
        nq = len(mechanism.system.quantities.kind)
        self._before, self._doubtful = np.zeros(nq + 2), np.zeros(nq, dtype=np.int64)
        mechanism = mechanism.bare
        self._first_angles = np.zeros(mechanism.angles)
        if mechanism.counted_angles is not None:
            self._first_angles[:] = mechanism.counted_angles
        joints = mechanism.lowered.joints
        counts, at = [len(joint.rows) for joint in joints], [joint.reaction_at for joint in joints]
        nb = mechanism.nb
        self._joints = Joints(
            start=np.array([0, *accumulate(counts)], dtype=np.int64),
            rows=np.array([k for joint in joints for k in joint.rows], dtype=np.int64),
            body=np.array([nb if body < 0 else body for body, _ in at], dtype=np.int64),
            point=np.array([point for _, point in at], dtype=float).reshape(len(joints), 3),
        )
        self._scratch = _scratch(mechanism)
        self._forces = _force_scratch(mechanism)
        self._lossy = mechanism.tables if self._forces is None else _lossy(mechanism)
        self._stored = _potentials(mechanism)
        if self._forces is not None:
            self._forces.values.theta_previous[:] = self._first_angles
        self._has_mass = all(b.mass is not None and b.inertia is not None for b in mechanism.lowered.bodies)
        self._last = -np.inf
        self._sensing = Sensing(mechanism.lowered) if sensing and mechanism.lowered.sensors else None

    @cached_property
    def _table(self) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """Addresses of what stays from block to block: for reactions and violations, and for energies of forces."""
        tables, scratch, forces = self.mechanism.tables, self._scratch, self._forces
        of_forces = None if forces is None else address_table((tables, self._lossy, scratch, forces))
        return address_table((tables, self._joints, scratch)), of_forces

    def __getstate__(self) -> dict[str, Any]:
        """For copies, whose arrays stand elsewhere."""
        return {name: value for name, value in vars(self).items() if name != "_table"}

    @property
    def tables(self) -> dict[str, Any]:
        """Tables of the mechanism that it reads, by name. Numbers of the description stand in these and in its own
        arrays, and nowhere else."""
        found: dict[str, Any] = {"bare": self.mechanism.tables, "couplings": self.coupled.couplings}
        read = {"stored": self._stored, "sensing": self._sensing}
        return found | {name: one.mechanism.tables for name, one in read.items() if one is not None}

    def begin(self) -> None:
        """What comes next is a first sample, be it earlier than the last or not."""
        self._last = np.inf
        for one in (self._stored, self._sensing):
            if one is not None:
                one.forget()

    def derive(
        self,
        names: Sequence[str],
        time: Array,
        position: Array,
        rotation: Array,
        velocity: Array | None,
        angular_velocity: Array | None,
        acceleration: Array | None,
        angular_acceleration: Array | None,
        multiplier: Array | None,
        inputs: Array | None = None,
    ) -> dict[str, Array]:
        """The variables `names` of a block of n samples; see `header.Deriver`."""
        motion = (position, rotation, velocity, angular_velocity, acceleration, angular_acceleration)
        of_each = [None if one is None else one[None] for one in (*motion, multiplier, inputs)]
        return {name: values[0] for name, values in self.derive_each(names, time, *of_each).items()}

    def derive_each(
        self, names: Sequence[str], time: Array, *given: Array | None, begin: Callable[[int], object] = lambda k: None
    ) -> dict[str, Array]:
        """The same of several runs at these times, (runs, n, ...), one after the other, each to the bits that it has by
        itself. begin : called before each with its number; what it is to be derived with may be written then."""
        position, rotation, velocity, angular_velocity, *accelerations, multiplier, inputs = given
        assert position is not None, "every run has these"
        assert rotation is not None, "every run has these"
        runs, n, nb, nj = len(position), len(time), self.mechanism.nb, len(self.mechanism.lowered.joints)
        vectors, numbers = np.zeros((2, runs, n, nj, 3)), np.zeros((6, runs, n))
        out = Derived(*vectors, *numbers)
        zero = np.zeros((runs, n, nb, 3))
        v = zero if velocity is None else _array(velocity)
        w = zero if angular_velocity is None else _array(angular_velocity)
        lam = np.zeros((runs, n, self.coupled.nc)) if multiplier is None else _array(multiplier)
        of_couplings, lam = lam[..., self.mechanism.nc :], _array(lam[..., : self.mechanism.nc])
        time, position, rotation = _array(time), _array(position), _array(rotation).reshape(runs, n, nb, 9)
        state = (np.broadcast_to(time, (runs, n)), position, rotation, v, w)
        table, of_forces = self._table
        derived, forced = OneByOne(table, (*state, lam, *out)), None
        if of_forces is not None and not FORCELESS.issuperset(names):
            forced = OneByOne(of_forces, (*state, *out))
        sensed = self._sensing is not None and not self._sensing.variables.keys().isdisjoint(names)
        readings: list[dict[str, Array]] = []
        for k in range(runs):
            begin(k)
            if n and time[0] <= self._last and self._forces is not None:
                self._forces.values.theta_previous[:] = self._first_angles
            with purpose("reactions, energies and violations"):
                DERIVE(derived.table(k))
            if forced is not None:
                with purpose("energies of springs and loads"):
                    ADD_FORCES(forced.table(k))
            motion = position[k], rotation[k], v[k], w[k]
            told = self._described(None if inputs is None else inputs[k])
            if forced is not None and self._stored is not None:
                stored = self._stored.read(time, *motion, None, None, told)
                out.potential[k] += sum(stored.values())
            if len(self.coupled.couplings.about):
                self._add_couplings((time, *motion), of_couplings[k], Derived(*(one[k] for one in out)))
            if n:
                self._last = float(time[-1])
            if self._sensing is not None and sensed and velocity is not None:
                a, alpha = (None if one is None else one[k] for one in accelerations)
                readings.append(self._sensing.read(time, *motion, a, alpha, told))
        every = dict(zip(OF_DERIVED, out, strict=True))
        missing: set[str] = set()
        if not self._has_mass:
            missing.update(ENERGIES)
        if multiplier is None:
            missing.update((*REACTIONS, "power", "taken_power"))
        if velocity is None:
            missing.update(("kinetic_energy", "power", "taken_power", "velocity_violation"))
        found = {name: every[name] for name in names if name in every and name not in missing}
        return found | {name: np.stack([one[name] for one in readings]) for name in (readings[0] if readings else ())}

    def _described(self, inputs: Array | None) -> Array | None:
        """Of all inputs of a run those of the description, which stand first."""
        return None if inputs is None else inputs[:, : len(self.mechanism.lowered.inputs)]

    def _add_couplings(self, state: tuple[Array, ...], lam: Array, out: Derived) -> None:
        """Violations of couplings, the energy of rotors, and the power of couplings that follow a formula of time."""
        couplings, n = self.coupled.couplings, len(state[0])
        if n and state[0][0] <= self._last:
            self._angles[:] = angles_at_start(self.coupled)
            self._before[:] = 0.0
        phi, rate, asked = np.zeros((3, n, len(couplings.about)))
        found = CoupledSamples(phi, rate, asked, self._angles, self._before, self._doubtful)
        rows = new_coupled_rows(couplings)
        with purpose("couplings at samples"):
            SAMPLE_COUPLINGS(address_table((self.mechanism.tables, couplings, rows, self._scratch, found, *state)))
        rigid = self.coupled.rigid
        of_rows = out.position_violation.copy(), out.velocity_violation.copy()
        self.missed = missed = Missed(*of_rows, phi[:, :rigid], rate[:, :rigid] - asked[:, :rigid])
        np.maximum(out.position_violation, _worst(missed.phi), out=out.position_violation)
        np.maximum(out.velocity_violation, _worst(missed.rate), out=out.velocity_violation)
        out.kinetic[:] += 0.5 * found.rate[:, rigid:] ** 2 @ couplings.number[rigid:, INERTIA]
        power = -np.sum(lam * found.asked[:, :rigid], axis=1)
        out.power[:] += power
        out.taken[:] += np.maximum(-power, 0.0)


def _worst(of_rows: Array) -> Array:
    """The largest of each sample; not a number where one is."""
    found: Array = np.max(np.abs(of_rows), axis=1, initial=0.0)
    return found


class ElementForces:
    """What force elements, loads and weight apply to bodies: of a mechanism with what is asked for only.

    arrays : in which numbers of the description stand, by place; others may be written into them.
    """

    def __init__(self, mechanism: CompiledMechanism) -> None:
        self.mechanism, self._forces = mechanism, _force_scratch(mechanism)
        self._scratch = _scratch(mechanism)
        self.arrays: dict[str, Array] = {}
        if self._forces is not None:
            self.arrays = {**mechanism.tables._asdict(), "operands": self._forces.operands}

    def of_each(
        self, time: Array, *motion: Array, counted_angles: Array, begin: Callable[[int], object] = lambda k: None
    ) -> Applied:
        """Over time, of several runs at these times, one after the other, each to the bits that it has by itself.

        motion : positions, rotations, velocities and angular velocities (runs, nt, nb, ...). counted_angles : which
        those of first samples lie nearest to [rad]. begin : as in `derive_each`.
        """
        position, rotation, *rates = (_array(one) for one in motion)
        runs, nt, nb = position.shape[:3]
        out = Applied(*np.zeros((2, runs, nt, self.mechanism.nb + 1, 3)))
        if self._forces is None:
            return out
        recorded = (np.broadcast_to(_array(time), (runs, nt)), position, rotation.reshape(runs, nt, nb, 9), *rates)
        fixed = address_table((self.mechanism.tables, self._scratch, self._forces))
        each = OneByOne(fixed, (*recorded, *out))
        for k in range(runs):
            begin(k)
            self._forces.values.theta_previous[:] = counted_angles
            with purpose("forces of springs and loads"):
                ELEMENT_FORCES(each.table(k))
        return out


def _potentials(mechanism: CompiledMechanism) -> Sensing | None:
    """What reads the energies of efforts that store it."""
    potentials = [effort.potential for effort in mechanism.lowered.efforts if effort.potential is not None]
    if not potentials:
        return None
    sensors = (LoweredSensor(f"potential {k}", "J", "", f) for k, f in enumerate(potentials))
    return Sensing(replace(mechanism.lowered, sensors=tuple(sensors)))


def _lossy(mechanism: CompiledMechanism) -> Tables:
    """The mechanism without what keeps energy: weight, stiffness and efforts with a potential."""
    system = mechanism.system
    lossy = np.array([effort.potential is None for effort in mechanism.lowered.efforts], dtype=bool)
    return pack(
        system._replace(
            gravity=np.zeros(3),
            elements=system.elements._replace(stiffness=np.zeros_like(system.elements.stiffness)),
            efforts=Efforts(*(column[lossy] for column in system.efforts)),
        )
    )


def _array(x: Array) -> Array:
    return np.ascontiguousarray(x, dtype=float)


def _scratch(mechanism: CompiledMechanism) -> Scratch:
    nb, nc = mechanism.nb, mechanism.nc
    A = np.zeros((nb + 1, 9))
    A[:, ::4] = 1.0
    return Scratch(
        r=np.zeros((nb + 1, 3)),
        A=A,
        v=np.zeros((nb + 1, 3)),
        w=np.zeros((nb + 1, 3)),
        drive=np.zeros((nc, 3)),
        phi=np.zeros(nc),
        nu=np.zeros(nc),
        G_i=np.zeros((nc, 6)),
        G_j=np.zeros((nc, 6)),
        stack=np.zeros((max(1, int(mechanism.system.programs.depth[0])), 3)),
    )


def _force_scratch(mechanism: CompiledMechanism) -> ForceScratch | None:
    system, nb = mechanism.system, mechanism.nb
    loads, elements = len(system.loads.body), len(system.elements.law)
    if not mechanism.forced:
        return None
    return ForceScratch(
        f=np.zeros((nb + 1, 3)),
        n=np.zeros((nb + 1, 3)),
        values=LoadValues(np.zeros((loads, 3)), np.zeros(elements), np.zeros(mechanism.angles)),
        drive=np.zeros((max(loads, elements), 3)),
        operands=mechanism.operands(),
    )
