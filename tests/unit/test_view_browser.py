"""The page in a browser: bodies are where the result has them; time, picking, plots, keys and narrow screens work."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from moving_bars import mechanism, run, turned
from PIL import Image

from linkwork.header import Header
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.view import page_of

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed (apt install chromium)")
SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        made = started.chromium.launch(executable_path=CHROMIUM, args=SOFTWARE)
        yield made
        made.close()


class Opened:
    """A page, and everything that it said or asked for."""

    def __init__(self, browser: Any, path: Path, width: int = 1280, height: int = 800) -> None:
        self.said: list[str] = []
        context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
        self.page = context.new_page()
        self.page.on(
            "console",
            lambda m: (
                self.said.append(m.text) if m.type in ("error", "warning") and "GPU stall" not in m.text else None
            ),
        )
        self.page.on("pageerror", lambda e: self.said.append(str(e)))
        self.page.on("dialog", lambda d: (self.said.append(f"dialog {d.message}"), d.dismiss()))
        self.page.on(
            "request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else self.said.append(r.url)
        )
        self.page.goto(path.as_uri())
        self.page.locator("#panel").wait_for(state="attached")
        self.page.evaluate("async () => { await window.linkwork; }")

    def ask(self, words: str) -> Any:
        """The value of an expression of `v`, the page's parts."""
        return self.page.evaluate(f"async () => {{ const v = await window.linkwork; return ({words}); }}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.page.wait_for_timeout(60)
        self.draw()

    def draw(self) -> None:
        """Wait until what was asked for has been drawn, however long that takes."""
        two = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
        self.page.evaluate(two)

    def body(self, k: int) -> np.ndarray[Any, Any]:
        """The pose that is drawn, (4, 4)."""
        self.ask("v.viewer.update()")
        return np.array(self.ask(f"v.viewer.solids.drawn({k})")).reshape(4, 4).T

    def point_of_body(self, k: int) -> list[float]:
        """Where its centre of mass is on the screen."""
        x, y = self.ask(f"v.stage.project(v.viewer.solids.point({k}, 0, 0, 0))")
        box = self.page.locator("#scene").bounding_box()
        return [box["x"] + x, box["y"] + y]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    folder = tmp_path_factory.mktemp("pages")
    result = run(mechanism(EVIL, bodies=("upper", EVIL)))
    page_of(result, folder / "run.html")
    return result, folder / "run.html"


@pytest.fixture(scope="module")
def opened(browser: Any, saved: tuple[Any, Path]) -> Opened:
    return Opened(browser, saved[1])


def test_every_body_is_where_the_result_has_it(opened: Opened, saved: tuple[Any, Path]) -> None:
    result, _ = saved
    for k in (0, 37, 100, 161, 200):
        opened.ask(f"v.clock.seek({k})")
        for b in range(2):
            drawn = opened.body(b)
            assert drawn[:3, 3] == pytest.approx(result["position"][k, b], abs=1.5e-5)
            assert drawn[:3, :3] == pytest.approx(result["rotation"][k, b], abs=1.5e-5)
            assert np.linalg.svd(drawn[:3, :3])[1] == pytest.approx(1.0, abs=1e-6)  # nothing is stretched


def test_scrubbing_moves_the_time(opened: Opened) -> None:
    opened.page.locator("#time").fill("120")
    assert opened.ask("v.clock.frame") == 120
    box = opened.page.locator(".plot canvas").first.bounding_box()
    left, width = box["x"] + 58, box["width"] - 68
    opened.page.mouse.click(left + 0.25 * width, box["y"] + 50)
    assert opened.ask("v.clock.times[v.clock.frame]") == pytest.approx(0.5, abs=0.02)
    opened.page.locator("#now", has_text="0.5").wait_for()


def test_keys_play_step_and_change_the_speed(opened: Opened) -> None:
    opened.ask("v.clock.seek(50)")
    opened.page.locator("#scene").focus()
    opened.press("ArrowRight")
    assert opened.ask("v.clock.frame") == 51
    opened.press("Shift+ArrowRight", "ArrowLeft")
    assert opened.ask("v.clock.frame") == 60
    opened.press("End")
    assert opened.ask("v.clock.frame") == 200
    opened.press("Home", "-", "-")
    assert opened.ask("v.clock.speed") == 0.2
    opened.press("+", "+", " ")
    opened.page.wait_for_timeout(500)
    opened.press(" ")
    frame = opened.ask("v.clock.frame")
    assert opened.ask("v.clock.playing") is False
    assert 10 < frame < 190
    assert opened.ask("v.clock.time") == pytest.approx(opened.ask("v.clock.times[v.clock.frame]"), abs=0.011)
    opened.press("r")
    assert opened.ask("v.viewer.layers.reactions") is True
    assert "N" in opened.page.locator("#labels").inner_text()
    opened.press("r", "?")
    assert opened.page.locator("#keys").is_visible()
    opened.press("Escape")


def test_a_click_picks_a_body_and_plots_it(opened: Opened) -> None:
    opened.ask("v.clock.seek(20)")
    opened.draw()
    opened.page.mouse.click(*opened.point_of_body(0))
    opened.draw()
    assert opened.ask("v.viewer.selected") == {"kind": "body", "k": 0}
    assert opened.page.locator('[data-plot="position 0"]').count() == 1
    text = opened.page.locator("#chosen").inner_text()
    assert "upper" in text
    assert "kg" in text
    values = opened.ask("v.plots.open.find((p) => p.source.id === 'position 0').source.curves.map((c) => c.values[20])")
    assert values == pytest.approx(opened.body(0)[:3, 3], abs=1e-6)
    opened.page.locator('[data-pick="joint 0"]').click()
    assert opened.ask("v.viewer.selected.kind") == "joint"
    assert "10 N" in opened.page.locator("#chosen").inner_text()
    opened.page.locator("#scene").focus()
    opened.press("Escape")
    assert opened.ask("v.viewer.selected") is None


def test_names_are_text_and_nothing_was_said_or_asked_for(opened: Opened) -> None:
    assert EVIL in opened.page.locator("h1").inner_text()
    assert opened.page.locator("img").count() == 0
    opened.press("n")
    opened.press("n")
    assert opened.said == []


def test_a_joint_that_is_apart_is_red(browser: Any, tmp_path: Path) -> None:
    mech = mechanism()
    page_of(run(mech, shift=1e-3), tmp_path / "apart.html")
    apart = Opened(browser, tmp_path / "apart.html")
    assert any("pivot" in name for name in apart.ask("v.viewer.violated"))
    assert not any("elbow" in name for name in apart.ask("v.viewer.violated"))
    assert "pivot" in apart.page.locator(".violation p").inner_text()
    apart.ask("(v.viewer.tolerance = 1e-2, v.viewer.repaint())")
    assert apart.ask("v.viewer.violated") == []
    assert apart.said == []


def test_runs_are_laid_over_each_other_and_their_distance_is_plotted(browser: Any, tmp_path: Path) -> None:
    mech = mechanism()
    run(mech).view(tmp_path / "two.html", others=[run(mech, 101, shift=0.02, formulation="rp")])
    two = Opened(browser, tmp_path / "two.html")
    two.ask("v.clock.seek(100)")
    ghost = np.array(two.ask("(v.viewer.update(), v.viewer.ghosts[0].drawn(1))")).reshape(4, 4).T
    assert ghost[:3, 3] - two.body(1)[:3, 3] == pytest.approx([0, 0, 0.02], abs=5e-5)
    assert two.page.locator('[data-plot="distance"]').count() == 1
    assert two.ask("v.sources.list.find((s) => s.id === 'distance').curves[0].values[100]") == pytest.approx(
        0.02, abs=5e-5
    )
    assert two.said == []


def test_a_narrow_screen_holds_the_page(browser: Any, saved: tuple[Any, Path]) -> None:
    narrow = Opened(browser, saved[1], 390, 780)
    assert narrow.page.evaluate("document.documentElement.scrollWidth") <= 390
    for words in ("#play", "#time", "#speed", '[aria-label="Panel"]'):
        box = narrow.page.locator(words).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 780
    assert narrow.page.locator("#scene").bounding_box()["height"] > 300
    assert not narrow.page.locator("#panel").is_visible()
    narrow.page.locator('[aria-label="Panel"]').click()
    assert narrow.page.locator("#panel").is_visible()
    assert narrow.said == []


def test_the_scene_is_drawn_and_drawn_again_when_the_window_changes(browser: Any, saved: tuple[Any, Path]) -> None:
    page = Opened(browser, saved[1], 900, 700)
    for width in (900, 600, 1100):
        page.page.set_viewport_size({"width": width, "height": 700})
        page.page.wait_for_timeout(150)
        page.draw()
        shown = Image.open(BytesIO(page.page.locator("#scene").screenshot())).convert("RGB")
        assert len(shown.getcolors(10**6)) > 60  # shaded solids, not an empty sheet


def test_a_mechanism_without_a_run_is_shown_as_it_starts(browser: Any, tmp_path: Path) -> None:
    mechanism().view(tmp_path / "start.html")
    start = Opened(browser, tmp_path / "start.html")
    assert start.body(0)[:3, 3] == pytest.approx([0.5, 0, 0], abs=1e-5)
    assert not start.page.locator("#bar").is_visible()
    assert start.said == []


def test_a_report_shows_the_scene_and_runs_no_other_script(
    browser: Any, saved: tuple[Any, Path], tmp_path: Path
) -> None:
    from linkwork.reports.moving import moving
    from linkwork.reports.page import Page, html

    text = html(Page("report", scenes=[moving(saved[0], EVIL)]))
    assert EVIL not in text
    text = text.replace("</main>", "<script>document.title = 'ran'</script></main>")
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    page.goto((tmp_path / "report.html").as_uri())
    frame = page.frame_locator("iframe")
    page.locator("iframe").scroll_into_view_if_needed()
    frame.locator("#panel").wait_for(state="attached")
    assert page.title() == "report"
    assert len(said) == 1  # that script, refused
    assert "Content Security Policy" in said[0]
    frame.locator("canvas").first.wait_for(state="visible")
    page.close()


def test_many_bodies_are_one_mesh_whose_vertices_are_where_the_result_has_them(browser: Any, tmp_path: Path) -> None:
    """In software every instance is a draw of its own: solids of one kind are merged there, and picked all the same."""
    mech = Mechanism("many")
    for k in range(220):
        box = {"type": "box", "size": [0.06, 0.03, 0.02], "density": 1000}
        mech.body(f"b{k}", shape=box, position=[0.1 * (k % 20), 0.1 * (k // 20), 0])
    n, k = 5, np.arange(220)
    angle = np.linspace(0.0, 1.0, n)[:, None] + 0.1 * k
    place = np.stack([0.1 * (k % 20) + 0 * angle, 0.1 * (k // 20) + 0 * angle, 0.02 * angle], axis=-1)
    arrays = {"time": np.linspace(0.0, 1.0, n), "position": place, "rotation": turned(angle)}
    header = Header(bodies=tuple(body.name for body in mech.bodies), mechanism_document=json.dumps(mech.to_dict()))
    page_of(Result(header, arrays), tmp_path / "many.html")
    page = Opened(browser, tmp_path / "many.html")
    assert page.ask("v.stage.software") is True
    assert page.ask("v.stage.renderer.info.render.calls") < 6
    page.ask("v.clock.seek(3)")
    page.ask("v.viewer.update()")
    mesh = "v.viewer.solids.groups.get('body box').mesh"
    vertices = np.array(page.ask(f"[...{mesh}.geometry.getAttribute('position').array]")).reshape(220, -1, 3)
    assert vertices.mean(axis=1) == pytest.approx(place[3], abs=2e-5)
    longest = np.linalg.norm(vertices - vertices.mean(axis=1, keepdims=True), axis=2)
    assert longest == pytest.approx(np.full_like(longest, np.linalg.norm([0.03, 0.015, 0.01])), abs=2e-5)
    normals = np.array(page.ask(f"[...{mesh}.geometry.getAttribute('normal').array]")).reshape(220, -1, 3)
    faces = np.abs(np.einsum("bij,bvi->bvj", turned(angle[3]), normals))  # in components of the bodies
    assert faces.max(axis=2) / np.linalg.norm(faces, axis=2) == pytest.approx(1.0, abs=1e-4)
    page.draw()
    page.page.mouse.click(*page.point_of_body(137))
    page.draw()
    assert page.ask("v.viewer.selected") == {"kind": "body", "k": 137}
    assert page.said == []


def test_drivers_and_raw_constraints_are_listed_by_themselves(browser: Any, tmp_path: Path) -> None:
    mech = mechanism()
    mech.driver("motor", "pivot", "0.1*t")
    mech.constraint("level", "DP1", "ground", "lower", a_i=[0, 1, 0], a_j=[1, 0, 0])
    mech.view(tmp_path / "still.html")
    opened = Opened(browser, tmp_path / "still.html")
    titles = opened.page.locator("#panel h2:visible").all_inner_texts()
    assert titles == ["Show", "Bodies (2)", "Joints (2)", "Drivers (1)", "Raw constraints (1)", "Notes"]
    opened.page.get_by_role("button", name="motor").click()
    assert "motor" in opened.page.locator("#chosen").inner_text()
    assert not opened.said
