"""YAML in its core schema (YAML 1.2.2, chapter 10.3), read and written by PyYAML.

PyYAML itself follows YAML 1.1, where `1e-3` is text, `no` is false and 010 is eight: what plain scalars mean is said
here. What is read is plain data; keys that stand twice, tags that would make objects and nesting without end are
refused. libyaml parses where PyYAML has it, else Python does, ten times slower.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import Composer, ComposerError
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.error import MarkedYAMLError, YAMLError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.resolver import Resolver

from linkwork.errors import ModelError
from linkwork.io.formats.text import DEEPEST
from linkwork.mechanism.validation_errors import Path as Place

TAG = "tag:yaml.org,2002:"
PLAIN = {  # what plain scalars mean, and the characters that they begin with; everything else is text
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    "float": (
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
    "merge": (r"<<", ["<"]),
}
BASES = {"0o": 8, "0x": 16}
MOST_MERGED = 100_000  # keys that `<<` brings into mappings of one text


class CoreSchema(Resolver):
    """What the plain scalars of a text mean."""


CoreSchema.yaml_implicit_resolvers = {}  # none of YAML 1.1
for name, (pattern, first) in PLAIN.items():
    CoreSchema.add_implicit_resolver(TAG + name, re.compile(rf"(?:{pattern})\Z"), first)


class Reading(Composer, SafeConstructor, CoreSchema):
    """From events to nodes and from nodes to plain data; whoever inherits this brings a parser.

    The composer is the one in Python, on top of libyaml's parser too: libyaml's own has no end to its recursion.
    """

    depth = merged = 0

    def begin(self) -> None:
        """Nothing has been read yet."""
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    def compose_node(self, parent: Any, index: Any) -> Any:
        """The next node. Raises RecursionError if it stands too deep."""
        self.depth += 1
        if self.depth > DEEPEST + 2:  # the text and what is in its deepest list count as well
            raise RecursionError
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def compose_mapping_node(self, anchor: Any) -> Any:
        """A mapping. Raises ComposerError for a key that stands in it twice."""
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key, _ in node.value:
            if isinstance(key, ScalarNode):
                number = key.tag in (f"{TAG}int", f"{TAG}float")
                word = self.construct_object(key) if number else (key.tag, key.value)
                if word in seen:
                    raise ComposerError(None, None, f"the key {key.value!r} stands twice in a mapping", key.start_mark)
                seen.add(word)
        return node

    def flatten_mapping(self, node: Any) -> None:
        """Put what `<<` names in its place. Raises ConstructorError if that is enormous."""
        before = len(node.value)
        for key, value in node.value:
            if key.tag == f"{TAG}merge" and isinstance(value, SequenceNode) and len(value.value) > DEEPEST:
                raise ConstructorError(None, None, "merges too many mappings", key.start_mark)
        super().flatten_mapping(node)
        self.merged += len(node.value) - before
        if self.merged > MOST_MERGED:
            raise ConstructorError(None, None, "is enormous once its merges are written out", node.start_mark)

    def number(self, node: Any) -> int | float:
        """An integer or a float, by its tag. Raises ConstructorError for what is none."""
        text = self.construct_scalar(node)
        try:
            if node.tag == f"{TAG}int":
                return int(text[2:], BASES[text[:2]]) if text[:2] in BASES else int(text)
            return float(re.sub(r"^([-+]?)\.(?=[inIN])", r"\1", text))
        except ValueError:
            raise ConstructorError(None, None, f"{text[:40]!r} is no such number", node.start_mark) from None

    def truth(self, node: Any) -> bool:
        """True or false. Raises ConstructorError for what is neither."""
        text = self.construct_scalar(node)
        if text.lower() not in ("true", "false"):
            raise ConstructorError(None, None, f"{text[:40]!r} is neither true nor false", node.start_mark)
        return bool(text.lower() == "true")


Reading.yaml_constructors = SafeConstructor.yaml_constructors | {
    f"{TAG}int": Reading.number,
    f"{TAG}float": Reading.number,
    f"{TAG}bool": Reading.truth,
}


class PureReader(Reading, yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """Parses in Python."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)
        self.begin()


Reader: type[Any] = PureReader
if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class LibyamlReader(Reading, CParser):
        """Parses by libyaml."""

        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)
            self.begin()

    Reader = LibyamlReader


CURES = {  # of what the parser says, by words of it
    "cannot start any token": "Indent by blanks, not by tabs; put a text that begins with %, @ or ` in quotes.",
    "undefined alias": "A text that begins with * or & stands in quotes.",
    "expected ',' or": "A text with a colon and a blank, a comma or a bracket in it stands in quotes.",
    "found another document": "A file holds one description: take out what follows its second ---.",
    "unexpected end of stream": "A quote or a bracket is not closed.",
}


def parse(text: str, path: Path, reader: type[Any] = Reader) -> Any:
    """The plain data in a YAML text; tags that would make objects are refused. Raises ModelError."""
    try:
        return yaml.load(text, reader)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" (line {mark.line + 1}, column {mark.column + 1})" if mark is not None else ""
        problem = " ".join(str(error.problem or error.context or "cannot be parsed").split())
        remedy = next((cure for words, cure in CURES.items() if words in problem), None)
        raise ModelError(f"is not valid YAML{place}: {problem[:200]}.", file=str(path), remedy=remedy) from None
    except YAMLError as error:
        problem = " ".join(str(error).split())[:200]
        raise ModelError(f"is not valid YAML: {problem}.", file=str(path)) from None
    except RecursionError:
        raise ModelError("is nested too deeply, or contains itself.", file=str(path)) from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, AssertionError) as error:
        # what constructors of tags that a text states stumble over: impossible dates, ...
        raise ModelError(f"is not valid YAML: {str(error)[:200]}.", file=str(path)) from None


def line_numbers(text: str) -> Callable[[Place], int | None]:
    """Of a path in a text: the line of its deepest part that exists; None for all where the text is no YAML."""
    try:
        root: Node | None = yaml.compose(text, Reader)
    except (YAMLError, RecursionError):
        root = None

    def line_of(path: Place) -> int | None:
        node, line = root, None
        for part in path:
            found = _child(node, part)
            if found is None:
                break
            key, node = found
            line = key.start_mark.line + 1
        return line

    return line_of


def _child(node: Any, part: str | int) -> tuple[Any, Any] | None:
    """(node that marks the place, value node) of one step down."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key, value
    elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None


class Writer(CoreSchema, yaml.SafeDumper):
    """Writes what `parse` reads in the same way, every value in its place."""

    def ignore_aliases(self, data: Any) -> bool:
        """A value that stands in two places is written twice."""
        return True

    def text(self, data: str) -> Any:
        """A text; U+0085, which PyYAML would fold like a blank, as an escape."""
        return self.represent_scalar(f"{TAG}str", data, style='"' if "\x85" in data else None)


Writer.add_representer(str, Writer.text)


def text_of(data: Any) -> str:
    """Plain data as YAML: vectors on one line, mappings over several."""
    written: str = yaml.dump(
        data, Dumper=Writer, default_flow_style=None, width=120, sort_keys=False, allow_unicode=True
    )
    return written
