"""A run in a browser while it goes on: poses arrive, nothing is left running, and a run without it is the same."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from moving_bars import mechanism, run

from linkwork.errors import UsageError
from linkwork.run.onlooking import looked_on, show
from linkwork.scene import scene_of
from linkwork.view import live as living
from linkwork.view.live import Settings, live
from linkwork.view.live_scene import described

VISER = pytest.mark.skipif(importlib.util.find_spec("viser") is None, reason="viser is not installed: linkwork[view]")
QUIET = {"open": False, "wait": 0.0, "port": 8123}


def block(result: Any) -> dict[str, Any]:
    """As a session records it."""
    columns = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
    n, nb = result["position"].shape[:2]
    motion = np.concatenate([np.reshape(result[name], (n, nb, -1)) for name in columns], axis=2)
    return {"time": np.array(result["time"]), "motion": motion}


def test_without_viser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"viser[\s\S]*linkwork\[view\]"), live(mechanism()):
        pass


@pytest.mark.parametrize("asked", [{"colour": "red"}, {"wait": -1.0}, {"speed": 0.0}])
def test_options_that_make_no_sense_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="live view"):
        Settings.of(asked)


def test_blocks_are_shown_inside_and_not_outside() -> None:
    seen: list[float] = []
    with looked_on(lambda found: seen.append(float(found["time"][-1]))):
        show(block(run(mechanism())))
        show({"time": np.zeros(0), "motion": np.zeros((0, 2, 24))})
    show(block(run(mechanism())))
    assert seen == [2.0]


def test_the_scene_has_every_part_once_and_units_are_scaled_back() -> None:
    scene = scene_of(mechanism())
    told = described(scene)
    assert sum(len(group["instances"]) for group in told["groups"]) == len(scene.parts)
    (box,) = (g for g in told["groups"] if any(i[3] == [1.0, 0.05, 0.05] for i in g["instances"]))
    assert np.ptp(np.array(box["vertices"]), axis=0) == pytest.approx([1.0, 1.0, 1.0])


@VISER
def test_poses_are_drawn_and_nothing_is_left_running(capfd: pytest.CaptureFixture[str]) -> None:
    found = block(run(mechanism()))
    with live(mechanism(), QUIET) as view:
        process = view.process
        assert view.address.startswith("http://127.0.0.1:")
        assert view.free.wait(10.0)
        view.sent = 0.0
        view.look(found)
        assert view.sent > 0.0
        assert view.free.wait(10.0)  # the server has drawn it
        before = time.process_time()
        for _ in range(200):
            view.look(found)
        assert (time.process_time() - before) / 200 < 1e-3  # of chunks that take 50e-3 s
    assert process.poll() == 0
    assert "live view at http://127.0.0.1:" in capfd.readouterr().err


@VISER
def test_a_run_goes_on_where_the_server_dies_and_ends_with_an_error_inside() -> None:
    with live(mechanism(), QUIET) as view:
        view.process.kill()
        view.process.wait()
        view.free.set()
        view.sent = 0.0
        view.look(block(run(mechanism())))
    with pytest.raises(KeyboardInterrupt), live(mechanism(), QUIET) as other:
        raise KeyboardInterrupt
    assert other.process.poll() is not None


@VISER
def test_a_speed_holds_the_picture_back() -> None:
    found = block(run(mechanism(), n=21, t_end=0.4))
    with live(mechanism(), {**QUIET, "speed": 0.5}) as view:
        began = time.monotonic()
        view.look(found)
        assert 0.7 < time.monotonic() - began < 5.0


@VISER
def test_the_server_ends_when_its_program_is_killed(tmp_path: Path) -> None:
    """The pipe ends, whoever ended the program."""
    import signal
    import subprocess

    text = (
        "import sys; sys.path.insert(0, sys.argv[1]); import time; from moving_bars import mechanism; "
        "from linkwork.view.live import live\n"
        "with live(mechanism(), {'open': False, 'wait': 0.0, 'port': 8140}) as view:\n"
        "    print(view.process.pid, flush=True)\n    time.sleep(60)"
    )
    folder = str(Path(__file__).parents[1])
    program = subprocess.Popen([sys.executable, "-c", text, folder], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    server = int(program.stdout.readline())
    program.send_signal(signal.SIGKILL)
    program.wait()
    for _ in range(100):
        try:
            os.kill(server, 0)
        except OSError:
            break
        if Path(f"/proc/{server}/stat").is_file() and ") Z " in Path(f"/proc/{server}/stat").read_text():
            break
        time.sleep(0.1)
    else:
        pytest.fail("the server is still running")


@VISER
def test_a_browser_shows_the_bodies_and_may_be_closed() -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is installed (apt install chromium)")
    found = block(run(mechanism()))
    flags = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
    with playwright.sync_playwright() as started, live(mechanism(), {**QUIET, "port": 8160}) as view:
        assert not view.seen.is_set()
        browser = started.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport={"width": 420, "height": 320})
        page.goto(view.address)
        page.locator("canvas").first.wait_for(state="visible", timeout=60_000)
        assert view.seen.wait(30.0)
        for k in range(1, 201, 20):
            view.sent = 0.0
            view.look({name: values[: k + 1] for name, values in found.items()})
            assert view.free.wait(20.0)
        page.get_by_text("t = 1.81 s").wait_for(timeout=20_000)
        shown = page.screenshot(path=os.environ.get("LINKWORK_LIVE_PICTURE"), timeout=120_000)
        assert len(shown) > 10_000
        browser.close()
        view.sent = 0.0
        view.look(found)
        assert view.free.wait(20.0)
    assert view.process.poll() == 0
    assert threading.active_count() < 50
