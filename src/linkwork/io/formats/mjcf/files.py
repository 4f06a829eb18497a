"""The files that an MJCF file names: read by our own reader first, and only inside the model's folder or `search`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from linkwork.errors import ModelError
from linkwork.io.formats.xml_tree import Node, read_xml
from linkwork.mechanism.elements import shown

MOST_FILES = 200
MOST_COPIES = 3_000  # of <replicate>: a second; with the square of them MuJoCo's compiler goes on, and hears no signal
MJCF = ("include", "model")  # elements that name files which are themselves MJCF
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
        for node in root.walk():
            if node.tag in MJCF and "file" in node.attributes:
                target = _inside(file, node, main.parent / node.attributes["file"], allowed)
                if not target.is_file():
                    raise _wrong(file, node, f"names {shown(node.attributes['file'])}, which is no file there")
                waiting.append(target)
    out = [(path if file == main else file, root) for file, root in found.items()]
    _check_assets(out, main.parent, allowed)
    _check_copies(out)
    return out


def _check_copies(files: list[tuple[Path, Node]]) -> None:
    """That <replicate>s, one in the other and in included files, ask for no more copies than a compiler ends with."""
    outside = 1.0  # of a file that is included: copies that the others may make of it
    for file, root in files:
        most, waiting = outside, [(root, outside)]
        while waiting:
            node, copies = waiting.pop()
            if node.tag == "replicate":
                copies *= max(1.0, _count(node))
            if copies > MOST_COPIES:
                raise _wrong(file, node, f"asks for {copies:g} copies; linkwork reads {MOST_COPIES} at most")
            most = max(most, copies)
            waiting += [(child, copies) for child in node.children]
        outside = most


def _count(node: Node) -> float:
    try:
        return float(node.attributes.get("count", "1"))
    except ValueError:
        return 1.0  # the compiler will say what is wrong with it


def _check_assets(files: list[tuple[Path, Node]], base: Path, allowed: list[Path]) -> None:
    """Where everything else that is named stands, in each of the folders that any of the files names: a <compiler> in
    one of them speaks for what it includes as well."""
    folders: dict[str, set[str]] = {name: set() for name in ("assetdir", "meshdir", "texturedir")}
    for file, root in files:
        for node in root.walk():
            if node.tag == "compiler":
                for name in folders.keys() & node.attributes.keys():
                    folders[name].add(node.attributes[name])
                    _inside(file, node, base / node.attributes[name], allowed)
    for file, root in files:
        for node in root.walk():
            if node.tag in MJCF:
                continue
            for name in NAMING:
                if name in node.attributes:
                    for folder in folders[FOLDERS.get(node.tag, "assetdir")] | folders["assetdir"] or {""}:
                        _inside(file, node, base / folder / node.attributes[name], allowed)


def _inside(file: Path, node: Node, target: Path, allowed: list[Path]) -> Path:
    """A path in one of the folders. Raises ModelError."""
    try:
        real = target.resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a name too long, a null character, links in a circle
        raise _wrong(file, node, f"names a file that is no path ({error})"[:200]) from None
    if not any(real.is_relative_to(one) for one in allowed):
        raise _wrong(file, node, "names a file outside the model's folder; give its folder in search (--meshes)")
    return target


def _wrong(file: Path, node: Node, message: str) -> ModelError:
    return ModelError(f"{message}.", file=str(file), element=f"line {node.line}, {node.path()}")
