"""A result whose provenance and judgement are worked out when they are first asked for.

Judging a run takes longer than many runs do. Its arrays are there at once; whether it is to be believed (`success`,
`judgement`, `verdicts`), its header and messages are found by the same means as `simulate` finds them, on the first
question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from linkwork.header import Header, frozen
from linkwork.result import Result

LATER = ("header", "success", "status", "message", "messages", "path")


class LaterResult(Result):
    """A result that is completed when asked. names : a header with the names of bodies, joints and rows.

    complete : gives the arguments of `Result` besides the arrays.
    """

    def __init__(self, names: Header, arrays: Mapping[str, Any], complete: Callable[[], dict[str, Any]]) -> None:
        self._names, self._arrays, self._complete = names, dict(arrays), complete
        self._time = frozen(self._arrays["time"])

    def __getattr__(self, name: str) -> Any:
        """What `Result` has as an attribute, once it is known."""
        if (name in LATER or name in ("_derive", "_derived")) and "_complete" in self.__dict__:
            self.finish()
            return self.__dict__[name]
        raise AttributeError(f"{type(self).__name__!r} has no {name!r}")

    def finish(self) -> None:
        """Work out the rest, now."""
        complete = self.__dict__.pop("_complete")
        super().__init__(arrays=self._arrays, **complete())

    def index(self, dim: str, name: str) -> int:
        """As in `Result`; names are known from the start."""
        if "header" not in self.__dict__ and name in self._names.labels(dim):
            return self._names.labels(dim).index(name)
        return super().index(dim, name)

    def __reduce__(self) -> Any:
        if "_complete" in self.__dict__:
            self.finish()
        return _again, (dict(self.__dict__),)


def _again(content: dict[str, Any]) -> Result:
    """A result from what a completed one holds."""
    made = LaterResult.__new__(LaterResult)
    made.__dict__.update(content)
    return made
