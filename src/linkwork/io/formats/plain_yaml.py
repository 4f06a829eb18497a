"""YAML as most mechanisms are written, read ten times as fast as by the reader of all of it.

Plain are mappings and lists in lines or in brackets, and scalars on one line: numbers in decimal digits, true, false,
null, quoted text without escapes, plain words. Whatever else there is, errors included, is left to the whole reader,
which makes the same of plain texts.
"""

from __future__ import annotations

import re
from typing import Any

DEEPEST = 40  # brackets within brackets
UNUSUAL = re.compile(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u2028\u2029]")
KEY = re.compile(r"""([A-Za-z_][^:#"'\[\]{},&*!|>%@`]{0,200}?|"[^"\\]*"|'[^']*') *:(?= |$) *""")
QUOTED = re.compile(r""""[^"\\\n]*"|'[^'\n]*'(?!')""")
INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)", re.ASCII)
FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|\.[0-9]+)", re.ASCII)
WORDS = {"true": True, "false": False, "null": None, "~": None}
NUMBERLIKE = re.compile(r"[-+.0-9]")
NO_NUMBER = re.compile(r"[*/()=<>^ghjklmpqrsuvwyGHJKLMPQRSUVWY]")  # in no number of YAML, and in no time
IN_FLOW = re.compile(r"[^,\[\]{}\n]+")


class NotPlainError(Exception):
    """The text is for the whole reader."""


def scalar(text: str) -> Any:
    """What a scalar on one line means. Raises NotPlainError."""
    if QUOTED.fullmatch(text):
        return text[1:-1]
    if INTEGER.fullmatch(text):
        return int(text)
    if FLOAT.fullmatch(text):
        return float(text)
    if text in WORDS:
        return WORDS[text]
    first = text[:1]
    if first.isascii() and (first.isalpha() or first in "_(/"):
        fine = text.lower() not in WORDS
    else:
        fine = NUMBERLIKE.match(first) is not None and NO_NUMBER.search(text) is not None and text[:2] != "- "
    if not fine or ": " in text or " #" in text or text[-1] == ":" or len(text) > 1000:
        raise NotPlainError
    return text


def indent_of(line: str) -> int:
    """The blanks that it begins with."""
    return len(line) - len(line.lstrip(" "))


def folded_to(lines: list[str], start: int, indent: int) -> int:
    """Where one paragraph ends that begins with line `start` and is indented further. Raises NotPlainError."""
    inner = indent_of(lines[start]) if start < len(lines) else 0
    end = start
    while end < len(lines) and lines[end].strip(" ") and indent_of(lines[end]) >= inner:
        end += 1
    after = next((line for line in lines[end:] if line.strip(" ")), "")
    even = all(indent_of(line) == inner and line[-1] != " " for line in lines[start:end])
    if not even or end == start or inner <= indent or indent_of(after) > indent:
        raise NotPlainError
    return end


class Lines:
    """The lines of a text that hold something: where they begin and what stands there. at : the next one to read."""

    def __init__(self, text: str) -> None:
        self.lines: list[tuple[int, str]] = []
        self.folded: dict[int, str] = {}  # texts over several lines, by the line that announces them
        self.at = 0
        raw = text.split("\n")
        k = 0
        while k < len(raw):
            content, indent = raw[k].strip(" "), indent_of(raw[k])
            k += 1
            if content and content[0] != "#":
                self.lines.append((indent, content))
                if content.endswith(": >-"):
                    start, k = k, folded_to(raw, k, indent + len(content) - len(content.lstrip("- ")))
                    self.folded[len(self.lines) - 1] = " ".join(line.lstrip(" ") for line in raw[start:k])

    @property
    def indent(self) -> int:
        """Of the next line; -1 at the end."""
        return self.lines[self.at][0] if self.at < len(self.lines) else -1

    def block(self) -> Any:
        """The mapping or the list that begins with the next line."""
        return self.items() if self.lines[self.at][1][:2] in ("- ", "-") else self.mapping()

    def mapping(self) -> dict[str, Any]:
        """Keys and values in lines of one indent."""
        indent, found = self.indent, dict[str, Any]()
        while self.indent == indent:
            content = self.lines[self.at][1]
            key = KEY.match(content)
            if key is None:
                raise NotPlainError
            name = scalar(key[1])
            if not isinstance(name, str) or name in found:
                raise NotPlainError
            rest = content[key.end() :]
            if rest and rest[0] != "#":
                found[name] = self.value(rest, indent)
                continue
            self.at += 1
            nested = self.indent > indent or (self.indent == indent and self.lines[self.at][1][:2] in ("- ", "-"))
            found[name] = self.block() if nested else None
        if self.indent > indent:
            raise NotPlainError
        return found

    def items(self) -> list[Any]:
        """Items of a list in lines of one indent."""
        indent, found = self.indent, list[Any]()
        while self.indent == indent and self.lines[self.at][1][:2] in ("- ", "-"):
            rest = self.lines[self.at][1][1:].lstrip(" ")
            if not rest or rest[0] == "#":
                raise NotPlainError
            inner = indent + len(self.lines[self.at][1]) - len(rest)
            if rest[:2] in ("- ", "-") or KEY.match(rest):
                self.lines[self.at] = (inner, rest)  # what follows the dash is a block of its own
                found.append(self.block())
            else:
                found.append(self.value(rest, indent))
        if self.indent > indent:
            raise NotPlainError
        return found

    def value(self, text: str, indent: int) -> Any:
        """A scalar, or brackets, which may go on in lines that are indented further."""
        self.at += 1
        if text == ">-" and self.at - 1 in self.folded:
            return self.folded[self.at - 1]
        if text[0] not in "[{":
            quoted = QUOTED.match(text)
            end = re.search(r" #", text[quoted.end() :] if quoted else text)
            text = text if end is None else text[: end.start() + (quoted.end() if quoted else 0)]
            return scalar(text.rstrip(" "))
        start = self.at
        while self.indent > indent:
            self.at += 1
        flow = Flow("\n".join([text, *(content for _, content in self.lines[start : self.at])]))
        found = flow.value(0)
        if flow.skip():
            raise NotPlainError
        return found


class Flow:
    """Brackets and what is in them. at : how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def skip(self) -> str:
        """Past blanks, ends of lines and remarks; the character that stands there, '' at the end."""
        text = self.text
        while self.at < len(text):
            if text[self.at] == "#" and self.at and text[self.at - 1] in " \n":
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif text[self.at] not in " \n":
                break
            else:
                self.at += 1
        return text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        """A scalar, a list or a mapping."""
        first = self.skip()
        if depth > DEEPEST:
            raise NotPlainError
        if first == "[":
            return self.inside("]", depth)
        if first == "{":
            return mapping_of(self.inside("}", depth))
        word = self.word()
        if ":" in word and not QUOTED.fullmatch(word):
            raise NotPlainError
        return scalar(word)

    def word(self) -> str:
        """The text of a scalar."""
        found = QUOTED.match(self.text, self.at) or IN_FLOW.match(self.text, self.at)
        if found is None:
            raise NotPlainError
        text = found[0]
        if " #" in text and text[0] not in "\"'":
            text = text[: text.index(" #")]
        self.at += len(text)
        return text.rstrip(" ")

    def inside(self, end: str, depth: int) -> list[Any]:
        """The items up to the bracket that closes; of a mapping pairs."""
        self.at += 1
        found = list[Any]()
        if self.skip() == end:
            self.at += 1
            return found
        while True:
            found.append(self.pair(depth + 1) if end == "}" else self.value(depth + 1))
            after = self.skip()
            self.at += 1
            if after == end:
                return found
            if after != ",":
                raise NotPlainError

    def pair(self, depth: int) -> tuple[Any, Any]:
        """A key and its value."""
        self.skip()
        key = KEY.match(self.text, self.at)
        if key is None or "\n" in key[0]:
            raise NotPlainError
        self.at = key.end()
        return scalar(key[1]), self.value(depth)


def mapping_of(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    """These, if their keys are text and differ. Raises NotPlainError."""
    found = dict(pairs)
    if len(found) < len(pairs) or not all(isinstance(key, str) for key in found):
        raise NotPlainError
    return found


def read(text: str) -> dict[str, Any]:
    """The data in a plain text, a mapping. Raises NotPlainError for any other."""
    if UNUSUAL.search(text) or "\n---" in text or "\n..." in text:
        raise NotPlainError
    lines = Lines(text)
    if lines.indent != 0:
        raise NotPlainError
    try:
        found = lines.mapping()
    except (RecursionError, ValueError):
        raise NotPlainError from None
    if lines.indent != -1:
        raise NotPlainError
    return found
