"""A comparison as one page of HTML that needs nothing else: no network, no scripts, pictures within."""

from linkwork.reports.comparison.page import page

__all__ = ["page"]
