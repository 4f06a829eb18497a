"""What becomes of MJCF's tendons and actuators, given what its compiler made of them."""

from __future__ import annotations

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.mjcf.bodies import Compiled
from linkwork.io.formats.smooth_laws import NO_FRICTION
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.account import APPROXIMATED, MAPPED, REFUSED

ACTUATORS = (
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "plugin",
)
AT_NOTHING = "a tendon that pulls at nothing; its limits are not simulated"
SWITCHED_OFF = "switched off in the file: it does not act"
DRAWN = ("group", "user", "rgba", "width", "material")
SOFT = ("solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin")


class Pulling:
    """Keeps the account of tendons and actuators of one file in `ledger`; found : the model, read."""

    def __init__(self, ledger: Ledger, found: Compiled) -> None:
        self.ledger, self.laws = ledger, found.laws
        model = found.model
        self._tendons = {model.tendon(t).name: why for t, why in found.of_tendons.items()}
        self._friction = not found.off("FRICTIONLOSS") and any(model.tendon_frictionloss)
        self.actuated = found.of_actuators is not None
        refused = found.of_actuators or {}
        self._actuators = {model.actuator(a).name: refused.get(a, "") for a in range(model.nu)}
        self._acts = {model.actuator(a).name: a not in found.idle_actuators for a in range(model.nu)}

    def tendons(self, node: Node) -> None:
        """The section, and each of its tendons."""
        acting = [self.tendon(one) for one in node.children]
        outcome = (MAPPED, "") if any(acting) else (APPROXIMATED, AT_NOTHING)
        self.ledger.below(node, *outcome)

    def tendon(self, node: Node) -> bool:
        """A tendon, or the defaults of tendons; whether it acts. Those without a name are judged with all of them."""
        name = node.attributes.get("name")
        known = [self._tendons[name]] if name in self._tendons else list(self._tendons.values())
        if name in self._tendons or (known and not name):
            if why := next((why for why in known if why), ""):
                self.ledger.again(node, REFUSED, why)
            else:
                self._acting(node)
            return True
        self.ledger.without_effect(node, AT_NOTHING)
        return False

    def _acting(self, node: Node) -> None:
        limits = (APPROXIMATED, self.laws.limits())
        rules = dict.fromkeys((*DRAWN, *SOFT), (APPROXIMATED, "no motion depends on it"))
        rules |= dict.fromkeys(("limited", "range"), limits)
        rules |= dict.fromkeys(("actuatorfrclimited", "actuatorfrcrange"), (APPROXIMATED, "no actuator acts"))
        if self._friction:
            law = self.laws.friction()
            rules["frictionloss"] = (APPROXIMATED, law) if law else (REFUSED, NO_FRICTION)
        for attribute in node.attributes:
            if attribute in rules:
                outcome, how = rules[attribute]
                say = self.ledger.refused if outcome == REFUSED else self.ledger.approximated
                say(node, attribute, how=how)
        self.ledger.below(node, MAPPED, "a force of type tendon")

    def actuators(self, node: Node) -> None:
        """The section, and each of its actuators."""
        self.ledger.mapped(node)
        for one in node.children:
            self.actuator(one)

    def actuator(self, node: Node) -> None:
        """An actuator, or the defaults of actuators: those without a name are judged with all of them."""
        name = node.attributes.get("name")
        known = [self._actuators[name]] if name in self._actuators else list(self._actuators.values())
        if why := next((why for why in known if why), ""):
            self.ledger.again(node, REFUSED, why)
            return
        for attribute in ("group", "user", "lengthrange", "actearly", "nsample", "interp"):
            if attribute in node.attributes:
                self.ledger.approximated(node, attribute, how="no motion depends on it")
        acts = [self._acts[name]] if name in self._acts else list(self._acts.values())
        if acts and not any(acts):
            self.ledger.below(node, APPROXIMATED, SWITCHED_OFF)
        else:
            how, outcome = "a force that follows the input of its name", MAPPED
            if not all(acts):
                how, outcome = f"{how}, or {SWITCHED_OFF}", APPROXIMATED
            self.ledger.below(node, outcome, how)
