"""Elements of a mechanism with other numbers: checked and lowered by themselves, as the whole mechanism would be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.lowering_of_joints import known_lowering
from linkwork.mechanism.number_names import written_at
from linkwork.mechanism.relowering import KINDS, Anew, lowered_anew
from linkwork.mechanism.variants import places_of
from linkwork.run.copied import WORD, parameter_values

WORDS = "name", "type", "description"  # keys of what is no formula


class ElementsAnew:
    """Those of some kinds in which numbers of these names stand, and those with formulas of these parameters.

    bodies : whether bodies are among them. acts : whether these, or forces, are, which are checked in any case. within,
    elsewhere : these names, and formulas of these parameters, that stand in such elements, and elsewhere. One that
    nothing is a copy of may still do something: a vector's length does not turn an axis, and its sign does."""

    def __init__(self, mech: Mechanism, names: Sequence[str], kinds: Sequence[str] = KINDS) -> None:
        self.mechanism, self.known = mech, known_lowering(mech)
        self.spots: dict[tuple[str, int], list[tuple[str, Any]]] = {}
        self.within, self.elsewhere = set[str](), set[str]()
        if moved := dependent(mech, names):
            for at in mech._with_formulas():
                texts = {text for text in texts_in(mech.described(*at)) if not moved.isdisjoint(WORD.findall(text))}
                if at[0] not in kinds:
                    self.elsewhere |= texts
                elif texts:
                    self.within |= texts
                    self.spots[at] = []
            for kind, said in mech._said_besides.items():
                texts = {text for text in texts_in(said) if not moved.isdisjoint(WORD.findall(text))}
                (self.within if kind in ("tables", "sensors") else self.elsewhere).update(texts)
        for name, place in places_of(mech, names).items():
            root, *keys = place.keys
            if root in kinds:
                element = str(root), int(keys[0])
                self.spots.setdefault(element, []).extend((name, at[2:]) for at in written_at(place.keys))
                self.within.add(name)
            elif root != "parameters":
                self.elsewhere.add(name)
        self.described = {place: mech.described(*place) for place in self.spots}
        self.bodies = any(kind == "bodies" for kind, _ in self.spots)
        self.acts = self.bodies or any(kind == "forces" for kind, _ in self.spots)

    def lowered(self, flat: Lowered, given: Mapping[str, float], drivers_win: bool = False) -> Anew | None:
        """What these numbers make of the mechanism; None where they are refused, or change more. flat : the mechanism.
        drivers_win : over a start that they disagree with."""
        values = parameter_values(self.mechanism, given)
        if values is None:
            return None
        data = dict[tuple[str, int], Any]()
        for place, spots in self.spots.items():
            data[place] = described = _copied(self.described[place])
            for name, keys in spots:
                at = described
                for key in keys[:-1]:
                    at = at[key]
                at[keys[-1]] = given[name]
        return lowered_anew(self.known, flat, data, values, drivers_win)


def dependent(mech: Mechanism, names: Sequence[str]) -> set[str]:
    """Those of these names that are parameters, and the parameters that follow from them."""
    found = {name for name in names if name in mech.parameters}
    more = found
    while more:
        texts = {name: one.value for name, one in mech.parameters.items() if isinstance(one.value, str)}
        more = {name for name, text in texts.items() if not found.isdisjoint(WORD.findall(text))} - found
        found |= more
    return found


def texts_in(data: Any, key: str = "") -> Iterator[str]:
    """Formulas, and words, in a document's part."""
    if isinstance(data, str):
        if key not in WORDS:
            yield data
    elif isinstance(data, Mapping):
        for name, value in data.items():
            yield from texts_in(value, str(name))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from texts_in(value)


def _copied(data: Any) -> Any:
    """A document's part, to be written into."""
    if isinstance(data, dict):
        return {key: _copied(value) for key, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list) else data
