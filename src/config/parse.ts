import type { Document, Pair, YAMLError } from "yaml";
import { isNestedTooDeeply } from "../core/yaml-nesting.ts";
import type { ConfigFinding } from "./check.ts";
import { ConfigError, type ConfigProblem } from "./problem.ts";
import type { Config } from "./schema.ts";

/**
 * Maximum length of a configuration. The check for duplicate keys takes quadratic time, and a cloned repository may
 * bring any loaf.yml.
 */
export const MAX_CONFIG_LENGTH = 32_768;
/** Maximum nesting, more than anyone writes by hand. */
const MAX_DEPTH = 16;

/**
 * Parses a loaf.yml. Throws `ConfigError` with the line and column of every problem.
 *
 * @param source the file's name in the problems
 */
export async function parseConfig(text: string, source: string): Promise<Config> {
  const read =
    text.length > MAX_CONFIG_LENGTH
      ? [{ message: `The file is longer than ${MAX_CONFIG_LENGTH} characters` }]
      : await readYaml(text);
  if (Array.isArray(read)) throw new ConfigError(read.map((problem) => ({ source, ...problem })));
  return read;
}

type Yaml = typeof import("yaml");
type Located = Omit<ConfigProblem, "source">;

async function readYaml(text: string): Promise<Config | Located[]> {
  // Loaded only for projects with a loaf.yml.
  const [yaml, { checkConfig }] = await Promise.all([import("yaml"), import("./check.ts")]);
  return isNestedTooDeeply(yaml, text, MAX_DEPTH)
    ? [{ message: "The file is nested too deeply" }]
    : readDocument(yaml, text, checkConfig);
}

function readDocument(yaml: Yaml, text: string, check: (value: unknown) => ConfigFinding[]): Config | Located[] {
  const lines = new yaml.LineCounter();
  const at = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line, column: col };
  };
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) return faults.map((fault) => ({ ...at(fault.pos[0]), message: yamlSentence(fault, text) }));

  // A few nested aliases can expand to gigabytes, and no loaf.yml needs them.
  const aliases: Located[] = [];
  yaml.visit(document, {
    Alias: (_, { range, source }) =>
      void aliases.push({
        ...at(range?.[0]),
        message: `Aliases are not supported: write out the value of '*${source}'`,
      }),
  });
  if (aliases.length > 0) return aliases;

  const value: unknown = document.toJS() ?? {};
  const findings = check(value);
  if (findings.length === 0) return value as Config;
  return findings.map(({ path, atKey, message }) => ({ ...at(offsetOf(yaml, document, path, atKey)), message }));
}

/**
 * Returns the offset of the key or value at a key path. A missing value, as in `limits:`, has the offset of its key.
 */
function offsetOf(yaml: Yaml, document: Document, path: readonly PropertyKey[], atKey: boolean): number | undefined {
  const startOf = (node: unknown) => (yaml.isNode(node) ? node.range?.[0] : undefined);
  if (path.length === 0) return startOf(document.contents);
  const parent = document.getIn(path.slice(0, -1), true);
  if (!yaml.isMap(parent)) return startOf(document.getIn(path, true));
  const pair = parent.items.find(({ key }: Pair) => yaml.isScalar(key) && String(key.value) === String(path.at(-1)));
  const isWritten = !(yaml.isScalar(pair?.value) && pair.value.source === "");
  return startOf(atKey || !isWritten ? pair?.key : pair?.value);
}

/** Returns a YAML error as one sentence for people who do not know about documents, tags and flow collections. */
function yamlSentence({ code, message, pos }: YAMLError, text: string): string {
  const [word = ""] = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(text.slice(pos[0])) ?? [];
  const [, closing] = /(?:end with a |Missing closing )(["'\]}])/.exec(message) ?? [];
  if (code === "DUPLICATE_KEY") return `The key ${quoted(word)} is a duplicate`;
  if (code === "MULTIPLE_DOCS") return "A second document begins here: remove the line '---'";
  if (code === "TAG_RESOLVE_FAILED")
    return `The tag '${/^\S*/.exec(text.slice(pos[0]))?.[0] ?? ""}' is not supported here: remove it`;
  if (closing !== undefined) return `A closing ${closing} is missing: an earlier bracket or quote is not closed`;
  // The first line of the parser's message, without its full stop or colon.
  return (message.split("\n", 1)[0] ?? message).replace(/[.:]$/, "");
}

function quoted(word: string): string {
  return /^["']/.test(word) ? word : `'${word}'`;
}
