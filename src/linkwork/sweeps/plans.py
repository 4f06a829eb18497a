"""Which numbers the runs of a sweep have: grids, lists, random points, Latin hypercubes, Sobol sequences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import whole_number
from linkwork.errors import UsageError

Array = NDArray[np.float64]
PLANS = ("grid", "list", "random", "latin", "sobol")
LARGEST = 50_000_000  # runs: a plan stays in memory


@dataclass(frozen=True)
class Distribution:
    """A random number: a kind and its two parameters. Made by `uniform`, `log_uniform`, `normal`, `triangular`."""

    kind: str
    first: float
    second: float

    def at(self, share: Array) -> Array:
        """The number that a share (0 to 1) of all others lie below."""
        a, b = self.first, self.second
        if self.kind == "uniform":
            return a + (b - a) * share
        if self.kind == "log_uniform":
            return np.exp(math.log(a) + (math.log(b) - math.log(a)) * share)
        if self.kind == "triangular":
            half = np.sqrt(0.5 * np.minimum(share, 1.0 - share))
            return np.where(share < 0.5, a + (b - a) * half, b - (b - a) * half)
        from scipy.special import ndtri

        found: Array = a + b * ndtri(np.clip(share, 1e-16, 1.0 - 1e-16))
        return found

    def to_dict(self) -> dict[str, list[float]]:
        """As a file says it."""
        return {self.kind: [self.first, self.second]}


def uniform(low: float, high: float) -> Distribution:
    """Any number between low and high, all alike."""
    return _made("uniform", low, high)


def log_uniform(low: float, high: float) -> Distribution:
    """Any number between low and high, both positive: its logarithm is uniform."""
    found = _made("log_uniform", low, high)
    if not found.first > 0.0:
        raise UsageError(f"log_uniform needs positive bounds, not {low!r}.")
    return found


def triangular(low: float, high: float) -> Distribution:
    """Between low and high, most likely in the middle: the sum of two uniform ones."""
    return _made("triangular", low, high)


def normal(mean: float, deviation: float) -> Distribution:
    """Normally distributed."""
    if not (_is_finite(mean) and _is_finite(deviation) and deviation > 0.0):
        raise UsageError(f"normal needs a mean and a positive deviation, not {mean!r} and {deviation!r}.")
    return Distribution("normal", float(mean), float(deviation))


KINDS: dict[str, Callable[[float, float], Distribution]] = {
    "uniform": uniform,
    "log_uniform": log_uniform,
    "triangular": triangular,
    "normal": normal,
}


def _is_finite(value: Any) -> bool:
    """Whether this is a number, and finite."""
    return is_number(value) and math.isfinite(value)


def is_number(value: Any) -> bool:
    """Whether this is a real number: no text, and neither true nor false."""
    return isinstance(value, Real | np.floating | np.integer) and not isinstance(value, bool | np.bool_)


def _made(kind: str, low: Any, high: Any) -> Distribution:
    if not (_is_finite(low) and _is_finite(high) and _is_finite(high - low)):
        raise UsageError(f"{kind} needs two finite numbers, not {low!r} and {high!r}.")
    if not low < high:
        raise UsageError(f"{kind} needs a smaller and a larger number, not {low!r} and {high!r}.")
    return Distribution(kind, float(low), float(high))


def points(over: Mapping[Any, Any], plan: str | None = None, runs: int | None = None, seed: int | None = None) -> Array:
    """The numbers of all runs, (runs, names), in the order of `over`. Raises UsageError for what makes no plan.

    over : name -> distribution, list of numbers, or a number. plan : of PLANS; a grid if all are lists, else random.
    runs : how many, where the plan does not say. seed : of random plans, 0 if nothing is said.
    """
    if not over:
        raise UsageError("a sweep goes over numbers by name.", remedy='over={"k": [1e4, 2e4], "L": lw.uniform(0.1, 1)}')
    if odd := [name for name in over if not isinstance(name, str)]:
        raise UsageError(f"a sweep goes over numbers by name; {odd[0]!r} is no name.")
    axes = {name: value if isinstance(value, Distribution) else _listed(name, value) for name, value in over.items()}
    random = [name for name, axis in axes.items() if isinstance(axis, Distribution)]
    plan = plan or ("random" if random else "grid")
    told = whole_number("seed", 0 if seed is None else seed, 0, most=None)
    if plan not in PLANS:
        raise UsageError(f"there is no plan {plan!r}.", remedy=f"Known: {', '.join(PLANS)}.")
    if plan in ("grid", "list"):
        if random:
            raise UsageError(f"a {plan} needs lists of numbers; {random[0]!r} is random.", remedy="plan='sobol'")
        if seed is not None:
            raise UsageError(
                f"a {plan} has nothing random, and no seed.", remedy="Leave seed out, or take plan='random'."
            )
        return _lists(plan, {name: np.asarray(axis) for name, axis in axes.items()}, runs)
    if runs is None:
        raise UsageError(f"how many runs? A {plan} plan does not say.", remedy="runs=1000")
    count = whole_number("runs", runs, 1)
    if count > LARGEST:
        raise UsageError(f"{count} runs are too many for one sweep (at most {LARGEST}).", remedy="Make several sweeps.")
    shares = _shares(plan, count, len(axes), told)
    columns = [
        axis.at(shares[:, k]) if isinstance(axis, Distribution) else axis[(shares[:, k] * len(axis)).astype(int)]
        for k, axis in enumerate(axes.values())
    ]
    return np.stack(columns, axis=1)


def _shares(plan: str, runs: int, names: int, seed: int) -> Array:
    """(runs, names) numbers from 0 to below 1."""
    if plan == "random":
        return np.random.default_rng(seed).random((runs, names))
    from scipy.stats import qmc

    if plan == "latin":
        found: Array = qmc.LatinHypercube(names, rng=np.random.default_rng(seed)).random(runs)
    else:
        sobol = qmc.Sobol(names, rng=np.random.default_rng(seed))
        found = sobol.random_base2(max(0, (runs - 1).bit_length()))[:runs]
    return np.minimum(found, 1.0 - 2.0**-53)


def _listed(name: str, value: Any) -> Array:
    given = np.asarray(value, dtype=object if isinstance(value, list | tuple) else None)  # numbers as they were written
    if given.dtype.kind not in "iuf" and not (given.dtype.kind == "O" and all(map(is_number, given.flat))):
        raise UsageError(f"{name!r} must go over numbers, not {value!r}.")
    if given.ndim > 1:
        raise UsageError(f"{name!r} must go over one list of numbers, not over lists of lists.")
    found = given.astype(float).reshape(-1)
    if not found.size or not np.isfinite(found).all():
        raise UsageError(f"{name!r} must go over finite numbers, not {value!r}.")
    return found


def _lists(plan: str, lists: Mapping[str, Array], runs: int | None) -> Array:
    lengths = [len(one) for one in lists.values()]
    if plan == "list":
        count = max(lengths)
        if odd := [name for name, one in lists.items() if len(one) not in (1, count)]:
            raise UsageError(
                f"lists side by side must be alike in length; {odd[0]!r} has {len(lists[odd[0]])} numbers."
            )
        found = np.stack([np.broadcast_to(one, (count,)) for one in lists.values()], axis=1)
    else:
        if math.prod(lengths) > LARGEST:
            raise UsageError(
                f"a grid of {math.prod(lengths)} runs is too large.", remedy="Take a random plan, and runs."
            )
        found = np.stack([one.reshape(-1) for one in np.meshgrid(*lists.values(), indexing="ij")], axis=1)
    if runs is not None and runs != len(found):
        raise UsageError(f"the {plan} has {len(found)} runs, not {runs}.", remedy="Leave runs out.")
    return np.ascontiguousarray(found)


def described(over: Mapping[str, Any]) -> dict[str, Any]:
    """What a sweep goes over, as plain data."""
    return {
        name: value.to_dict() if isinstance(value, Distribution) else np.array(value, dtype=float).reshape(-1).tolist()
        for name, value in over.items()
    }


def from_plain(over: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says: numbers, lists, and ``{uniform: [0.1, 0.3]}``."""
    found: dict[str, Any] = {}
    for name, value in over.items():
        if isinstance(value, Mapping):
            if len(value) != 1 or (kind := str(next(iter(value)))) not in KINDS:
                raise UsageError(f"{name!r}: there is no such distribution.", remedy=f"Known: {', '.join(KINDS)}.")
            numbers = value[next(iter(value))]
            if not isinstance(numbers, Sequence) or len(numbers) != 2:
                raise UsageError(f"{name!r}: {kind} takes two numbers.")
            found[name] = KINDS[kind](*numbers)
        else:
            found[name] = value
    return found
