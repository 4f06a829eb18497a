"""Every item of every paper, in a process of its own: `linkwork reproduce PAPER --item ITEM`, times in few rounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from documented.fresh import Outcome, linkwork
from documented.pages import pages, steps

from linkwork.studies.papers import PAPERS

ITEMS = [(paper, item.name) for paper in PAPERS for item in PAPERS.load(paper).items]


@pytest.mark.parametrize(("paper", "item"), ITEMS)
def test_an_item_is_reproduced(paper: str, item: str, tmp_path: Path, good: Callable[[Outcome], Outcome]) -> None:
    outcome = good(
        linkwork(["reproduce", paper, "--item", item, "--out", str(tmp_path), "--quick", "--json"], tmp_path)
    )
    (found,) = json.loads(outcome.out)["items"]
    assert found["verdict"]
    assert all(Path(path).stat().st_size for path in found["files"].values())


def test_items_that_pages_name_exist() -> None:
    for page in pages():
        for step in steps(page):
            if step.kind == "command" and step.words[:2] == ["linkwork", "reproduce"] and "--item" in step.words:
                paper, words = PAPERS.load(step.words[2]), step.words
                names = [words[k + 1] for k, word in enumerate(words) if word == "--item"]
                assert len(paper.chosen(names)) == len(names), step.where
