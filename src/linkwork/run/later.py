"""A result whose provenance and judgement are worked out when they are first asked for.

Judging a run takes longer than many runs do. Its arrays are there at once; whether it is to be believed (`success`,
`judgement`, `verdicts`), its header and messages are found by the same means as `simulate` finds them, on the first
question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from linkwork.header import Array, Deriver, Header, derive_blockwise, frozen
from linkwork.mechanism.lowered import Lowered
from linkwork.result import Result

LATER = ("header", "success", "status", "message", "messages", "path")
Completed = Callable[[], dict[str, Any]]


class LaterResult(Result):
    """A result that is completed when asked. names : a header with the names of bodies, joints, rows and variables.

    deriver : makes what derives energies, reactions and violations, for which nothing is judged. complete : gives the
    arguments of `Result`, the arrays only if there are more of them. lowered : the flat mechanism with this run's
    numbers, where it is known.
    """

    lowered: Lowered | None = None

    def __init__(
        self,
        names: Header,
        arrays: Mapping[str, Any] | Callable[[], Mapping[str, Any]],
        deriver: Callable[[], Deriver],
        complete: Completed,
    ) -> None:
        """arrays : or what makes them when one is first asked for."""
        self._names, self._complete = names, complete
        self._deriver, self._derived = deriver, None
        if callable(arrays):
            self._make = arrays
        else:
            self._arrays = dict(arrays)

    def __getattr__(self, name: str) -> Any:
        """What `Result` has as an attribute, once it is known."""
        mine = self.__dict__
        if name == "_arrays":
            if (make := mine.get("_make")) is not None:
                mine["_arrays"] = dict(make())
                mine.pop("_make", None)
            if name in mine:  # another thread may have made them
                return mine[name]
        elif name == "_time" and "_names" in mine:
            mine[name] = frozen(self._arrays["time"])
            return mine[name]
        if (name in LATER or name == "_derive") and self.unfinished:
            self.finish()
            return self.__dict__[name]
        raise AttributeError(f"{type(self).__name__!r} has no {name!r}")

    @property
    def unfinished(self) -> bool:
        """Whether there is a rest to work out."""
        return "_complete" in self.__dict__

    def finished(self) -> Self:
        """It, with the rest worked out."""
        if self.unfinished:
            self.finish()
        return self

    def finish(self) -> None:
        """Work out the rest, now."""
        arrays, complete, derived = self._arrays, self.__dict__.pop("_complete"), self._derived
        del self._deriver
        super().__init__(**({"arrays": arrays} | complete()))
        self._derived = derived

    def __contains__(self, name: object) -> bool:
        if self.unfinished:  # what it holds does not hang on what is completed
            return name in self._arrays or self._found(name) is not None
        return super().__contains__(name)

    def read(self, name: str, start: int = 0, stop: int | None = None) -> Array:
        """As in `Result`; what is derived needs no judgement."""
        found = self._found(name)
        return super().read(name, start, stop) if found is None else found[start:stop]

    def _found(self, name: object) -> Array | None:
        """What is derived of this name, derived now if it was not before; None if nothing is."""
        if self.unfinished and self._derived is None and name in self._names.derived:
            self._derived = derive_blockwise(self._deriver(), self._names, self._arrays, self._time)
        return (self._derived or {}).get(str(name))

    @property
    def bodies(self) -> tuple[str, ...]:
        """As in `Result`; known from the start."""
        return self._names.bodies

    @property
    def joints(self) -> tuple[str, ...]:
        """As in `Result`; known from the start."""
        return self._names.joints

    def index(self, dim: str, name: str) -> int:
        """As in `Result`; names are known from the start."""
        if "header" not in self.__dict__ and name in self._names.labels(dim):
            return self._names.labels(dim).index(name)
        return super().index(dim, name)

    def __reduce__(self) -> Any:
        return _again, (dict(self.finished().__dict__),)


def _again(content: dict[str, Any]) -> Result:
    """A result from what a completed one holds."""
    made = LaterResult.__new__(LaterResult)
    made.__dict__.update(content)
    return made
