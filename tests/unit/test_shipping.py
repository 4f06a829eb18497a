"""Compiling ahead of time: which entries there are, and what each is made of. `test_shipped` builds and reads some."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from linkwork.equations.derived import DERIVE
from linkwork.equations.index_3.rotation_matrix import CONSTRAIN
from linkwork.equations.stated_start import FIT_START
from linkwork.errors import UsageError
from linkwork.integrators.runge_kutta_kernels import ADVANCE
from linkwork.kernels.c_functions import direct, indirect
from linkwork.kernels.rows import ROWS
from linkwork.problems.entry import Entry
from linkwork.shipped import processor
from linkwork.shipping.build import by_platform, need_unchanged
from linkwork.shipping.found import all_entries, said, symbol
from linkwork.shipping.kept import codegen
from linkwork.shipping.levels import LEVELS
from linkwork.shipping.made_of import ROOT, digest, files_of, imported, switches
from linkwork.solvers.range_space import FACTORISE


def test_all_entries_are_found_under_names_of_their_own() -> None:
    found = all_entries()
    assert {DERIVE, ADVANCE, FACTORISE, CONSTRAIN, FIT_START} <= set(found)
    assert len({symbol(each) for each in found}) == len(found) > 100
    assert all(each.name and said(each) == f"{each.module}:{each.name}" for each in found)
    assert symbol(FACTORISE) == "lw_solvers_range_space_FACTORISE"


def test_an_entry_is_made_of_all_files_behind_it() -> None:
    files = set(files_of(FACTORISE))
    assert {"solvers/range_space.py", "kernels/sparse/ldl.py", "problems/layout.py", "kernels/jit.py"} <= files
    assert "plots/style.py" not in files
    assert all(digest(file) for file in files)


def test_what_a_registry_loads_is_behind_an_entry_too() -> None:
    """Kinds of row are named in strings, so that no import shows them; their kernels are behind the switch."""
    places = {ROWS[name].partition(":")[0] for name in ROWS}
    files = {ROOT / file for file in files_of(DERIVE)}
    assert {ROOT.parent.joinpath(*place.split(".")).with_suffix(".py") for place in places} <= files


def test_imports_within_functions_do_not_count() -> None:
    here = imported("linkwork.problems.entry")
    assert "linkwork.problems.layout" in here
    assert "linkwork.problems.blocks" not in here  # when an entry is compiled


def test_switches_are_told_by_their_functions() -> None:
    found = dict(switches())
    assert len(found["linkwork.kernels.rows.table:row"]) == len(ROWS)
    assert all(function.startswith("linkwork.") for function in found["linkwork.kernels.rows.table:row"])


def test_sources_edited_during_a_build_are_noticed() -> None:
    file = "problems/nothing.py"
    need_unchanged({file: digest(file)})
    with pytest.raises(UsageError, match=r"edited during the build: problems/nothing\.py"):
        need_unchanged({file: "0" * 16})


def test_functions_around_entries() -> None:
    called = indirect(symbol(FACTORISE), "native", [False])
    assert "define i64 @lw_solvers_range_space_FACTORISE(ptr %a0, ptr %a1, i64 %a2, i64 %a3, ptr %a4" in called
    assert ADVANCE.kinds == ["table", "count", "table"]
    from_python = direct(symbol(ADVANCE), "native", [False, True, False], ADVANCE.returns)
    head = "(ptr %results, ptr %a0, i64 %n0, i64 %n1, ptr %a2, i64 %n2)"
    assert f"define void @lw_integrators_runge_kutta_kernels_ADVANCE{head}" in from_python
    assert "store {i64, i64} %value, ptr %results" in from_python


def test_levels() -> None:
    assert {level.name: level.cpu for level in LEVELS.values()}["x86-64-v3"] == "x86-64-v3"
    assert all("2.17" in level.linking for level in LEVELS.values() if level.suffix == ".so")
    assert isinstance(FACTORISE, Entry)


def test_a_wheel_is_for_the_levels_of_one_platform() -> None:
    found = by_platform(list(LEVELS))
    assert found["manylinux_2_17_x86_64"] == ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
    assert found["win_amd64"] == ["windows-x86-64-v2", "windows-x86-64-v3"]
    assert all(len({LEVELS[each].suffix for each in levels}) == 1 for levels in found.values())
    with pytest.raises(UsageError, match="no level 'vax'"):
        by_platform(["x86-64-v2", "vax"])


def test_levels_are_those_that_processors_are_told_by() -> None:
    assert {level.system for level in LEVELS.values()} == set(processor.SYSTEMS.values())
    assert all(level.name == level.system + level.code for level in LEVELS.values())
    assert {level.code for level in LEVELS.values()} == {*processor.X86, "aarch64"} <= set(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_llvm_knows_every_level(level: str) -> None:
    """Names in object files are written as each system does, and processors of another kind are none of LLVM's."""
    made = codegen(level)._tm
    mangling = {".so": "m:e", ".dylib": "m:o", ".dll": "m:w"}[LEVELS[level].suffix]
    assert mangling in str(made.target_data)
    assert made.triple == LEVELS[level].triple
    assert made.emit_object(llvm.parse_assembly("define i64 @one() { ret i64 1 }"))
