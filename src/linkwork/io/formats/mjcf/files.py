"""The files that an MJCF file names: read by our own reader first, and only inside the model's folder or `search`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from linkwork.errors import ModelError
from linkwork.io.formats.xml_tree import Node, read_xml

MOST_FILES = 200
FOLDERS = {"mesh": "meshdir", "texture": "texturedir"}
NAMING = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


def trees(path: Path, search: Sequence[str | Path] = ()) -> list[tuple[Path, Node]]:
    """The trees of a file and of all that it includes or attaches, each once. Raises ModelError."""
    main = path.resolve()
    allowed = [main.parent, *(Path(one).resolve() for one in search)]
    found: dict[Path, Node] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop(0)
        if file.resolve() in found:
            continue
        if len(found) >= MOST_FILES:
            raise ModelError(f"includes more than {MOST_FILES} files.", file=str(path))
        root = found[file.resolve()] = read_xml(file)
        waiting += _named(root, file, main.parent, allowed)
    return [(path if file == main else file, root) for file, root in found.items()]


def _named(root: Node, file: Path, base: Path, allowed: list[Path]) -> list[Path]:
    """Files that are themselves MJCF; the others are looked at only as to where they are."""
    folders: dict[str, str] = {}
    for node in root.walk():
        if node.tag == "compiler":
            folders = {name: node.attributes[name] for name in ("assetdir", "meshdir", "texturedir")
                       if name in node.attributes}  # fmt: skip
    out = []
    for node in root.walk():
        for name in NAMING:
            if name not in node.attributes:
                continue
            mjcf = node.tag in ("include", "model")
            folder = "" if mjcf else folders.get(FOLDERS.get(node.tag, ""), folders.get("assetdir", ""))
            target = base / folder / node.attributes[name]
            try:
                real = target.resolve()
            except (OSError, ValueError) as error:
                raise _wrong(file, node, f"names a file that is no path ({error})"[:200]) from None
            if not any(real.is_relative_to(one) for one in allowed):
                raise _wrong(file, node, "names a file outside the model's folder; give its folder in search")
            if mjcf:
                out.append(target)
    return out


def _wrong(file: Path, node: Node, message: str) -> ModelError:
    return ModelError(f"{message}.", file=str(file), element=f"line {node.line}, {node.path()}")
