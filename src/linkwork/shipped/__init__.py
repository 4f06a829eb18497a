"""Compiled code that came with the package: which there is, whether it fits, and where in memory it is.

`shipping` makes it. What is not there, or not as it was when it was compiled, is compiled just in time.
"""

from linkwork.shipped.library import compiled_code, find, status

__all__ = ["compiled_code", "find", "status"]
