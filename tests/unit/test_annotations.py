"""Annotations are evaluated as `typing` evaluates them, in the room of the class that wrote them."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import pytest

from linkwork.annotations import hints_of
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.kernels.records import is_record
from linkwork.shipping.found import modules


def told(hint: Any) -> Any:
    """What a hint says, comparable: marks such as `Shape` have no equality."""
    if get_args(hint):
        return [getattr(hint, "__origin__", None), *map(told, get_args(hint))]
    return (type(hint), vars(hint)) if type(hint).__module__.startswith("linkwork.kernels") else hint


def described() -> list[type]:
    """Records that entries are declared with, and all owners of options."""
    named = [each for name in modules() for each in vars(import_module(name)).values() if isinstance(each, type)]
    records = [each for each in named if is_record(each)]
    owners = [type(registry.load(name)) for registry in (FORMULATIONS, INTEGRATORS) for name in registry]
    return list(dict.fromkeys([*records, *owners]))


def test_records_and_owners_say_what_typing_reads() -> None:
    classes = described()
    assert len(classes) > 60
    for each in classes:
        expected = get_type_hints(each, include_extras=True)
        found = hints_of(each)
        assert list(found) == list(expected)
        for name, hint in expected.items():
            assert told(found[name]) == told(type(None) if hint is None else hint), (each, name)


class Base:
    kept: Annotated[int, "of the base"]
    plain: int


class Derived(Base):
    more: Annotated[str, "its own"]
    kept: Annotated[float, "again"]


class Tuple(NamedTuple):
    first: Annotated[int, "said"]


class Wrong:
    nothing: Nowhere  # type: ignore[name-defined]  # noqa: F821


def test_bases_come_first_and_what_is_not_asked_for_is_left_out() -> None:
    found = hints_of(Derived, ("int",))
    assert list(found) == ["kept", "more"]
    assert found["kept"] == Annotated[float, "again"]
    assert hints_of(Tuple) == {"first": Annotated[int, "said"]}


def test_a_name_of_nothing_is_an_error() -> None:
    with pytest.raises(NameError, match="Nowhere"):
        hints_of(Wrong)
