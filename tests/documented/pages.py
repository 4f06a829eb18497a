"""What a page asks its reader to type: its blocks, in order, as steps that can be run."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w*)[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
SHELL = ("", "sh", "bash", "console")
DATA = ("yaml", "json", "toml", "csv")
PROGRAMS = ("linkwork", "python", "pip", "scripts/", ".ci/", ".venv/")
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|\.\.\.|[\[\]<>]")  # MODEL, RUN.nc, ..., [options]


@dataclass(frozen=True)
class Step:
    """One thing to do: a Python block, a command, or a file to write; and what the page shows of its output."""

    page: Path
    line: int  # of the page, where it stands
    kind: str  # python, command, file
    text: str
    name: str = ""  # of a file
    shows: str = ""

    @property
    def where(self) -> str:
        """As an editor jumps to it."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def words(self) -> list[str]:
        """Of a command."""
        return shlex.split(self.text, comments=True)


def pages() -> list[Path]:
    """README, then docs in the order of their paths. What was decided and found out long ago is no instruction."""
    found = sorted(DOCS.rglob("*.md"))
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(p for p in found if "decisions" not in p.parts)]


def steps(page: Path) -> list[Step]:
    """What the page has to be typed or saved, in the order of the page.

    Python blocks and lines of shell blocks are steps; so is a block of data whose first line names a file
    (``# four_bar.yaml``). A ``text`` block straight below a block shows what that block's last step prints.
    """
    text = page.read_text(encoding="utf-8")
    found: list[Step] = []
    end = -1  # of the last block that was run
    for match in FENCE.finditer(text):
        language, body = match.groups()
        line = text.count("\n", 0, match.start(2)) + 1
        if language == "text":
            if found and end >= 0 and not text[end : match.start()].strip():
                found[-1] = Step(**{**vars(found[-1]), "shows": body})
            continue
        new = list(_of(page, line, language, body))
        found += new
        end = match.end() if new else -1
    return found


def _of(page: Path, line: int, language: str, body: str) -> list[Step]:
    """The steps of one block."""
    if language == "python":
        # an indented block is a line to add to a file of linkwork's own
        return [] if body.startswith(" ") else [Step(page, line, "python", body)]
    if language in SHELL:
        rows = enumerate(body.splitlines(), start=line)
        return [Step(page, n, "command", said) for n, row in rows if (said := command(row))]
    name = re.match(r"# (\S+\.(?:yaml|yml|json))\s*\n", body)
    if language in DATA and name is not None:
        return [Step(page, line, "file", body, name[1])]
    return []


def command(row: str) -> str:
    """The command of a line of a shell block without its comment; empty where the line is none, or has placeholders."""
    said = re.sub(r"(^|\s)#.*", "", row).strip().removeprefix("$ ")
    return said if said.startswith(PROGRAMS) and not PLACEHOLDER.search(said) else ""
