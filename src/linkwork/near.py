"""What may have been meant by a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

LEAST = 3  # letters of a beginning that is taken for the whole


def nearest(word: object, known: Iterable[str]) -> str:
    """The known name that is most like a word, whatever their capitals, or that one is the beginning of; else empty."""
    from difflib import get_close_matches

    text = str(word)[:100].lower()
    names = {name.lower(): name for name in reversed([*known])}  # of two that differ in capitals the first
    near = get_close_matches(text, names, 1)
    if not near and len(text) >= LEAST:
        near = [
            name for name in reversed(names) if name.startswith(text) or (text.startswith(name) and len(name) >= LEAST)
        ]
    return names[near[0]] if near else ""
