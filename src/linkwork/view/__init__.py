"""See it move: one page that shows a mechanism or a result in three dimensions, with the network off.

Its code is in `web/` at the root of the repository; what it is built to stands beside this file, `page.js`.
"""

from linkwork.view.page import Page, check_ending, in_notebook, page_of

__all__ = ["Page", "check_ending", "in_notebook", "page_of"]
