"""What of a recorded run moves with some of its numbers, and whether it can be differentiated as it was recorded."""

from __future__ import annotations

from collections.abc import Set

from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.step import Recorded

Pairs = dict[int, tuple[int, int, str]]


def pairs_of(recording: Recording) -> Pairs:
    """Cosines and sines: node -> angle, the node of the other one, and which it is."""
    found: Pairs = {}
    for angle, (cosine, sine) in recording.graph.angles.items():
        found[cosine.node] = (angle, sine.node, "cosine")
        found[sine.node] = (angle, cosine.node, "sine")
    return found


def moving_nodes(recording: Recording, cells: Set[int]) -> set[int]:
    """Nodes that follow from these cells. x - x, by which kernels ask whether x is finite, does not move, nor do
    whole parts, which count turns."""
    found: set[int] = set()
    for k, node in enumerate(recording.graph.nodes):
        operation = node[0]
        if operation == "in":
            if node[1] in cells:
                found.add(k)
        elif operation != "floor" and not (operation == "-" and node[1] == node[2]):
            for x in node[1:]:
                if type(x) is int and x in found:
                    found.add(k)
                    break
    return found


def moving_cells(recorded: Recorded, given: Set[int]) -> tuple[frozenset[int], frozenset[int]]:
    """The cells that move in the start, and later on, where these are moved before it."""
    moving = set(given)
    moving |= cells_left(recorded.start, moving)
    while True:
        more = set(moving)
        for part in recorded.functions:
            more |= cells_left(part, more)
        if more == moving:
            return frozenset(given), frozenset(moving)
        moving = more


def cells_left(recording: Recording, moving: Set[int]) -> set[int]:
    """Cells in which something is left that moves."""
    nodes = moving_nodes(recording, moving)
    return {cell for cell, key in recording.found.items() if isinstance(key, int) and key in nodes}


def need_smooth(recorded: Recorded, given: Set[int]) -> None:
    """Raise NotTracedError where the course that was recorded hangs on two numbers being equal that move apart with the
    cells given."""
    smooth_moves(recorded, given)


def smooth_moves(recorded: Recorded, given: Set[int]) -> tuple[frozenset[int], frozenset[int]]:
    """`moving_cells`. Raises NotTracedError as `need_smooth` does."""
    first, later = moving_cells(recorded, given)
    for one in (recorded.start, recorded.sample, *recorded.functions):
        if hangs_on_equality(one, first if one is recorded.start else later):
            raise NotTracedError("a course that hangs on equality")
    return first, later


def hangs_on_equality(recording: Recording, cells: Set[int]) -> bool:
    """Whether the course that was recorded hangs on two numbers being equal that move apart with these cells."""
    graph, todo = recording.graph, list(recording.graph.guards)
    moves = moving_nodes(recording, cells)
    while todo:
        k = todo.pop()
        operation, *operands = graph.nodes[k]
        if operation in ("or", "and"):
            todo += operands
        elif (operation, graph.values[k]) in (("==", True), ("!=", False)) and k in moves:
            return True
    return False
