"""linkwork's own files: reading, writing, names of shipped mechanisms, and one clear error for whatever else."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from linkwork.errors import ModelError, OutputExistsError, ResultFileError, UsageError
from linkwork.io.formats import FORMATS, load, save, shipped
from linkwork.io.formats.linkwork_yaml import parse_yaml
from linkwork.mechanism import Mechanism
from linkwork.mechanism.schema import SCHEMA_FILE, text

NAMES = [
    "cam",
    "cart_pole",
    "dumitriu2015_double_pendulum",
    "gyroscope",
    "kissel2021_double_pendulum",
    "kissel2021_four_link",
    "kissel2021_single_pendulum",
    "kissel2021_slider_crank",
    "muller2013_floating_pair",
    "muller2013_heavy_top",
    "muller2013_spherical_double_pendulum",
    "muller2013_three_bar",
    "planar_four_bar",
    "rolling_disc",
    "spatial_slider_crank_spring",
    "stewart_platform",
    "stewart_platform_actuated",
    "suspension",
]
MINIMAL = "linkwork: 1\nbodies:\n  - {name: a, mass: 1e-3}\n"


def refused(path: Path | str, **fields: Any) -> str:
    with pytest.raises(ModelError) as caught:
        load(path, **fields)
    return str(caught.value)


def write(folder: Path, content: str | bytes, name: str = "model.yaml") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_the_shipped_mechanisms_are_these() -> None:
    assert list(shipped()) == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".json"])
def test_what_is_saved_loads_as_the_same_mechanism(name: str, suffix: str, tmp_path: Path) -> None:
    mech = load(name)
    again = load(save(mech, tmp_path / f"copy{suffix}"))
    assert again.to_dict() == mech.to_dict()
    assert again.run == mech.run


def test_a_number_with_an_exponent_is_a_number(tmp_path: Path) -> None:
    assert load(write(tmp_path, MINIMAL)).element("a").mass == 1e-3


def test_the_published_schema_is_up_to_date() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == text(), "run: python -m linkwork.mechanism.schema"


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_accepts_the_shipped_mechanisms_and_no_slip_in_them(name: str) -> None:
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    assert "prefixItems" not in json.dumps(schema)
    check = jsonschema.Draft7Validator(schema)
    data = parse_yaml(shipped()[name].read_text(), shipped()[name])
    check.validate(data)
    assert not check.is_valid(data | {"bodys": []})
    data["bodies"][0]["position"] = [0, 0]
    assert not check.is_valid(data)


def test_errors_name_file_line_element_and_the_nearest_word(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        MINIMAL + "joints:\n  - name: pin\n    type: spherical\n    first: ground\n    second: b\n"
        "    point: [0, 0, 0]\n",
    )
    assert refused(path).startswith(f"{path}: joints[0] 'pin' (line 5): body 'b' does not exist")
    path = write(tmp_path, MINIMAL + "graviti: [0, 0, 0]\n")
    assert "has no key 'graviti'; did you mean 'gravity'?" in refused(path)
    path = write(tmp_path, "linkwork: 1\ngravity: [0, x, 0]\n")
    assert "gravity[1] (line 2): must be a number, not 'x'" in refused(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("   \n", "is empty"),
        (b"\x00\x01\x02", "is not text"),
        (b"linkwork: 1\nname: caf\xe9\n", "not UTF-8 text (line 2)"),
        ("linkwork: 1\nname: [1, 2\n", "is not valid YAML (line"),
        ("linkwork: 1\nname: a\nname: b\n", "is not valid YAML (line 3"),
        ("linkwork: 1\nname: !!python/object:os.system x\n", "is not valid YAML"),
        ("linkwork: 1\nname: &a [*a]\n", "contains itself"),
        ("linkwork: 1\nname: " + "[" * 3000, "nested too deeply"),
        ("linkwork: 1\nname: " + "[" * 100 + "]" * 100, "nested too deeply"),
        ("name: a\n", "has no format version"),
        ("linkwork: 2\n", "format version 2; this linkwork reads version 1"),
        ("linkwork: true\n", "format version True"),
        ("- 1\n", "does not hold a mechanism"),
        ("linkwork: 1\nbodies: {a: 1}\n", "bodies must be a list"),
        ("linkwork: 1\nbodies: [3]\n", "must be a mapping"),
        ("linkwork: 1\ngravity: [.nan, 0, 0]\n", "must be a finite number"),
        ("linkwork: 1\ngravity: [.inf, 0, 0]\n", "must be a finite number"),
        ("linkwork: 1\nname: !!timestamp 2001-01-01\n", "must be text"),
        ("linkwork: 1\nname: !!timestamp 2001-99-01\n", "is not valid YAML"),
        ("linkwork: 1\nrun: {t_end: -1}\n", "run.t_end must be positive"),
    ],
)
def test_bad_yaml_is_one_clear_error(content: str | bytes, words: str, tmp_path: Path) -> None:
    path = write(tmp_path, content)
    message = refused(path)
    assert message.startswith(str(path))
    assert words in message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"linkwork": 1, "gravity": [NaN, 0, 0]}', "holds NaN"),
        ('{"linkwork": 1, "gravity": [1e999, 0, 0]}', "too large"),
        ('{"linkwork": 1, "gravity": [' + "9" * 400 + ", 0, 0]}", "must be a finite number"),
        ('{"linkwork": 1, "gravity": [' + "9" * 5000 + ", 0, 0]}", "which is too large"),
        ('{"linkwork": 1, "name": "a", "name": "b"}', "'name' twice"),
        ('{"linkwork": 1, "name": "a', "line 1"),
        ('{"linkwork": 1, "bodies": [', "was it cut off?"),
        ('{"a": ' * 5000, "nested too deeply"),
        ("[" * 100 + "]" * 100, "nested too deeply"),
        ("{}", "has no format version"),
        ("3", "does not hold a mechanism"),
    ],
)
def test_bad_json_is_one_clear_error(content: str, words: str, tmp_path: Path) -> None:
    path = write(tmp_path, content, "model.json")
    message = refused(path)
    assert message.startswith(str(path))
    assert words in message


def test_an_alias_bomb_does_not_go_off(tmp_path: Path) -> None:
    lines = ["linkwork: 1", "bodies:", "  - &l0 {name: a}"]
    lines += [f"  - &l{k} [{', '.join([f'*l{k - 1}'] * 20)}]" for k in range(1, 20)]
    assert "enormous" in refused(write(tmp_path, "\n".join(lines)))


def test_anchors_for_common_values_are_welcome(tmp_path: Path) -> None:
    text = "linkwork: 1\nbodies:\n  - {name: a, inertia: &J [1, 1, 1]}\n  - {name: b, inertia: *J}\n"
    assert load(write(tmp_path, text)).element("b").inertia == (1.0, 1.0, 1.0)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2**31)
    assert "too large" in refused(path)


def test_what_is_no_model_at_all(tmp_path: Path) -> None:
    assert "did you mean 'rolling_disc'?" in refused("rolling_disk")
    assert "does not exist" in refused(tmp_path / "none.yaml")
    assert "is a folder" in refused(_folder(tmp_path / "folder.yaml"))
    assert "no format reads files ending in '.step'" in refused(write(tmp_path, "<a/>", "a.step"))
    with pytest.raises(UsageError, match="takes no side file"):
        load("rolling_disc", side={})


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_files_are_not_overwritten_unless_forced(tmp_path: Path) -> None:
    mech = load("gyroscope")
    path = save(mech, tmp_path / "a.yaml")
    before = path.read_text()
    with pytest.raises(OutputExistsError):
        save(load("rolling_disc"), path)
    assert path.read_text() == before
    save(load("rolling_disc"), path, force=True)
    assert load(path).name == "rolling disc"
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_only_own_formats_are_written_and_only_into_folders_that_exist(tmp_path: Path) -> None:
    mech = load("gyroscope")
    for name, words in {"a.mdl": "does not write", "a.txt": "no format", "no/a.yaml": "does not exist"}.items():
        with pytest.raises(UsageError if "/" not in name else ResultFileError, match=words):
            save(mech, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_every_format_says_what_it_opens() -> None:
    for name in FORMATS:
        assert all(suffix.startswith(".") for suffix in FORMATS.load(name).suffixes)


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
@pytest.mark.parametrize("said", ["a [ b ]", "[ 1,   2 ]", 'an "a" [ "b" ]', "a\x85b", "a\u2028b", " a\n\tb \n"])
def test_texts_are_written_as_they_are(suffix: str, said: str, tmp_path: Path) -> None:
    mech = Mechanism(said if said.isprintable() else "m", description=said)
    mech.body(said if said.isprintable() else "b", mass=1, inertia=[1, 1, 1])
    mech.sensor("s", "2*t", description=said)
    assert load(save(mech, tmp_path / f"m{suffix}")).to_dict() == mech.to_dict()


def test_vectors_stand_on_one_line_of_json(tmp_path: Path) -> None:
    path = save(load("suspension"), tmp_path / "m.json")
    assert not [line for line in path.read_text().splitlines() if line.strip() == "["]


@pytest.mark.parametrize("encoding", ["latin1", "utf-16", "no-such"])
def test_names_are_utf_8_whatever_an_xml_file_declares(encoding: str, tmp_path: Path) -> None:
    content = f'<?xml version="1.0" encoding="{encoding}"?><robot name="r"><link name="élan"/></robot>'
    assert [body.name for body in load(write(tmp_path, content, "r.urdf")).bodies] == ["élan"]
