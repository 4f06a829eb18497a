"""The quick reader of plain YAML: what it reads, the whole reader reads in the same way; the rest it leaves alone."""

from __future__ import annotations

import random
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from linkwork.io.formats import plain_yaml
from linkwork.io.formats.any_yaml import parse, reader
from linkwork.io.formats.shipped import shipped

TEXTS = {name: path.read_text(encoding="utf-8") for name, path in shipped().items()}
JUNK = """- # : , [ ] { } ' " 1 0 e x ~ true null . _ + | > & * ! % @ = << \\ é ? >- // ''
    .inf -.inf .nan 1_0 0o7 0x1 1:30 2001-01-01 Yes TRUE"""
BLANKS = (" ", "\n", "  ", "\n\n", "\n  ", "\t", ": ", " #", "- ", "- - ", "a: b", ", ")


def plain(text: str) -> Any:
    """What the quick reader makes of a text; an exception's class where it is not plain."""
    try:
        return plain_yaml.read(text)
    except plain_yaml.NotPlainError:
        return plain_yaml.NotPlainError


@pytest.mark.parametrize("name", TEXTS)
def test_shipped_mechanisms_are_plain_and_read_alike(name: str) -> None:
    assert repr(plain_yaml.read(TEXTS[name])) == repr(parse(TEXTS[name], Path(name)))


def mutated(random_: random.Random) -> str:
    """Some lines of a shipped mechanism with a few characters put in or taken out."""
    lines = random_.choice([text for text in TEXTS.values() if len(text) < 4000]).split("\n")
    first = random_.randrange(len(lines))
    text = "\n".join(lines[first : first + random_.randrange(1, 9)])
    text = textwrap.dedent(text) if random_.random() < 0.6 else text
    for _ in range(random_.randrange(4)):
        k = random_.randrange(len(text) + 1)
        if random_.random() < 0.6:
            text = text[:k] + random_.choice((*JUNK.split(), *BLANKS)) + text[k:]
        else:
            text = text[:k] + text[k + random_.randrange(1, 4) :]
    return text


def test_mutations_are_read_alike_or_left_alone() -> None:
    random_, count = random.Random(18), 0
    for text in (mutated(random_) for _ in range(600)):
        found = plain(text)
        if found is not plain_yaml.NotPlainError:
            count += 1
            assert repr(found) == repr(reader().load(text)), text
    assert count > 100  # most of them would mean nothing if few were plain


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: 1e-4", {"a": 1e-4}),
        ("a: -2 * x", {"a": "-2 * x"}),
        ("a: .5*t # half", {"a": ".5*t"}),
        ("a: [1, {b: 'c: d', e: \"#\"}]", {"a": [1, {"b": "c: d", "e": "#"}]}),
        ("a: [1, # one\n  2]\nb:", {"a": [1, 2], "b": None}),
        ("a:\n- b: 1\n  c: 2\n- - 3\n", {"a": [{"b": 1, "c": 2}, [3]]}),
        ("a: >-\n  one\n  two\nb: 1", {"a": "one two", "b": 1}),
        ("a: https://x.y/z", {"a": "https://x.y/z"}),
    ],
)
def test_what_is_plain(text: str, found: Any) -> None:
    assert plain(text) == found == reader().load(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: 010",  # these mean other numbers, or times
        "a: 1_000",
        "a: 0x1F",
        "a: 2001-01-01",
        "a: .inf",
        "a: 1:30",
        "a: True",
        "a: 1\na: 2",
        "a: &x 1",
        "a: !!python/object 1",
        "a: |\n  b",
        "a: >-\n  b\n\n  c",
        "a: b\n  c",
        'a: "\\n"',
        "a: [b: c]",
        "1: a",
        "a: 1\n---\nb: 2",
        "\ta: 1",
        "- a",
        "a: [",
        "",
    ],
)
def test_what_is_left_to_the_whole_reader(text: str) -> None:
    assert plain(text) is plain_yaml.NotPlainError


@pytest.mark.parametrize("part", ["[", "{a: ", " ", "- ", "a ", "#", "'", "\n  - ", "[1,\n "])
def test_long_nonsense_takes_no_time(part: str) -> None:
    begun = time.process_time()
    plain("a: " + part * 30_000)
    plain(part * 30_000 + "a: 1")
    assert time.process_time() - begun < 2.0
