"""YAML's core schema, by either of PyYAML's parsers: what scalars mean, what is refused, what is written."""

from __future__ import annotations

import math
import re
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from linkwork.errors import ModelError
from linkwork.io.formats import load
from linkwork.io.formats.core_yaml import PureReader, Reader, parse, text_of
from linkwork.mechanisms import shipped

FILE = Path("model.yaml")
READERS = dict.fromkeys((Reader, PureReader))


def refused(text: str, reader: type[Any] = Reader) -> str:
    with pytest.raises(ModelError) as caught:
        parse(text, FILE, reader)
    return str(caught.value)


def test_libyaml_parses_where_it_is() -> None:
    assert (Reader is PureReader) != yaml.__with_libyaml__


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("1e-3", 1e-3),
        ("-.5E+2", -50.0),
        ("+1.", 1.0),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("-7", -7),
        ("-.inf", -math.inf),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("190:20:30", "190:20:30"),
        ("2001-01-01", "2001-01-01"),
        ("0b11", "0b11"),
        ("yes", "yes"),
        ("No", "No"),
        ("on", "on"),
        ("OFF", "OFF"),
        ("True", True),
        ("false", False),
        ("tRue", "tRue"),
        ("NULL", None),
        ("~", None),
        ("", None),
        ("=", "="),
        ("-", None),
        ("'1'", "1"),
        ("!!str 1", "1"),
        ("!!float 3", 3.0),
        ("!!int 0x10", 16),
        ("-2 * pi", "-2 * pi"),
        ("https://x.y/z", "https://x.y/z"),
        ("1\n  two", "1 two"),
    ],
)
def test_scalars_of_the_core_schema(scalar: str, value: Any, reader: type[Any]) -> None:
    found = parse(f"a: {scalar}" if scalar != "-" else "a:", FILE, reader)["a"]
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\nb:\n  c: 1\n  'c': 2", "(line 4, column 3): the key 'c' stands twice"),
        ("1: a\n0x1: b", "(line 2, column 1): the key '0x1' stands twice"),
        ("{a: 1, b: 2, a: 3}", "(line 1, column 14): the key 'a' stands twice"),
        ("? [1, 2]\n: 3", "(line 1, column 3): found unhashable key"),
        ("a: !!python/object:os.system x", "(line 1, column 4): could not determine a constructor"),
        ("a: !!int 3.5", "(line 1, column 4): '3.5' is no such number"),
        ("a: !!bool yes", "(line 1, column 4): 'yes' is neither true nor false"),
        ("a: !!timestamp 2001-99-01", "is not valid YAML: month must be in 1..12"),
        ("a: *x", "(line 1, column 4): found undefined alias"),
        ("a: 1\n---\nb: 2", "(line 2, column 1): but found another document"),
        ("a: [1", "is not valid YAML (line "),
        ("a: \x01", "is not valid YAML"),
        ("a: b: c", "(line 1, column 5)"),
    ],
)
def test_what_is_refused_and_where(text: str, words: str, reader: type[Any]) -> None:
    assert words in refused(text, reader)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("part", ["[", "{a: ", "[1,\n", '{"a":', "[{"])
def test_nesting_without_end_is_refused_before_it_is_composed(part: str, reader: type[Any]) -> None:
    begun = time.process_time()
    assert "is nested too deeply" in refused("a: " + part * 30_000, reader)
    assert "is nested too deeply" in refused("- " * 3000 + "1", reader)
    assert time.process_time() - begun < 2.0


@pytest.mark.parametrize("reader", READERS)
def test_fifty_levels_are_read(reader: type[Any]) -> None:
    found = parse("[" * 51 + "1" + "]" * 51, FILE, reader)
    for _ in range(51):
        (found,) = found
    assert found == 1


@pytest.mark.parametrize("reader", READERS)
def test_aliases_and_merges(reader: type[Any]) -> None:
    found = parse("a: &x {b: 1}\nc: {<<: *x, d: 2}\ne: {<<: [*x, {b: 3, f: 4}]}\ng: *x", FILE, reader)
    assert found == {"a": {"b": 1}, "c": {"b": 1, "d": 2}, "e": {"b": 1, "f": 4}, "g": {"b": 1}}
    assert found["g"] is found["a"]
    # a mapping that overrides what it merges, and is merged before it is made itself
    assert parse("c: {k: &y {<<: {b: 1}, b: 2}}\nd: {<<: *y}", FILE, reader)["d"] == {"b": 2}


def test_merges_that_grow_without_end_are_refused() -> None:
    first = "a0: &a0 {" + ", ".join(f"k{k}: 1" for k in range(1000)) + "}\n"
    ladder = [f"a{k}: &a{k} {{<<: [{', '.join([f'*a{k - 1}'] * 40)}]}}\n" for k in range(1, 30)]
    assert "enormous once its merges are written out" in refused(first + "".join(ladder))
    assert "merges too many mappings" in refused(f"a: &a {{b: 1}}\nc: {{<<: [{', '.join(['*a'] * 51)}]}}")


@pytest.mark.parametrize("name", shipped())
def test_shipped_mechanisms_are_read_alike_by_both_and_written_back(name: str) -> None:
    text = shipped()[name].read_text(encoding="utf-8")
    found = parse(text, FILE)
    assert found == parse(text, FILE, PureReader) == parse(text_of(found), FILE)


def test_words_that_look_like_numbers_stay_words() -> None:
    data = {
        "a": ["1e-3", "010", "true", "null", "~", "0o7", ".inf", "<<", "yes", "1:30", "", "é # é"],
        "b": [1e-5, 1e300],
    }
    assert parse(text_of(data), FILE) == data


def test_values_are_written_where_they_stand() -> None:
    vector = [1.0, 2.0, 3.0]
    assert text_of({"first": vector, "second": vector}) == "first: [1.0, 2.0, 3.0]\nsecond: [1.0, 2.0, 3.0]\n"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("bodies:\n\t- a", "by blanks, not by tabs"),
        ("f: %t", "by blanks, not by tabs; put a text that begins with %"),
        ("f: *t", "begins with * or & stands in quotes"),
        ("{f: a: b}", "with a colon and a blank"),
        ("a: 1\n---\nb: 2", "take out what follows its second ---"),
        ('a: "b', "A quote or a bracket is not closed"),
    ],
)
def test_what_to_do_about_a_text_that_is_no_yaml(text: str, remedy: str, reader: type[Any]) -> None:
    assert remedy in refused(text, reader)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{name: a, mass: 1,5}", "has the key 5, which is no text: numbers have a decimal point, not a comma"),
        ("{name: 1e3}", "name must be text, not 1000.0; put it in quotes"),
        ("{name: true}", "name must be text, not True"),
    ],
)
def test_numbers_where_texts_belong(body: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(f"linkwork: 1\nbodies: [{body}]\n")
    with pytest.raises(ModelError, match=re.escape(words)):
        load(path)
