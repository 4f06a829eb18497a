"""What was found out about a mechanism, kept with it for as long as nothing about it changes.

Runs of one mechanism begin with the same questions: its flat form, its consistent start, its document. Elements do not
change; a mechanism does, by having other ones. What is kept is therefore good as long as the mechanism has the very
same elements, name, gravity and notes, and that is looked at every time. A mechanism with an element that could change
by itself (a plug-in's, with a list in it) keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from linkwork.mechanism.expressions import Expression

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism
    from linkwork.mechanism.validation_errors import Locate

T = TypeVar("T")
MOST_ELEMENTS = 2000  # larger mechanisms keep nothing: memory, and their runs are long
MOST = 8  # answers
CONSTANT = (str, int, float, bool, type(None), Expression)
PLAIN = frozenset(CONSTANT)  # most values are of just these


def kept(mechanism: Mechanism, question: Hashable, find: Callable[[], T]) -> T:
    """What `find` finds out about a mechanism as it is now, found once until it changes; not to be written into."""
    return mechanism._kept.answer(mechanism, question, find)


class Kept:
    """Answers of one mechanism, and of which content they are. kin : another with most of the same elements.

    locate : the line in which an element stands in the file that the mechanism was read from; copies, and other
        processes, do without.
    """

    def __init__(self, kin: Mechanism | None = None, locate: Locate | None = None) -> None:
        self.kin, self.locate = kin, locate
        self.content: tuple[Any, ...] = ()
        self.answers: dict[Hashable, Any] = {}
        self.lasting = False

    def answer(self, mechanism: Mechanism, question: Hashable, find: Callable[[], T]) -> T:
        """The answer to a question about the mechanism as it is now; not to be written into."""
        content = content_of(mechanism)
        if not same(content, self.content):
            known = {id(part) for part in self.content} if self.lasting else set()
            if self.kin is not None and self.kin._kept.lasting:  # most elements are its very own
                known.update(map(id, self.kin._kept.content))
            few = len(content) <= MOST_ELEMENTS
            self.lasting = few and all(id(part) in known or unchanging(part) for part in content)
            self.content, self.answers = content, {}
        if question in self.answers:
            found: T = self.answers[question]
            return found
        found = find()
        if self.lasting and same(content_of(mechanism), content):
            while len(self.answers) >= MOST:
                self.answers.pop(next(iter(self.answers)))
            self.answers[question] = found
        return found

    def __deepcopy__(self, memo: Any) -> Kept:
        return Kept()

    def __reduce__(self) -> Any:
        return Kept, ()


def content_of(mechanism: Mechanism) -> tuple[Any, ...]:
    """All that a mechanism consists of: plain values, and its elements."""
    gravity: Any = mechanism.gravity
    found: list[Any] = [
        mechanism.name,
        mechanism.description,
        mechanism.file,
        gravity if type(gravity) is tuple else repr(gravity),  # another one's numbers may change
        mechanism.run,
        *mechanism.reading_notes,
    ]
    for named in (mechanism.parameters, mechanism.inputs, mechanism.tables, mechanism.sensors):
        found += (len(named), *named, *named.values())
    for some in (mechanism.joints, mechanism.constraints, mechanism.drivers, mechanism.couplings, mechanism.forces):
        found += (len(some), *some)
    return (*found, *mechanism.bodies)


def same(first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
    """Whether these are the same elements (not only equal ones), beside equal plain values."""
    if len(first) != len(second):
        return False
    return all(map(is_, first, second)) or all(
        a is b or (type(a) is type(b) and type(a) in (str, int, float) and a == b)
        for a, b in zip(first, second, strict=True)
    )


def unchanging(value: Any) -> bool:
    """Whether nothing within a value can be given another value."""
    if type(value) in PLAIN or isinstance(value, CONSTANT):
        return True
    if isinstance(value, tuple):
        return _all_unchanging(value)
    if isinstance(value, BaseModel):
        private = value.__pydantic_private__ or value.__pydantic_extra__
        return bool(value.model_config.get("frozen")) and not private and _all_unchanging(vars(value).values())
    return False


def _all_unchanging(values: Iterable[Any]) -> bool:
    return all(type(one) in PLAIN or unchanging(one) for one in values)
