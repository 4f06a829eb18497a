"""Every page can be followed: its blocks and commands in order, in one folder, each in a process of its own; twice."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from documented.fresh import Outcome, take
from documented.pages import ROOT, Step, pages, steps

from linkwork.kernels.jit import cache_directory

FOLLOWED = [page for page in pages() if steps(page)]

# What a reader is not asked to do again here, and why. Everything else that a page shows is carried out.
ELSEWHERE = {
    "scripts/": "they set up, or run tests, this one among them",
    ".ci/run": "it runs this",
    "pip install": "it needs a network",
    "python -m benchmarks": "minutes each, measured by hand; tests/unit/test_benchmarks.py runs its parts",
    "linkwork study examples/": "they stand in a checkout; test_examples.py runs each of them",
}
# What is carried out in short.
SHORTER = {
    "python -m benchmarks steps": " --quick --no-peers --mechanism kissel2021_single_pendulum --formulation rA",
}


def elsewhere(step: Step) -> bool:
    """Whether it is carried out elsewhere, or not at all."""
    words = step.words if step.kind == "command" else [""]
    if words[:2] == ["linkwork", "reproduce"] and set(words[3::2]) == {"--item"}:
        return True  # test_reproduce.py runs every item of every paper
    if words[0] == "scripts/demo":
        return Path(sys.prefix) != ROOT / ".venv"  # it would install into an environment that is not its own
    return step.kind == "command" and step.text not in SHORTER and step.text.startswith(tuple(ELSEWHERE))


class Reader:
    """Follows a page in a folder."""

    def __init__(self, place: Path, done: Callable[[Outcome], Outcome]) -> None:
        self.folder, self.names, self.done = place / "folder", place / "names", done
        self.folder.mkdir()
        self.names.mkdir()
        # What trials of other tests taught of this machine is not known to a reader who begins; compiled code is
        self.cache = place / "cache"
        self.cache.mkdir()
        (self.cache / "code").symlink_to(cache_directory())
        self.wrong: list[str] = []

    def follow(self, some: list[Step]) -> list[Step]:
        """Carry out steps, note what is wrong with them, and return those that wrote files."""
        wrote = []
        for step in some:
            before = self.files()
            short = replace(step, text=step.text + SHORTER.get(step.text, ""))
            said = self.done(take(short, self.folder, self.names, LINKWORK_CACHE_DIR=str(self.cache))).complaint(
                step.shows
            )
            self.wrong += [said] if said else []
            wrote += [step] if self.files() != before else []
        return wrote

    def files(self) -> dict[Path, int]:
        """What is in the folder, and when it was written."""
        return {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")}


@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_can_be_followed_twice_in_one_folder(
    page: Path, tmp_path: Path, done: Callable[[Outcome], Outcome]
) -> None:
    """The second time only what wrote files: the rest cannot go otherwise."""
    reader = Reader(tmp_path, done)
    wrote = reader.follow([step for step in steps(page) if not elsewhere(step)])
    if not reader.wrong:
        reader.follow(wrote)
        reader.wrong = [f"the second time: {said}" for said in reader.wrong]
    if reader.wrong:
        pytest.fail("\n".join(["", *reader.wrong]), pytrace=False)


def test_what_runs_tests_is_not_run_here() -> None:
    assert all(map(elsewhere, steps(ROOT / "CONTRIBUTING.md")))


def test_pages_are_found() -> None:
    names = {page.name for page in FOLLOWED}
    assert {"README.md", "getting-started.md", "results.md", "runge-kutta.md", "kissel2021_slider_crank.md"} <= names
