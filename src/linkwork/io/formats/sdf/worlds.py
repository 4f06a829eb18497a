"""What stands around an SDF model: the file's version, a world with its gravity, other models that do not move.

Words of truth are true, false, 1 and 0, in small or capital letters, as libsdformat reads them.
"""

from __future__ import annotations

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.account import APPROXIMATED, REFUSED
from linkwork.mechanism.elements import shown

OTHER_SETTING = "a setting of another simulator"
CONTACT = "contact is not simulated"
NOT_DRAWN = "not drawn"
WITHOUT_EFFECT = {
    "plugin": OTHER_SETTING, "sensor": "no sensor is simulated", "visual": "SDF's shapes are not drawn",
    "collision": CONTACT, "self_collide": CONTACT, "allow_auto_disable": OTHER_SETTING, "physics": OTHER_SETTING,
    "enable_wind": "there is no wind", "velocity_decay": OTHER_SETTING, "light": NOT_DRAWN, "material": NOT_DRAWN,
    "scene": NOT_DRAWN, "gui": NOT_DRAWN, "audio": OTHER_SETTING, "atmosphere": OTHER_SETTING,
    "magnetic_field": OTHER_SETTING, "spherical_coordinates": OTHER_SETTING, "wind": "there is no wind",
    "must_be_base_link": OTHER_SETTING,
}  # fmt: skip
ZERO = {  # what would move bodies, where it is not zero: tag, and words below it
    "velocity_decay": (("linear", "angular"), "velocities that decay by themselves"),
    "wind": (("linear_velocity",), "wind"),
    "physics": (("max_force",), "a motor of the physics engine ODE"),
}
INCLUDED = {"include": "another file is not opened: put the model that it holds in its place"}
NOT_HERE = {  # what is refused by its name, by where it stands
    "sdf": INCLUDED,
    "world": {
        **INCLUDED,
        "joint": "a joint of a world, which is not read: put it into the model",
        "frame": "a frame of a world, which is not read",
        "state": "the state of a world, which is not read",
    },
    "model": {
        **INCLUDED,
        "model": "a model in a model, which is not read: put its links and joints into the other",
        "gripper": "a gripper, which is not simulated",
    },
}
STANDARD, OF_WORLDS = (0.0, 0.0, -9.81), (0.0, 0.0, -9.8)  # m/s^2: linkwork's, and SDF's where a world does not say


def rest(ledger: Ledger, node: Node) -> None:
    """What no motion depends on, and what is refused by its name."""
    not_here = NOT_HERE.get(node.tag, {})
    for one in node.children:
        if one.tag in ZERO:
            inside, what = ZERO[one.tag]
            for value in one.walk():
                if value.tag in inside and any(word.strip("0.+-") for word in value.text.split()):
                    ledger.below(value, REFUSED, f"{what}: not simulated")
        if one.tag in WITHOUT_EFFECT:
            ledger.without_effect(one, WITHOUT_EFFECT[one.tag])
        elif one.tag in not_here:
            ledger.below(one, REFUSED, not_here[one.tag])


def flag(ledger: Ledger, node: Node, tag: str) -> tuple[bool, Node | None]:
    """A child that is true or false, and the child; false where there is none. Raises ModelError for other words."""
    found = ledger.only(node, tag)
    if found is None:
        return False, None
    ledger.mapped(found)
    return truth(ledger, found, found.text), found


def truth(ledger: Ledger, node: Node, text: str) -> bool:
    """A word that is true or false. Raises ModelError for others."""
    word = text.strip().lower()
    if word not in ("true", "false", "1", "0"):
        raise ledger.wrong(node, f"is {shown(text)}, which is neither true nor false.")
    return word in ("true", "1")


def model_of(ledger: Ledger) -> tuple[Node, list[float]]:
    """The model of the file that may move, alone or in a world, and gravity there, m/s^2. Raises ModelError."""
    root = ledger.root
    if root.tag != "sdf":
        raise ledger.wrong(root, f"holds <{root.tag[:40]}>, not <sdf>: this is no SDF.")
    _check_version(ledger)
    world = ledger.only(root, "world")
    rest(ledger, root)
    if world is None:
        ledger.mapped(root, how="of standard gravity, 9.81 m/s^2 downwards: a model by itself does not say")
    else:
        ledger.mapped(root)
        ledger.mapped(world)
        ledger.mapped(world, *(name for name in world.attributes if name in ("name", "namespace")))
        rest(ledger, world)
    gravity = STANDARD if world is None else _gravity(ledger, world)
    models = (world or root).all("model")
    moving = [one for one in models if len(models) == 1 or not flag(ledger, one, "static")[0]]
    if len(moving) != 1:
        moving_or_not = f", {len(moving)} of them not static" if moving else ""
        message = f"holds {len(models)} models{moving_or_not}; linkwork reads files with one that may move."
        raise ledger.wrong(world or root, message)
    for one in models:
        if one not in moving:
            ledger.again(one, APPROXIMATED, f"a model that does not move: {CONTACT}")
    return moving[0], list(gravity)


def _gravity(ledger: Ledger, world: Node) -> tuple[float, ...]:
    """Of a world, m/s^2."""
    found = ledger.only(world, "gravity")
    if found is None:
        ledger.mapped(world, how="of gravity 9.8 m/s^2 downwards, as SDF has it where a world does not say")
        return OF_WORLDS
    ledger.mapped(found)
    return ledger.parsed(found, found.text, "<gravity> ", 3)


def _check_version(ledger: Ledger) -> None:
    root = ledger.root
    version = ledger.text(root, "version") if "version" in root.attributes else "1.7"
    major, _, minor = version.partition(".")  # 1.10 comes after 1.9
    if not (major.isdecimal() and minor.isdecimal() and len(version) < 10):
        raise ledger.wrong(root, f"has the version {version[:20]!r}, which is not of the form 1.9.")
    if (int(major), int(minor)) < (1, 5):
        raise ledger.wrong(root, f"is of version {version}; linkwork reads 1.5 and later.")
