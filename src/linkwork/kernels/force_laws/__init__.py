"""Laws of force elements between two bodies: one file per law (`kind.ForceLaw`); `table` runs over all elements.

A force element of a description comes down to loads, to elements by one of these laws, and to efforts by formulas
(`kernels.efforts`). Other packages add laws through the entry points `linkwork.force_laws`.
"""

from linkwork.registry import Registry

_HERE = "linkwork.kernels.force_laws"
FORCE_LAWS = Registry("force law", {"SPRING": f"{_HERE}.spring:LAW", "TORSION": f"{_HERE}.torsion:LAW"})
