"""Kernels in compiled code: blocks handed on as addresses, and entries with nothing but themselves inside."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from reading import reading

from linkwork.kernels.jit import compiled, kernel, separate_kernel
from linkwork.kernels.records import EntryCall, Length, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.blocks import BlockType
from linkwork.problems.entry import entry
from linkwork.problems.layout import address_table, slots


class Inner(NamedTuple):
    x: Annotated[Floats, Shape("n"), "numbers"]
    unused: Annotated[int, Length(), "for Python alone"]


class Whole(NamedTuple):
    x: Annotated[Ints, Shape("n"), "whole numbers"]
    unused: Annotated[int, Length(), "for Python alone"]


class Outer(NamedTuple):
    y: Annotated[Floats, Shape("n", 3), "three columns"]
    inner: Inner
    z: Annotated[Floats, Shape("n"), "results"]
    count: Annotated[int, Length("z"), "how many"]


class Calls(NamedTuple):
    go: EntryCall


read_calls = reading(*slots(Calls))
read_all = reading(*slots(Outer, Outer, Whole))


@kernel
def weighed(outer: Any, k: Any) -> Any:
    """Reads fields of what it receives, in a loop."""
    total = 0.0
    for c in range(3):
        total += outer.y[k, c] * outer.inner.x[c]
    return total


@kernel
def fill(outer: Any, scale: Any) -> None:
    for k in range(outer.z.shape[0]):
        outer.z[k] = scale * weighed(outer, k)


@separate_kernel
def doubled(x: Any) -> Any:
    """Short, and a function of its own all the same."""
    return 2.0 * x


@kernel
def doubled_twice(x: Any) -> Any:
    """Inlined, which `doubled` must not inherit."""
    return doubled(doubled(x))


@kernel
def picked(first: Any, second: Any, later: Any) -> Any:
    """A name that means one block or another."""
    chosen = first
    if later:
        chosen = second
    return chosen.inner.x[0]


def work(context: Any, out: Any) -> None:
    first, second, more = read_all(context)
    fill(first, 2.0)
    fill(second, more.x[0])
    out[0], out[1] = picked(first, second, False), picked(first, second, True)
    out[2] = first.count


def arrays(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(4, 3)), rng.normal(size=3), np.zeros(4), np.arange(5.0)


def test_blocks_mean_the_same_compiled() -> None:
    first, second, whole = arrays(1), arrays(2), np.array([3], dtype=np.int64)
    run = compiled(work)
    out = np.zeros(3)
    run(address_table([*first[:3], *second[:3], whole]), out)
    for scale, (y, x, z, _) in ((2.0, first), (3.0, second)):
        np.testing.assert_allclose(z, scale * y @ x, rtol=1e-13)
    assert list(out[:2]) == [first[1][0], second[1][0]]
    assert out[2] == len(first[2])


def test_nothing_is_left_of_kernels_that_are_inlined() -> None:
    run = compiled(work, kept=False)
    run(address_table([*arrays(1)[:3], *arrays(2)[:3], np.array([3], dtype=np.int64)]), np.zeros(3))
    assert any("work" in line for line in functions(run))
    assert not any("weighed" in line or "picked" in line for line in functions(run))


def functions(run: Any) -> list[str]:
    """Lines that begin functions."""
    return [
        line
        for line in run.dispatcher.inspect_llvm(run.dispatcher.signatures[0]).splitlines()
        if line.startswith("define")
    ]


def test_kernels_that_stay_apart() -> None:
    def four_times(x: Any) -> Any:
        return doubled_twice(x)

    run = compiled(four_times, kept=False)
    assert run(1.5) == 6.0
    assert any("7doubled" in line for line in functions(run))
    assert not any("doubled_twice" in line for line in functions(run))


class Counted(NamedTuple):
    x: Annotated[Floats, Shape("n"), "numbers"]
    count: Annotated[int, Length("x"), "how many"]


@kernel
def count_of(counted: Any) -> int:
    return int(counted.count)


COUNT_OF = entry(count_of, *slots(Counted))


def test_entries_are_called_by_their_address_alone() -> None:
    def called(context: Any) -> Any:
        return 10 * read_calls(context)[0].go(context)

    run = compiled(called, kept=False)
    table = address_table((COUNT_OF,))
    assert table[0] == COUNT_OF.address
    table[1] = 7
    assert run(table) == 70
    assert COUNT_OF(table) == 7  # from Python, the plain function
    text = run.dispatcher.inspect_llvm(run.dispatcher.signatures[0])
    body = text[text.index("define") :].split("\n}")[0]
    assert "called" in body.splitlines()[0]
    assert "gil" not in body.lower()


def record_of(**fields: Any) -> Any:
    """The type in compiled code of a record of this name with these fields."""
    return BlockType(NamedTuple("Same", list(fields.items())))  # type: ignore[misc]


def test_records_that_are_laid_out_otherwise_are_other_types() -> None:
    floats, whole = Annotated[Floats, Shape("n")], Annotated[Ints, Shape("n")]
    none, length = Annotated[int, Length()], Annotated[int, Length("x")]
    kinds = [(floats, none), (floats, length), (whole, none)]
    assert len({record_of(x=x, count=count) for x, count in kinds}) == len(kinds)
    six, three = Annotated[Floats, Shape("n", 6)], Annotated[Floats, Shape("n", 3)]
    assert record_of(x=six) != record_of(x=three)
    assert record_of(x=six) == record_of(x=Annotated[Floats, Shape("other", 6), "m", "units and meanings do not count"])
