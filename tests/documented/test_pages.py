"""Every page can be followed: its blocks and commands in order, in one folder, each in a process of its own; twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from documented.fresh import Outcome, take
from documented.pages import ROOT, Step, pages, steps

FOLLOWED = [page for page in pages() if steps(page)]

# What a reader is not asked to do again here, and why. Everything else that a page shows is carried out.
ELSEWHERE = {
    "scripts/test": "it runs the tests, as .ci/run does beside this",
    ".ci/run": "it runs this",
    "pip install": "it needs a network",
    "python -m benchmarks": "measured by hand; tests/unit/test_benchmarks.py runs its parts",
}


def elsewhere(step: Step) -> bool:
    """Whether it is carried out elsewhere, or not at all."""
    words = step.words if step.kind == "command" else [""]
    if words[:2] == ["linkwork", "reproduce"] and set(words[3::2]) == {"--item"}:
        return True  # test_reproduce.py runs every item of every paper
    if words[0] == "scripts/demo":
        return not (ROOT / ".venv").is_dir()  # it would install everything; .ci/run has done so before
    return step.kind == "command" and step.text.startswith(tuple(ELSEWHERE))


def follow(page: Path, folder: Path, names: Path, done: Callable[[Outcome], Outcome]) -> list[str]:
    """Carry out all of a page's steps, and say what is wrong with them."""
    names.mkdir()
    wrong = []
    for step in steps(page):
        if not elsewhere(step):
            said = done(take(step, folder, names)).complaint(step.shows)
            wrong += [said] if said else []
    return wrong


@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_can_be_followed_twice_in_one_folder(
    page: Path, tmp_path: Path, done: Callable[[Outcome], Outcome]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    wrong = follow(page, folder, tmp_path / "first", done)
    if any(folder.iterdir()) and not wrong:  # a page that leaves nothing behind cannot go otherwise again
        wrong = [f"the second time: {said}" for said in follow(page, folder, tmp_path / "second", done)]
    if wrong:
        pytest.fail("\n".join(["", *wrong]), pytrace=False)


def test_pages_are_found() -> None:
    names = {page.name for page in FOLLOWED}
    assert {"README.md", "getting-started.md", "results.md", "runge-kutta.md", "kissel2021_slider_crank.md"} <= names
