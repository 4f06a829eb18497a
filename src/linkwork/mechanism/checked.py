"""How pydantic is told of a value's check: as a ready-made schema.

What pydantic would make of `BeforeValidator`, `WrapValidator` and their like around a type, it makes anew for every
field of every class, which took a third of the time that reading a mechanism takes.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any, get_args

from pydantic_core import SchemaValidator, core_schema
from pydantic_core.core_schema import CoreSchema

FLOAT, STRING = core_schema.float_schema, core_schema.str_schema


class Checked:
    """What stands behind a type in `Annotated`. schema : makes what pydantic's core checks by. json : JSON Schema."""

    def __init__(self, schema: Callable[[], CoreSchema], json: dict[str, Any]) -> None:
        self.schema, self.json = schema, json

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        """Pydantic asks for this; it adds to what it gets."""
        return self.schema()

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        """And for this."""
        return deepcopy(self.json)


@cache
def check_of(kind: Any) -> SchemaValidator:
    """What checks a value on its own that is to be of such a type, `Annotated[..., Checked]`."""
    checked: Checked = get_args(kind)[1]
    return SchemaValidator(checked.schema())


def before(check: Callable[[Any], Any], inner: Callable[[], CoreSchema]) -> Callable[[], CoreSchema]:
    """`check` makes of a value what `inner` takes, or raises."""
    return lambda: core_schema.no_info_before_validator_function(check, inner())


def after(inner: Callable[[], CoreSchema], check: Callable[[Any], Any]) -> Callable[[], CoreSchema]:
    """`check` takes what `inner` has passed."""
    return lambda: core_schema.no_info_after_validator_function(check, inner())


def around(check: Callable[[Any, Any], Any], inner: Callable[[], CoreSchema]) -> Callable[[], CoreSchema]:
    """`check` takes a value and what would do the rest."""
    return lambda: core_schema.no_info_wrap_validator_function(check, inner())


def several(inner: Callable[[], CoreSchema], count: int) -> Callable[[], CoreSchema]:
    """A tuple of so many."""
    return lambda: core_schema.tuple_schema([inner() for _ in range(count)])


def number_or_text() -> CoreSchema:
    """Either."""
    return core_schema.union_schema([FLOAT(), STRING()])
