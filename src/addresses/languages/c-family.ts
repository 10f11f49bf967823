import type { Node, Tree } from "web-tree-sitter";
import { syntaxIn } from "../faults.ts";
import type { Grammar, PartRule } from "../grammar.ts";
import type { Parse } from "../parser.ts";
import type { FoundPart } from "../part.ts";
import { readTree } from "../read-tree.ts";
import type { SourceReader, SourceSyntax } from "../syntax.ts";

/** Reads C, C++ and the headers of both with one grammar. */
export function cFamily(parse: Parse): Readonly<Record<"c" | "cpp" | "header", SourceReader>> {
  const ofCpp: SourceReader = {
    read: (text) => {
      const unmodified = readOnce(parse, text);
      if (unmodified.errors === 0) return unmodified.found;
      const withoutMacros = readOnce(parse, blankMacros(text));
      return withoutMacros.errors < unmodified.errors ? withoutMacros.found : unmodified.found;
    },
    syntax: (text, wantsBrackets) => {
      const once = (code: string): SourceSyntax => parse(code, (tree) => syntaxIn(tree, {}, wantsBrackets));
      const unmodified = once(text);
      return unmodified.faults.length === 0 ? unmodified : once(blankMacros(text));
    },
    reliable: "changes",
  };
  const ofC: SourceReader = {
    read: (text) => ofCpp.read(disguise(text)).map((part) => ({ ...part, name: reveal(part.name) })),
    syntax: (text, ...how) => ofCpp.syntax(disguise(text), ...how),
    reliable: "changes",
  };
  const of = (header: string): SourceReader => (isCpp(header) ? ofCpp : ofC);
  return {
    c: ofC,
    cpp: ofCpp,
    header: {
      read: (text) => of(text).read(text),
      syntax: (text, ...how) => of(text).syntax(text, ...how),
      reliable: "changes",
    },
  };
}

function readOnce(parse: Parse, text: string): { readonly found: FoundPart[]; readonly errors: number } {
  return parse(text, (tree) => ({
    found: readTree(tree, text, cpp),
    errors: tree.rootNode.hasError ? countErrors(tree) : 0,
  }));
}

/** Tokens that the parser inserts with zero width if they are missing. */
const OFTEN_MISSING = [";", "::", ")", "}", ">", ","];

/** Returns an estimate. A query for all missing tokens takes quadratic time in nested texts. */
function countErrors({ rootNode: root }: Tree): number {
  const tokens = root.descendantsOfType(OFTEN_MISSING);
  return (
    1 + root.descendantsOfType("ERROR").length + tokens.filter((token) => token?.startIndex === token?.endIndex).length
  );
}

/** Keywords of C++ that are names in C. The grammar of C++ also parses C, with these names disguised. */
const CPP_ONLY =
  "and|and_eq|bitand|bitor|catch|class|co_await|co_return|co_yield|compl|concept|consteval|constinit|const_cast|decltype|delete|dynamic_cast|explicit|export|final|friend|module|mutable|namespace|" +
  "new|not|not_eq|operator|or|or_eq|override|private|protected|public|reinterpret_cast|requires|static_cast|template|this|throw|try|typeid|typename|using|virtual|xor|xor_eq";
const KEYWORD = new RegExp(`\\b(?:${CPP_ONLY})\\b`, "g");
const DISGUISED = new RegExp(`[\\uff41-\\uff5a][a-z_]+`, "g");
/** Distance from `a` to its full-width form. */
const WIDENING = 0xff41 - 0x61;

/** Replaces the first letter of C++ keywords by a full-width one, keeping the length. */
function disguise(text: string): string {
  return text.replaceAll(KEYWORD, (word) => String.fromCharCode(word.charCodeAt(0) + WIDENING) + word.slice(1));
}

/** Restores disguised words in a name. */
function reveal(name: string): string {
  return name.replaceAll(DISGUISED, (word) => String.fromCharCode(word.charCodeAt(0) - WIDENING) + word.slice(1));
}

/** Returns whether a header is C++, because both languages use `.h`. */
function isCpp(header: string): boolean {
  return /^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:|(?:inline|static|constexpr|virtual)?\s*\w+\s+operator\b)/m.test(
    header,
  );
}

/** A type without a body is only mentioned, not declared. */
const typed = (kind: "class" | "struct" | "union" | "enum"): PartRule => ({
  kind,
  name: (node) => (node.childForFieldName("body") === null ? undefined : node.childForFieldName("name")?.text),
});
const macro: PartRule = { kind: "macro" };

/** Serves C too, with its names disguised. */
const cpp: Grammar = {
  parts: {
    function_definition: { kind: "function", name: declaredNames },
    declaration: { kind: declarationKind("variable"), name: declaredNames, notLocal: true },
    field_declaration: { kind: declarationKind("field"), name: declaredNames },
    type_definition: { kind: "type", name: declaredNames, notLocal: true },
    alias_declaration: { kind: "type", notLocal: true },
    concept_definition: { kind: "type" },
    class_specifier: typed("class"),
    struct_specifier: typed("struct"),
    union_specifier: typed("union"),
    enum_specifier: typed("enum"),
    namespace_definition: { kind: "namespace" },
    preproc_def: macro,
    preproc_function_def: macro,
  },
  functions: ["function_definition", "lambda_expression"],
  wrappers: ["template_declaration", "friend_declaration"],
  comments: ["comment"],
  hasSemicolons: true,
};

/** Returns `a, b` for a statement that declares both. A function defined outside its class keeps its qualified name. */
function declaredNames(node: Node): string | undefined {
  const declarators = node.childrenForFieldName("declarator").filter((declarator) => declarator !== null);
  const names = declarators.map(declaredName).filter((name) => name !== undefined);
  return names.length === 0 ? undefined : names.join(", ");
}

/** The name is the innermost node: `*(*name[3])(int)`. */
function declaredName(declarator: Node): string | undefined {
  let node = declarator;
  for (let inner: Node | null | undefined = node; inner !== null && inner !== undefined; inner = innerDeclarator(node))
    node = inner;
  if (node.type === "operator_cast") return castName(node);
  if (node.type === "qualified_identifier") return qualifiedName(node);
  return node.text;
}

function innerDeclarator(node: Node): Node | null | undefined {
  if (node.type === "operator_cast" || node.type === "qualified_identifier") return null;
  const inner = node.childForFieldName("declarator");
  const isBracket = ["parenthesized_declarator", "reference_declarator", "attributed_declarator"].includes(node.type);
  return (
    inner ??
    (isBracket
      ? node.namedChildren.find(
          (child) => child !== null && !child.type.startsWith("attribute") && !child.type.startsWith("ms_"),
        )
      : null)
  );
}

/** Removes the parameters, which the name of `X::operator bool()` includes. */
function qualifiedName(node: Node): string {
  return node.text.replace(/\s*\([^()]*\)[^()]*$/, (parameters) =>
    node.descendantsOfType("operator_cast").length > 0 ? "" : parameters,
  );
}

function castName(node: Node): string {
  return `operator ${node.childForFieldName("type")?.text ?? ""}`;
}

/** A prototype has the kind of its declaration. */
function declarationKind(kind: "variable" | "field"): PartRule["kind"] {
  return (node) => {
    let declarator = node.childForFieldName("declarator");
    while (declarator !== null && /^(?:pointer|reference)_declarator$/.test(declarator.type)) {
      declarator = declarator.childForFieldName("declarator") ?? declarator.namedChildren.at(-1) ?? null;
    }
    if (
      declarator?.type !== "function_declarator" ||
      declarator.childForFieldName("declarator")?.type === "parenthesized_declarator"
    )
      return kind;
    return kind === "field" ? "method" : "function";
  };
}

// The patterns below find macros where neither C nor C++ allows a word, which confuses the grammar. White space is
// bounded, because searching a file of spaces would otherwise take quadratic time.

/** Words of C and C++ that may precede a name and are no macros. */
const BEFORE_NAMES =
  "alignas|auto|bool|char|class|const|constexpr|consteval|double|else|enum|explicit|export|extern|float|friend|goto|inline|int|long|mutable|new|operator|register|restrict|return|short|signed|static|struct|throw|" +
  "thread_local|typedef|typename|union|unsigned|using|virtual|void|volatile|wchar_t|case|delete|co_await|co_return|co_yield|namespace|do|sizeof|typeof|template|public|private|protected";
/** Between a type and a name: `int __init start(`. */
const BEFORE_NAME = new RegExp(
  `(?<=(?:\\*|(?!(?:${BEFORE_NAMES})\\b)\\b[A-Za-z_]\\w*|\\b(?:bool|char|double|float|int|long|short|signed|unsigned|void))\\s)\\s{0,9}(?!(?:${BEFORE_NAMES})\\b)[A-Za-z_]\\w*(?=\\s{1,9}[A-Za-z_]\\w*\\s{0,9}\\()`,
  "g",
);
/** Between the keyword and the name: `class API Reader {`. */
const BEFORE_CLASS = /(?<=\b(?:class|struct|union)\s{1,9})[A-Z_][A-Z0-9_]+(?=\s{1,9}\w+\s{0,9}(?:final\s{0,9})?[:{])/g;
/** After the parameters: `void swap(T& other) API_NOEXCEPT {`. */
const AFTER_PARAMETERS = /(?<=\)\s{0,9}(?:const\s{1,9})?)[A-Z][A-Z0-9]*_[A-Z0-9_]*(?=\s{0,9}(?:[{;:=]|->))/g;
/** Alone on a line: `Q_OBJECT`, `API_BEGIN(1)`, `Q_SIGNALS:`. */
const ALONE = /^[ \t]*[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:\([^()\n]*\))?:?[ \t]*\r?$/gm;

/** Replaces macros by spaces, keeping the length. */
function blankMacros(text: string): string {
  const blank = (macro: string): string => macro.replaceAll(/\S/g, " ");
  return text
    .replaceAll(ALONE, blank)
    .replaceAll(BEFORE_CLASS, blank)
    .replaceAll(BEFORE_NAME, blank)
    .replaceAll(AFTER_PARAMETERS, blank);
}
