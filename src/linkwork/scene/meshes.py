"""Meshes: points and triangles that a page or picture holds, from files or from a plate's outline."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ModelError
from linkwork.header import Array

MOST_TRIANGLES = 20_000  # of one mesh in a page: 0.4 MB
LARGEST_FILE = 200_000_000  # bytes
SUFFIXES = (".stl", ".obj", ".glb", ".gltf", ".ply", ".off")


class Mesh(NamedTuple):
    """points (n, 3) m; triangles (m, 3) numbers of points; note: what was done to it, or ''."""

    points: Array
    triangles: NDArray[np.int64]
    note: str = ""


def read_mesh(name: str, base: str | PathLike[str] | None, owner: str) -> Mesh:
    """The mesh in a file, decimated where it is large. Raises ModelError with the body, the file and the cure.

    base : the folder that relative names start from: that of the model's file.
    """
    path = Path(name) if base is None or Path(name).is_absolute() else Path(base) / name
    where = {"element": f"body {owner!r}"}
    if path.suffix.lower() not in SUFFIXES:
        raise ModelError(f"its mesh {name!r} is of no known kind.", remedy=f"Use {', '.join(SUFFIXES)}.", **where)
    if not path.is_file():
        raise ModelError(
            f"its mesh {name!r} does not exist.",
            remedy=f"It was looked for as {str(path)!r}; base=FOLDER (--base) names another place.",
            **where,
        )
    size = path.stat().st_size
    if size > LARGEST_FILE:
        remedy = f"Decimate it below {LARGEST_FILE // 10**6} MB first."
        raise ModelError(f"its mesh {name!r} is too large ({size / 1e6:.0f} MB).", remedy=remedy, **where)
    try:
        import trimesh
    except ImportError:
        remedy = "pip install 'linkwork[mesh]'"
        raise ModelError(f"its mesh {name!r} needs the package trimesh.", remedy=remedy, **where) from None
    try:
        made: Any = trimesh.load(path, force="mesh", process=True)
        points, triangles = np.array(made.vertices, dtype=float), np.array(made.faces, dtype=np.int64)
    except Exception as error:  # each of its readers fails in its own way
        text = f"its mesh {name!r} could not be read: {type(error).__name__}: {str(error)[:200]}"
        raise ModelError(text, remedy="Is the file whole?", **where) from None
    whole = points.ndim == 2 and len(triangles) > 0 and bool(np.isfinite(points).all())
    if not whole or triangles.max() >= len(points) or triangles.min() < 0:
        raise ModelError(f"its mesh {name!r} holds no triangles.", remedy="Is the file whole?", **where)
    return decimated(Mesh(points, triangles))


def decimated(mesh: Mesh, most: int = MOST_TRIANGLES) -> Mesh:
    """At most about `most` triangles: points in the same cell of a grid become one, coarser until they are few."""
    if len(mesh.triangles) <= most:
        return mesh
    low, reach = mesh.points.min(axis=0), float(np.ptp(mesh.points, axis=0).max())
    cells = 2.0 * np.sqrt(most)
    while True:
        keys = np.floor((mesh.points - low) / reach * cells).astype(np.int64)
        _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        triangles = number.ravel()[mesh.triangles]
        a, b, c = triangles.T
        triangles = np.unique(triangles[(a != b) & (b != c) & (c != a)], axis=0)
        if len(triangles) <= most:
            break
        cells *= 0.8
    note = f"a mesh of {len(mesh.triangles)} triangles is shown with {len(triangles)}"
    return Mesh(mesh.points[first], triangles, note)


def plate(points: Array, thickness: float) -> Mesh | None:
    """A plate over the outline of points (n, 3) that lie in a plane; None where they do not, or lie on a line."""
    middle = points.mean(axis=0)
    _, size, axes = np.linalg.svd(points - middle)
    if len(points) < 3 or size[1] < 0.05 * size[0] or size[2] > 1e-3 * size[0]:
        return None
    flat = (points - middle) @ axes[:2].T
    ring = outline(flat)
    flat, n = flat[ring], len(ring)
    across = thickness / 2.0 * axes[2]
    if np.linalg.det(axes) < 0.0:
        across = -across
    corners = middle + flat @ axes[:2]
    around = np.arange(n)
    top = [(0, k, k + 1) for k in range(1, n - 1)]
    bottom = [(n, n + k + 1, n + k) for k in range(1, n - 1)]
    after = (around + 1) % n
    sides = np.concatenate(
        [np.stack([around, n + around, n + after], 1), np.stack([around, n + after, after], 1)]
    ).tolist()
    return Mesh(np.concatenate([corners + across, corners - across]), np.array([*top, *bottom, *sides]))


def outline(flat: Array) -> list[int]:
    """Numbers of the points (n, 2) on the convex outline, counter-clockwise (Andrew's monotone chain)."""
    order = np.lexsort((flat[:, 1], flat[:, 0])).tolist()

    def chain(numbers: list[int]) -> list[int]:
        kept: list[int] = []
        for k in numbers:
            while len(kept) > 1 and _turn(flat[kept[-2]], flat[kept[-1]], flat[k]) <= 0.0:
                kept.pop()
            kept.append(k)
        return kept[:-1]

    return chain(order) + chain(order[::-1])


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
