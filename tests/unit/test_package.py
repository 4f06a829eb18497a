"""The front door is quick, complete and lazy; the papers beside the code say what the code says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import linkwork
from linkwork import errors

ROOT = Path(__file__).parents[2]
HEAVY = ("numba", "llvmlite", "scipy", "xarray", "h5netcdf", "h5py", "matplotlib", "pandas")


def loaded_after(code: str) -> set[str]:
    """Which of the heavy packages are loaded after `code` ran in a new process."""
    tell = f"import sys; print('LOADED', *[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{tell}"], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("LOADED")[2].split())


@pytest.mark.parametrize(
    "code",
    [
        "import linkwork",
        "from linkwork.cli.main import status_of; assert status_of(['--help']) == 0",
        "from linkwork.cli.main import status_of; assert status_of(['run', '--help']) == 0",
        "from linkwork.cli.main import status_of; assert status_of(['nonsense']) == 2",
    ],
)
def test_nothing_heavy_is_loaded_for(code: str) -> None:
    assert loaded_after(code) == set()


@pytest.mark.parametrize("name", linkwork.__all__)
def test_every_name_of_the_front_door_opens(name: str) -> None:
    assert getattr(linkwork, name) is not None
    assert name in dir(linkwork)


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(AttributeError, match=r"no 'simulat'; it offers .*\bsimulate\b"):
        linkwork.simulat  # noqa: B018


def test_simulate_stays_the_function_after_its_module_was_imported() -> None:
    code = "import linkwork.run.simulate, linkwork as lw; assert callable(lw.simulate), lw.simulate"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_version_is_the_same_everywhere() -> None:
    version = linkwork.__version__
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["version"]["path"].endswith(
        "source.py"
    )


def every_error() -> list[type[errors.LinkworkError]]:
    """LinkworkError and all that derive from it."""
    found = [errors.LinkworkError]
    for cls in found:
        found.extend(cls.__subclasses__())
    return found


@pytest.mark.parametrize("cls", every_error(), ids=lambda cls: cls.__name__)
def test_every_error_code_has_a_page_and_stands_in_the_list(cls: type[errors.LinkworkError]) -> None:
    page = (ROOT / "docs" / "errors" / f"{cls.code}.md").read_text()
    assert page.startswith(f"# {cls.code}\n")
    assert "**What it means.**" in page
    assert "**What to do.**" in page
    index = (ROOT / "docs" / "errors" / "README.md").read_text()
    assert re.search(rf"^\| \[{cls.code}\]\({cls.code}\.md\) \|.*\| {cls.exit_status} \|$", index, re.MULTILINE)


def test_every_page_of_an_error_belongs_to_one() -> None:
    pages = {page.stem for page in (ROOT / "docs" / "errors").glob("LW-*.md")}
    assert pages == {cls.code for cls in every_error()}


@pytest.mark.parametrize("lock", ["run", "test", "bench"])
def test_locks_pin_with_hashes_and_name_no_place(lock: str) -> None:
    text = (ROOT / "locks" / f"{lock}.txt").read_text()
    assert "://" not in text
    assert "index-url" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_the_test_lock_holds_all_of_the_run_lock() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^\S+==.*?(?= \\$)", (ROOT / "locks" / f"{name}.txt").read_text(), re.MULTILINE))

    assert pins("run") <= pins("test")
    assert pins("run") <= pins("bench")


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs").rglob("*.md")) + sorted(ROOT.glob("*.md")), ids=lambda p: p.name
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("script", ["demo", "test", "setup", "lock"])
def test_scripts_are_sound_bash(script: str) -> None:
    path = ROOT / "scripts" / script
    assert os.access(path, os.X_OK)
    subprocess.run(["bash", "-n", str(path)], check=True)
