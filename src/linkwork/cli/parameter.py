"""What the verbs say of their parameters, in annotations: `Annotated[float, Parameter("Step size, s.", above=0.0)]`."""

from __future__ import annotations

from typing import NamedTuple


class Parameter(NamedTuple):
    """One option, or one word that stands by itself.

    name : as it is written, where that is not the parameter's own name
    group : its heading in the help text
    above, least, most : of a number
    """

    help: str
    name: str = ""
    group: str = ""
    above: float | None = None
    least: float | None = None
    most: float | None = None


class Further(NamedTuple):
    """Options that are made when a command line asks for one that the verb does not have by itself.

    module_function : "module:function" that returns the annotations of all by their names. Those given come as a
        mapping.
    """

    module_function: str
