"""`linkwork reproduce`: the figures and tables of a paper, ours beside theirs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from linkwork.cli import options, output
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.studies.paper import Item
    from linkwork.studies.reproduction import Entry


def reproduce(
    paper: Annotated[str | None, Parameter(help="A paper that `linkwork reproduce --list` lists.")] = None,
    /,
    *,
    item: Annotated[
        list[str] | None, Parameter(help='One item, such as "figure 2"; may be repeated. Default: all of them.')
    ] = None,
    out: Annotated[
        Path | None, Parameter(help="The folder for pictures, data and verdicts. Default: one named by the paper.")
    ] = None,
    listing: Annotated[
        bool, Parameter(name="--list", negative=(), help="List papers and their items, and run nothing.")
    ] = False,
    pictures: Annotated[Literal["png", "svg", "pdf"], Parameter(help="How pictures are written.")] = "png",
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Reproduce the figures and tables of a paper.

    Each item writes a picture, the data as CSV and a verdict as JSON, and says what the paper shows, what linkwork
    measures and whether the two agree.
    """
    if listing:
        return _list(paper, json=json)
    if paper is None:
        raise UsageError("which paper?", remedy="`linkwork reproduce --list` lists them.")

    from linkwork.studies.reproduction import reproduce as carry_out
    from linkwork.studies.words import entry_text

    def begin(item: Item) -> None:
        if not quiet:
            output.say(f"{item.name}: {item.title} ...")

    def tell(entry: Entry) -> None:
        if not (quiet or json):
            output.show(entry_text(entry))
        if entry.error is not None:
            output.fail(f"{entry.item.name}: {entry.error}")

    folder = out if out is not None else Path(paper)
    report = carry_out(paper, item, folder, pictures=pictures, force=force, begin=begin, tell=tell)
    if json:
        output.document(report.to_dict())
    return report.exit_status


def _list(paper: str | None, *, json: bool) -> int:
    """Papers with their items."""
    found = describe(paper)
    if json:
        output.document(found)
    else:
        rows = [(p["name"], item["item"], item["title"]) for p in found for item in p["items"]]
        output.table(("paper", "item", "what it shows"), rows)
    return 0


def describe(paper: str | None = None) -> list[dict[str, Any]]:
    """Registered papers as plain data, or one of them."""
    from linkwork.studies.papers import PAPERS

    papers = [PAPERS.load(name) for name in ([paper] if paper is not None else PAPERS)]
    return [
        {
            "name": p.key,
            "citation": p.citation,
            "title": p.title,
            "items": [{"item": item.name, "title": item.title} for item in p.items],
        }
        for p in papers
    ]
