"""A planar loop of four spatial hinges: three rows too many. Named, survived, and removed.

python examples/redundant_loop.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np

import linkwork as lw


def leaning(rocker_pivot: str) -> lw.Mechanism:
    """The planar four-bar with gravity leaning out of its plane, so that the hinges have something to share."""
    data = lw.load("planar_four_bar").to_dict()
    data["gravity"] = [0.0, 3.0, -9.34]
    for joint in data["joints"]:
        if joint["name"] == "rocker pivot":
            joint["type"] = rocker_pivot
    return lw.Mechanism.from_dict(data)


def main(arguments: list[str] | None = None) -> None:
    """The same linkage over-constrained and not: one motion, but not all reactions are the same."""
    argparse.ArgumentParser(description="A redundantly constrained loop.").parse_args(arguments)
    hinges = leaning("revolute")
    report = hinges.check()
    print(f"four hinges: {report.rows} rows of rank {report.freedom.rank}")
    for one in report.redundant:
        print(f"  {', '.join(one.rows)}: implied by {', '.join(one.implied_by)}")
        if one.suggestion:
            print(f"    {one.suggestion}")

    freer = leaning("point-in-line")
    report = freer.check()
    print(f"with a point on a line as rocker pivot: {report.rows} rows of rank {report.freedom.rank}")

    a, b = (lw.simulate(mech, t_end=1.0, step=1e-3) for mech in (hinges, freer))
    print(f"motions differ by {np.abs(a['position'] - b['position']).max():.1e} m")
    print("largest reaction        four hinges |     freer      four hinges |     freer")
    for joint in ("crank pivot", "crank pin", "rocker pin", "rocker pivot", "motor"):
        force, torque = ([np.linalg.norm(part[2:], axis=1).max() for part in one] for one in reactions(joint, a, b))
        print(f"  {joint:13s} {force[0]:14.3f} N | {force[1]:9.3f} N {torque[0]:11.3f} Nm | {torque[1]:8.3f} Nm")
    print("\n".join(message for message in a.messages if "unique" in message))


def reactions(joint: str, *results: lw.Result) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Forces and torques of one joint in several runs."""
    both = [result.reaction(joint) for result in results]
    return [one.force for one in both], [one.torque for one in both]


if __name__ == "__main__":
    main()
