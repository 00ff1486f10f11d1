"""Which grammar reads which language, and which of its nodes define something with a name."""

from __future__ import annotations

from hybridindex.syntax import naming
from hybridindex.syntax.grammar import LEADS, Grammar, by
from hybridindex.syntax.naming import Namer

_FUNCTION_VALUES = (
    "[(arrow_function) (function_expression) (generator_function) (class)"
    " (call_expression arguments: (arguments [(arrow_function) (function_expression)]))]"
)

_JAVASCRIPT_NAMES = by(
    naming.field,
    "function_declaration generator_function_declaration class_declaration method_definition",
)
_JAVASCRIPT_PLACED: dict[str, Namer] = {
    "variable_declarator": naming.field,
    "assignment_expression": naming.assigned,
    "field_definition": naming.in_field("property"),
    "public_field_definition": naming.field,
    "pair": naming.in_field("key"),
}
_JAVASCRIPT_PATTERNS = (
    f"(variable_declarator name: (identifier) value: {_FUNCTION_VALUES}) @d",
    "(program (lexical_declaration (variable_declarator name: (identifier) value: (object)) @d))",
    "(program (export_statement (lexical_declaration (variable_declarator) @d)))",
    "(assignment_expression left: (member_expression)"
    " right: [(arrow_function) (function_expression) (class)]) @d",
    "(field_definition value: [(arrow_function) (function_expression)]) @d",
    "(public_field_definition value: [(arrow_function) (function_expression)]) @d",
    "(pair value: [(arrow_function) (function_expression)]) @d",
)
_TYPESCRIPT_NAMES = {
    **_JAVASCRIPT_NAMES,
    **by(
        naming.field,
        "interface_declaration type_alias_declaration enum_declaration"
        " abstract_class_declaration function_signature abstract_method_signature",
    ),
    **by(naming.quoted, "internal_module module"),
}
_DECORATED = LEADS | {"decorator"}

_C_NAMES = {
    **by(naming.declarator, "function_definition type_definition"),
    **by(naming.field, "preproc_function_def"),
}
_C_PLACED = by(
    naming.path, "struct_specifier union_specifier enum_specifier class_specifier preproc_def"
)
_C_PATTERNS = (
    "(struct_specifier name: (_) body: (_)) @d",
    "(union_specifier name: (_) body: (_)) @d",
    "(enum_specifier name: (_) body: (_)) @d",
    "(class_specifier name: (_) body: (_)) @d",
    "(preproc_def value: (_)) @d",
)

_ELIXIR_WORDS = (
    '"defmodule" "defprotocol" "defimpl" "def" "defp" "defmacro" "defmacrop" "defguard"'
    ' "defguardp" "defdelegate"'
)

GRAMMARS: dict[str, Grammar] = {
    "python": Grammar(
        "tree_sitter_python",
        by(naming.field, "function_definition class_definition"),
        placed={
            "assignment": naming.in_field("left"),
            "type_alias_statement": naming.in_field("left"),
        },
        patterns=(
            "(module (expression_statement (assignment left: (identifier)) @d))",
            "(type_alias_statement) @d",
        ),
        leads=_DECORATED,
    ),
    "javascript": Grammar(
        "tree_sitter_javascript",
        _JAVASCRIPT_NAMES,
        placed=_JAVASCRIPT_PLACED,
        patterns=_JAVASCRIPT_PATTERNS,
        leads=_DECORATED,
    ),
    "typescript": Grammar(
        "tree_sitter_typescript",
        _TYPESCRIPT_NAMES,
        function="language_typescript",
        placed=_JAVASCRIPT_PLACED,
        patterns=_JAVASCRIPT_PATTERNS,
        leads=_DECORATED,
    ),
    "tsx": Grammar(
        "tree_sitter_typescript",
        _TYPESCRIPT_NAMES,
        function="language_tsx",
        placed=_JAVASCRIPT_PLACED,
        patterns=_JAVASCRIPT_PATTERNS,
        leads=_DECORATED,
    ),
    "go": Grammar(
        "tree_sitter_go",
        {
            "function_declaration": naming.field,
            "method_declaration": naming.receiver,
            "type_spec": naming.field,
            "type_alias": naming.field,
        },
        placed=by(naming.field, "const_spec var_spec"),
        patterns=(
            "(source_file (const_declaration (const_spec) @d))",
            "(source_file (var_declaration (var_spec) @d))",
            "(source_file (var_declaration (var_spec_list (var_spec) @d)))",
        ),
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        {
            **by(
                naming.field,
                "function_item struct_item enum_item union_item trait_item mod_item type_item"
                " const_item static_item macro_definition function_signature_item",
            ),
            "impl_item": naming.in_field("type"),
        },
        scopes=frozenset({"impl_item"}),
        leads=LEADS | {"attribute_item"},
    ),
    "java": Grammar(
        "tree_sitter_java",
        by(
            naming.field,
            "class_declaration interface_declaration enum_declaration record_declaration"
            " annotation_type_declaration method_declaration constructor_declaration"
            " compact_constructor_declaration annotation_type_element_declaration",
        ),
    ),
    "c": Grammar("tree_sitter_c", _C_NAMES, placed=_C_PLACED, patterns=_C_PATTERNS),
    "cpp": Grammar(
        "tree_sitter_cpp",
        {
            **_C_NAMES,
            **by(naming.path, "namespace_definition alias_declaration concept_definition"),
        },
        placed=_C_PLACED,
        patterns=_C_PATTERNS,
        scopes=frozenset({"namespace_definition"}),
        leads=LEADS | {"access_specifier"},
    ),
    "csharp": Grammar(
        "tree_sitter_c_sharp",
        {
            **by(
                naming.path,
                "namespace_declaration class_declaration interface_declaration struct_declaration"
                " record_declaration enum_declaration delegate_declaration method_declaration"
                " constructor_declaration property_declaration local_function_statement"
                " event_declaration",
            ),
            "destructor_declaration": naming.finalizer,
            "indexer_declaration": naming.fixed("this"),
            **by(naming.operator, "operator_declaration conversion_operator_declaration"),
        },
        scopes=frozenset({"namespace_declaration"}),
    ),
    "ruby": Grammar(
        "tree_sitter_ruby",
        by(naming.path, "module class method singleton_method"),
        placed={"assignment": naming.in_field("left")},
        patterns=("(assignment left: (constant)) @d",),
    ),
    "php": Grammar(
        "tree_sitter_php",
        by(
            naming.path,
            "class_declaration interface_declaration trait_declaration enum_declaration"
            " function_definition method_declaration namespace_definition",
        ),
        function="language_php",
        placed={"const_element": naming.child("name")},
        patterns=("(program (const_declaration (const_element) @d))",),
        scopes=frozenset({"namespace_definition"}),
    ),
    "kotlin": Grammar(
        "tree_sitter_kotlin",
        {
            **by(naming.field, "class_declaration object_declaration function_declaration"),
            "companion_object": naming.fixed("Companion"),
            "secondary_constructor": naming.fixed("constructor"),
            "type_alias": naming.child("identifier"),
        },
        placed={"property_declaration": naming.variable},
        patterns=("(source_file (property_declaration) @d)",),
    ),
    "scala": Grammar(
        "tree_sitter_scala",
        by(
            naming.field,
            "class_definition object_definition trait_definition enum_definition"
            " function_definition function_declaration given_definition type_definition"
            " package_object",
        ),
        placed=by(naming.in_field("pattern"), "val_definition var_definition"),
        patterns=(
            "(compilation_unit (val_definition pattern: (identifier)) @d)",
            "(compilation_unit (var_definition pattern: (identifier)) @d)",
            "(object_definition (template_body (val_definition pattern: (identifier)) @d))",
        ),
    ),
    "swift": Grammar(
        "tree_sitter_swift",
        {
            **by(
                naming.field,
                "class_declaration protocol_declaration function_declaration"
                " protocol_function_declaration typealias_declaration",
            ),
            "init_declaration": naming.always("init"),
            "deinit_declaration": naming.always("deinit"),
            "subscript_declaration": naming.always("subscript"),
        },
        placed={"property_declaration": naming.field},
        patterns=("(source_file (property_declaration) @d)",),
    ),
    "elixir": Grammar(
        "tree_sitter_elixir",
        {},
        placed={"call": naming.elixir},
        patterns=(f"((call target: (identifier) @w) @d (#any-of? @w {_ELIXIR_WORDS}))",),
        leads=LEADS | {"unary_operator"},
        clauses=frozenset({"call"}),
    ),
    "haskell": Grammar(
        "tree_sitter_haskell",
        {
            **by(naming.field, "data_type newtype type_synonym class type_family"),
            "instance": naming.haskell_instance,
        },
        placed=by(naming.haskell, "function bind"),
        patterns=tuple(
            f"({place} ({kind}) @d)"
            for place in ("declarations", "class_declarations", "instance_declarations")
            for kind in ("function", "bind")
        ),
        leads=LEADS | {"signature", "pragma"},
        clauses=frozenset({"function", "bind"}),
    ),
    "lua": Grammar(
        "tree_sitter_lua",
        {"function_declaration": naming.path},
        placed={"assignment_statement": naming.lua_assigned},
        patterns=(
            "(assignment_statement (expression_list value: (function_definition))) @d",
            "(chunk (assignment_statement (expression_list value: (table_constructor))) @d)",
        ),
    ),
    "bash": Grammar("tree_sitter_bash", {"function_definition": naming.field}),
    "zig": Grammar(
        "tree_sitter_zig",
        {"function_declaration": naming.field, "test_declaration": naming.quoted},
        placed={"variable_declaration": naming.child("identifier")},
        patterns=(
            "(variable_declaration [(struct_declaration) (enum_declaration) (union_declaration)"
            " (error_set_declaration) (opaque_declaration)]) @d",
            "(source_file (variable_declaration (identifier) [(integer) (float) (string)"
            " (multiline_string) (anonymous_struct_initializer) (struct_initializer)]) @d)",
        ),
    ),
}
