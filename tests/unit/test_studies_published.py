"""Data files of published numbers: complete, typed, and refused with the place where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwork.errors import ModelError
from linkwork.studies import published as module
from linkwork.studies.finding import Verdict
from linkwork.studies.papers import PAPERS
from linkwork.studies.published import published, read

FILES = sorted((Path(module.__file__).parent / "papers").glob("*/published.yaml"))
GOOD = """
paper: p
citation: c
items:
  table 1:
    where: Table 1
    claim: >-
      it
      grows
    unit: m
    settings: {step_s: 1e-3}
    by: [row, column]
    values: {a: {x: 1, y: 2.5}, b: {x: 3, y: 4}}
"""


def load(text: str, tmp_path: Path):
    path = tmp_path / "published.yaml"
    path.write_text(text)
    return read(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_shipped_files_are_valid(path: Path) -> None:
    found = read(path)
    assert found.paper == path.parent.name
    assert found.items
    for item in found.items.values():
        assert item.where
        assert len(item.claim) > 20
        assert all(len(row) == len(item.by) + 1 for row in item.rows())


@pytest.mark.parametrize("name", [path.parent.name for path in FILES if path.parent.name in PAPERS])
def test_every_item_of_a_paper_has_its_side_in_the_file(name: str) -> None:
    """All figures and tables; questions of ours have none. Entries that are no item are data shared by several."""
    items, printed = {item.name for item in PAPERS.load(name).items}, published(name)
    assert {item for item in items if item.startswith(("figure", "table"))} <= set(printed.items)
    assert {item for item in printed.items if item.startswith(("figure", "table"))} <= items
    assert PAPERS.load(name).doubts == printed.doubts


def test_numbers_are_found_by_their_keys(tmp_path: Path) -> None:
    found = load(GOOD, tmp_path)["table 1"]
    assert found.value("a", "y") == 2.5
    assert found.rows() == [("a", "x", 1.0), ("a", "y", 2.5), ("b", "x", 3.0), ("b", "y", 4.0)]
    assert found.settings == {"step_s": 1e-3}
    assert found.told == {"claim": "it grows", "source": "Table 1"}
    with pytest.raises(KeyError):
        found.value("a", "z")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("paper: p", "", "lacks 'paper'"),
        ("citation: c", "citation: 3", "citation: must be text"),
        ("where: Table 1", "were: Table 1", "no 'were'"),
        ("where: Table 1", "where: ' '", "items.table 1.where: must be text"),
        ("unit: m", "", "all of `values`, `by` and `unit`"),
        ("step_s: 1e-3", "step_s: fast", "settings.step_s: must be a finite number"),
        ("y: 2.5", "y: .nan", "values.a.y: must be a finite number"),
        ("y: 2.5", "y: true", "values.a.y: must be a finite number"),
        ("y: 2.5", "z: 2.5", "different columns"),
        ("{x: 3, y: 4}", "3", "values.b: must map names"),
        ("by: [row, column]", "by: [row]", "values.a: must be a finite number"),
        ("by: [row, column]", "by: [row, row]", "different names"),
        ("by: [row, column]", "by: 3", "must be a list"),
        ("items:", "items: {}\nrest:", "no 'rest'"),
        ("y: 4}}", "y: 4}}\n  : [", "YAML"),
    ],
)
def test_a_slip_is_named_with_its_place(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in GOOD
    with pytest.raises(ModelError, match=r"published\.yaml") as caught:
        load(GOOD.replace(old, new), tmp_path)
    assert said in str(caught.value)


def test_printed_sums_are_sums() -> None:
    """Naudet 2003, Table 1: additions and multiplications make the total, but for one slip of the paper's."""
    table = published("naudet2003")["table 1"]
    wrong = [
        (algorithm, part)
        for algorithm, row in table.values.items()
        for part in ("per_body", "constant")
        if row["additions"][part] + row["multiplications"][part] != row["total"][part]
    ]
    assert wrong == [("Rein", "constant")]


def test_findings_say_where_the_paper_says_so() -> None:
    from linkwork.studies.finding import Finding

    found = Finding(**published("muller2013")["figure 2"].told, measured="m", verdict=Verdict.AGREES, panels=())
    assert found.to_dict()["source"] == "Figure 2, section 5.1"
