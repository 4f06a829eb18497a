"""What judged runs of a sweep say besides what all of them do: alike but for numbers, counted together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from linkwork.shown import counted

Said = dict[str, tuple[int, int]]  # by a message: how many runs say so, and the first of them
MOST = 20  # messages that are kept of a sweep
NUMBER = re.compile(r"(?<![\w'])[-+]?\d[\d.]*(e[-+]?\d+)?")


def count_said(known: Said, said: Mapping[int, Iterable[str]], besides: Iterable[str]) -> None:
    """Add what the runs of a shard say, by number; shards come in the order of the plan. besides : what all say."""
    alike = {_without_numbers(text): text for text in known}
    told = set(map(_without_numbers, besides))
    for k, texts in said.items():
        for text in dict.fromkeys(map(_without_numbers, texts)):
            if text in told:
                continue
            if text in alike:
                count, first = known[alike[text]]
                known[alike[text]] = count + 1, first
            elif len(known) < MOST:
                found = next(one for one in texts if _without_numbers(one) == text)
                alike[text], known[found] = found, (1, k)


def said_texts(said: Mapping[str, Iterable[int]], judged: int) -> list[str]:
    """These messages with how many of the judged runs say so, in words."""
    return [
        f"{text} (run {first}; so {'say' if count > 1 else 'says'} {count} of {counted(judged, 'judged run')})"
        for text, (count, first) in said.items()
    ]


def _without_numbers(text: str) -> str:
    """A text without the numbers that do not stand in names."""
    parts = text.split("'")
    return "'".join(NUMBER.sub("#", part) if k % 2 == 0 else part for k, part in enumerate(parts))
