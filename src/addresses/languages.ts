/** All languages whose files have addresses. Their readers are loaded on first use. */
import { type Grammar, Unreadable } from "./grammar.ts";
import type { Found } from "./part.ts";

export interface Language {
  readonly name: string;
  load(): Promise<void>;
  /** Finds the parts. Must be loaded first. Throws `Unreadable`. */
  read(text: string): Found[];
}

export type Read = (text: string) => Found[];

interface Entry {
  readonly name: string;
  /** File extensions, and whole names of files without one. */
  readonly files: readonly string[];
  readonly load: () => Promise<Read>;
}

const entries: readonly Entry[] = [
  { name: "Markdown", files: [".md", ".markdown", ".mdx"], load: async () => (await import("./languages/markdown.ts")).readMarkdown },
  { name: "TypeScript", files: [".ts", ".mts", ".cts"], load: async () => withGrammar("typescript", (await import("./languages/javascript.ts")).javascript) },
  { name: "TSX", files: [".tsx"], load: async () => withGrammar("tsx", (await import("./languages/javascript.ts")).javascript) },
  { name: "JavaScript", files: [".js", ".mjs", ".cjs", ".jsx"], load: async () => withGrammar("javascript", (await import("./languages/javascript.ts")).javascript) },
  { name: "Python", files: [".py", ".pyi"], load: async () => withGrammar("python", (await import("./languages/python.ts")).python) },
  { name: "Go", files: [".go"], load: async () => withGrammar("go", (await import("./languages/go.ts")).go) },
  { name: "Rust", files: [".rs"], load: async () => withGrammar("rust", (await import("./languages/rust.ts")).rust) },
  { name: "Java", files: [".java"], load: async () => withGrammar("java", (await import("./languages/java.ts")).java) },
  { name: "C", files: [".c"], load: async () => (await loadCFamily()).c },
  { name: "C or C++", files: [".h"], load: async () => (await loadCFamily()).header },
  { name: "C++", files: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".tpp"], load: async () => (await loadCFamily()).cpp },
  { name: "C#", files: [".cs"], load: async () => withGrammar("c-sharp", (await import("./languages/csharp.ts")).csharp) },
  { name: "Ruby", files: [".rb", ".rake", ".gemspec", "Gemfile", "Rakefile"], load: async () => withGrammar("ruby", (await import("./languages/ruby.ts")).ruby) },
  { name: "PHP", files: [".php"], load: async () => withGrammar("php", (await import("./languages/php.ts")).php) },
  { name: "CSS", files: [".css"], load: async () => withGrammar("css", (await import("./languages/css.ts")).css) },
  { name: "JSON", files: [".json", ".jsonc", ".json5", ".webmanifest", ".code-workspace"], load: loadJson },
  { name: "YAML", files: [".yml", ".yaml"], load: async () => (await import("./languages/yaml.ts")).readYaml },
];

async function withGrammar(grammar: string, rules: Grammar): Promise<Read> {
  const [{ loadParser }, { readTree }] = await Promise.all([import("./parser.ts"), import("./read-tree.ts")]);
  const parse = await loadParser(grammar);
  return (text) => parse(text, (tree) => readTree(tree, text, rules));
}

async function loadCFamily(): Promise<Readonly<Record<"c" | "cpp" | "header", Read>>> {
  const [{ loadParser }, { cFamily }] = await Promise.all([import("./parser.ts"), import("./languages/c-family.ts")]);
  return cFamily(await loadParser("cpp"));
}

async function loadJson(): Promise<Read> {
  const [{ loadParser }, { readJson, wrapJson }] = await Promise.all([import("./parser.ts"), import("./languages/json.ts")]);
  const parse = await loadParser("javascript");
  return (text) => parse(wrapJson(text), (tree) => readJson(tree, text));
}

const byFile: ReadonlyMap<string, Language> = new Map(
  entries.flatMap(({ name, files, load }) => {
    let read: Read | undefined;
    const language: Language = {
      name,
      // An earlier parser may have been discarded since.
      load: async () => {
        read = await load();
      },
      read: (text) => {
        if (read === undefined) throw new Unreadable("what reads it was not loaded");
        return read(text);
      },
    };
    return files.map((file) => [file.toLowerCase(), language] as const);
  }),
);

/** Returns the language of a file by its name, or undefined if unknown. */
export function languageOf(file: string): Language | undefined {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).toLowerCase();
  return byFile.get(name) ?? byFile.get(name.slice(name.lastIndexOf(".")));
}

export const knownLanguages: readonly string[] = entries.map(({ name }) => name);
