"""A comparison as one page of HTML that needs nothing else: no network, no scripts, pictures within."""

from linkwork.studies.comparison.report.page import page

__all__ = ["page"]
