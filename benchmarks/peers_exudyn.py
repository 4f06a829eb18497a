"""One mechanism inside Exudyn: its rigid bodies in absolute coordinates, run at a fixed step with every step kept.

The fast module (no range checks), modified Newton, one thread, no files. A driver is a coordinate constraint on the
relative angle about the joint's axis with symbolic functions of time, which stay in C++. Kept in memory at every
step: position, rotation matrix, velocity and angular velocity of every body.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.models import GROUND, Array, DriverData, JointData, ModelData, columns, unit

try:
    sys.exudynFast = True  # type: ignore[attr-defined]  # asked for before the first import, as Exudyn wants it
    with redirect_stdout(sys.stderr):
        import exudyn as exu
        import exudyn.utilities as eu
    exu.config.printToConsole = False
except ImportError:  # the extra `bench` is not installed: the peer's columns stay empty
    exu = None  # type: ignore[assignment]  # a module otherwise; None is what says that it is missing

# These take no joints; on a body's rotation vector they are Munthe-Kaas methods, the group being SO(3) x R^3.
EXPLICIT = ("ExplicitEuler", "ExplicitMidpoint", "RK33", "RK44", "RK67", "DOPRI5")
NEVER = 1e10  # a tolerance that every step meets

# What a joint holds in its frame (x, y, z = axis): three translations, three rotations.
HELD = {"planar-revolute": (1, 1, 0, 0, 0, 0), "cylindrical": (1, 1, 0, 1, 1, 0), "fixed": (1, 1, 1, 1, 1, 1)}


@dataclass(frozen=True)
class Settings:
    """How Exudyn runs: node type, solver, relative Newton tolerance (1e-8 is its default), linear solver.

    renew : a new Jacobian at every step, where modified Newton otherwise keeps one as long as it converges well.
    dependent : rows may depend on others; EigenDense finds a solution then.
    """

    node: str = "RotationEulerParameters"
    solver: str = "GeneralizedAlpha"
    relative_tolerance: float = 1e-8
    linear: str = "EXUdense"
    spectral_radius: float = 0.9
    renew: bool = False
    dependent: bool = False

    def __str__(self) -> str:
        """One line for a table."""
        node = self.node.removeprefix("Rotation")
        if self.solver in EXPLICIT:
            return f"{self.solver}, {node}"
        renewed = ", Jacobian per step" if self.renew else ""
        return f"{self.solver}, {node}, {self.linear}, tolerance {self.relative_tolerance:g}{renewed}"


@dataclass
class PeerRun:
    """One run: seconds of the solver's call alone, times (nt,), and name -> (nt, nb, ...) of what was kept."""

    seconds: float
    time: Array
    kept: dict[str, Array]


class ExudynModel:
    """A mechanism inside Exudyn, ready to be run once."""

    def __init__(self, model: ModelData, settings: Settings) -> None:
        if not installed():
            raise RuntimeError("Exudyn is not installed; it comes with linkwork's extra `bench`")
        self.model, self.settings = model, settings
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.bodies: dict[str, Any] = {GROUND: self.mbs.CreateGround()}
        self.symbolic: list[Any] = []  # kept alive: the solver holds only references
        self.driven: list[tuple[Any, Any]] = []  # the row and the marker of each driver
        for body in model.bodies:
            self.bodies[body.name] = self.mbs.CreateRigidBody(
                inertia=eu.RigidBodyInertia(mass=body.mass, inertiaTensor=body.inertia, com=[0.0, 0.0, 0.0]),
                referencePosition=list(body.position),
                referenceRotationMatrix=body.rotation,
                initialVelocity=list(body.velocity),
                initialAngularVelocity=list(body.rotation @ body.angular_velocity),
                gravity=list(model.gravity),
                nodeType=getattr(exu.NodeType, settings.node),
                show=False,
            )
        for joint in model.joints:
            self._joint(joint)
        for driver in model.drivers:
            self._driver(driver)
        self._springs()
        self.sensors = self._sensors()
        self.assembled = False

    def turn(self, torques: Mapping[str, Array]) -> None:
        """Torques in global components on bodies [N m], which stay. To be told before the first run."""
        for body, torque in torques.items():
            marker = self.mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=self.bodies[body]))
            self.mbs.AddLoad(eu.Torque(markerNumber=marker, loadVector=list(torque)))

    def assemble(self) -> None:
        """Nothing is added any more."""
        self.mbs.Assemble()
        self._angles_as_at_start()
        self.assembled = True

    def _joint(self, joint: JointData) -> None:
        pair = [self.bodies[joint.first], self.bodies[joint.second]]
        where = {"itemNumbers": pair, "position": list(joint.point), "show": False}
        axis = unit(np.array(joint.axis))
        kind = "planar-revolute" if joint.name in self.model.planar else joint.type
        if kind == "revolute":
            self.mbs.CreateRevoluteJoint(axis=list(axis), useGlobalFrame=True, **where)
        elif kind == "spherical":
            self.mbs.CreateSphericalJoint(**where)
        elif kind in ("translational", "prismatic"):
            self.mbs.CreatePrismaticJoint(axis=list(axis), useGlobalFrame=True, **where)
        elif kind == "universal":  # one row: the frame's y on the first body stays across its z on the second
            z = unit(np.array(joint.axis2))
            frame = columns(np.cross(axis, z), axis, z)
            self._generic(where, frame, (1, 1, 1, 1, 0, 0))
        elif kind in HELD:
            self._generic(where, frame_along(axis), HELD[kind])
        elif kind == "rolling-disc":
            self._rolling(joint, pair)
        else:
            # ends the benchmark: who adds a mechanism to it adds its joints here
            raise NotImplementedError(f"no Exudyn joint for {joint.type!r}")

    def _generic(self, where: dict[str, Any], frame: Array, rows: Sequence[int]) -> None:
        self.mbs.CreateGenericJoint(rotationMatrixAxes=frame, constrainedAxes=list(rows), useGlobalFrame=True, **where)

    def _rolling(self, joint: JointData, pair: list[Any]) -> None:
        body = next(body for body in self.model.bodies if body.name == joint.second)
        plane = self.mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=pair[0], localPosition=list(joint.point)))
        disc = self.mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=pair[1], localPosition=[0.0, 0.0, 0.0]))
        self.mbs.AddObject(
            eu.ObjectJointRollingDisc(
                markerNumbers=[plane, disc],
                discRadius=joint.radius,
                discAxis=list(body.rotation.T @ unit(np.array(joint.axis2))),
                planeNormal=list(joint.axis),
            )
        )

    def _driver(self, driver: DriverData) -> None:
        joint = self.model.joint(driver.joint)
        first = next((body for body in self.model.bodies if body.name == joint.first), None)
        axis = np.array(joint.axis) if first is None else first.rotation.T @ np.array(joint.axis)
        turns = self.mbs.AddNode(eu.NodeGenericData(initialCoordinates=[0.0], numberOfDataCoordinates=1))
        angle = self.mbs.AddMarker(
            eu.MarkerBodiesRelativeRotationCoordinate(
                bodyNumbers=[self.bodies[joint.first], self.bodies[joint.second]], nodeNumber=turns, axis0=list(axis)
            )
        )
        zero = self.mbs.AddMarker(
            eu.MarkerNodeCoordinate(nodeNumber=self.mbs.AddNode(eu.NodePointGround()), coordinate=0)
        )
        row = self.mbs.AddObject(eu.ObjectConnectorCoordinate(markerNumbers=[zero, angle], offset=0.0))
        s: Any = exu.symbolic  # type: ignore[attr-defined]  # its stubs leave this module out

        def value(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
            return lOffset + driver.rate * t + driver.swing * (s.cos(driver.frequency * t) - 1.0)

        def rate(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
            return driver.rate - driver.swing * driver.frequency * s.sin(driver.frequency * t)

        for name, function in (("offsetUserFunction", value), ("offsetUserFunction_t", rate)):
            made = eu.CreateSymbolicUserFunction(self.mbs, function, name, row)
            self.mbs.SetObjectParameter(row, name, made)
            self.symbolic.append(made)
        self.driven.append((row, angle))

    def _angles_as_at_start(self) -> None:
        """Let driven angles count from the start pose; Exudyn measures them from frames of its own."""
        for row, angle in self.driven:
            start = float(self.mbs.GetMarkerOutput(angle, exu.OutputVariableType.Coordinates)[0])
            self.mbs.SetObjectParameter(row, "offset", start)

    def _springs(self) -> None:
        for spring in self.model.springs:
            ends = [
                self.mbs.AddMarker(eu.MarkerBodyPosition(bodyNumber=self.bodies[name], localPosition=list(point)))
                for name, point in ((spring.first, spring.on_first), (spring.second, spring.on_second))
            ]
            self.mbs.AddObject(
                eu.SpringDamper(
                    markerNumbers=ends,
                    referenceLength=spring.length,
                    stiffness=spring.stiffness,
                    damping=spring.damping,
                )
            )

    def _sensors(self) -> list[tuple[Any, ...]]:
        kind = exu.OutputVariableType
        wanted = (kind.Position, kind.RotationMatrix, kind.Velocity, kind.AngularVelocityLocal)
        return [
            tuple(
                self.mbs.AddSensor(
                    eu.SensorBody(
                        bodyNumber=self.bodies[body.name],
                        outputVariableType=what,
                        storeInternal=True,
                        writeToFile=False,
                    )
                )
                for what in wanted
            )
            for body in self.model.bodies
        ]

    def run(self, t_end: float, step: float, every: int = 1) -> PeerRun:
        """Run to t_end (s) with fixed steps (s), keeping each `every`-th. RuntimeError if the solver stops early."""
        if not self.assembled:
            self.assemble()
        settings = simulation_settings(t_end, step, self.settings, every)
        solver = getattr(exu.DynamicSolverType, self.settings.solver)
        start = time.perf_counter()
        self.mbs.SolveDynamic(settings, solverType=solver)
        seconds = time.perf_counter() - start
        end = float(self.mbs.systemData.GetTime())
        if abs(end - t_end) > 0.5 * step:
            raise RuntimeError(f"Exudyn stopped at t = {end:g} s")
        names = ("position", "rotation", "velocity", "angular_velocity")
        stored = [[np.array(self.mbs.GetSensorStoredData(sensor)) for sensor in body] for body in self.sensors]
        kept = {name: np.stack([body[k][:, 1:] for body in stored], axis=1) for k, name in enumerate(names)}
        return PeerRun(seconds, stored[0][0][:, 0], kept)


def installed() -> bool:
    """Whether Exudyn is there."""
    return find_spec("exudyn") is not None


def frame_along(z: Array) -> Array:
    """A right-handed frame whose third column is the unit vector z."""
    e = np.zeros(3)
    e[int(np.argmin(np.abs(z)))] = 1.0
    x = unit(e - (e @ z) * z)
    return columns(x, np.cross(z, x), z)


def simulation_settings(t_end: float, step: float, chosen: Settings, every: int = 1) -> Any:
    """Fixed steps, modified Newton, nothing written, one thread."""
    made = exu.SimulationSettings()
    made.solution.file.write = False
    made.solution.sensors.writePeriod = every * step
    made.linearSolver.solverType = getattr(exu.LinearSolverType, chosen.linear)
    made.linearSolver.reuseAnalyzedPattern = chosen.linear == "EigenSparse"
    made.linearSolver.ignoreSingularJacobian = chosen.dependent
    made.parallel.numberOfThreads = 1
    ours = made.timeIntegration
    ours.numberOfSteps = round(t_end / step)
    ours.endTime = t_end
    ours.verboseMode = 0
    ours.stepInformation = 0
    ours.newton.useModifiedNewton = True
    ours.newton.modifiedNewtonJacUpdatePerStep = chosen.renew
    ours.newton.relativeTolerance = chosen.relative_tolerance
    ours.newton.absoluteTolerance = chosen.relative_tolerance * 1e-2
    ours.generalizedAlpha.spectralRadius = chosen.spectral_radius
    ours.generalizedAlpha.lieGroupAddTangentOperator = False
    if chosen.solver in EXPLICIT:
        named = next(name for name in ("explicit", "explicitIntegration") if hasattr(ours, name))  # new and old name
        explicit = getattr(ours, named)
        explicit.useLieGroupIntegration = True
        explicit.computeEndOfStepAccelerations = False
        ours.absoluteTolerance = ours.relativeTolerance = NEVER  # fixed steps also where there is an error estimate
    return made
