"""A joint graph on standard output: the tree as a tree, cut joints and matrices as tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from linkwork.cli import output
from linkwork.shown import counted

if TYPE_CHECKING:
    from linkwork.system.topology import Arc, Topology

LINES, DEEP = 200, 24  # bodies, and layers of them, that are shown at most
CUTS, ARCS = 60, 8  # cut joints, and arcs of a loop
MATRICES = 12  # bodies up to which matrices are shown


def show(topology: Topology) -> None:
    """All of it, or as much as a person reads."""
    output.show(headline(topology))
    output.show("\n")
    _show_trees(topology)
    if len(topology.cuts.arc):
        output.show("\ncut joints, and the way from one body to the other in the tree (+ along arcs, - against)\n\n")
        output.table(("", "joint", "type", "from", "to", "loop"), list(_cuts(topology)))
    if len(topology.bodies) > MATRICES:
        output.show(f"\n(matrices are shown for up to {MATRICES} bodies)")
        return
    outer = [f"h{k}" for k in range(len(topology.bodies))]
    inner = [name for name, parent in zip(outer, topology.tree.parent, strict=True) if parent >= 0]
    cut = [f"h{len(outer) + c}" for c in range(len(topology.cuts.arc))]
    bodies = [f"b{k + 1}" for k in range(len(outer))]
    for title, matrix, rows, columns in (
        ("C, arcs between bodies: 1 where they start, -1 where they end", topology.C(dense=True), bodies, inner),
        ("S, all arcs that lead to a body", topology.S(dense=True), bodies, outer),
        ("T, the inverse of S: -1 where an arc is on the way to a body", topology.T(dense=True), outer, bodies),
        ("C*, cut joints", topology.C_star(dense=True), bodies, cut),
    ):
        if columns:
            output.show(f"\n{title}\n\n{_matrix(matrix, rows, columns)}")


def headline(topology: Topology) -> str:
    """How many of everything."""
    tied = sum(topology.grounded)
    counts = {"tied to ground": tied, "floating": len(topology.grounded) - tied}
    parts = [f"{count} {what}" for what, count in counts.items() if count]
    bodies, arcs, cuts = len(topology.bodies), len(topology.arcs), len(topology.cuts.arc)
    return (
        f"{topology.name}: {counted(bodies, 'body')}, {counted(arcs, 'arc')}, "
        f"{cuts} of them cut; parts: {', '.join(parts) or 'none'}; height of the tree: {topology.height}"
    )


def _show_trees(topology: Topology) -> None:
    """Ground with what hangs on it, then the trees that float; what would be too much is counted where it hangs."""
    from rich.text import Text
    from rich.tree import Tree as Branch

    tree = topology.tree
    ground, floating = Branch(Text("ground", "bold")), Branch(Text("floating", "bold"))
    branches: dict[int, Branch] = {}
    hidden: dict[int, tuple[Branch, int]] = {}
    k = shown = 0
    while k < len(tree.parent):
        p, a, size = int(tree.parent[k]), int(tree.arc[k]), int(tree.size[k])
        above = branches[p] if p >= 0 else ground if a >= 0 else floating
        if shown >= LINES or tree.depth[k] >= DEEP:
            hidden[id(above)] = (above, hidden.get(id(above), (above, 0))[1] + size)
            k += size
            continue
        name = Text.assemble((f"{k + 1} ", "bold"), topology.body(k))
        if a >= 0:
            name.append(f"  <- h{k} {_joint(topology.arcs[a])}", "dim")
        branches[k] = above.add(name)
        k, shown = k + 1, shown + 1
    for above, count in hidden.values():
        above.add(Text(f"... {count} more", "dim"))
    for root in (ground, floating):
        if root.children:
            _print(root)


def _joint(arc: Arc) -> str:
    return f"{arc.type} {arc.name!r}" + (", driven" if arc.drivers else "")


def _print(tree: Any) -> None:
    from rich.console import Console

    if sys.stdout.isatty():
        Console(highlight=False, markup=False).print(tree)
        return
    wide = Console(highlight=False, markup=False, width=1000)  # in a file or a pipe nothing is cut off
    with wide.capture() as text:
        wide.print(tree)
    output.show("\n".join(line.rstrip() for line in text.get().splitlines()))


def _cuts(topology: Topology) -> Iterator[Sequence[str]]:
    cuts = topology.cuts
    for c in range(min(len(cuts.arc), CUTS)):
        arc, length, meet = topology.arcs[cuts.arc[c]], int(cuts.length[c]), int(cuts.meet[c])
        if length <= ARCS:
            way = " ".join(f"{'+' if s > 0 else '-'}h{k}" for k, s in zip(*topology.loop(c), strict=True))
        else:
            way = f"{length} arcs"
        if meet < 0:
            way += ", through ground"
        label, ends = f"h{len(topology.bodies) + c}", (topology.body(int(cuts.i[c])), topology.body(int(cuts.j[c])))
        yield label, arc.name, arc.type + (", driven" if arc.drivers else ""), *ends, way
    if len(cuts.arc) > CUTS:
        yield "...", f"{len(cuts.arc) - CUTS} more", "", "", "", ""


def _matrix(matrix: Any, rows: list[str], columns: list[str]) -> str:
    """Numbers under the names of their columns, zeros as dots."""
    width = max(len(name) for name in (*columns, "-1")) + 1
    edge = max(len(name) for name in rows)
    lines = [" " * (edge + 2) + "".join(name.rjust(width) for name in columns)]
    for name, row in zip(rows, matrix.tolist(), strict=True):
        lines.append(f"  {name.ljust(edge)}" + "".join((str(x) if x else ".").rjust(width) for x in row))
    return "\n".join(lines)
