"""linkwork: rigid multibody kinematics and dynamics, one mechanism through many formulations.

The front door. Each name is imported when it is first asked for, so that `import linkwork` is quick and
never loads the compiler, plots or result files:

    import linkwork as lw

    mech = lw.load("kissel2021_slider_crank")
    result = lw.simulate(mech, t_end=3.0, step=1e-3, formulation="rA")
    result.position("slider")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
        inverse_dynamics,
        jacobian,
        joint_coordinates,
        mass_matrix,
    )
    from linkwork.analysis.kinematics import kinematics
    from linkwork.analysis.resume import resume
    from linkwork.analysis.state import State
    from linkwork.io.formats import load
    from linkwork.io.results import open_result
    from linkwork.mechanism import Mechanism, joints
    from linkwork.result import Result
    from linkwork.run.simulate import simulate
    from linkwork.studies.certificate import verify
    from linkwork.studies.comparing import compare
    from linkwork.studies.comparison.files import load_study
    from linkwork.studies.comparison.study_run import run_study
    from linkwork.system.topology import topology_of as topology

_PLACES = {
    "JointState": "linkwork.analysis.joint_space:JointState",
    "Mechanism": "linkwork.mechanism:Mechanism",
    "Result": "linkwork.result:Result",
    "State": "linkwork.analysis.state:State",
    "accelerations": "linkwork.analysis.accelerations:accelerations",
    "assemble": "linkwork.analysis.assembly:assemble",
    "check": "linkwork.analysis.check:check",
    "compare": "linkwork.studies.comparing:compare",
    "counts_of": "linkwork.analysis.counts:counts_of",
    "errors": "linkwork.errors",
    "forward_kinematics": "linkwork.analysis.joint_space:forward_kinematics",
    "inverse_dynamics": "linkwork.analysis.joint_space:inverse_dynamics",
    "jacobian": "linkwork.analysis.joint_space:jacobian",
    "joint_coordinates": "linkwork.analysis.joint_space:joint_coordinates",
    "joints": "linkwork.mechanism.joints",
    "kinematics": "linkwork.analysis.kinematics:kinematics",
    "load": "linkwork.io.formats:load",
    "load_study": "linkwork.studies.comparison.files:load_study",
    "mass_matrix": "linkwork.analysis.joint_space:mass_matrix",
    "open_result": "linkwork.io.results:open_result",
    "resume": "linkwork.analysis.resume:resume",
    "run_study": "linkwork.studies.comparison.study_run:run_study",
    "simulate": "linkwork.run.simulate:simulate",
    "topology": "linkwork.system.topology:topology_of",
    "verify": "linkwork.studies.certificate:verify",
}

__all__ = [
    "JointState",
    "Mechanism",
    "Result",
    "State",
    "__version__",
    "accelerations",
    "assemble",
    "check",
    "compare",
    "counts_of",
    "errors",
    "forward_kinematics",
    "inverse_dynamics",
    "jacobian",
    "joint_coordinates",
    "joints",
    "kinematics",
    "load",
    "load_study",
    "mass_matrix",
    "open_result",
    "resume",
    "run_study",
    "simulate",
    "topology",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import the named thing from where it lives, once."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"linkwork has no {name!r}; it offers {', '.join(__all__)}.")
    module_name, _, attribute = place.partition(":")
    value = import_module(module_name)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
