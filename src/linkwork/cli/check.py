"""`linkwork check`: a mechanism in words, or with `--graph` its joint graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter
from linkwork.errors import UsageError


def check(
    model: options.Model,
    /,
    *,
    graph: Annotated[
        bool, Parameter(help="Show the joint graph instead: tree, labels, cut joints, loops, matrices.")
    ] = False,
    root: Annotated[
        list[str] | None, Parameter(help="With --graph: a body to start the tree with; may be repeated.")
    ] = None,
    search: Annotated[
        Literal["breadth", "depth"] | None,
        Parameter(help="With --graph: how the tree grows. breadth (default): low, light joints cut."),
    ] = None,
    plot: Annotated[Path | None, Parameter(help="With --graph: draw it into this file (.png, .svg, .pdf).")] = None,
    force: options.Force = False,
    json: options.Json = False,
    side: options.Side = None,
    set_: options.Set = None,
    robot: robot_files.RobotFile = None,
) -> int:
    """Say what a mechanism is: bodies, joints, freedoms, rank, redundant or conflicting rows, warnings."""
    given = {"--root": root, "--search": search, "--plot": plot}
    if not graph and any(given.values()):
        names = ", ".join(name for name, value in given.items() if value)
        raise UsageError(f"{names}: for the joint graph only.", remedy="Add --graph.")
    output.check_outputs(plot=plot, force=force)

    mechanism = robot_files.read(model, side, set_, robot)
    if not graph:
        from linkwork import check as examine

        report = examine(mechanism)
        account = mechanism.account
        if json:
            output.document(report.to_dict() | ({"account": account.to_dict()} if account else {}))
        else:
            output.show(report.text())
            if account:
                output.show(account.text())
        return report.exit_status

    from linkwork.cli import joint_graph
    from linkwork.system.topology import topology_of

    topology = topology_of(mechanism, root, search=search or "breadth")
    if plot is not None:
        from linkwork.plots.graph import save

        save(topology, plot, force=force)
    if json:
        output.document(topology.to_dict() | ({"files": {"plot": str(plot)}} if plot else {}))
    else:
        joint_graph.show(topology)
    if plot is not None:
        output.say(f"drawn: {plot}")
    return 0
