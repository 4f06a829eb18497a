"""`linkwork reproduce`: the figures and tables of a paper, ours beside theirs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.cli import options, output
from linkwork.cli.parameter import Parameter
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.studies.paper import Item
    from linkwork.studies.reproduction import Entry, Report


def reproduce(
    *papers: Annotated[str, Parameter(help="Papers that `linkwork reproduce --list` lists.")],
    everything: Annotated[bool, Parameter(name="--all", help="All papers.")] = False,
    item: Annotated[
        list[str] | None, Parameter(help='One item of the paper, such as "figure 2"; may be repeated. Default: all.')
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(help="The folder for pictures, data, verdicts and report. Default: one named by the paper."),
    ] = None,
    listing: Annotated[bool, Parameter(name="--list", help="List papers and their items, and run nothing.")] = False,
    pictures: Annotated[Literal["png", "svg", "pdf"], Parameter(help="How pictures are written.")] = "png",
    few: Annotated[
        bool,
        Parameter(name="--quick", help="Take times in few rounds; more verdicts on them stay open."),
    ] = False,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Reproduce the figures and tables of papers.

    Each item writes a picture, the data as CSV and a verdict as JSON, and says what the paper shows, what linkwork
    measures and whether the two agree; report.html gathers all items of a paper in one page. Of several papers each has
    a folder of its own, and index.html leads to them.
    """
    if listing:
        return _list(papers, json=json)
    chosen = _chosen(papers, item, everything=everything)

    from linkwork.studies.folder import check_page
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

    alone = len(chosen) == 1 and not everything
    root = out if out is not None else Path() if alone else Path("reproductions")
    if not alone:
        check_page(root / "index.html", force=force)
    reports = []
    for paper in chosen:
        folder = root if alone and out is not None else root / paper
        reports.append(
            carry_out(paper, item, folder, pictures=pictures, force=force, quick=few, begin=begin, tell=tell)
        )
        if not quiet:
            output.say(f"{paper}: {reports[-1].page}")
    if not alone:
        _write_index(reports, root)
    if json:
        found = [report.to_dict() for report in reports]
        output.document(found[0] if alone else {"papers": found})
    return max(report.exit_status for report in reports)


def _chosen(papers: tuple[str, ...], item: list[str] | None, *, everything: bool) -> list[str]:
    """The papers to reproduce. Raises UsageError."""
    from linkwork.studies.papers import PAPERS

    if everything and papers:
        raise UsageError("--all means all papers; name some, or say --all.")
    chosen = list(PAPERS) if everything else list(dict.fromkeys(papers))
    if not chosen:
        raise UsageError("which paper?", remedy="`linkwork reproduce --list` lists them.")
    if item and len(chosen) > 1:
        raise UsageError("items belong to one paper.", remedy="Name one paper with --item.")
    for paper in chosen:
        PAPERS.load(paper)  # a slip in the last name is seen before the first is run
    return chosen


def _write_index(reports: list[Report], root: Path) -> None:
    """The page that leads to the papers' own."""
    from linkwork.reports.page import write
    from linkwork.reports.reproduction import index

    write(index(reports), root / "index.html", force=True)
    output.say(str(root / "index.html"))


def _list(papers: Sequence[str], *, json: bool) -> int:
    """Papers with their items."""
    found = describe(papers)
    if json:
        output.document(found)
    else:
        rows = [(p["name"], item["item"], item["title"]) for p in found for item in p["items"]]
        output.table(("paper", "item", "what it shows"), rows)
    return 0


def describe(papers: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Registered papers as plain data, or some of them."""
    from linkwork.studies.papers import PAPERS

    loaded = [PAPERS.load(name) for name in (papers or PAPERS)]
    return [
        {
            "name": p.key,
            "citation": p.citation,
            "title": p.title,
            "items": [{"item": item.name, "title": item.title} for item in p.items],
        }
        for p in loaded
    ]
