"""The second perpendicular condition of the papers."""

from __future__ import annotations

from typing import Literal

from linkwork.mechanism.joints.point_in_line import OnLine


class Perpendicular2(OnLine):
    """The line between the two points stays perpendicular to a plane of the first body: 2 locked (2 DP2), 4 free.

    Kissel 2021, Table 1; the same rows as a point in a line. `axis` is the plane's normal.
    """

    type: Literal["perpendicular-2"] = "perpendicular-2"
