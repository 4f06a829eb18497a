"""What a mechanism file format is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import Account


class ModelFormat:
    """A way to write a mechanism in a file: which files it opens, and how."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    writes: ClassVar[tuple[str, ...]] = ()  # endings of what it writes, where these are fewer
    options: ClassVar[tuple[str, ...]] = ()  # keywords of `read` besides `side`

    def sniff(self, path: Path) -> bool:
        """Whether the file looks like this format; never raises for what is in it."""
        raise NotImplementedError  # every format has its own

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        """The mechanism in the file, read with `options`. Raises ModelError for whatever is wrong with it."""
        raise NotImplementedError  # as above

    def write(self, mechanism: Mechanism, path: Path) -> str | tuple[str, Account]:
        """The mechanism as this format's text, with an account where it cannot hold all; `path` is for messages."""
        raise UsageError(f"linkwork does not write {self.name} files.", remedy="Use .yaml or .json.")


def no_side(side: Any, path: Path) -> None:
    """Refuse a side file for formats that hold everything themselves."""
    if side is not None:
        raise UsageError(
            f"{path.name} holds masses and drivers itself and takes no side file.",
            remedy="Side files go with the Kissel 2021 layout; use Mechanism.change in Python.",
        )
