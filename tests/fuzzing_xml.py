"""Junk that is XML still: elements of a file moved, copied, dropped, renamed and nested, their attributes changed.

Bites out of the text end in the parser, most of them; these reach what stands behind it: links in circles, bodies with
two parents, numbers that are none, meshes that are missing, wrong units, nesting without end, entities.
"""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from copy import deepcopy

NUMBERS = ["nan", "inf", "-inf", "0", "-1", "1e308", "-1e-320", "1e999", "", "1 2", "1 2 3 4", "0x1F", "x", "9" * 40]
UNITS = ["1000", "0.001", "57.29577951308232", "1e6", "-1"]
FILES = [
    "missing.stl", "package://none/a.dae", "../../../../etc/passwd", "/etc/passwd", "file:///dev/zero", "model.urdf",
    "a\u0000.obj", "x" * 5000 + ".stl", "http://localhost/a.stl", "model.xml", ".",
]  # fmt: skip
DOCTYPES = [
    '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>', '<!DOCTYPE r SYSTEM "/etc/passwd">',
    '<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]>', "<!DOCTYPE r>",
]  # fmt: skip


def changed_tree(data: bytes, draw: random.Random, others: tuple[bytes, ...]) -> bytes:
    """A file with one to four changes of its tree."""
    root = ET.fromstring(data)
    for _ in range(draw.choice((1, 1, 2, 4))):
        _change(root, draw, others)
    out = ET.tostring(root)
    if draw.randrange(20) == 0:
        at, deep = out.find(b">") + 1, draw.choice((70, 20_000))
        out = out[:at] + b"<a>" * deep + b"</a>" * deep + out[at:]
    if draw.randrange(12) == 0:
        out = draw.choice(DOCTYPES).encode() + out
    return out


def _change(root: ET.Element, draw: random.Random, others: tuple[bytes, ...]) -> None:
    nodes = list(root.iter())
    node, other = draw.choice(nodes), draw.choice(nodes)
    kind = draw.randrange(12)
    if kind == 0:  # as well elsewhere: names twice, two parents, circles
        other.append(deepcopy(node))
    elif kind == 1 and len(node):
        node.remove(draw.choice(list(node)))
    elif kind == 2:  # in itself, and so on
        for _ in range(draw.choice((3, 70, 150))):
            child = ET.SubElement(node, node.tag, dict(node.attrib))
            node = child
    elif kind == 3:
        node.tag = other.tag
    elif kind == 4 and node.attrib:
        del node.attrib[draw.choice(sorted(node.attrib))]
    elif kind == 5:
        node.attrib.update(other.attrib)
    elif kind == 6:
        foreign = draw.choice(list(ET.fromstring(draw.choice(others)).iter()))
        node.append(foreign)
    elif kind == 7 and len(node) > 1:
        children = list(node)
        draw.shuffle(children)
        node[:] = children
    elif kind == 8:
        node.text = draw.choice((*NUMBERS, *FILES, "1 2 3 4 5 6", "\U0001f600", " " * 5000))
    else:
        _change_attribute(node, nodes, draw)


def _change_attribute(node: ET.Element, nodes: list[ET.Element], draw: random.Random) -> None:
    """Another value: that of another element, a number that is none, in another unit, a file."""
    with_some = [one for one in nodes if one.attrib]
    if not node.attrib:
        node = draw.choice(with_some) if with_some else node
    if not node.attrib:
        return
    name = draw.choice(sorted(node.attrib))
    words = node.attrib[name].split()
    kind = draw.randrange(5)
    if kind == 0:
        node.attrib[name] = draw.choice([value for one in with_some for value in one.attrib.values()])
    elif kind in (1, 2) and words:
        words[draw.randrange(len(words))] = draw.choice(NUMBERS if kind == 1 else UNITS)
        node.attrib[name] = " ".join(words)
    elif kind == 3:
        node.attrib[name] = draw.choice(FILES)
    else:
        other = draw.choice(("file", "filename", "class", "name", "type", "scale", "meshdir", "uri"))
        node.attrib[other] = draw.choice((*FILES, *NUMBERS, node.attrib[name]))
