"""A page is one file that asks nothing of a network, in which names are text, and what it cannot show is said."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from moving_bars import mechanism, run

from linkwork.cli.main import status_of
from linkwork.errors import OutputExistsError, UsageError
from linkwork.view import page_of

WEB = Path(__file__).parents[2] / "web"
EVIL = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"


def data_of(text: str) -> dict:  # type: ignore[type-arg]
    found = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_code_and_page_are_small_and_so_is_a_run_of_three_seconds() -> None:
    text = page_of(mechanism()).html
    built = (Path(page_of.__code__.co_filename).parent / "page.js").stat().st_size
    style = (Path(page_of.__code__.co_filename).parent / "page.css").stat().st_size
    assert built + style + 2000 < 700_000
    assert len(text) < 260_000
    assert len(page_of(run(mechanism(), 3001, 3.0)).html) < 1_000_000


def test_nothing_is_asked_of_a_network() -> None:
    text = page_of(run(mechanism())).html
    assert "default-src 'none'" in text
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert len(re.findall("<script", text)) == 3


def test_names_stay_text() -> None:
    mech = mechanism(EVIL, bodies=(EVIL, "TITLE_OF_PAGE DATA_OF_PAGE"))
    text = page_of(run(mech)).html
    assert "<img" not in text
    assert len(re.findall("</script", text)) == 3
    data = data_of(text)
    assert data["name"] == EVIL
    assert [body["name"] for body in data["bodies"]] == [EVIL, "TITLE_OF_PAGE DATA_OF_PAGE"]
    assert f"<title>{html.escape(EVIL)}</title>" in text


def test_a_page_tells_its_error_and_what_it_left_out(tmp_path: Path) -> None:
    page = run(mechanism()).view(tmp_path / "run.html", most_frames=50)
    assert page.frames == 50
    assert page.error < 1e-5 * page.size
    assert page.notes == ("50 of 201 samples are shown",)
    assert "50 frames of 2 bodies" in page.summary
    data = data_of((tmp_path / "run.html").read_text())
    assert data["runs"][0]["samples"] == [0, 200]
    assert data["notes"] == list(page.notes)
    with pytest.raises(OutputExistsError):
        run(mechanism()).view(tmp_path / "run.html")


def test_numbers_that_are_not_finite_do_not_break_a_page() -> None:
    result = run(mechanism())
    energy = np.array(result["kinetic_energy"])
    energy[50:] = np.inf
    arrays = {name: result[name] for name in ("time", "position", "rotation", "potential_energy")} | {
        "kinetic_energy": energy
    }
    page = page_of(type(result)(result.header, arrays))
    assert data_of(page.html)["runs"][0]["curves"][0]["block"]["high"] == [pytest.approx(4.0, abs=0.6)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"trails": [("crank", (0, 0, 0))]}, "no body 'crank'"),
        ({"trails": [("upper", (0, 0))]}, "three components"),
        ({"most_frames": 1}, "2 or more"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(UsageError, match=said):
        page_of(run(mechanism()), **options)


def test_notebooks_get_the_page_in_a_frame_or_words() -> None:
    shown = run(mechanism())._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown
    assert mechanism()._repr_html_().startswith("<iframe")
    bare = run(mechanism())
    bare = type(bare)(type(bare.header)(bodies=bare.bodies), {n: bare[n] for n in ("time", "position", "rotation")})
    assert "does not hold its mechanism" in bare._repr_html_()


def test_the_verb_writes_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status_of(["view", "planar_four_bar", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == {"view": "planar_four_bar.html"}
    assert told["bodies"] == 3
    assert (tmp_path / "planar_four_bar.html").stat().st_size > 100_000
    assert status_of(["view", "planar_four_bar"]) == 2
    run(mechanism()).save("one.nc")
    run(mechanism(), shift=1e-3).save("two.nc")
    assert status_of(["view", "one.nc", "two.nc", "--out", "both.html", "--frames", "20"]) == 0
    data = data_of((tmp_path / "both.html").read_text())
    assert [one["poses"]["frames"] for one in data["runs"]] == [20, 20]


@pytest.mark.parametrize(
    "words",
    [
        [], ["planar_four_bar", "gyroscope"], ["gyroscope", "--out", "x.png"], ["a.nc", "gyroscope"],
        ["gyroscope", "--frames", "5"], ["a.nc", "--set", "k=1"], ["a.nc", "--side", "a.side.yaml"],
    ],
)  # fmt: skip
def test_the_verb_refuses_what_makes_no_page(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert status_of(["view", *words]) == 2
    assert list(tmp_path.iterdir()) == []


def test_what_is_built_is_what_the_sources_give() -> None:
    if shutil.which("node") is None or not (WEB / "node_modules").is_dir():
        pytest.skip("node, or `npm ci` in web/, is not there")
    found = subprocess.run(["node", "build.mjs", "--check"], cwd=WEB, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
