"""Papers that linkwork reproduces: one module (or package) and one line each.

A module has a `PAPER` (`studies.paper.Paper`): its key, and `Item`s named as people cite them ("figure 2", "table 8").
An item's function takes the `Runs` of the study and returns a `Finding`: what the paper claims, what is measured, a
verdict that follows from the numbers, panels for the picture and columns for the table. Folders, files, listing and
the command line are the same for all.
"""

from __future__ import annotations

from linkwork.registry import Registry

PAPERS = Registry(
    "paper",
    {
        "kissel2021": "linkwork.studies.papers.kissel2021:PAPER",
        "mufti1983": "linkwork.studies.papers.mufti1983:PAPER",
        "dumitriu2015": "linkwork.studies.papers.dumitriu2015:PAPER",
        "muller2013": "linkwork.studies.papers.muller2013:PAPER",
        "naudet2003": "linkwork.studies.papers.naudet2003:PAPER",
    },
)
