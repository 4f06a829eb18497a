"""Make the gallery from real runs.

python docs/make_gallery.py mechanisms [NAME]  pictures of all shipped mechanisms or some, in their pages and gallery.md
python docs/make_gallery.py examples [NAME]    pictures of the examples that make a mechanism of their own
python docs/make_gallery.py papers FOLDER      a page per paper, from what `linkwork reproduce --all --out FOLDER` left;
                                               papers that it does not have keep their pages
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

DOCS = Path(__file__).parent
IMAGES = DOCS / "images" / "gallery"
WIDE = 900  # pixels, of a page's picture
COLOURS = 128  # of a picture's palette: keeps files small
BEGIN, END = "<!-- gallery: made by docs/make_gallery.py -->", "<!-- end of gallery -->"

# which run shows a mechanism best, where it is not the file's own: arguments of simulate, and the seconds to draw
RUNS: dict[str, dict[str, Any]] = {
    "muller2013_heavy_top": {"t_end": 0.08, "step": 2e-4, "formulation": "lie-se3", "integrator": "rk4"},
    "muller2013_spherical_double_pendulum": {"t_end": 0.6, "step": 1e-3, "formulation": "lie-se3", "integrator": "rk4"},
    "muller2013_floating_pair": {"t_end": 1.5, "step": 1e-3, "formulation": "lie-se3", "integrator": "rk4"},
    "muller2013_three_bar": {"t_end": 1.0, "step": 1e-3, "formulation": "lie-se3", "integrator": "rk4"},
    "gyroscope": {"t_end": 1.0, "step": 1e-4, "formulation": "lie-se3", "integrator": "rk4"},
    "stewart_platform": {"t_end": 10.0, "step": 0.02, "formulation": "lie-mixed", "rtol": 1e-8},
    "stewart_platform_actuated": {"t_end": 10.0, "step": 0.02, "formulation": "lie-mixed", "rtol": 1e-8},
}


SHOWN = {
    "stewart_platform": "platform",
    "stewart_platform_actuated": "platform",
}  # body beside the sketch, not the last
UPRIGHT = ("gyroscope", "rolling_disc")  # origins stay in a plane, bodies do not


def mechanisms(names: list[str]) -> None:
    """Pictures of some mechanisms or all, their pages, and gallery.md."""
    import linkwork as lw
    from linkwork.io.formats import shipped

    lines = []
    for name in shipped():
        mech = lw.load(name)
        if not names or name in names:
            options = RUNS.get(name, {})
            result = lw.simulate(mech, **options)
            if result.judgement != "good":
                raise SystemExit(f"{name}: its run is {result.judgement}: {result.verdicts[0]}")
            body = SHOWN.get(name, result.bodies[-1])
            save(picture(mech, result, body), IMAGES / f"{name}.png")
            insert(DOCS / "mechanisms" / f"{name}.md", caption(name, result, body, options))
            sys.stderr.write(f"{name}\n")
        described = " ".join(mech.description.split())
        lines.append(f"### [{name}](mechanisms/{name}.md)\n\n![{name}](images/gallery/{name}.png)\n\n{described}\n")
    write_between(DOCS / "gallery.md", "\n".join(lines))


def examples(names: list[str]) -> None:
    """Pictures of some examples or all that make their mechanism themselves, in images/examples."""
    import importlib.util
    import tempfile

    import linkwork as lw

    def module(name: str) -> Any:
        spec = importlib.util.spec_from_file_location(name, DOCS.parent / "examples" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return loaded

    kissel = module("import_kissel")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pendulum.json"
        path.write_text(json.dumps(kissel.pendulum()), encoding="utf-8")
        pendulum = lw.load(path, side=kissel.SIDE)
    shaken = module("shaken_pendulum")
    speed = 1.5 * (2.0 * shaken.GRAVITY * shaken.LENGTH) ** 0.5 / shaken.AMPLITUDE
    made: dict[str, tuple[Any, str, dict[str, Any]]] = {
        "four_bar": (module("four_bar").build(), "coupler", {"t_end": 2.0}),
        "import_kissel": (pendulum, "bar", {"t_end": 1.0}),
        "spring_and_damper": (module("spring_and_damper").build(), "block", {"t_end": 2.0}),
        "cart_pole": (module("cart_pole").cart_pole(), "pole", {"t_end": 1.0, "state": {"rail": 0.1, "hinge": 0.3}}),
        "servo_arm": (module("servo_arm").build(), "arm", {"t_end": 4.0}),
        "walking_leg": (module("walking_leg").build(), "shin", {"t_end": 2.0}),
        "andrews_squeezer": (
            lw.load(str(DOCS.parent / "examples" / "andrews_squeezer.yaml")),
            "K3",
            {"t_end": 0.03, "step": 1e-4},
        ),
        "cam": (lw.load("cam"), "follower", {"t_end": 0.5}),
        "shaken_pendulum": (
            shaken.pendulum().with_parameters(w=speed),
            shaken.pendulum().bodies[0].name,
            {"t_end": 2.0, "step": 2e-4, "formulation": "canonical", "integrator": "rk4", "every": 5},
        ),
        "identify_spring": (module("identify_spring").build(3.0, 0.08), "rod", {"t_end": 2.0}),
        "tune_suspension": (
            module("tune_suspension").build(1500.0),
            "body",
            {"t_end": 2.0, "state": {"body guide": 0.1}},
        ),
    }
    (DOCS / "images" / "examples").mkdir(exist_ok=True)
    for name, (mech, body, options) in made.items():
        if not names or name in names:
            run = lw.simulate(mech, **({"step": 1e-3} | options))
            save(picture(mech, run, body), DOCS / "images" / "examples" / f"{name}.png")
    drawn = "bicycle", "cart_pole_policy", "four_bar_tolerances", "gravity_field", "path_synthesis", "suspension_map"
    for name in drawn:  # by themselves
        if not names or name in names:
            with tempfile.TemporaryDirectory() as folder:
                module(name).main(["--out", folder])
                shutil.copy(Path(folder) / f"{name}.png", DOCS / "images" / "examples")


def picture(mech: Any, result: Any, body: str) -> Figure:
    """The mechanism, and where a body goes."""
    sys.path.insert(0, str(DOCS))
    import sketch

    from linkwork.plots.style import applied, legend

    space = sketch.spatial(result) or any(mech.name.replace(" ", "_") == name for name in UPRIGHT)
    with applied():
        page = Figure(figsize=(9.0, 4.0), layout="constrained")
        left = page.add_subplot(1, 2, 1, projection="3d" if space else None)
        count = result.time.size - 1
        sketch.draw(left, mech, result, [round(count * part) for part in (0.55, 0.7, 0.85, 1.0)])
        right = page.add_subplot(1, 2, 2)
        for k, axis in enumerate("xyz"):
            right.plot(result.time, result.position(body)[:, k], label=axis)
        right.set_title(f"position of {body!r}", loc="left")
        right.set_xlabel("time [s]")
        right.set_ylabel("[m]")
        right.set_xlim(0.0, float(result.time[-1]))
        legend(right)
    return page


def command(name: str, options: dict[str, Any]) -> str:
    """What makes the same run on a command line."""
    return " ".join(["linkwork run", name, *(f"--{key.replace('_', '-')} {value}" for key, value in options.items())])


def caption(name: str, result: Any, body: str, options: dict[str, Any]) -> str:
    """The picture with what run it shows."""
    info = result.info
    how = f"`{command(name, options)}` (`{info['formulation']}` with `{info['integrator']}`, {result.time[-1]:g} s)"
    return (
        f"![{name}](../images/gallery/{name}.png)\n\n"
        "*Left: the mechanism at the end of the run and, fainter, before; triangles are ground's joints, thin lines "
        f"paths. Right: {body!r}. Run: {how}.*\n"
    )


def insert(page: Path, text: str) -> None:
    """Put the picture below the page's first paragraph, in place of an earlier one."""
    said = page.read_text(encoding="utf-8")
    if BEGIN not in said:
        head, blank, rest = said.partition("\n\n| ")
        said = f"{head}\n\n{BEGIN}\n{END}{blank}{rest}"
        page.write_text(said, encoding="utf-8")
    write_between(page, text)


def write_between(page: Path, text: str) -> None:
    """Replace what stands between the marks."""
    said = page.read_text(encoding="utf-8")
    head, _, rest = said.partition(BEGIN)
    page.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def save(figure: Figure, path: Path) -> None:
    """As a small PNG."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=100)
    shrink(Image.open(stream), path)


def shrink(image: Image.Image, path: Path) -> None:
    """At most so wide, with a palette."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if image.width > WIDE:
        image = image.resize((WIDE, round(image.height * WIDE / image.width)), Image.Resampling.LANCZOS)
    image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


WALL = (
    "stewart-speed",
)  # items that time by the wall clock: make them on a machine without other work, and see the page


def papers(folder: Path) -> None:
    """A page per paper: verdicts, words, pictures."""
    from linkwork.studies.papers import PAPERS

    for key in PAPERS:
        if not (folder / key).is_dir():
            continue
        paper = PAPERS.load(key)
        found = [(item, said(folder / key / f"{item.slug}.json")) for item in paper.items if item.name not in WALL]
        lines = [
            f"# {paper.citation.partition(':')[0]} {key[-4:]}, item by item",
            f"{paper.title}. Made by `linkwork reproduce {key}`; the words and what they rest on: "
            f"[reproducing {key}](../reproducing-{key}.md). Where times are given, they depend on the machine, and are "
            "those of one that had other work.",
            "| item | what it shows | verdict |\n|---|---|---|\n"
            + "\n".join(f"| [{i.name}](#{anchor(i)}) | {i.title} | {f['verdict']} |" for i, f in found if f),
        ]
        for item, one in found:
            if not one:
                continue
            image = f"{key}_{item.slug}.png"
            shrink(Image.open(folder / key / f"{item.slug}.png"), IMAGES / image)
            lines += [f"## {item.name}: {item.title}", f"![{item.name}](../images/gallery/{image})"]
            lines += [f"**{label}:** {escape(text)}" for label, text in words(one)]
        (DOCS / "gallery" / f"{key}.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
        sys.stderr.write(f"{key}\n")


def said(path: Path) -> dict[str, Any]:
    """A verdict file, or nothing."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def words(one: dict[str, Any]) -> list[tuple[str, str]]:
    """Claim, measurement, verdict and reason."""
    asked = "Asked" if one["verdict"] == "not in the paper" and not one["source"] else "Paper"
    source = f" ({one['source']})" if one["source"] else ""
    pairs = [
        (asked, one["claim"] + source),
        ("Measured", one["measured"]),
        ("Verdict", one["verdict"]),
        ("Why", one["why"]),
    ]
    return [(label, text) for label, text in pairs if text]


def anchor(item: Any) -> str:
    """The address of an item's heading."""
    return re.sub(r"[^a-z0-9 -]", "", f"{item.name}: {item.title}".lower()).replace(" ", "-")


def escape(text: str) -> str:
    """Markdown's own signs as letters."""
    return re.sub(r"([*_|<>])", r"\\\1", text)


def main(tokens: list[str]) -> None:
    """Which part."""
    np.seterr(all="ignore")
    if tokens[:1] == ["mechanisms"]:
        mechanisms(tokens[1:])
    elif tokens[:1] == ["examples"]:
        examples(tokens[1:])
    elif tokens[:1] == ["papers"] and len(tokens) == 2:
        papers(Path(tokens[1]))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
