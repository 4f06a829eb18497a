"""Links: mass, inertia, and what is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.urdf.frames import origin
from linkwork.io.formats.urdf.meshes import Folders
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.elements import Array

DRAWN = (".stl", ".obj", ".glb", ".gltf", ".ply", ".off")  # kinds of meshes
CONTACT = "contact is not simulated"
MOMENTS = (("ixx", "ixy", "ixz"), ("ixy", "iyy", "iyz"), ("ixz", "iyz", "izz"))
WITHOUT_EFFECT = {
    "collision": CONTACT,
    "contact": f"a setting of another simulator; {CONTACT}",
    "surface": f"a setting of another simulator; {CONTACT}",
    "collision_checking": f"a setting of another program; {CONTACT}",
    "self_filter": "a setting of another program",
    "verbose": "a setting of another program",
}


def read_link(ledger: Ledger, node: Node, folders: Folders, materials: dict[str, str]) -> dict[str, Any]:
    """A link as a body's fields, its frame that of the link."""
    ledger.mapped(node)
    fields: dict[str, Any] = {"name": ledger.text(node, "name"), **_inertial(ledger, node)}
    for visual in node.all("visual"):
        drawn = _visual(ledger, visual, folders, materials)
        if drawn:
            fields.setdefault("visual", []).append(drawn)
    for one in node.children:
        if one.tag == "collision":
            _collision(ledger, one, folders)
        elif one.tag in WITHOUT_EFFECT:
            ledger.without_effect(one, WITHOUT_EFFECT[one.tag])
    return fields


def _inertial(ledger: Ledger, link: Node) -> dict[str, Any]:
    """Mass, centre of mass and inertia in the link's axes; none of it where the link has no <inertial>."""
    node = ledger.only(link, "inertial")
    if node is None:
        return {"mass": 0.0, "inertia": [0.0, 0.0, 0.0]}
    ledger.mapped(node)
    R, p = origin(ledger, node)
    mass_node, inertia_node = ledger.only(node, "mass"), ledger.only(node, "inertia")
    if mass_node is None or inertia_node is None:
        missing = "mass" if mass_node is None else "inertia"
        raise ledger.wrong(node, f"needs <{missing}>, which is missing.")
    ledger.mapped(mass_node)
    ledger.mapped(inertia_node)
    mass = ledger.number(mass_node, "value")
    if mass < 0.0:
        raise ledger.wrong(mass_node, f"is a negative mass ({mass:g} kg).")
    local = np.array([[ledger.number(inertia_node, name) for name in row] for row in MOMENTS])
    _physical(ledger, inertia_node, local)
    inertia = R @ local @ R.T
    inertia = 0.5 * (inertia + inertia.T)
    return {"mass": mass, "inertia": inertia.tolist(), "centre_of_mass": p.tolist()}


def _physical(ledger: Ledger, node: Node, inertia: Array) -> None:
    """Say what no real body's inertia can be."""
    a, b, c = np.linalg.eigvalsh(inertia).tolist()
    moments = f"principal moments {a:.4g}, {b:.4g}, {c:.4g} kg m^2"
    if a < -1e-9 * max(abs(a), abs(c)):
        how = f"taken as written, though it is not positive definite ({moments}): motions may be impossible"
        ledger.approximated(node, how=how)
    elif a + b < c - 1e-9 * c:
        how = f"taken as written, though no real body has it: the largest moment exceeds the others' sum ({moments})"
        ledger.mapped(node, how=how)


def _visual(ledger: Ledger, node: Node, folders: Folders, materials: dict[str, str]) -> dict[str, Any] | None:
    """Something drawn, as the fields of a Visual; None where it cannot be."""
    ledger.mapped(node)
    ledger.mapped(node, *(name for name in node.attributes if name == "name"), how="a name of what is drawn")
    R, p = origin(ledger, node)
    geometry = ledger.only(node, "geometry")
    drawn = _geometry(ledger, geometry, folders) if geometry is not None else None
    colour = _colour(ledger, node, materials)
    verbose = node.child("verbose")
    if verbose is not None:
        ledger.without_effect(verbose, WITHOUT_EFFECT["verbose"])
    if drawn is None:
        return None
    fields = {**drawn, "position": p.tolist(), "rotation": R.tolist()}
    return fields | ({"colour": colour} if colour else {})


def _geometry(ledger: Ledger, geometry: Node, folders: Folders) -> dict[str, Any] | None:
    """{'shape': ...} or {'mesh': ...}."""
    ledger.mapped(geometry)
    if "name" in geometry.attributes:
        ledger.mapped(geometry, "name", how="a name of what is drawn")
    size: tuple[float, ...]
    shape: dict[str, Any]
    for node in geometry.children:
        if node.tag == "mesh":
            return _mesh(ledger, node, folders)
        if node.tag == "box":
            size = ledger.numbers(node, "size", 3)
            shape = {"type": "box", "size": list(size)}
        elif node.tag in ("cylinder", "capsule"):
            size = (ledger.number(node, "radius"), ledger.number(node, "length"))
            shape = {"type": node.tag, "radius": size[0], "length": size[1]}
        elif node.tag == "sphere":
            size = (ledger.number(node, "radius"),)
            shape = {"type": "sphere", "radius": size[0]}
        else:
            ledger.without_effect(node, f"not drawn: linkwork has no shape {node.tag[:30]!r}")
            return None
        if min(size) <= 0.0:
            ledger.approximated(node, how="not drawn: its size is not positive")
            return None
        ledger.mapped(node)
        return {"shape": shape}
    return None


def _mesh(ledger: Ledger, node: Node, folders: Folders) -> dict[str, Any] | None:
    name = ledger.text(node, "filename")
    found = folders.find(name)
    scale = ledger.numbers(node, "scale", 3, (1.0, 1.0, 1.0))
    if found.path is None:
        ledger.approximated(node, "filename", how=f"not drawn: {found.why}")
        ledger.without_effect(node, "not drawn")
        return None
    if found.path.suffix.lower() not in DRAWN:
        ledger.approximated(node, "filename", how=f"not drawn: linkwork draws meshes of {', '.join(DRAWN)}")
        ledger.without_effect(node, "not drawn")
        return None
    ledger.mapped(node)
    if 0.0 in scale:
        ledger.approximated(node, "scale", how="not drawn: its size is 0")
        return None
    return {"mesh": str(found.path), **({"scale": list(scale)} if scale != (1.0, 1.0, 1.0) else {})}


def _collision(ledger: Ledger, node: Node, folders: Folders) -> None:
    """Accounted for with its mesh files; nothing of it is in the mechanism."""
    for mesh in (one for one in node.walk() if one.tag == "mesh" and "filename" in one.attributes):
        found = folders.find(mesh.attributes["filename"])
        missing = "" if found.path else f"; {found.why}"
        ledger.approximated(mesh, "filename", how=f"{CONTACT}{missing}")
    ledger.without_effect(node, CONTACT)


# colours -----------------------------------------------------------------------------------------------------


def read_material(ledger: Ledger, node: Node) -> str | None:
    """A material's colour as #rrggbb, with two digits more where it is transparent; None where it has none."""
    ledger.mapped(node)
    texture = node.child("texture")
    if texture is not None:
        ledger.without_effect(texture, "drawn without its texture")
    colour = ledger.only(node, "color")
    if colour is None:
        return None
    ledger.mapped(colour)
    rgba = [round(255.0 * min(1.0, max(0.0, x))) for x in ledger.numbers(colour, "rgba", 4)]
    return "#" + "".join(f"{x:02x}" for x in (rgba if rgba[3] < 255 else rgba[:3]))


def _colour(ledger: Ledger, node: Node, materials: dict[str, str]) -> str | None:
    """The colour of something drawn: its own, or that of the material it names."""
    material = ledger.only(node, "material")
    if material is None:
        return None
    colour = read_material(ledger, material)
    name = material.attributes.get("name")
    if name is None:
        return colour
    ledger.mapped(material, "name")
    if colour is not None:
        materials.setdefault(name, colour)
        return colour
    if name and name not in materials and material.child("texture") is None:
        ledger.approximated(material, "name", how="drawn in a colour of linkwork's: the file has no such material")
    return materials.get(name)
