"""Command lines, read by argparse. A verb's parser is made from the signature of its function, and of no other verb."""

from __future__ import annotations

import argparse
import operator
import re
import types
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import Parameter as Declared
from inspect import cleandoc, signature
from typing import Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from linkwork.cli.parameter import Further, Parameter
from linkwork.errors import nearest

MODEL = "MODEL is a file, or one of the names that `linkwork models` lists."
NEGATIVE = re.compile(r"-[.\d]")
KINDS = {int: "a whole number", float: "a number"}


class NotUnderstoodError(Exception):
    """A command line that means nothing, and why."""


class Once(argparse.Action):
    """Keeps a value, and refuses another one."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        """argparse calls this."""
        if self.option_strings and hasattr(namespace, self.dest):
            raise argparse.ArgumentError(self, "may be given once.")
        setattr(namespace, self.dest, tuple(values) if isinstance(values, list) else values)


class Parser(argparse.ArgumentParser):
    """Of one verb. taking : options that take a value, as they are written. known : all options."""

    def __init__(self, **said: Any) -> None:
        super().__init__(
            add_help=False, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **said
        )
        self.taking = set[str]()
        self.known = ["--help"]
        self.groups: dict[str, Any] = {}

    def error(self, message: str) -> NoReturn:
        """Raises NotUnderstoodError."""
        raise NotUnderstoodError(f"{message.removeprefix('argument ').rstrip('.')}.")

    def add(self, name: str, hint: Any, declared: Declared) -> None:
        """One parameter of the verb."""
        kind, said = get_args(hint)
        positional = declared.kind in (Declared.POSITIONAL_ONLY, Declared.VAR_POSITIONAL)
        kind = without_none(kind)
        more: dict[str, Any] = {"help": help_of(said.help, declared.default), "default": argparse.SUPPRESS}
        if positional:
            more["nargs"] = "*" if declared.kind is Declared.VAR_POSITIONAL else "?"
            if declared.kind is Declared.POSITIONAL_ONLY and declared.default is Declared.empty:
                del more["nargs"]
            metavar = said.name or name.upper()
            self.add_argument(name, metavar=metavar, type=reader(kind, said), **more)
            self.usage = f"{self.usage} {metavar}{' ...' if more.get('nargs') == '*' else ''}"
            return
        word = said.name or f"--{name.strip('_').replace('_', '-')}"
        self.known.append(word)
        place = self.group(said.group)
        if kind is bool:
            action: Any = argparse.BooleanOptionalAction if declared.default is True else "store_true"
            self.known += [f"--no-{word[2:]}"] if declared.default is True else []
            place.add_argument(word, dest=name, action=action, **more)
            return
        self.taking.add(word)
        several = get_origin(kind) in (list, Sequence)
        fixed = get_args(kind) if get_origin(kind) is tuple else ()  # so many values at once
        one = get_args(kind)[0] if several or fixed else kind
        metavar = f"{{{','.join(get_args(one))}}}" if get_origin(one) is Literal else one.__name__.upper()
        action = "append" if several else Once
        more |= {"nargs": len(fixed)} if fixed else {}
        place.add_argument(word, dest=name, action=action, type=reader(one, said), metavar=metavar, **more)

    def group(self, title: str) -> Any:
        """Where options of this heading are added."""
        if title not in self.groups:
            self.groups[title] = self.add_argument_group(title or "options")
        return self.groups[title]


def without_none(kind: Any) -> Any:
    """T of `T | None`."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    (one,) = (each for each in get_args(kind) if each is not type(None))
    return one


def help_of(text: str, default: Any) -> str:
    """What a parameter means, with its default if that says something."""
    unsaid = default is Declared.empty or default is None or isinstance(default, bool) or default == ()
    return f"{text}{'' if unsaid else f' Default: {default}.'}".replace("%", "%%")


def reader(kind: Any, said: Parameter) -> Callable[[str], Any]:
    """What makes a value of a word. It raises ArgumentTypeError."""

    def chosen(word: str) -> str:
        """One of a few."""
        if word in get_args(kind):
            return word
        raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(get_args(kind))}.")

    def number(word: str) -> Any:
        """A number in its range."""
        try:
            value = kind(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{word!r} is not {KINDS[kind]}.") from None
        for limit, words, holds in (
            (said.above, "above", operator.gt),
            (said.least, "at least", operator.ge),
            (said.most, "at most", operator.le),
        ):
            if limit is not None and not holds(value, limit):
                raise argparse.ArgumentTypeError(f"must be {words} {limit:g}, not {word}.")
        return value

    return chosen if get_origin(kind) is Literal else number if kind in KINDS else kind


def parser_of(verb: str, function: Callable[..., Any], *, every: bool) -> tuple[Parser, dict[str, str], bool]:
    """(the verb's parser, which parameter takes which of the further options, whether there are more of these).

    every : with the options that are made when they are asked for.
    """
    parser = Parser(usage=f"linkwork {verb} [OPTIONS]", epilog=MODEL)
    owners, more = dict[str, str](), False
    hints = get_type_hints(function, include_extras=True)
    for name, declared in signature(function).parameters.items():
        said = get_args(hints[name])[1]
        if not isinstance(said, Further):
            parser.add(name, hints[name], declared)
            continue
        more = not every
        if every:
            module, _, maker = said.module_function.partition(":")
            for option, hint in getattr(import_module(module), maker)().items():
                parser.add(option, hint, declared)
                owners[option] = name
    parser.group("").add_argument("--help", action="store_true", help="Show this.", default=argparse.SUPPRESS)
    return parser, owners, more


def described(function: Callable[..., Any]) -> str:
    """A docstring, its paragraphs filled."""
    from textwrap import fill

    return "\n\n".join(fill(" ".join(each.split()), 79) for each in cleandoc(function.__doc__ or "").split("\n\n"))


def understood(
    verb: str, function: Callable[..., Any], tokens: Sequence[str]
) -> tuple[list[Any], dict[str, Any]] | str:
    """The arguments that a command line gives a verb, by position and by name; a text where help is asked for.

    Raises NotUnderstoodError.
    """
    if "--help" in tokens or "-h" in tokens:
        parser = parser_of(verb, function, every=True)[0]
        parser.description = described(function)
        return parser.format_help()
    parser, owners, more = parser_of(verb, function, every=False)
    try:
        found = values(parser, tokens)
    except NotUnderstoodError:
        if not more:
            raise
        parser, owners, _ = parser_of(verb, function, every=True)
        found = values(parser, tokens)
    by_place, by_name = list[Any](), dict[str, Any]()
    for name, declared in signature(function).parameters.items():
        if declared.kind is Declared.VAR_POSITIONAL:
            by_place += found.pop(name, [])
        elif declared.kind is Declared.POSITIONAL_ONLY and name in found:
            by_place.append(found.pop(name))
    for name, value in found.items():
        if name in owners:
            by_name.setdefault(owners[name], {})[name] = value
        else:
            by_name[name] = value
    return by_place, by_name


def values(parser: Parser, tokens: Sequence[str]) -> dict[str, Any]:
    """What is given, by parameter. Raises NotUnderstoodError."""
    words = list[str]()
    for token in tokens:
        if words and words[-1] in parser.taking and NEGATIVE.match(token):  # which looks like an option
            words[-1] += f"={token}"
        else:
            words.append(token)
    found, left = parser.parse_known_intermixed_args(words)
    if left:
        raise NotUnderstoodError(unknown(left[0], parser.known))
    return vars(found)


def unknown(word: str, known: Sequence[str]) -> str:
    """That there is no such option, or no room for such a word."""
    option = word.partition("=")[0]
    if not option.startswith("-"):
        return f"Unused word: {word!r}."
    near = nearest(option, known)
    return f"Unknown option: {option}.{f' Did you mean {near}?' if near else ''}"


def no_such_verb(word: str, verbs: Mapping[str, str]) -> str:
    """That there is no such verb."""
    near = nearest(word, verbs)
    guess = f' Did you mean "{near}"?' if near else ""
    return f'Unknown command "{word}".{guess} Available commands: {", ".join(verbs)}.'


def help_text(what: str, verbs: Mapping[str, str]) -> str:
    """All verbs."""
    width = max(map(len, verbs))
    lines = [f"  {verb:<{width}}  {summary}" for verb, summary in verbs.items()]
    return "\n".join(
        ["usage: linkwork VERB [OPTIONS] [--help | --version]", "", what, "", "verbs:", *lines, "", MODEL, ""]
    )
