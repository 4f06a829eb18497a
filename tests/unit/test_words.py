"""Public names are made of the glossary's words and of plain English, and the glossary's names stand in the sources."""

from __future__ import annotations

import re
from pathlib import Path

from house.counts import read
from house.public import names, words_of

ROOT = Path(__file__).parents[2]
PLAIN = ROOT / "tests" / "house" / "plain.txt"
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
GLOSSARY = NOTATION.partition("## Glossary")[2].partition("\n## ")[0]


def glossary_names() -> set[str]:
    """What stands in the column "in code" of the glossary's tables."""
    rows = [line.split("|") for line in GLOSSARY.splitlines() if line.startswith("| ") and line.count("|") == 6]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row[4])}


def known_words() -> set[str]:
    """Words of the glossary's terms and names, of the symbols' tables, and plain English."""
    in_code = {word for name in re.findall(r"`([^`]+)`", NOTATION) for word in words_of(name)}
    terms = set(re.findall(r"[a-z]+", GLOSSARY.lower()))
    plain = set(re.sub(r"#.*", "", PLAIN.read_text(encoding="utf-8")).split())
    return in_code | terms | plain


def test_public_names_are_made_of_words_of_the_glossary_and_plain_english() -> None:
    known = known_words()
    unknown = {(name, where) for name, where in names() for word in words_of(name) if word not in known}
    assert not unknown, "explain the new words in docs/notation.md, or take the field's; plain English: plain.txt"


def test_names_of_the_glossary_stand_in_the_sources() -> None:
    sources = read(ROOT)
    code = {name for source in sources for name in (*source.names, *source.path.removesuffix(".py").split("/"))}
    code |= {name.replace("-", "_") for name, _ in names()}
    joined = "\n".join(sorted(code))
    missing = [name for name in sorted(glossary_names()) if name not in joined]
    assert not missing


def test_a_private_word_would_be_noticed() -> None:
    known = known_words()
    assert not {"settle", "ascend", "reposed", "twofold", "desk"} & known
    assert words_of("JointState") == ["joint", "state"]
    assert words_of("point-in-line") == ["point", "in", "line"]
    assert words_of("DP1") == ["dp"]
