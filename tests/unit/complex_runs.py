"""Whole runs as Python on complex numbers: a tiny imaginary step in what compiled code works on, exact derivatives out.

The same kernels and the same integrator as compiled; slow, so that few steps are taken.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from linkwork.equations.index_1 import accept_step
from linkwork.formulations.recursive import state as recursive_state
from linkwork.formulations.rotation_matrix import work as rotation_matrix_work
from linkwork.integrators import implicit_kernels, newton, start, step_control
from linkwork.kernels import couplings
from linkwork.problems import step_state
from linkwork.problems.layout import WORDS, Argument, Table, address_table

STEP = 1e-30


class Space:
    """Complex arrays beside those of a run, found by address."""

    def __init__(self, reals: Any, tangent: Any) -> None:
        spans: list[list[int]] = []
        for begin, end in sorted((address(a), address(a) + a.nbytes) for a in reals.arrays if a.size):
            if spans and begin < spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], end)
            else:
                spans.append([begin, end])
        self.begins = [begin for begin, _ in spans]
        self.cells = [np.zeros((end - begin) // 8, complex) for begin, end in spans]
        first = 0
        for array in reals.arrays:
            moves = tangent[first : first + array.size].reshape(array.shape)
            self.at(address(array), array.shape)[...] = array + 1j * STEP * moves
            first += array.size

    def at(self, where: int, shape: tuple[int, ...]) -> Any:
        """The array of this shape at an address."""
        count = int(np.prod(shape))
        if not count:
            return np.zeros(shape, complex)
        k = int(np.searchsorted(self.begins, where, side="right")) - 1
        first = (where - self.begins[k]) // 8
        return self.cells[k][first : first + count].reshape(shape)


class Context:
    """What stands where an entry's table does: its real numbers are complex. level : what it leads to
    (`linkwork.problems.levels`)."""

    def __init__(self, words: Any, space: Space, level: Any = None) -> None:
        self.words, self.shape, self.space, self.whole, self.level = words, words.shape, space, Table(words), level
        inside = level and level.inside
        self.inside = Context(inside.words, space, inside) if inside else None

    def __getitem__(self, word: int) -> Any:
        entry = self.level and self.level.calls.get(word // WORDS)
        return entry.__wrapped__ if entry else int(self.words[word])

    def array(self, k: int, dtype: str, ndim: int) -> Any:
        """Array number k."""
        if self.level and k == self.level.index:
            return self.inside
        if dtype != "float64":
            return self.whole.array(k, dtype, ndim)
        where, *extents = (int(word) for word in self.words[WORDS * k : WORDS * k + 1 + ndim])
        return self.space.at(where, tuple(extents))


def address(array: Any) -> int:
    """Of its first number."""
    return int(array.__array_interface__["data"][0])


class ComplexRun:
    """A prepared run (`derivatives.tangent_run.Prepared`) with one direction."""

    def __init__(self, prepared: Any, tangent: Any) -> None:
        from linkwork.derivatives.memory import Reals

        reals = Reals([*prepared.reals.tables, *prepared.outputs.tables], prepared)
        rest = np.zeros(sum(array.size for array in reals.arrays) - len(tangent))
        space = self.space = Space(reals, np.concatenate([tangent, rest]))
        self.prepared = prepared
        words, room = prepared.run._table, address_table(prepared.block)
        self.tables = (Context(words, space), None, Context(room, space))
        inner = self.inner = Context(prepared.level.words, space, prepared.level)
        calls = {
            name: (lambda _, entry=entry: entry.__wrapped__(inner))
            for name, entry in prepared.entries._asdict().items()
        }
        self.entries = SimpleNamespace(**calls)

    def call(self, entry: Any, *arguments: Any) -> Any:
        """What an entry of the integrator does."""
        first, _, *rest = entry.parts
        assert (first.record.__name__, first.first) == ("Entries", 1), "entries come first, then the context"
        found = [
            arguments[part.number - 1] if isinstance(part, Argument) else part(self.tables[part.table]) for part in rest
        ]
        with np.errstate(all="ignore"):  # complex numbers times infinity
            return entry.kernel(self.entries, self.inner, *found)

    def imaginary(self, array: Any) -> Any:
        """The derivative of an array's numbers."""
        return self.space.at(address(array), array.shape).imag / STEP


def keep_small(monkeypatch: Any) -> None:
    """Numbers that are next to nothing stay, as an imaginary step is; whole numbers are those of real parts."""
    for module in (implicit_kernels, newton, start, step_state):
        monkeypatch.setattr(module, "flush", lambda x: x)
    monkeypatch.setattr(couplings, "np", SimpleNamespace(floor=lambda x: np.floor(x.real), inf=np.inf))


class WithSigns:
    """NumPy, with a length of two complex numbers."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def hypot(self, x: Any, y: Any) -> Any:
        """Their root of squares, which NumPy has of real ones alone."""
        return np.sqrt(x * x + y * y)


def keep_signs(monkeypatch: Any) -> None:
    """What steps that find their own size are measured by is no absolute value of complex numbers."""
    monkeypatch.setattr(step_control, "np", WithSigns())
    for module in (accept_step, recursive_state, rotation_matrix_work):
        monkeypatch.setattr(module, "abs", lambda x: x if x.real >= 0.0 else -x, raising=False)


def settle_newton(monkeypatch: Any) -> None:
    """Newton's method goes on until the imaginary parts are settled, too."""

    iterate = newton.iterate

    def settled(entries: Any, context: Any, run: Any, renew: bool) -> int:
        status = iterate(entries, context, run, renew)
        values = run.z.real.copy()
        for _ in range(15):
            newton.evaluate(entries, context, run)
            newton.renew_matrix(entries, context, run)
            entries.solve(context)
            change = np.max(np.abs(run.delta.imag), initial=0.0)
            run.z[:] = values + 1j * (run.z - run.delta).imag
            if change <= 1e-18 * np.max(np.abs(run.z.imag), initial=0.0):
                break
        return status

    monkeypatch.setattr(newton, "iterate", settled)
