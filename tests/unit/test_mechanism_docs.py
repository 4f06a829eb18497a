"""The pages about the file format and the shipped mechanisms say what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from linkwork.io.formats import load, shipped
from linkwork.mechanism import Mechanism
from linkwork.mechanism.constraints import CONSTRAINTS
from linkwork.mechanism.forces import FORCES
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.shapes import SHAPES

DOCS = Path(__file__).parents[2] / "docs"
FORMAT = (DOCS / "file-format.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", FORMAT, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_yaml_examples_load_and_lower(block: str, tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(block)
    mech = load(path)
    assert len(mech.lower().bodies) == len(mech.bodies) > 0
    assert mech.driver_mismatches() == []


def test_the_python_example_makes_the_first_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", FORMAT, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    (tmp_path / "first.yaml").write_text(BLOCKS[0])
    made = names["mech"]
    assert isinstance(made, Mechanism)
    assert made.to_dict() == load("first.yaml").to_dict()


@pytest.mark.parametrize(
    ("page", "file", "right", "wrong"),
    [
        ("file-format.md", "pendulum.yaml", "second: bar", "second: barr"),
        ("getting-started.md", "four_bar.yaml", "spherical, first: coupler", "spherical, first: couplr"),
    ],
)
def test_the_error_is_as_printed(
    page: str, file: str, right: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text(encoding="utf-8")
    (block,) = (block for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if block.startswith(f"# {file}"))
    Path(file).write_text(block.replace(right, wrong))
    with pytest.raises(Exception, match="does not exist") as caught:
        load(file)
    assert str(caught.value) in text


@pytest.mark.parametrize("registry", [JOINTS, CONSTRAINTS, FORCES, SHAPES])
def test_every_type_stands_in_the_page(registry: dict[str, str]) -> None:
    ours = [name for name in registry if registry[name].startswith("linkwork.")]  # not those of packages installed here
    assert [name for name in ours if f"`{name}`" not in FORMAT] == []


def test_every_shipped_mechanism_has_its_page_and_its_line() -> None:
    pages = {path.stem for path in (DOCS / "mechanisms").glob("*.md")} - {"README"}
    assert pages == set(shipped())
    index = (DOCS / "mechanisms" / "README.md").read_text(encoding="utf-8")
    for name in shipped():
        assert f"[{name}]({name}.md)" in index
        page = (DOCS / "mechanisms" / f"{name}.md").read_text(encoding="utf-8")
        assert re.search(rf"^linkwork run {name}( --t-end \S+)?$", page, re.MULTILINE)  # as far as 1e-4 can be kept
        for joint in load(name).joints:
            assert f"`{joint.name}`" in page


def test_every_shipped_mechanism_has_its_picture_in_page_and_gallery() -> None:
    """`docs/make_gallery.py mechanisms NAME` makes them."""
    gallery = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for name in shipped():
        image = DOCS / "images" / "gallery" / f"{name}.png"
        assert image.stat().st_size < 60_000
        assert f"(images/gallery/{name}.png)" in gallery
        assert f"(../images/gallery/{name}.png)" in (DOCS / "mechanisms" / f"{name}.md").read_text(encoding="utf-8")


def test_every_shipped_mechanism_moves_in_readme_and_page() -> None:
    """`docs/make_films.py NAME` makes the pictures."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    for name in shipped():
        image = DOCS / "images" / "moving" / f"{name}.webp"
        assert image.stat().st_size < 500_000
        assert f'<a href="docs/mechanisms/{name}.md"><img src="docs/images/moving/{name}.webp"' in readme
        assert f"(../images/moving/{name}.webp)" in (DOCS / "mechanisms" / f"{name}.md").read_text(encoding="utf-8")
