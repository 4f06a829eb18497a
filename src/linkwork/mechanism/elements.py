"""What every described thing is made of: names, numbers, vectors, formulas, and how values that do not fit are told.

Each validator below words its error as a predicate ("must be a number, not 'abc'"), which `validation_errors`
puts behind the element's path and name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import numpy as np
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import CoreSchema

from linkwork.errors import LinkworkError
from linkwork.kernels.jets import Jet
from linkwork.mechanism import naming
from linkwork.mechanism.checked import FLOAT, STRING, Checked, after, around, before, number_or_text, several
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.tree import NodeError
from linkwork.mechanism.naming import PARAMETERS, NamedValues

if TYPE_CHECKING:
    from linkwork.registry import Registry

GROUND = "ground"
did_you_mean, sentence, shown = naming.did_you_mean, naming.sentence, naming.shown
with_parameters = naming.with_parameters
LARGEST = 1e100  # beyond this a number is a slip, and products of a few would overflow
SMALLEST = 1e-100  # below this a mass or a stiffness is none, and 1 over it and products of these would overflow
Array = np.ndarray[Any, np.dtype[np.float64]]
E = TypeVar("E", bound="Element")


def invalid(text: str) -> PydanticCustomError:
    """An error in plain words about a value, for a validator to raise."""
    return PydanticCustomError("linkwork", "{text}", {"text": text})


def _with_names(value: str, values: Mapping[str, float], *besides: str) -> Expression:
    """A formula with its parameters put in. besides : what else it may name."""
    try:
        return Expression.of_state(value).resolved(NamedValues(values, (*besides, "pi")))
    except NodeError as error:
        raise invalid(f"is not a formula linkwork reads: {error.problem}") from None
    except LinkworkError as error:
        raise invalid(f"is not a formula linkwork reads: {error.message} {error.remedy or ''}".rstrip()) from None


def _number(value: Any) -> float:
    if isinstance(value, str) and (parameters := PARAMETERS.get({})):
        found = _with_names(value, parameters)
        if found.constant is None:
            raise invalid(f"must be a number, and {shown(value)} depends on time")
        value = found.constant
    if isinstance(value, np.generic | np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise invalid(f"must be a number, not {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise invalid(f"must be a finite number, not {shown(value)}")
    if abs(number) > LARGEST:
        raise invalid(f"is too large ({shown(value)})")
    return number


def need_weight(what: str, value: Any, unit: str) -> None:
    """Raise the error of a mass or the like that is neither 0 nor enough to be divided by; `value` may be no number."""
    if isinstance(value, float) and 0.0 < abs(value) < SMALLEST:
        raise invalid(
            f"has a {what} of {value:.3g} {unit}, which is too small to be reckoned with; 0 says that it has none"
        )


def _not_negative(number: float) -> float:
    if number < 0.0:
        raise invalid(f"must not be negative ({number:g})")
    return number


def _positive(number: float) -> float:
    if not number > 0.0:
        raise invalid(f"must be positive ({number:g})")
    return number


def _sequence(length: int) -> Any:
    def check(value: Any) -> list[Any]:
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, list | tuple) or len(value) != length:
            raise invalid(f"must be a list of {length}, not {shown(value)}")
        return list(value)

    return check


def _plain_triple(value: Any) -> bool:
    """Whether a value is three moderate floats already, as nearly all vectors are: nothing is to be checked then."""
    return (
        (type(value) is tuple or type(value) is list)
        and len(value) == 3
        and type(value[0]) is type(value[1]) is type(value[2]) is float
        and -LARGEST <= value[0] <= LARGEST
        and -LARGEST <= value[1] <= LARGEST
        and -LARGEST <= value[2] <= LARGEST
    )


def _vector_at_once(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """A tuple of three plain floats at once, anything else part by part."""
    return tuple(value) if _plain_triple(value) else check(value)


def _matrix_at_once(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Three tuples of three plain floats at once, anything else part by part."""
    if (type(value) is tuple or type(value) is list) and len(value) == 3 and all(map(_plain_triple, value)):
        return tuple(map(tuple, value))
    return check(value)


def _direction(vector: tuple[float, float, float]) -> tuple[float, float, float]:
    if not math.hypot(*vector) > 1e-12:
        raise invalid("is a zero vector, which has no direction")
    return vector


def _text(value: Any) -> str:
    if not isinstance(value, str):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        raise invalid(f"must be text, not {shown(value)}{'; put it in quotes' if number else ''}")
    return value


def _name(value: Any) -> str:
    text = _text(value)
    if text != text.strip() or not text or not text.isprintable() or len(text) > 200:
        raise invalid(f"must be a printable name without blanks at its ends, not {shown(value)}")
    return text


def _formula(value: Any) -> float | str:
    if not isinstance(value, str):
        if isinstance(value, bool) or not isinstance(value, int | float | np.generic):
            raise invalid(f"must be a number or a formula of t, not {shown(value)}")
        return _number(value)
    if parameters := PARAMETERS.get({}):
        named = _with_names(value, parameters, "t")
        value = value if str(named) == str(Expression.of_state(value)) else str(named)
    start = _at_start(value)
    if not all(math.isfinite(x) for x in start):
        told = ", ".join(f"{x:g}" for x in start)
        raise invalid(f"is {shown(value)}, not finite at t = 0 (value, first and second derivative: {told}). {CURE}")
    return str(value)


CURE = "A run starts there: change the formula, where a divisor, a root or a logarithm is zero or less."


def _at_start(value: str) -> Jet:
    """A formula of time at t = 0, with its derivatives."""
    try:
        return Expression.parse(value).jet(0.0)
    except LinkworkError as error:
        raise invalid(f"is not a formula linkwork reads: {error.message} {error.remedy or ''}".rstrip()) from None


def _law(value: Any) -> float | str:
    if not isinstance(value, str):
        return _formula(value)
    try:
        parsed = Expression.of_state(value)
    except LinkworkError as error:
        raise invalid(f"is not a formula linkwork reads: {error.message} {error.remedy or ''}".rstrip()) from None
    if PARAMETERS.get({}):  # names are looked up when the mechanism is lowered, a force's own among them
        return value
    if not parsed.needs_state and not parsed.is_constant:
        start, *_ = _at_start(value)  # forces need no derivatives by time
        if not math.isfinite(start):
            raise invalid(f"is {shown(value)}, which is {start:g} at t = 0. {CURE}")
    return value


_NUMBER = {"type": ["number", "string"]}  # a text is a formula of parameters
_VECTOR = {"type": "array", "items": _NUMBER, "minItems": 3, "maxItems": 3}
_FORMULA = {"type": ["number", "string"], "description": "A number or a formula of the time t"}


def _number_or_text(value: Any) -> float | str:
    return value if isinstance(value, str) else _number(value)


_NUMBERS = {"type": "array", "items": _NUMBER}
_number_in, _formula_in, _law_in = (
    before(_number, FLOAT),
    before(_formula, number_or_text),
    before(_law, number_or_text),
)


def _some(inner: Callable[[], CoreSchema], count: int) -> Callable[[], CoreSchema]:
    """A list of so many, which becomes a tuple."""
    return before(_sequence(count), several(inner, count))


_vector_in = around(_vector_at_once, _some(_number_in, 3))
NumberOrText = Annotated[float | str, Checked(before(_number_or_text, number_or_text), {"type": ["number", "string"]})]
Number = Annotated[float, Checked(_number_in, _NUMBER)]
NotNegative = Annotated[float, Checked(after(_number_in, _not_negative), {**_NUMBER, "minimum": 0})]
Positive = Annotated[float, Checked(after(_number_in, _positive), {**_NUMBER, "exclusiveMinimum": 0})]
Text = Annotated[str, Checked(before(_text, STRING), {"type": "string"})]
Name = Annotated[str, Checked(before(_name, STRING), {"type": "string", "minLength": 1})]
Vector = Annotated[tuple[Number, Number, Number], Checked(_vector_in, _VECTOR)]
Direction = Annotated[tuple[Number, Number, Number], Checked(after(_vector_in, _direction), _VECTOR)]
Matrix = Annotated[
    tuple[Vector, Vector, Vector],
    Checked(
        around(_matrix_at_once, _some(_vector_in, 3)), {"type": "array", "items": _VECTOR, "minItems": 3, "maxItems": 3}
    ),
]
Formula = Annotated[float | str, Checked(_formula_in, _FORMULA)]
Formulas = Annotated[
    tuple[Formula, Formula, Formula],
    Checked(_some(_formula_in, 3), {"type": "array", "items": _FORMULA, "minItems": 3, "maxItems": 3}),
]
_LAW = {"type": ["number", "string"], "description": "A number or a formula of time and state"}
Law = Annotated[float | str, Checked(_law_in, _LAW)]
Laws = Annotated[
    tuple[Law, Law, Law],
    Checked(_some(_law_in, 3), {"type": "array", "items": _LAW, "minItems": 3, "maxItems": 3}),
]
Four = Annotated[
    tuple[Number, Number, Number, Number], Checked(_some(_number_in, 4), {**_NUMBERS, "minItems": 4, "maxItems": 4})
]
Six = Annotated[
    tuple[Number, Number, Number, Number, Number, Number],
    Checked(_some(_number_in, 6), {**_NUMBERS, "minItems": 6, "maxItems": 6}),
]


def function_of_time(value: float | str) -> Expression | float:
    """A described formula as kernels want it: a plain number where it is constant."""
    return _parsed(value) if isinstance(value, str) else value


@lru_cache(maxsize=64)
def _parsed(text: str) -> Expression | float:
    """What a text says, which is asked for by its row, its driver and its checks."""
    expression = Expression.parse(text)
    return expression.jet(0.0)[0] if expression.is_constant else expression


def law(value: float | str) -> Expression | float:
    """A described formula of time and state: a plain number where it is constant. Its names are looked up later."""
    if not isinstance(value, str):
        return value
    expression = Expression.of_state(value)
    return expression if expression.constant is None else expression.constant


_WORDS = {
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a mapping of keys to values",
    "model_type": "must be a mapping of keys to values",
    "model_attributes_type": "must be a mapping of keys to values",
}


def _other_key(cls: type[BaseModel], key: Any, value: Any) -> str:
    """What was meant by a key that does not exist: a known other word, or a near key that takes such a value."""
    words: dict[str, str] = getattr(cls, "other_words", {})
    if known := words.get(str(key).lower().replace(" ", "_").replace("-", "_")):
        return f"; {known}"
    lists = getattr(cls, "lists", ())
    holds_elements = isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value)
    return did_you_mean(key, lists if lists and holds_elements else cls.model_fields)


def _in_words(cls: type[BaseModel], error: Any) -> InitErrorDetails:
    """One of pydantic's errors in linkwork's words, with the path relative to this element."""
    loc, kind, value = tuple(error["loc"]), error["type"], error["input"]
    if kind == "linkwork":
        text = str(error["msg"])
    elif kind == "missing":
        loc, text = loc[:-1], f"needs {loc[-1]!r}, which is missing"
    elif kind == "extra_forbidden":
        text = f"has no key {shown(loc[-1])}{_other_key(cls, loc[-1], value)}"
        loc = loc[:-1]
    elif kind == "invalid_key":
        comma = ": numbers have a decimal point, not a comma" if isinstance(value, int) else ""  # of `mass: 1,5`
        text = f"has the key {shown(value)}, which is no text{comma}"
        loc = loc[:-1]
    elif kind in _WORDS:
        text = f"{_WORDS[kind]}, not {shown(value)}"
    elif kind == "literal_error":
        text = f"must be {error['ctx']['expected']}, not {shown(value)}"
    else:
        message = str(error["msg"])
        text = f"is not valid ({message[0].lower()}{message[1:]})"
    return InitErrorDetails(type=invalid(text), loc=loc, input=None)


class Element(BaseModel):
    """Base of everything a mechanism is described with: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    @model_validator(mode="wrap")
    @classmethod
    def _explain(cls: type[E], data: Any, handler: ModelWrapValidatorHandler[E]) -> E:
        try:
            return handler(data)
        except ValidationError as error:
            details = [_in_words(cls, one) for one in error.errors()]
        raise ValidationError.from_exception_data(cls.__name__, details)


def by_type(registry: Registry, base: type[Element]) -> Any:
    """A field whose class is chosen by its key ``type`` from a registry."""

    def class_of_type(value: Any) -> Any:
        if isinstance(value, base):
            return value
        if not isinstance(value, dict):
            raise invalid(f"must be a mapping of keys to values, not {shown(value)}")
        kind = value.get("type")
        if "type" not in value:
            raise invalid(f"needs 'type', one of {', '.join(registry)}")
        if not isinstance(kind, str) or kind not in registry:
            raise invalid(f"has the type {shown(kind)}, which does not exist{did_you_mean(kind, registry)}")
        return registry.load(kind).model_validate(value)

    name = registry.kind.replace(" ", "_")
    return Annotated[
        Any,  # the class is a value here, which static types cannot follow; what is returned above is one of it
        BeforeValidator(class_of_type),
        WithJsonSchema({"$ref": f"#/definitions/{name}"}),
    ]
