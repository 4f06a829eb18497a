"""How much lies between `lw.simulate` and the kernels, for one formulation and one integrator.

By static reading. A definition (a function, a method, a class, a constant of a module) is reached from `simulate` if
the code of a reached definition names it: through an import, as an attribute of a module, as a place in a string
(`"linkwork.formulations.rA:FORMULATION"`; f-strings by their pattern), or as a method, by its name, of a class or a
module that is reached too. Of registries and of f-strings only what belongs to the pair is followed, and nothing of the
other problem shape. Annotations and what is raised do not count; nor does what a run merely stands on (`OUTSIDE`). The
files of all reached definitions count: what a reader who asks "and what does this call?" has opened in the end,
whatever branch a run takes.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict

from house.program import Module, Named, Node, find, named_by, visit

# formulation, integrator, and the solver that the formulation takes for the index-1 equations
PAIRS = (("rA", "generalized-alpha"), ("lie-mixed", "dop853", "range_space"), ("canonical", "rk4"))
OUTSIDE = {"mechanism", "system", "io", "analysis", "studies", "judgement", "plots", "reports", "cli"}
OUTSIDE |= {"errors", "arguments", "status", "header", "result", "recording", "snapshot", "resume", "verdict", "source"}
OTHER_SHAPE = {
    "rA": ("explicit", "runge_kutta"),
    "lie-mixed": ("implicit", "index_3"),
    "canonical": ("implicit", "index_3"),
}
AT_ONCE = ("__init__", "__post_init__", "__call__", "__iter__", "__enter__", "__exit__", "__getattr__")


def walk(modules: dict[str, Module], *pair: str) -> dict[str, int]:
    """The files that are reached for a pair, by their path in `src/linkwork`, and their lines."""
    start = next(node for node in find(modules, front_door(modules)) if isinstance(node, tuple))
    reached = {modules[name].source for name, _ in Walk(modules, pair).follow(start)}
    return {source.path: source.text.count("\n") for source in sorted(reached, key=lambda source: source.path)}


def front_door(modules: dict[str, Module]) -> str:
    """Where `linkwork.simulate` is defined, as the front door says."""
    places = ast.literal_eval(modules["linkwork"].defined["_PLACES"].value)  # type: ignore[attr-defined]
    return str(places["simulate"])


class Walk:
    """What is reached for one pair."""

    def __init__(self, modules: dict[str, Module], pair: tuple[str, ...]) -> None:
        self.modules, self.pair = modules, pair
        self.reached: set[Node] = set()
        self.queue: list[Node] = []
        self.offered: dict[str, set[Node]] = defaultdict(set)  # attribute -> definitions of reached classes, modules
        self.asked: set[str] = set()  # attributes that reached code uses

    def follow(self, start: Node) -> set[Node]:
        """Everything that is reached from a definition."""
        self.reach(start)
        while self.queue:
            name, defined = self.queue.pop()
            named = self.of_the_pair(self.modules[name], defined)
            for dotted in named.dotted:
                for found in find(self.modules, dotted):
                    if isinstance(found, tuple):
                        self.reach(found)
                    else:
                        for inner in self.modules[found].defined:
                            if inner in AT_ONCE:
                                self.reach((found, inner))
                            self.offer(inner, (found, inner))
            for attribute in named.attributes - self.asked:
                self.asked.add(attribute)
                for node in self.offered[attribute]:
                    self.reach(node)
        return self.reached

    def reach(self, node: Node) -> None:
        """A definition is named by a reached one."""
        name, defined = node
        if node in self.reached or name == "linkwork" or OUTSIDE.intersection(name.split(".")):
            return
        if any(word in name for word in OTHER_SHAPE[self.pair[0]]):
            return
        self.reached.add(node)
        self.queue.append(node)
        module = self.modules[name]
        if isinstance(module.defined[defined], ast.ClassDef):
            for inner in module.defined:
                owner, _, method = inner.partition(".")
                if owner == defined and method:
                    self.offer(method, (name, inner))
                    if method in AT_ONCE:
                        self.reach((name, inner))

    def offer(self, attribute: str, node: Node) -> None:
        """Whoever uses this attribute of something reaches the definition."""
        self.offered[attribute].add(node)
        if attribute in self.asked:
            self.reach(node)

    def of_the_pair(self, module: Module, defined: str) -> Named:
        """What a definition names; of dictionaries of places and of f-strings what the pair chooses."""
        named = named_by(module, defined)
        for item in ast.walk(module.defined[defined]):
            if isinstance(item, ast.Dict) and any(isinstance(key, ast.Constant) for key in item.keys):
                others, ours, chosen = (
                    Named(),
                    Named(),
                    any(getattr(key, "value", None) in self.pair for key in item.keys),
                )
                for key, value in zip(item.keys, item.values, strict=True):
                    plain = isinstance(value, ast.Constant | ast.JoinedStr)
                    mine = getattr(key, "value", None) in self.pair or not (plain or chosen)
                    visit(module, value, ours if mine else others)
                named.dotted -= others.dotted - ours.dotted
                named.patterns -= others.patterns - ours.patterns
        for expression in named.patterns:
            if expression.startswith("linkwork"):
                head, _, attribute = expression.partition(":")
                hits = {name: match for name in self.modules if (match := re.fullmatch(head, name))}
                chosen = {name for name, match in hits.items() if set(match.groups()) & set(self.pair)}
                named.dotted |= {
                    f"{name}:{attribute}".removesuffix(r":(\w+)").removesuffix(":") for name in chosen or hits
                }
        return named
