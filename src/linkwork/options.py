"""Options that live with their owner: each is declared once, as an annotated field of a frozen dataclass.

    @dataclass(frozen=True, kw_only=True, repr=False)
    class Penalty(NewtonEulerFormulation):
        penalty_factor: Annotated[float, Option("price of a constraint", above=0.0)] = 1e6

From the declaration come the check (when an owner is made), the owner's documentation and docs/options.md, the option
of the command line with its help, and the schema of study files. `Configured` is what owners have in common:
formulations, integrators, and what is recorded of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin

from linkwork.annotations import hints_of
from linkwork.arguments import number_within, positive_number, whole_number
from linkwork.errors import UsageError
from linkwork.errors import nearest as near_name

PLAIN = ("str", "bool", "int", "float", "tuple[str, ...]", "tuple[str, str, str, str]")  # types that declare nothing


@dataclass(frozen=True)
class Option:
    """What a field that is annotated with it means to a user.

    meaning : one line. unit : of a number, as in "s". above, least, most : its range, `above` excluded.
    check : (name, value) -> value, instead of the check by type and range; raises UsageError.
    word : its name on the command line, where that is another: of one among several.
    """

    meaning: str
    unit: str = ""
    above: float | None = None
    least: float | None = None
    most: float | None = None
    check: Callable[[str, Any], Any] | None = None
    word: str = ""


@dataclass(frozen=True)
class Declared:
    """One option of an owner, read off its class: name, type without None, default, and what it means."""

    name: str
    kind: Any
    optional: bool
    default: Any
    option: Option

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The words to choose from; empty where there are none."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @cached_property
    def holds(self) -> type:
        """str, bool, int, float, Sequence or Mapping: what a value is."""
        found: type = str if self.choices else get_origin(self.kind) or self.kind
        return found

    @property
    def range(self) -> str:
        """In words: choices, or the interval of numbers."""
        o = self.option
        if self.choices:
            return ", ".join(f"``{word}``" for word in self.choices)
        if o.least is not None and o.most is not None:
            return f"{o.least:g} to {o.most:g}"
        return f"above {o.above:g}" if o.above is not None else "" if o.least is None else f"at least {o.least:g}"

    @cached_property
    def stays(self) -> Any:
        """The default, where its owner keeps that very object; what no value is, where it does not."""
        if self.default is None:
            return None if self.optional else MISSING
        return self.default if self.checked(self.default) is self.default else MISSING

    def checked(self, value: Any) -> Any:
        """The value as the owner keeps it. Raises UsageError for one of another type or out of range."""
        name, o = self.name, self.option
        if value is None and self.optional:
            return None
        if o.check is not None:
            return o.check(name, value)
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise UsageError(f"there is no {name} {value!r}.", remedy=f"Known: {', '.join(self.choices)}.")
        elif self.holds is bool:
            if not isinstance(value, bool):
                raise UsageError(f"{name} must be True or False, not {value!r}.")
        elif self.holds is int:
            return whole_number(name, value, int(o.least or 0))
        elif self.holds is float:
            if o.above == 0.0:
                return positive_number(name, value, {"s": "seconds"}.get(o.unit, ""))
            return number_within(name, value, o.least, o.most)
        elif not isinstance(value, self.holds):
            raise UsageError(f"{name} must be a {self.holds.__name__}, not {value!r}.")
        return value

    def __str__(self) -> str:
        parts = [self.option.meaning, self.option.unit and f"[{self.option.unit}]", self.range and f"({self.range})"]
        told = "" if self.default is None else f"; {self.default!r} if left out"
        return f"{self.name} : {' '.join(part for part in parts if part)}{told}"


def declared(owner: type[Configured]) -> Mapping[str, Declared]:
    """The options that a class declares or inherits, by name, those of its bases first."""
    found: dict[str, Declared] | None = vars(owner).get("_declared")
    if found is None:
        found = _read(owner)
        owner._declared = found
    return found


def _read(owner: type[Configured]) -> dict[str, Declared]:
    hints = hints_of(owner, PLAIN)
    found = {}
    for one in fields(owner):
        hint = hints.get(one.name)
        about = [extra for extra in get_args(hint)[1:] if isinstance(extra, Option)]
        if get_origin(hint) is not Annotated or not about:
            continue
        kind = get_args(hint)[0]
        kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        some = [part for part in kinds if part is not NoneType]
        default = None if one.default is MISSING else one.default
        found[one.name] = Declared(one.name, some[0], len(some) < len(kinds), default, about[0])
    return found


@dataclass(frozen=True, kw_only=True, repr=False)
class Configured:
    """An object with options of its own, checked when it is made; `with_options` makes another with other ones."""

    _declared: ClassVar[dict[str, Declared]]

    @property
    def options(self) -> tuple[str, ...]:
        """Names of its options."""
        return tuple(declared(type(self)))

    def __post_init__(self) -> None:
        mine = vars(self)  # which a frozen dataclass lets write into
        for name, one in declared(type(self)).items():
            if mine[name] is not one.stays:
                mine[name] = one.checked(mine[name])

    def with_options(self, **options: Any) -> Self:
        """The same with these options; None leaves one as it is. Raises UsageError for one that it does not have."""
        known = declared(type(self))
        for name in options:
            if name not in known:
                raise UsageError(f"{self} has no option {name}.", remedy=nearest(name, known))
        given = {name: v for name, v in options.items() if v is not None and v is not getattr(self, name)}
        return replace(self, **given) if given else self

    def given(self) -> dict[str, Any]:
        """Its options that differ from their defaults."""
        fields = declared(type(self)).items()
        return {name: value for name, one in fields if not _same(value := getattr(self, name), one.default)}

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.given().items())
        return f"{type(self).__name__}({said})"


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and bool(a == b))


def nearest(name: str, known: Iterable[str]) -> str:
    """The name that may have been meant, or all that there are."""
    names = list(dict.fromkeys(known))
    near = near_name(name, names)
    return f"Did you mean {near!r}?" if near else f"Known: {', '.join(names)}." if names else "It has none."


def with_mapping(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options by name, those of the mapping `options` among them. Raises UsageError for one that is given twice."""
    flat = dict(options)
    more = flat.pop("options", None) or {}
    if twice := [name for name in more if flat.get(name) is not None]:
        raise UsageError(f"option {twice[0]} is given twice, by itself and among options.", remedy="Give one value.")
    return {**flat, **more}
