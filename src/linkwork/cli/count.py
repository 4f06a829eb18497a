"""`linkwork count`: what an evaluation costs in operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter
from linkwork.errors import LinkworkError, UsageError

if TYPE_CHECKING:
    from linkwork.analysis.counts import Evaluation

Which = Annotated[
    list[str] | None,
    Parameter(name="--formulation", help="May be repeated. Default: all that can be counted."),
]
Frames = Annotated[
    Literal["screws", "joints"] | None,
    Parameter(help="Recursive formulations: frames on the joints' axes (default), or at the joints' markers."),
]
Weight = Annotated[bool, Parameter(help="With the model's gravity, or without.")]
HEADS = ("formulation", "additions", "multiplications", "divisions", "roots", "sin, cos", "fused", "total", "recovery")


def count(
    model: options.Model,
    /,
    *,
    formulation: Which = None,
    frames: Frames = None,
    weight: Weight = True,
    json: options.Json = False,
    side: options.Side = None,
    robot: robot_files.RobotFile = None,
    set_: options.Set = None,
) -> int:
    """Count the operations of one evaluation of the slope, by running the kernels on numbers that count.

    The total is of additions, multiplications and divisions; fused are the products among them that an addition can
    take along in one instruction. Recovery, not in the total, is what samples take besides: accelerations and reactions
    where slopes do without them. A formulation that cannot be counted says why.
    """
    from linkwork.analysis.counts import countable, counts_of
    from linkwork.formulations import FORMULATIONS

    mechanism = robot_files.read(model, side, set_, robot)
    output.notes(mechanism)
    names = formulation or countable()
    for name in names:
        FORMULATIONS.load(name)
    if frames is not None and not any("frames" in FORMULATIONS.load(name).options for name in names):
        raise UsageError(f"--frames is of recursive formulations, not of {', '.join(names)}.")
    found: dict[str, Evaluation] = {}
    failed: dict[str, LinkworkError] = {}
    for name in names:
        taken = frames if "frames" in FORMULATIONS.load(name).options else None
        try:
            found[name] = counts_of(mechanism, name, frames=taken, weight=weight)
        except LinkworkError as error:
            failed[name] = error
    if json:
        output.document(document(mechanism, frames, weight, found, failed))
    elif found:
        output.table(HEADS, [row(name, one) for name, one in found.items()])
    for name, why in failed.items():
        output.fail(f"{name}: {why}")
    return max((why.exit_status for why in failed.values()), default=0)


def row(name: str, one: Evaluation) -> list[str]:
    """A line of the table."""
    return [name, *(str(n) for n in one.numbers), str(one.total), str(one.recovery.total or "")]


def document(
    mechanism: Any, frames: str | None, weight: bool, found: dict[str, Evaluation], failed: dict[str, LinkworkError]
) -> dict[str, Any]:
    """The JSON document."""
    return {
        "mechanism": mechanism.name,
        "bodies": len(mechanism.bodies),
        "frames": frames,
        "weight": weight,
        "counts": {name: one.to_dict() for name, one in found.items()},
        "failed": {name: why.to_dict() for name, why in failed.items()},
    }
