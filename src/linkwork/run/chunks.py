"""How many steps compiled code takes between two looks at progress and Ctrl-C."""

from __future__ import annotations

from dataclasses import dataclass

CHUNK_SECONDS = 0.05
CHUNK_BYTES = 32e6


@dataclass
class Chunks:
    """Chunk sizes that last about CHUNK_SECONDS and record at most CHUNK_BYTES."""

    bytes_per_step: float
    steps: int

    @classmethod
    def of(cls, nb: int, bytes_per_step: float) -> Chunks:
        """For nb bodies: the first chunk guesses a microsecond or so per body and step."""
        return cls(bytes_per_step, max(8, 3000 // max(nb, 1)))

    def next(self, left: int) -> int:
        """Steps of the next chunk."""
        return max(1, min(left, self.steps))

    def took(self, steps: int, seconds: float) -> None:
        """Learn from the last chunk."""
        if steps != self.steps and seconds <= 2 * CHUNK_SECONDS:
            return
        if steps == self.steps and seconds < CHUNK_SECONDS / 2:
            self.steps *= 4
        elif seconds > 2 * CHUNK_SECONDS:
            self.steps //= 2
        self.steps = max(1, min(self.steps, int(CHUNK_BYTES / max(self.bytes_per_step, 1.0))))
