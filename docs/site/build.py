"""Build the documentation site: the pages of docs/, the API from the docstrings, the examples; output in build/docs.

python docs/site/build.py [FOLDER]     called by scripts/docs
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import api
import contents
import moving

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FRONT = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
# pictures of examples that run what has its picture already; the others have theirs in images/examples
PICTURES = {
    "accuracy_study": "gallery/stewart_platform",
    "adaptive_steps": "gallery/muller2013_heavy_top",
    "andrews_study": "examples/andrews_squeezer",
    "choosing_groups": "lie_stabilisation",
    "compare_formulations": "gallery/kissel2021_slider_crank",
    "double_pendulum_study": "gallery/kissel2021_double_pendulum",
    "driven_kinematics": "gallery/kissel2021_slider_crank",
    "redundant_loop": "gallery/planar_four_bar",
    "several_mechanisms_study": "gallery/stewart_platform",
    "streaming_long_run": "gallery/kissel2021_double_pendulum",
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def stage(pages: Path) -> None:
    """Everything that Sphinx reads, in one folder: copies of the pages, and those that are made from the sources."""
    if pages.exists():
        shutil.rmtree(pages)
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("site", "*.py", "__pycache__"))
    for name in FRONT:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        (pages / name.lower()).write_text(text.replace("(README.md", "(readme.md"), encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", pages / "LICENSE")
    examples(pages / "examples")
    api.write(pages / "api")
    for page in sorted(pages.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        changed = LINK.sub(lambda link, page=page: relinked(link, page, pages), text)
        page.write_text(changed, encoding="utf-8")
    front_page(pages / "index.md")
    moving.link(pages / "gallery.md")
    contents.write(pages)


def front_page(index: Path) -> None:
    """The index with links to the pages that only the site has."""
    text = index.read_text(encoding="utf-8")
    text = text.replace(
        "- `examples/` in the repository: short", "- [Examples](examples/index.md), with their pictures: short"
    )
    text = re.sub(r"^\| `((\w+)\.(?:py|yaml))` \|", r"| [`\1`](examples/\2.md) |", text, flags=re.MULTILINE)
    text += "- [API reference](api/index.md): public names, contracts for implementers, kernels by room\n"
    text += (
        "- [Contributing](contributing.md), the [change log](changelog.md), the [repository's first page](readme.md)\n"
    )
    index.write_text(text, encoding="utf-8")


def relinked(link: re.Match[str], page: Path, pages: Path) -> str:
    """A link to a file that the site has elsewhere or shows as text only."""
    words, target = link.groups()
    path, _, anchor = target.partition("#")
    if "://" in target or target.startswith("mailto:") or not path:
        return link[0]
    place = (page.parent / path).resolve()
    if place.is_file() and place.suffix in (".md", ".png", ".svg", ".json", ".yaml", ""):
        return link[0]
    for name in FRONT:
        if place.name == name:
            up = "../" * (len(page.relative_to(pages).parts) - 1)
            return f"[{words}]({up}{name.lower()}{'#' + anchor if anchor else ''})"
    # a page's path counts from docs/ in the repository, from the root for the pages of FRONT
    origin = ROOT / page.name.upper() if page.parent == pages and page.name in map(str.lower, FRONT) else None
    source = (DOCS / page.relative_to(pages).parent / path).resolve() if origin is None else (ROOT / path).resolve()
    if not source.exists():
        raise SystemExit(f"{page.relative_to(pages)}: {target} is nowhere")
    shown = source.relative_to(ROOT).as_posix()
    return f"{words} (`{shown}`)" if "`" not in words else words


def examples(folder: Path) -> None:
    """A page per example: what it says, its picture, its text."""
    folder.mkdir()
    index = ["# Examples", "", "Short scripts that run in seconds; they stand in `examples/` of the repository.", ""]
    for path in sorted((ROOT / "examples").glob("*.*")):
        if path.suffix not in (".py", ".yaml"):
            continue
        text = path.read_text(encoding="utf-8")
        told = (ast.get_docstring(ast.parse(text)) or "") if path.suffix == ".py" else ""
        verb, what = ("study", "study") if re.search(r"^study:", text, re.MULTILINE) else ("run", "mechanism")
        summary = told.partition("\n")[0] or f"A {what} file: `linkwork {verb} examples/{path.name}`."
        title = path.stem.replace("_", " ").capitalize()
        shown = f"![{title}](../images/{PICTURES.get(path.stem, f'examples/{path.stem}')}.png)\n\n"
        language = {".py": "python", ".yaml": "yaml"}[path.suffix]
        run = f"```sh\npython examples/{path.name}\n```\n\n" if path.suffix == ".py" else ""
        page = f"# {title}\n\n{summary}\n\n{shown}{run}````{language}\n{text}````\n"
        (folder / f"{path.stem}.md").write_text(page, encoding="utf-8")
        index += [f"## [{title}]({path.stem}.md)", "", summary, "", shown]
    (folder / "index.md").write_text("\n".join(index), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Stage and build; every warning is an error."""
    from sphinx.cmd.build import main as sphinx

    output = Path(arguments[0]).resolve() if arguments else ROOT / "build" / "docs"
    pages, html = output / "pages", output / "html"
    stage(pages)
    shutil.rmtree(html, ignore_errors=True)
    here = str(Path(__file__).parent)
    told = sphinx(
        ["-q", "-W", "--keep-going", "-b", "html", "-c", here, "-d", str(output / "trees"), str(pages), str(html)]
    )
    if told == 0:
        moving.write(html / "pages")
        sys.stdout.write(f"{len(list(html.rglob('*.html')))} pages: {html / 'index.html'}\n")
    return int(told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
