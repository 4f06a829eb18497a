"""XML files as plain trees of nodes, by the standard library's expat with everything dangerous switched off.

Document types are refused altogether, and with them entities, their expansion and references to other files. Depth,
number of nodes and of attributes are bounded before anything is made of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from linkwork.errors import ModelError
from linkwork.io.formats.text import read_text
from linkwork.mechanism.elements import shown

DEEPEST = 60  # elements inside each other
MOST = 400_000  # elements and attributes
_EXPECTED = 30  # characters of a name that are shown


@dataclass(eq=False)
class Node:
    """An element: its tag, attributes, children, the text directly in it, and the line where it begins."""

    tag: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    text: str = ""

    def child(self, tag: str) -> Node | None:
        """The first child of this tag."""
        return next((one for one in self.children if one.tag == tag), None)

    def all(self, tag: str) -> list[Node]:
        """The children of this tag."""
        return [one for one in self.children if one.tag == tag]

    def path(self) -> str:
        """``robot/link 'arm'/inertial``."""
        name = self.attributes.get("name")
        name_here = f"{_short(self.tag)} {_short(name)!r}" if name is not None else _short(self.tag)
        return name_here if self.parent is None else f"{self.parent.path()}/{name_here}"

    def walk(self) -> list[Node]:
        """This node and all below it, in the order of the file."""
        found, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting.extend(reversed(node.children))
        return found


def _short(text: str) -> str:
    return text if len(text) <= _EXPECTED * 2 else text[: 2 * _EXPECTED] + "..."


def read_xml(path: Path) -> Node:
    """The root of the file's tree. Raises ModelError, with the line, for whatever is wrong with the file."""
    return parse_xml(read_text(path), str(path))


def parse_xml(text: str, file: str) -> Node:
    """The root of the tree in a text; `file` is for messages."""
    builder = _Builder(file)
    parser = expat.ParserCreate("utf-8")  # whatever the file declares: its text was read as UTF-8
    parser.buffer_text = True
    parser.StartElementHandler = lambda tag, attributes: builder.start(tag, attributes, parser.CurrentLineNumber)
    parser.EndElementHandler = lambda tag: builder.end()
    parser.CharacterDataHandler = builder.characters
    parser.StartDoctypeDeclHandler = lambda *declared: builder.refuse_doctype(parser.CurrentLineNumber)
    parser.EntityDeclHandler = lambda *declared: builder.refuse_doctype(parser.CurrentLineNumber)
    parser.ExternalEntityRefHandler = lambda *reference: builder.refuse_doctype(parser.CurrentLineNumber)
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(text.encode("utf-8", "strict"), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise ModelError(
            f"is not well-formed XML ({reason}, column {error.offset + 1}).", file=file, element=f"line {error.lineno}"
        ) from None
    except ValueError as error:  # a lone surrogate
        raise ModelError(f"is not XML that can be read ({shown(str(error))}).", file=file) from None
    if builder.root is None:
        raise ModelError("holds no element.", file=file)
    return builder.root


class _Builder:
    """What expat's handlers fill."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self._open: list[Node] = []
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        parent = self._open[-1] if self._open else None
        if len(self._open) >= DEEPEST:
            raise ModelError(f"is nested too deeply (more than {DEEPEST}).", file=self.file, element=f"line {line}")
        self._count += 1 + len(attributes)
        if self._count > MOST:
            message = f"holds too much (more than {MOST} elements and attributes)."
            raise ModelError(message, file=self.file, element=f"line {line}")
        node = Node(tag, line, attributes, parent=parent)
        if parent is None:
            self.root = node
        else:
            parent.children.append(node)
        self._open.append(node)

    def end(self) -> None:
        self._open.pop()

    def characters(self, text: str) -> None:
        if self._open and not text.isspace():
            self._open[-1].text += text.strip()

    def refuse_doctype(self, line: int) -> NoReturn:
        raise ModelError(
            "declares a document type; entities are never expanded and no other file is read through them.",
            file=self.file,
            element=f"line {line}",
            remedy="Take the <!DOCTYPE ...> out, and write its entities out.",
        )
