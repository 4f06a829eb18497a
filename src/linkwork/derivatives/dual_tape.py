"""A number in compiled code that records what is done to it: unchanged kernels can be differentiated in reverse.

In memory and in registers it is a pair: the value, and the place of the record of the operation that it comes from. A
record says what the number's differential is: two places and two slopes,

    dx_k = slope_1 dx_(place_1) + slope_2 dx_(place_2),

in 24 bytes, the two places in one word. Place 0 stands for what does not move: of numbers that come from such ones
alone nothing is recorded. The records follow one another on one tape, which compiled code finds under the names COUNT
(records so far) and BASE (address of record 0). Reading them backwards gives the derivatives of a few numbers by all
others at the cost of some evaluations, however many these are (Griewank and Walther 2008, section 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.extending import register_model

from linkwork.derivatives.dual_numbers import REAL, DualType, PairModel
from linkwork.kernels.entries import DirectEntry
from linkwork.kernels.jit import OPTIONS
from linkwork.problems.addresses import signature_of

WORD = ir.IntType(64)
PAIR = ir.LiteralStructType([REAL, WORD])
NOWHERE = ir.Constant(WORD, 0)
COUNT, BASE = "linkwork_tape_count", "linkwork_tape_base"
WORDS = 3  # of a record
HEAD = np.zeros(2, dtype=np.int64)  # records so far; address of record 0
for number, name in enumerate((COUNT, BASE)):
    binding.add_symbol(name, int(HEAD.ctypes.data) + 8 * number)


class RecordedType(DualType):
    """The type of numbers that record."""

    bitwidth = 128

    def __init__(self) -> None:
        super().__init__("recorded number")

    def lanes(self, b: Any, x: Any) -> Any:
        """The differential of a number in registers."""
        return Combination([(b.extract_value(x, 1), None)])

    def joined(self, b: Any, value: Any, tangents: Any) -> Any:
        """A number in registers, recorded unless its differential is that of another."""
        place = NOWHERE if tangents is None else tangents.cell(b)
        return b.insert_value(b.insert_value(ir.Constant(PAIR, ir.Undefined), value, 0), place, 1)

    def apart(self, b: Any, dx: Any, dy: Any) -> Any:
        """Whether differentials differ, as far as records tell."""
        one, other = (NOWHERE if each is None else each.cell(b) for each in (dx, dy))
        return b.icmp_unsigned("!=", one, other)

    def one_of(self, b: Any, left: Any, dx: Any, dy: Any) -> Any:
        """The differential dx where `left`, else dy."""
        one, other = (NOWHERE if each is None else each.cell(b) for each in (dx, dy))
        return Combination([(b.select(left, one, other), None)])


RECORDED = RecordedType()


@register_model(RecordedType)
class RecordedModel(PairModel):
    """The same pair in memory and in registers."""

    def get_value_type(self) -> Any:
        """A pair."""
        return PAIR

    def get_data_type(self) -> Any:
        """The same."""
        return PAIR

    def as_data(self, builder: Any, value: Any) -> Any:
        """The same."""
        return value

    def from_data(self, builder: Any, value: Any) -> Any:
        """The same."""
        return value

    def get_argument_type(self) -> Any:
        """Two arguments."""
        return (REAL, WORD)

    def from_argument(self, builder: Any, value: Any) -> Any:
        """The pair of two."""
        whole = builder.insert_value(ir.Constant(PAIR, ir.Undefined), value[0], 0)
        return builder.insert_value(whole, value[1], 1)

    def get_return_type(self) -> Any:
        """A pair."""
        return PAIR


class Combination:
    """A differential while code is made: sum of slope times that at a place. A slope of None is 1."""

    def __init__(self, terms: Sequence[tuple[Any, Any]]) -> None:
        self.terms = list(terms)

    def times(self, b: Any, value: Any) -> Combination:
        """It times a real number."""
        return Combination([(at, value if slope is None else b.fmul(value, slope)) for at, slope in self.terms])

    def plus(self, b: Any, other: Combination) -> Combination:
        """A sum."""
        return Combination([*self.terms, *other.terms])

    def cell(self, b: Any) -> Any:
        """Where its record is, made now unless it is that of another number."""
        (at, slope), *others = self.terms
        if not others and slope is None:
            return at
        if not others:
            return record(b, (at, slope), (NOWHERE, REAL(0.0)))
        for other in others:
            at, slope = record(b, (at, slope), other), None
        return at


def record(b: Any, one: tuple[Any, Any], other: tuple[Any, Any]) -> Any:
    """The place of a new record; nowhere if both places are. What is written there then is written over."""
    module = b.module
    (at, slope), (other_at, other_slope) = one, other
    count_address, base_address = (_symbol(module, name) for name in (COUNT, BASE))
    counts, records = _scopes(module)
    count = b.load(count_address, align=8)
    base = b.load(base_address, align=8)
    base.set_metadata("invariant.load", module.add_metadata([]))
    first = b.inttoptr(b.add(base, b.mul(count, WORD(8 * WORDS))), WORD.as_pointer())
    places = b.store(b.or_(at, b.shl(other_at, WORD(32))), first, align=8)
    slopes = b.bitcast(first, REAL.as_pointer())
    stored = [places]
    for k, each in ((1, slope), (2, other_slope)):
        stored.append(b.store(REAL(1.0) if each is None else each, b.gep(slopes, [WORD(k)]), align=8))
    moves = b.icmp_unsigned("!=", b.or_(at, other_at), NOWHERE)
    then = b.store(b.add(count, b.zext(moves, WORD)), count_address, align=8)
    for each in (count, then):
        each.set_metadata("alias.scope", counts)
        each.set_metadata("noalias", records)
    for each in stored:
        each.set_metadata("alias.scope", records)
        each.set_metadata("noalias", counts)
    return b.select(moves, count, NOWHERE)


def _symbol(module: Any, name: str) -> Any:
    if name in module.globals:
        return module.globals[name]
    return ir.GlobalVariable(module, WORD, name)


def _scopes(module: Any) -> tuple[Any, Any]:
    """Of the count and of the records, which do not overlap, for the optimiser."""
    domain = module.add_metadata([ir.MetaDataString(module, "linkwork tape")])
    both = [module.add_metadata([ir.MetaDataString(module, name), domain]) for name in (COUNT, BASE)]
    return tuple(module.add_metadata([each]) for each in both)


def backwards(places: Any, slopes: Any, adjoint: Any, first: int, count: int) -> int:
    """Adjoints of all places below `first` from those of all places below `count`, in place.

    places : words of the tape. slopes : the same memory as real numbers. Returns how many records had an adjoint.
    """
    used = 0
    for k in range(count - 1, first - 1, -1):
        of = adjoint[k]
        if of != 0.0:
            used += 1
            both = places[3 * k]
            adjoint[both & 0xFFFFFFFF] += slopes[3 * k + 1] * of
            adjoint[both >> 32] += slopes[3 * k + 2] * of
    return used


KINDS = ("table", "floats", "floats", "count", "count")
BACKWARDS = DirectEntry(backwards, lambda: signature_of(KINDS, 1), str(KINDS), OPTIONS)
