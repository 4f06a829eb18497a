"""Papers that linkwork reproduces: one module and one line each."""

from __future__ import annotations

from linkwork.registry import Registry

PAPERS = Registry(
    "paper",
    {
        "muller2013": "linkwork.studies.papers.muller2013:PAPER",
    },
)
