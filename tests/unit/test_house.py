"""What a stranger meets in the sources must not grow: counts of `scripts/measure_house`, at most those of today."""

from __future__ import annotations

from pathlib import Path

import pytest
from house.counts import Source, count, naming, private_words, read

ROOT = Path(__file__).parents[2]
# lower one where it has fallen; to raise one, give the reason in docs/decisions/0025-the-house-measured.md
AT_MOST = {
    "longest file, lines": 360,
    "files named compiled_*": 1,
    "parameters of simulate": 13,
    "of them Any, %": 4.3,
    "groups A, B, C = range(n)": 17,
    "index constants in them": 95,
    "raw numbered reads of a field": 220,
    "imports by a name in a string": 12,
    "private words in names": 0,
    "of them with a docstring of 5 words or fewer": 0,
    "lines in repeated runs of 6": 470,
}


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return read(ROOT)


def test_numbers_do_not_grow(sources: list[Source]) -> None:
    counted = count(sources)
    grown = {name: (counted[name], most) for name, most in AT_MOST.items() if counted[name] > most}
    assert not grown, f"counted, allowed: {grown}; the words: {dict(private_words(sources).most_common(9))}"


def test_a_joint_stands_in_two_files_and_a_tableau_in_two(sources: list[Source]) -> None:
    found = naming(sources, "[Uu]niversal", outside=("io/formats",))  # readers name what foreign files have
    assert found == ["mechanism/joints/__init__.py", "mechanism/joints/universal.py"]
    assert len(naming(sources, "heun|HEUN", outside=("studies", "judgement"))) == 2


def test_counts_see_what_they_count(tmp_path: Path) -> None:
    package = tmp_path / "src" / "linkwork" / "formulations"
    package.mkdir(parents=True)
    (package / "compiled_x.py").write_text(
        "from typing import Any\n"
        "A, B = range(2)\n"
        "@kernel\n"
        "def settle(own: Any, n: int) -> Any:\n"
        '    """The same."""\n'
        "    return own.limits[1:3], own.options[2], own.options[n]\n"
        "def simulate(mech, *, step, **options): ...\n"
    )
    counted = count(read(tmp_path))
    assert counted["files named compiled_*"] == 1
    assert counted["parameters of simulate"] == 3
    assert counted["groups A, B, C = range(n)"] == 1
    assert counted["index constants in them"] == 2
    assert counted["raw numbered reads of a field"] == 2
    assert counted["of them with a docstring of 5 words or fewer"] == 1
    assert counted["of them with Any in their type"] == 4  # own, and the three that say nothing
    assert private_words(read(tmp_path)) == {"own": 4, "settle": 1}
