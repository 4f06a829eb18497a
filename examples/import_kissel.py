"""Read a model in the layout of Kissel 2021's published files, and give it the masses that such files lack.

python examples/import_kissel.py [MODEL.json] [--side MODEL.side.yaml]

Without a file of yours it writes a small pendulum in that layout to a temporary folder and reads it.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import linkwork as lw

GROUND, BAR = 2, 1
Y, Z = [0, 1, 0], [0, 0, 1]


def row(name: str, kind: str, **vectors: object) -> dict[str, object]:
    """One constraint between ground and the bar, with f = 0."""
    still = {"f": "0", "f_dot": "0", "f_ddot": "0"}
    return {"name": name, "type": kind, "body_i": GROUND, "body_j": BAR} | vectors | still


def pendulum() -> dict[str, object]:
    """A bar of 1 m on a pin along global x, level at the start, its own x axis along the bar."""
    points = {"s_bar_p_i": [0, 0, 0], "s_bar_q_j": [-0.5, 0, 0]}
    bar = {"name": "bar", "id": BAR, "r": [0, 0.5, 0], "r_dot": [0, 0, 0], "omega": [0, 0, 0]}
    return {
        "name": "pendulum",
        "bodies": [bar | {"A": [[0, 0, 1], [1, 0, 0], [0, 1, 0]]}, {"name": "ground", "id": GROUND}],
        "constraints": [
            row("pin x", "CD", c=[1, 0, 0], **points),
            row("pin y", "CD", c=Y, **points),
            row("pin z", "CD", c=Z, **points),
            row("across y", "DP1", a_bar_i=Y, a_bar_j=Z),
            row("across z", "DP1", a_bar_i=Z, a_bar_j=Z),
        ],
    }


SIDE = {"bodies": {"bar": {"shape": {"type": "box", "size": [1, 0.02, 0.02], "density": 7800}}}}


def show(path: Path, side: object) -> None:
    """Load, report what the reader noticed, and run."""
    bare = lw.load(path, side={})  # {}: no side file, not even one found beside the model
    print(bare.check().text())
    print()
    try:
        lw.simulate(bare, t_end=1.0, step=1e-3)
    except lw.errors.MissingMassError as error:
        print("without masses:", error)
        if side is None:
            print("give them in a side file: --side FILE")
            return
    mech = lw.load(path, side=side)
    for note in mech.notes:
        print("note:", note)
    print(lw.simulate(mech, t_end=1.0, step=1e-3).summary())


def main(arguments: list[str] | None = None) -> None:
    """The file given, or the one made here."""
    parser = argparse.ArgumentParser(description="Import a Kissel 2021 model.")
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--side", type=Path, help="masses, inertias and driver functions")
    given = parser.parse_args(arguments)
    if given.model is not None:
        show(given.model, given.side)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pendulum.json"
        path.write_text(json.dumps(pendulum(), indent=1), encoding="utf-8")
        show(path, SIDE)


if __name__ == "__main__":
    main()
