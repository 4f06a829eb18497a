"""Nothing but linkwork's own errors comes out of junk: mutated descriptions, random data, random bytes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwork.errors import ModelError, ResultFileError
from linkwork.io.formats import FORMATS, load, shipped
from linkwork.io.formats.linkwork_yaml import parse_yaml
from linkwork.mechanism import Mechanism

DOCUMENTS = [parse_yaml(path.read_text(), path) for path in shipped().values()]
SUFFIXES = [suffix for name in FORMATS for suffix in FORMATS.load(name).suffixes] + [".bin", ""]
KISSEL = {
    "name": "bar",
    "bodies": [
        {"name": "ground", "id": 0},
        {
            "name": "bar",
            "id": 1,
            "r": [0, 1, 0],
            "r_dot": [0, 0, 0],
            "A": [[0.0, 0.0, 1.0], [0.70710678, 0.70710678, 0.0], [-0.70710678, 0.70710678, 0.0]],
            "omega": [0, 0, 0],
        },
    ],
    "constraints": [
        {
            "name": "c",
            "type": "CD",
            "body_i": 1,
            "body_j": 0,
            "c": [1, 0, 0],
            "s_bar_p_i": [-2, 0, 0],
            "s_bar_q_j": [0, 0, 0],
            "f": "0",
            "f_dot": "0",
            "f_ddot": "0",
        },
        {
            "name": "drive",
            "type": "DP1",
            "body_i": 1,
            "body_j": 0,
            "a_bar_i": [0, 1, 0],
            "a_bar_j": [0, 0, -1],
            "f": "cos(2*t)",
            "f_dot": "-2*sin(2*t)",
        },
    ],
}

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**3), 10**3),
    st.just(10**400),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["ground", "crank", "cos(t)", "1/t", "t^t", "revolute", "DP1", "box", "__import__('os')", "1e999"]),
)
words = st.sampled_from(
    ["name", "type", "first", "second", "point", "axis", "f", "mass", "x", "rotation", "shape", "id"]
)
junk = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.one_of(words, st.text(max_size=6)), inner, max_size=4)
    ),
    max_leaves=12,
)


def all_places(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found += all_places(value, (*at, key))
    return found


def mutate(data: Any, draw: Callable[[Any], Any]) -> Any:
    """The document with one to four places replaced by junk, removed, doubled or swapped for another place's."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 4))):
        places = all_places(data)
        if not places:
            break
        *way, last = draw(st.sampled_from(places))
        parent = data
        for key in way:
            parent = parent[key]
        how = draw(st.sampled_from(["replace", "remove", "double", "swap"]))
        if how == "replace":
            parent[last] = draw(junk)
        elif how == "remove":
            del parent[last]
        elif how == "double" and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[last]))
        else:
            other = data
            for key in draw(st.sampled_from(places)):
                other = other[key] if not isinstance(other, int | float | str | None) else other
            parent[last] = copy.deepcopy(other)
    return data


def try_it(read: Callable[[], Mechanism]) -> None:
    """Read and lower: a mechanism, or an error of a model (or of a result that holds one) with something to say."""
    try:
        mechanism = read()
        mechanism.lower()
        mechanism.driver_mismatches()
        assert Mechanism.from_dict(mechanism.to_dict()).to_dict() == mechanism.to_dict()
    except (ModelError, ResultFileError) as error:
        message = str(error)
    else:
        message = "all is well with this mechanism"
    assert 20 < len(message) < 20_000


@settings(max_examples=300)
@given(data=st.data())
def test_mutated_descriptions(data: st.DataObject) -> None:
    document = mutate(data.draw(st.sampled_from(DOCUMENTS)), data.draw)
    try_it(lambda: Mechanism.from_dict(document))


@given(data=junk)
def test_random_data(data: Any) -> None:
    try_it(lambda: Mechanism.from_dict(data))


@settings(max_examples=150)
@given(data=st.data())
def test_mutated_kissel_files(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated.mdl"
    path.write_text(json.dumps(mutate(KISSEL, data.draw)))
    side = data.draw(st.one_of(st.none(), junk))
    try_it(lambda: load(path, side=side))


@given(data=st.data())
def test_files_cut_or_stirred(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    source = data.draw(st.sampled_from(list(shipped().values()))).read_bytes()
    cut = data.draw(st.integers(0, len(source)))
    k = data.draw(st.integers(0, max(len(source) - 1, 0)))
    stirred = source[:k] + data.draw(st.binary(max_size=3)) + source[k + data.draw(st.integers(0, 3)) :]
    path = tmp_path_factory.getbasetemp() / "stirred.yaml"
    path.write_bytes(data.draw(st.sampled_from([source[:cut], stirred])))
    try_it(lambda: load(path))


@given(content=st.binary(max_size=200), suffix=st.sampled_from(SUFFIXES))
def test_random_bytes(content: bytes, suffix: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / f"bytes{suffix}"
    path.write_bytes(content)
    try_it(lambda: load(path))


@given(text=st.text(alphabet="linkwork: 1\n-[]{}&*!|>'\"#%@`,?\t\\ab0.e", max_size=60))
def test_yaml_punctuation(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "signs.yaml"
    path.write_text("linkwork: 1\n" + text)
    try_it(lambda: load(path))


@given(name=st.text(max_size=40))
def test_random_model_names(name: str) -> None:
    if name not in shipped():
        try_it(lambda: load(name))
