"""How the name of a definition is read from its syntax node."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

#: The name, or None when the node defines nothing that has one.
Namer = Callable[["Node"], str | None]

#: A name longer than this is a parser's mistake.
LONGEST = 120

_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_JOINTS = re.compile(r"::|:|\\|\.")


def text_of(node: Node | None) -> str:
    """The node's own text without white space at its ends; empty for None."""
    if node is None or node.text is None:
        return ""
    return node.text.decode("utf-8", "replace").strip()


def plain(name: str) -> str | None:
    """The name as it stands, or None when it is empty or cannot be a name."""
    name = " ".join(name.split())
    return name if 0 < len(name) <= LONGEST else None


def dotted(name: str) -> str | None:
    """A qualified name with ``.`` between its parts, type arguments left out.

    >>> dotted("Store<T>::Cache::evict"), dotted("App\\\\Mail")
    ('Store.Cache.evict', 'App.Mail')
    """
    if "operator" in name:
        return plain(_JOINTS.sub(".", name))
    previous = ""
    while previous != name:
        previous, name = name, _ARGUMENTS.sub("", name)
    return plain(".".join(part.strip() for part in _JOINTS.split(name) if part.strip()))


def field(node: Node) -> str | None:
    """The field ``name``."""
    return plain(text_of(node.child_by_field_name("name")))


def path(node: Node) -> str | None:
    """The field ``name``, which may be qualified or have type arguments."""
    return dotted(text_of(node.child_by_field_name("name")))


def in_field(label: str) -> Namer:
    """The text of another field, as a qualified name."""

    def namer(node: Node) -> str | None:
        return dotted(text_of(node.child_by_field_name(label)))

    return namer


def fixed(name: str) -> Namer:
    """Always this name: constructors and the like, which their language leaves unnamed."""

    def namer(node: Node) -> str | None:
        return text_of(node.child_by_field_name("name")) or name

    return namer


def child(*kinds: str) -> Namer:
    """The text of the first child of one of these kinds."""

    def namer(node: Node) -> str | None:
        for inner in node.named_children:
            if inner.type in kinds:
                return plain(text_of(inner))
        return None

    return namer


def quoted(node: Node) -> str | None:
    """The field ``name`` or the first string or identifier, without quotation marks."""
    found = node.child_by_field_name("name") or node.named_child(0)
    return plain(text_of(found).strip("\"'"))


def receiver(node: Node) -> str | None:
    """A Go method, by the type of its receiver: ``Client.Get``."""
    name = text_of(node.child_by_field_name("name"))
    owner = _ARGUMENTS.sub("", text_of(node.child_by_field_name("receiver")))
    words = re.findall(r"\w+", owner)
    return plain(".".join([*words[-1:], name]))


def declarator(node: Node) -> str | None:
    """C and C++: the innermost name of a declarator chain (pointers, arrays, parameters)."""
    found = node.child_by_field_name("declarator")
    while found is not None:
        kind = found.type
        if kind == "operator_cast":
            return plain("operator " + text_of(found.child_by_field_name("type")))
        inner = found.child_by_field_name("declarator")
        if inner is None and kind in ("reference_declarator", "parenthesized_declarator"):
            inner = found.named_child(0)
        if inner is None:
            return dotted(text_of(found))
        found = inner
    return None


def assigned(node: Node) -> str | None:
    """JavaScript: what a function is assigned to, without the names of the module system."""
    name = text_of(node.child_by_field_name("left"))
    name = re.sub(r"^(?:module\.)?exports\.|^(?:window|this|self)\.", "", name)
    return plain(name.replace(".prototype.", ".")) if re.fullmatch(r"[\w$.]+", name) else None


def lua_assigned(node: Node) -> str | None:
    """Lua: the first name on the left of an assignment."""
    left = node.named_child(0)
    return dotted(text_of(left.named_child(0))) if left is not None else None


def operator(node: Node) -> str | None:
    """C#: an operator or a conversion, by its sign or its type."""
    sign = node.child_by_field_name("operator") or node.child_by_field_name("type")
    return plain("operator " + text_of(sign))


def haskell(node: Node) -> str | None:
    """A function or binding, which may be an infix definition of an operator."""
    name = node.child_by_field_name("name")
    if name is None:
        for inner in node.named_children:
            if inner.type == "infix":
                name = inner.child_by_field_name("operator")
    return plain(text_of(name).strip("()`"))


def haskell_instance(node: Node) -> str | None:
    """An instance, by class and type: ``Shape Point``."""
    patterns = node.child_by_field_name("patterns")
    return plain(f"{text_of(node.child_by_field_name('name'))} {text_of(patterns)}")


def elixir(node: Node) -> str | None:
    """A module, function, macro or guard: the first argument of a call that defines."""
    for arguments in node.named_children:
        if arguments.type == "arguments":
            return _elixir_head(arguments.named_child(0))
    return None


def _elixir_head(head: Node | None) -> str | None:
    """The name in ``get(x) when is_atom(x)``, or the operator in ``a <> b``."""
    while head is not None:
        if head.type == "call":
            head = head.child_by_field_name("target")
        elif head.type == "binary_operator":
            sign = text_of(head.child_by_field_name("operator"))
            if sign != "when":
                return plain(sign)
            head = head.child_by_field_name("left")
        else:
            return plain(text_of(head))
    return None


def finalizer(node: Node) -> str | None:
    """C#: ``~Store``."""
    return plain("~" + text_of(node.child_by_field_name("name")))


def always(name: str) -> Namer:
    """This name, whatever the node's fields say."""
    return lambda _: name


def variable(node: Node) -> str | None:
    """Kotlin: the identifier of a property's declaration."""
    for inner in node.named_children:
        if inner.type == "variable_declaration":
            return plain(text_of(inner.named_child(0)))
    return None
