"""Options of robots' files (URDF, MJCF, SDF), for every verb that reads a model: made when one of them is given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.cli.parameter import Further, Parameter

if TYPE_CHECKING:
    from linkwork.mechanism import Mechanism

PANEL = "Options of robots' files"
RobotFile = Annotated[Mapping[str, Any] | None, Further("linkwork.cli.robot_files:every")]
RobotFileWithoutBase = Annotated[Mapping[str, Any] | None, Further("linkwork.cli.robot_files:without_base")]

BASE = Annotated[
    Literal["fixed", "floating", "planar"] | None,
    Parameter("Of a URDF file: how its root is held. Default: fixed.", group=PANEL),
]
UNSUPPORTED = Annotated[
    Literal["error", "report"] | None,
    Parameter(
        "Refuse a file for what linkwork cannot represent (error, the default), or go on without it and say so.",
        name="--on-unsupported",
        group=PANEL,
    ),
]
MESHES = Annotated[
    list[Path] | None,
    Parameter("A folder with meshes or packages of a URDF or MJCF file; may be repeated.", group=PANEL),
]
MIMIC = Annotated[
    Literal["exact", "free"] | None,
    Parameter("Of a URDF file: joints follow those that they mimic (exact, the default), or not at all.", group=PANEL),
]
FRICTION = Annotated[
    float | None,
    Parameter(
        "Dry friction F of joints acts as F tanh(rate/V), which is smooth: V, rad/s or m/s. Default: it is refused.",
        group=PANEL,
        above=0.0,
    ),
]
STOPS = Annotated[
    tuple[float, float] | None,
    Parameter(
        "Elastic stops at the limits of joints: stiffness (N/m or N m/rad) and dissipation (s/m or s/rad). "
        "Default: nothing stops a joint.",
        group=PANEL,
    ),
]

ACTUATORS = Annotated[
    bool | None,
    Parameter("Of an MJCF file: actuators act, each by an input of its name. Default: none does.", group=PANEL),
]


def every() -> dict[str, Any]:
    """Their annotations, by their names."""
    return {"base": BASE, **without_base()}


def without_base() -> dict[str, Any]:
    """Of verbs whose --base is another."""
    return {
        "on_unsupported": UNSUPPORTED,
        "meshes": MESHES,
        "mimic": MIMIC,
        "friction": FRICTION,
        "stops": STOPS,
        "actuators": ACTUATORS,
    }


def read(model: Any, side: Path | None, words: list[str] | None, said: Mapping[str, Any] | None) -> Mechanism:
    """The mechanism of a command line: MODEL, --side, --set, and the options of robots' files. Raises LinkworkError."""
    from linkwork import load

    options = {"search" if name == "meshes" else name: value for name, value in (said or {}).items()}
    if options.get("mimic") == "exact":
        del options["mimic"]
    mechanism = load(model, side=side, **options)
    if not words:
        return mechanism
    from linkwork.cli.set_parameters import with_set

    return with_set(mechanism, words)
