"""What a mechanism looks like: shapes on bodies, glyphs of joints, springs, frames of a run; no picture is made here.

Pages (`linkwork.view`), pictures and films (`linkwork.plots`) are drawn from the same `Scene`.
"""

from linkwork.scene.scene import Scene, scene_of

__all__ = ["Scene", "scene_of"]
