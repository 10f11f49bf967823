/** All languages whose files have addresses. Their readers are loaded on first use. */
import { type Grammar, Unreadable } from "./grammar.ts";
import { tryOr } from "../core/errors.ts";
import type { Fault, SourceReader } from "./syntax.ts";

/** Must be loaded before anything is read. */
export interface Language extends SourceReader {
  readonly name: string;
  /** The grammar of its texts, if it has one. A JSON text is an expression of JavaScript. */
  readonly grammar: string | undefined;
  load(): Promise<void>;
  /** Returns whether a text is certainly valid. Needs no loading. */
  isPlainlyValid(text: string): boolean;
}

interface Entry extends Pick<SourceReader, "reliable"> {
  readonly name: string;
  /** File extensions, and whole names of files without one. */
  readonly files: string;
  readonly grammar?: string;
  /** What the grammar's nodes mean, or who reads the language. */
  readonly load: () => Promise<Grammar | SourceReader>;
  readonly isPlainlyValid?: Language["isPlainlyValid"];
}

const javascript = async (): Promise<Grammar> => (await import("./languages/javascript.ts")).javascript;

const entries: readonly Entry[] = [
  { name: "Markdown", files: ".md .markdown .mdx", load: loadMarkdown },
  { name: "TypeScript", files: ".ts .mts .cts", grammar: "typescript", load: javascript },
  { name: "TSX", files: ".tsx", grammar: "tsx", load: javascript },
  { name: "JavaScript", files: ".js .mjs .cjs .jsx", grammar: "javascript", load: javascript },
  {
    name: "Python",
    files: ".py .pyi",
    grammar: "python",
    load: async () => (await import("./languages/python.ts")).python,
  },
  { name: "Go", files: ".go", grammar: "go", load: async () => (await import("./languages/go.ts")).go },
  { name: "Rust", files: ".rs", grammar: "rust", load: async () => (await import("./languages/rust.ts")).rust },
  { name: "Java", files: ".java", grammar: "java", load: async () => (await import("./languages/java.ts")).java },
  { name: "C", files: ".c", grammar: "cpp", load: async () => (await loadCFamily()).c },
  { name: "C or C++", files: ".h", grammar: "cpp", load: async () => (await loadCFamily()).header },
  {
    name: "C++",
    files: ".cpp .cc .cxx .hpp .hh .hxx .ipp .tpp",
    grammar: "cpp",
    load: async () => (await loadCFamily()).cpp,
  },
  { name: "C#", files: ".cs", grammar: "c-sharp", load: async () => (await import("./languages/csharp.ts")).csharp },
  {
    name: "Ruby",
    files: ".rb .rake .gemspec Gemfile Rakefile",
    grammar: "ruby",
    load: async () => (await import("./languages/ruby.ts")).ruby,
  },
  {
    name: "PHP",
    files: ".php",
    grammar: "php",
    load: async () => (await import("./languages/php.ts")).php,
    reliable: "whole",
  },
  { name: "CSS", files: ".css", grammar: "css", load: async () => (await import("./languages/css.ts")).css },
  {
    // Their readers accept comments and trailing commas.
    name: "JSON",
    files:
      ".jsonc .json5 .code-workspace tsconfig.json jsconfig.json tslint.json deno.json rush.json devcontainer.json " +
      "api-extractor.json babel.config.json .eslintrc.json .swcrc .babelrc settings.json launch.json tasks.json " +
      "extensions.json keybindings.json",
    grammar: "javascript",
    load: loadJson,
    isPlainlyValid: isJson,
  },
  { name: "JSON", files: ".json .webmanifest", grammar: "javascript", load: loadStrictJson, isPlainlyValid: isJson },
  {
    name: "TOML",
    files: ".toml Cargo.lock poetry.lock uv.lock Pipfile",
    grammar: "toml",
    load: async () => (await import("./languages/toml.ts")).toml,
  },
  { name: "YAML", files: ".yml .yaml", load: async () => (await import("./languages/yaml.ts")).yaml },
];

async function readerOf({ grammar = "", load, reliable }: Entry): Promise<SourceReader> {
  const rules = await load();
  if ("read" in rules) return rules;
  const [{ loadParser }, { readTree }, { syntaxIn }] = await Promise.all([
    import("./parser.ts"), import("./read-tree.ts"), import("./faults.ts")
  ]);
  const parse = await loadParser(grammar);
  const { blanked = (text) => text } = rules;
  return {
    read: (text) => parse(blanked(text), (tree) => readTree(tree, text, rules)),
    syntax: (text, wantsBrackets) => parse(blanked(text), (tree) => syntaxIn(tree, rules, wantsBrackets)),
    reliable,
  };
}

async function loadMarkdown(): Promise<SourceReader> {
  return { read: (await import("./languages/markdown.ts")).readMarkdown, syntax: () => VALID };
}

async function loadCFamily(): Promise<Readonly<Record<"c" | "cpp" | "header", SourceReader>>> {
  const [{ loadParser }, { cFamily }] = await Promise.all([import("./parser.ts"), import("./languages/c-family.ts")]);
  return cFamily(await loadParser("cpp"));
}

async function loadJson(): Promise<SourceReader> {
  const [{ loadParser }, { readJson, wrapJson }, { shiftSyntax, syntaxIn }] = await Promise.all([
    import("./parser.ts"), import("./languages/json.ts"), import("./faults.ts")
  ]);
  const parse = await loadParser("javascript");
  return {
    read: (text) => parse(wrapJson(text), (tree) => readJson(tree, text)),
    syntax: (text, wantsBrackets) =>
      shiftSyntax(parse(wrapJson(text), (tree) => syntaxIn(tree, {}, wantsBrackets)), -1),
  };
}

/** For files that `JSON.parse` reads. */
async function loadStrictJson(): Promise<SourceReader> {
  const { read, syntax } = await loadJson();
  return {
    read,
    syntax: (text, ...how) =>
      isJson(text) || (text.trim() !== "" && syntax(text).faults.length > 0)
        ? syntax(text, ...how)
        : { faults: [strictFault(text)], brackets: [] },
    reliable: "exact",
  };
}

function isJson(text: string): boolean {
  return tryOr(() => (JSON.parse(text), true), false);
}

/** Finds what only dialects of JSON, or JavaScript, allow. */
function strictFault(text: string): Fault {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const problem = problemOf(token);
    if (problem !== undefined) return { start: index, end: index + 1, problem };
  }
  return { start: 0, end: 0, problem: "no value is there" };
}

/** A text, the start of a comment, a comma with nothing behind it, another quote, and a name, a number or a word. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/[/*]|,(?=\s*[,}\]])|['`]|[^\s"'`,:{}[\]]+(?:\s*:)?/g;

function problemOf(token: string): string | undefined {
  const [first = ""] = token;
  if (first === ",") return "no comma may stand here";
  if (isJson(token)) return undefined;
  if (first === "/") return "JSON has no comments";
  if (first === '"') return "a text has an escape or a control character that JSON does not allow";
  const meant = token.endsWith(":") ? undefined : MEANT.get(token);
  if (meant !== undefined) return `JSON writes \`${token}\` as \`${meant}\``;
  return /^[-+.\d][^:]*$/.test(token) ? `\`${token}\` is no number of JSON` : "JSON puts names and texts in double quotes";
}

/** What other languages write in place of the words of JSON. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["True", "true"], ["False", "false"], ["None", "null"], ["nil", "null"], ["NULL", "null"], ["undefined", "null"],
]);

/** Every text is valid Markdown. */
const VALID = { faults: [], brackets: [] };

const byFile: ReadonlyMap<string, Language> = new Map(
  entries.flatMap((entry) => {
    const { name, files, grammar, isPlainlyValid = () => false } = entry;
    let reader: SourceReader | undefined;
    const loaded = (): SourceReader => {
      if (reader === undefined) throw new Unreadable("its parser was not loaded");
      return reader;
    };
    const language: Language = {
      name,
      grammar,
      isPlainlyValid,
      // An earlier parser may have been discarded since.
      load: async () => {
        reader = await readerOf(entry);
      },
      read: (text) => loaded().read(text),
      syntax: (...text) => loaded().syntax(...text),
      get reliable() {
        return loaded().reliable;
      },
    };
    return files.split(" ").map((file) => [file.toLowerCase(), language] as const);
  }),
);

/** Returns the language of a file by its name, or undefined if unknown. */
export function languageOf(file: string): Language | undefined {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).toLowerCase();
  const known = name.replace(/^(tsconfig|jsconfig)\..*\.json$/, "$1.json");
  return byFile.get(known) ?? byFile.get(name.slice(name.lastIndexOf(".")));
}

export const knownLanguages: readonly string[] = [...new Set(entries.map(({ name }) => name))];
