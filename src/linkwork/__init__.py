"""linkwork: rigid multibody kinematics and dynamics, one mechanism through many formulations.

The front door. Each name is imported when it is first asked for, so that `import linkwork` is quick and
never loads the compiler, plots or result files:

    import linkwork as lw

    mech = lw.load("kissel2021_slider_crank")
    result = lw.simulate(mech, t_end=3.0, step=1e-3, formulation="rA")
    result.position("slider")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwork.attached import attach, found_at
from linkwork.source import __version__

if TYPE_CHECKING:
    from linkwork import errors
    from linkwork.analysis.accelerations import accelerations
    from linkwork.analysis.assembly import assemble
    from linkwork.analysis.check import check
    from linkwork.analysis.counts import counts_of
    from linkwork.analysis.joint_space import (
        JointState,
        forward_kinematics,
        jacobian,
        joint_coordinates,
        mass_matrix,
    )
    from linkwork.analysis.kinematics import kinematics
    from linkwork.analysis.resume import resume
    from linkwork.analysis.start_state import start_state
    from linkwork.analysis.state import State
    from linkwork.derivatives.functionals import Final, Integral
    from linkwork.derivatives.sensitivities import sensitivities
    from linkwork.formulations.contract import Formulation
    from linkwork.formulations.lie_mixed import LieMixed
    from linkwork.formulations.lie_product import LieProduct
    from linkwork.formulations.lie_se3 import LieSE3
    from linkwork.formulations.newton_euler.barycentric import Barycentric
    from linkwork.formulations.newton_euler.methods import (
        Augmented,
        CutJoint,
        JointRates,
        Partial,
        Penalty,
        RangeSpace,
    )
    from linkwork.formulations.newton_euler.null_space import NullSpace
    from linkwork.formulations.rA import RA
    from linkwork.formulations.re import RE
    from linkwork.formulations.recursive.formulation import ArticulatedBody, Canonical
    from linkwork.formulations.rotation_matrix.formulation import RotationMatrix
    from linkwork.formulations.rp import RP
    from linkwork.integrators.contract import Integrator
    from linkwork.integrators.generalized_alpha import GeneralizedAlpha
    from linkwork.integrators.implicit_euler import ImplicitEuler
    from linkwork.integrators.radau import Radau5, Radau9, Radau13, RadauVariable
    from linkwork.integrators.rattle import Rattle, Rattle4, Rattle6, Shake
    from linkwork.integrators.runge_kutta import BS32, DOP853, DP54, RK4, TS54, EmbeddedPair, Euler, Heun, RungeKutta
    from linkwork.integrators.symmetric import ImplicitMidpoint, StormerVerlet
    from linkwork.io.formats import load
    from linkwork.io.results import open_result
    from linkwork.linearisation.branches import branch, equilibria
    from linkwork.linearisation.equilibrium import equilibrium
    from linkwork.linearisation.floquet import floquet
    from linkwork.linearisation.inverse_dynamics import inverse_dynamics
    from linkwork.linearisation.linearise import linearise
    from linkwork.linearisation.modes import modes
    from linkwork.linearisation.steady import steady_motion
    from linkwork.mechanism import Mechanism, joints
    from linkwork.options import Option
    from linkwork.planner.files import load_plan
    from linkwork.planner.plan import plan
    from linkwork.result import Result
    from linkwork.run.model import Model
    from linkwork.run.model import compile_model as compile
    from linkwork.run.samples import Samples
    from linkwork.run.simulate import simulate
    from linkwork.stepping.control import control
    from linkwork.stepping.controllers import PID, controller
    from linkwork.stepping.simulator import Simulator
    from linkwork.studies.certificate import verify
    from linkwork.studies.comparing import compare
    from linkwork.studies.comparison.files import load_study
    from linkwork.studies.comparison.study_run import run_study
    from linkwork.sweeps.found import Sweep
    from linkwork.sweeps.plans import log_uniform, normal, triangular, uniform
    from linkwork.sweeps.sweep import open_sweep, sweep
    from linkwork.system.topology import topology_of as topology

_PLACES = {
    "ArticulatedBody": "linkwork.formulations.recursive.formulation:ArticulatedBody",
    "Augmented": "linkwork.formulations.newton_euler.methods:Augmented",
    "BS32": "linkwork.integrators.runge_kutta:BS32",
    "Barycentric": "linkwork.formulations.newton_euler.barycentric:Barycentric",
    "Canonical": "linkwork.formulations.recursive.formulation:Canonical",
    "CutJoint": "linkwork.formulations.newton_euler.methods:CutJoint",
    "DOP853": "linkwork.integrators.runge_kutta:DOP853",
    "DP54": "linkwork.integrators.runge_kutta:DP54",
    "EmbeddedPair": "linkwork.integrators.runge_kutta:EmbeddedPair",
    "Euler": "linkwork.integrators.runge_kutta:Euler",
    "Final": "linkwork.derivatives.functionals:Final",
    "Formulation": "linkwork.formulations.contract:Formulation",
    "GeneralizedAlpha": "linkwork.integrators.generalized_alpha:GeneralizedAlpha",
    "Heun": "linkwork.integrators.runge_kutta:Heun",
    "ImplicitEuler": "linkwork.integrators.implicit_euler:ImplicitEuler",
    "ImplicitMidpoint": "linkwork.integrators.symmetric:ImplicitMidpoint",
    "Integral": "linkwork.derivatives.functionals:Integral",
    "Integrator": "linkwork.integrators.contract:Integrator",
    "JointRates": "linkwork.formulations.newton_euler.methods:JointRates",
    "JointState": "linkwork.analysis.joint_space:JointState",
    "LieMixed": "linkwork.formulations.lie_mixed:LieMixed",
    "LieProduct": "linkwork.formulations.lie_product:LieProduct",
    "LieSE3": "linkwork.formulations.lie_se3:LieSE3",
    "Mechanism": "linkwork.mechanism:Mechanism",
    "Model": "linkwork.run.model:Model",
    "NullSpace": "linkwork.formulations.newton_euler.null_space:NullSpace",
    "Option": "linkwork.options:Option",
    "PID": "linkwork.stepping.controllers:PID",
    "Partial": "linkwork.formulations.newton_euler.methods:Partial",
    "Penalty": "linkwork.formulations.newton_euler.methods:Penalty",
    "RA": "linkwork.formulations.rA:RA",
    "RE": "linkwork.formulations.re:RE",
    "RK4": "linkwork.integrators.runge_kutta:RK4",
    "RP": "linkwork.formulations.rp:RP",
    "Radau13": "linkwork.integrators.radau:Radau13",
    "RadauVariable": "linkwork.integrators.radau:RadauVariable",
    "Radau5": "linkwork.integrators.radau:Radau5",
    "Radau9": "linkwork.integrators.radau:Radau9",
    "RangeSpace": "linkwork.formulations.newton_euler.methods:RangeSpace",
    "Rattle": "linkwork.integrators.rattle:Rattle",
    "Rattle4": "linkwork.integrators.rattle:Rattle4",
    "Rattle6": "linkwork.integrators.rattle:Rattle6",
    "Result": "linkwork.result:Result",
    "RotationMatrix": "linkwork.formulations.rotation_matrix.formulation:RotationMatrix",
    "RungeKutta": "linkwork.integrators.runge_kutta:RungeKutta",
    "Samples": "linkwork.run.samples:Samples",
    "Shake": "linkwork.integrators.rattle:Shake",
    "Simulator": "linkwork.stepping.simulator:Simulator",
    "State": "linkwork.analysis.state:State",
    "Sweep": "linkwork.sweeps.found:Sweep",
    "StormerVerlet": "linkwork.integrators.symmetric:StormerVerlet",
    "TS54": "linkwork.integrators.runge_kutta:TS54",
    "accelerations": "linkwork.analysis.accelerations:accelerations",
    "assemble": "linkwork.analysis.assembly:assemble",
    "branch": "linkwork.linearisation.branches:branch",
    "check": "linkwork.analysis.check:check",
    "compile": "linkwork.run.model:compile_model",
    "compare": "linkwork.studies.comparing:compare",
    "control": "linkwork.stepping.control:control",
    "controller": "linkwork.stepping.controllers:controller",
    "counts_of": "linkwork.analysis.counts:counts_of",
    "equilibria": "linkwork.linearisation.branches:equilibria",
    "equilibrium": "linkwork.linearisation.equilibrium:equilibrium",
    "errors": "linkwork.errors",
    "floquet": "linkwork.linearisation.floquet:floquet",
    "forward_kinematics": "linkwork.analysis.joint_space:forward_kinematics",
    "inverse_dynamics": "linkwork.linearisation.inverse_dynamics:inverse_dynamics",
    "jacobian": "linkwork.analysis.joint_space:jacobian",
    "joint_coordinates": "linkwork.analysis.joint_space:joint_coordinates",
    "joints": "linkwork.mechanism.joints",
    "kinematics": "linkwork.analysis.kinematics:kinematics",
    "linearise": "linkwork.linearisation.linearise:linearise",
    "load": "linkwork.io.formats:load",
    "load_plan": "linkwork.planner.files:load_plan",
    "load_study": "linkwork.studies.comparison.files:load_study",
    "log_uniform": "linkwork.sweeps.plans:log_uniform",
    "mass_matrix": "linkwork.analysis.joint_space:mass_matrix",
    "modes": "linkwork.linearisation.modes:modes",
    "normal": "linkwork.sweeps.plans:normal",
    "open_result": "linkwork.io.results:open_result",
    "open_sweep": "linkwork.sweeps.sweep:open_sweep",
    "plan": "linkwork.planner.plan:plan",
    "resume": "linkwork.analysis.resume:resume",
    "run_study": "linkwork.studies.comparison.study_run:run_study",
    "sensitivities": "linkwork.derivatives.sensitivities:sensitivities",
    "simulate": "linkwork.run.simulate:simulate",
    "start_state": "linkwork.analysis.start_state:start_state",
    "steady_motion": "linkwork.linearisation.steady:steady_motion",
    "sweep": "linkwork.sweeps.sweep:sweep",
    "topology": "linkwork.system.topology:topology_of",
    "triangular": "linkwork.sweeps.plans:triangular",
    "uniform": "linkwork.sweeps.plans:uniform",
    "verify": "linkwork.studies.certificate:verify",
}

__all__ = [
    "BS32",
    "DOP853",
    "DP54",
    "PID",
    "RA",
    "RE",
    "RK4",
    "RP",
    "TS54",
    "ArticulatedBody",
    "Augmented",
    "Barycentric",
    "Canonical",
    "CutJoint",
    "EmbeddedPair",
    "Euler",
    "Final",
    "Formulation",
    "GeneralizedAlpha",
    "Heun",
    "ImplicitEuler",
    "ImplicitMidpoint",
    "Integral",
    "Integrator",
    "JointRates",
    "JointState",
    "LieMixed",
    "LieProduct",
    "LieSE3",
    "Mechanism",
    "Model",
    "NullSpace",
    "Option",
    "Partial",
    "Penalty",
    "Radau5",
    "Radau9",
    "Radau13",
    "RadauVariable",
    "RangeSpace",
    "Rattle",
    "Rattle4",
    "Rattle6",
    "Result",
    "RotationMatrix",
    "RungeKutta",
    "Samples",
    "Shake",
    "Simulator",
    "State",
    "StormerVerlet",
    "Sweep",
    "__version__",
    "accelerations",
    "assemble",
    "branch",
    "check",
    "compare",
    "compile",
    "control",
    "controller",
    "counts_of",
    "equilibria",
    "equilibrium",
    "errors",
    "floquet",
    "forward_kinematics",
    "inverse_dynamics",
    "jacobian",
    "joint_coordinates",
    "joints",
    "kinematics",
    "linearise",
    "load",
    "load_plan",
    "load_study",
    "log_uniform",
    "mass_matrix",
    "modes",
    "normal",
    "open_result",
    "open_sweep",
    "plan",
    "resume",
    "run_study",
    "sensitivities",
    "simulate",
    "start_state",
    "steady_motion",
    "sweep",
    "topology",
    "triangular",
    "uniform",
    "verify",
]

# conveniences of low floors, and where higher ones carry them out
attach(
    {
        "Comparison.page": "linkwork.reports.comparison:page",
        "Folder.draw": "linkwork.plots.panels:save",
        "Folder.ending": "linkwork.plots:suffix",
        "Mechanism.check": "linkwork.analysis.check:check",
        "LinearModel.plot": "linkwork.plots.modes:plot_response",
        "Modes.plot": "linkwork.plots.modes:plot_modes",
        "Mechanism.view": "linkwork.view:page_of",
        "Study.accuracy": "linkwork.planner.asked:wanted",
        "Report.svg": "linkwork.plots.panels:svg",
        "Report.write": "linkwork.reports.reproduction:write",
        "Curves.to_xarray": "linkwork.io.results.curves:dataset",
        "Result.accuracy": "linkwork.planner.accuracy:of",
        "Result.centre_of_mass": "linkwork.quantities.momentum:centre_of_mass",
        "Result.driver": "linkwork.quantities.drivers:driver",
        "Result.force": "linkwork.quantities.forces:force",
        "Result.joint": "linkwork.quantities.joints:joint",
        "Result.mechanism": "linkwork.quantities.model:mechanism_of",
        "Result.momentum": "linkwork.quantities.momentum:momentum",
        "Result.film": "linkwork.plots.film:film",
        "Result.picture": "linkwork.plots.picture:picture",
        "Result.plot": "linkwork.plots:plot",
        "Result.point": "linkwork.quantities.points:point",
        "Result.save": "linkwork.io.results:save_result",
        "Result.sensor": "linkwork.quantities.sensors:sensor",
        "Result.state": "linkwork.analysis.state:state_at",
        "Result.summary": "linkwork.io.results.digest:summary",
        "Result.to_csv": "linkwork.io.results.table:save",
        "Result.to_dict": "linkwork.io.results.digest:digest",
        "Result.value": "linkwork.quantities.of_results:value",
        "Result.view": "linkwork.view:page_of",
        "Result.to_xarray": "linkwork.io.results.dataset:dataset",
        "run_lanes": "linkwork.lanes.runner:run_lanes",
        "run_gpu": "linkwork.lanes.gpu.runner:run_gpu",
        "why_off_device": "linkwork.lanes.gpu.runner:why_off_device",
        "device_name": "linkwork.lanes.gpu.runner:device_name",
        "why_one_by_one": "linkwork.lanes.runner:why_one_by_one",
        "Sweep.check": "linkwork.io.results.atomic:check_target",
        "Sweep.plot": "linkwork.plots.sweeps:plot",
        "Sweep.read": "linkwork.io.sweeps:read",
        "Sweep.save": "linkwork.io.sweeps:save",
        "Sweep.to_xarray": "linkwork.io.sweeps:dataset",
        "Sweep.write": "linkwork.io.sweeps:write",
        "as_state": "linkwork.analysis.start_state:as_state",
        "in_notebook": "linkwork.view:in_notebook",
        "live": "linkwork.view.live:live",
        "plan": "linkwork.planner.plan:plan",
        "verify": "linkwork.studies.certificate:verify",
    }
)


def __getattr__(name: str) -> Any:
    """Import the named thing from where it lives, once."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"linkwork has no {name!r}; it offers {', '.join(__all__)}.")
    value = globals()[name] = found_at(place)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
