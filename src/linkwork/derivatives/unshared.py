"""What depends on how dependent rows share their reactions, where an adjoint does not follow that."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.kernels.dependence import ND, NR

NOTHING = 1e-9  # in a combination of rows


def need_unshared(run: ImplicitRun, seeds: Mapping[str, Mapping[str, NDArray[np.float64]]], why: str) -> None:
    """Raise UsageError for what depends on it.

    run : of an implicit method. seeds : name -> of what is asked for, derivatives by samples. why : that is so."""
    shared = shared_rows(run)
    for name, block in seeds.items():
        if np.any(block["multiplier"][:, :, shared]):
            raise UsageError(
                f"the adjoint of {name!r} is not implemented: it depends on how dependent rows share reactions, "
                f"which is not followed: {why}.",
                remedy="Take mode='tangent', or poses, velocities and accelerations.",
            )


def shared_rows(run: ImplicitRun) -> NDArray[np.intp]:
    """Rows whose multipliers depend on others': those left out, and what they combine."""
    found = run.problem.dependence.found
    kept, dropped = found.kept[: found.sizes[NR]], found.dropped[: found.sizes[ND]]
    if not found.C.size:  # a sparse search does not say which
        return np.arange(len(found.keep) if len(dropped) else 0)
    combined = np.any(np.abs(found.C[: len(dropped), : len(kept)]) > NOTHING, axis=0)
    return np.concatenate([dropped, kept[combined]])
