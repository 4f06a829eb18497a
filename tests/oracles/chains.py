"""Chains of pins, axes z and x in turn, and their accelerations in 40 digits.

`python -m oracles.chains`, in `tests`, makes the file again. Numbers come from Python's own `random`, whose sequence is
promised to stay, so that only results are stored, with a hash of what they belong to.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import numpy as np
from oracles.trees import Link, Tree
from oracles.trees_dynamics import dynamics
from oracles.trees_motion import State

LENGTH = 0.3  # m
DIGITS = 40
FILE = Path(__file__).parent / "data" / "chains_in_40_digits.npz"
STORED = {"hanging": (1000, 0.3), "coiled": (1000, 3.0)}  # bodies, and how far coordinates go [rad]


def chain(count: int, spread: float, seed: int = 0) -> tuple[Tree, State]:
    """Links that hang along -y; angles up to `spread` rad, rates up to 0.3 rad/s."""
    random = Random(seed)

    def some(size: float) -> np.ndarray:
        return size * np.array([random.uniform(-1, 1) for _ in range(3)])

    links = []
    about_x = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # third axis along x
    centre = np.zeros(3)  # of the parent, from its joint
    for k in range(count):
        axes = about_x if k % 2 else np.eye(3)
        tip = np.zeros(3) if k == 0 else np.array([0.0, -LENGTH, 0.0]) + some(0.1 * LENGTH)
        mass = random.uniform(0.5, 1.5)
        own = np.array([0.0, -0.5 * LENGTH, 0.0]) + some(0.1 * LENGTH)
        bulk = np.array([some(0.5) for _ in range(6)]) * np.array([0.1, LENGTH, 0.1])
        bulk -= bulk.mean(axis=0)
        inertia = mass / 6 * (np.sum(bulk**2) * np.eye(3) - bulk.T @ bulk) + 1e-4 * np.eye(3)
        inertia = (inertia + inertia.T) / 2
        links.append(Link(k - 1, "revolute", mass, inertia, tip - centre, axes, -own, axes))
        centre = own
    q = [np.array([spread * random.uniform(-1, 1)]) for _ in range(count)]
    v = [np.array([0.3 * random.uniform(-1, 1)]) for _ in range(count)]
    return Tree(links, np.array([0.0, -9.81, 0.0])), State(q, v)


def fingerprint(tree: Tree, state: State) -> str:
    """A hash of every number that goes in."""
    parts = [np.concatenate([np.ravel(x) for x in (*state.q, *state.v, tree.gravity)])]
    for link in tree.links:
        numbers = (link.mass, link.inertia, link.s_parent, link.R_parent, link.s_child, link.R_child)
        parts.append(np.concatenate([np.ravel(x) for x in numbers]))
    return hashlib.sha256(np.concatenate(parts).astype("<f8").tobytes()).hexdigest()


def exact(tree: Tree, state: State, digits: int = DIGITS) -> dict[str, Any]:
    """qdd (n,), a and alpha (n, 3), rounded to doubles at the very end."""
    with mpmath.workdps(digits):
        found = dynamics(tree, state.exact())
        kept = {"qdd": np.concatenate(found.qdd), "a": found.moved.a, "alpha": found.moved.alpha}
        return {key: x.astype(float) for key, x in kept.items()}


def stored(name: str) -> tuple[Tree, State, dict[str, Any]]:
    """A chain of `STORED` with its reference. The file has to belong to it."""
    tree, state = chain(*STORED[name])
    with np.load(FILE) as file:
        assert str(file[f"{name} of"]) == fingerprint(tree, state), f"{FILE.name} belongs to other numbers"
        return tree, state, {key: file[f"{name} {key}"] for key in ("qdd", "a", "alpha")}


def main() -> None:
    """Write the file."""
    kept: dict[str, Any] = {}
    for name, (count, spread) in STORED.items():
        tree, state = chain(count, spread)
        kept[f"{name} of"] = fingerprint(tree, state)
        kept |= {f"{name} {key}": x for key, x in exact(tree, state).items()}
    FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(FILE, **kept)


if __name__ == "__main__":
    main()
