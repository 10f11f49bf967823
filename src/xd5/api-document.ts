/** Reads what a component declares in the YAML blocks of its `doc/API.md`. */
import { append } from "../core/lists.ts";
import { isNestedTooDeeply } from "../core/yaml-nesting.ts";
import type { Document, Node, Scalar, YAMLMap } from "yaml";

export type Status = "PLANNED" | "IN-PROGRESS" | "IMPLEMENTED";

export type Category = "functions" | "types" | "classes" | "errors";
const CATEGORIES: readonly string[] = ["functions", "types", "classes", "errors"] satisfies Category[];

/** A name exported, or used from a dependency. */
export interface Declared {
  readonly name: string;
  readonly category: Category;
  readonly status: Status | undefined;
  /** 1-based line in the document. */
  readonly line: number;
}

export interface Dependency {
  /** As written: a component's path, `external/zod`, `node:fs`. */
  readonly target: string;
  /** `*` means all names. */
  readonly names: readonly Declared[] | "*";
  readonly status: Status | undefined;
  readonly line: number;
}

export interface Api {
  readonly dependencies: readonly Dependency[];
  readonly exports: readonly Declared[];
  /** What could not be parsed. */
  readonly problems: ReadonlyArray<{ readonly line: number; readonly message: string }>;
  /** Whether a block is unreadable, so that its content is unknown. */
  readonly isBroken: boolean;
}

type Yaml = typeof import("yaml");

/** Maximum nesting depth of a block. */
const MAX_LEVELS = 100;

/** Reads every fenced YAML block that contains `dependencies:` or `exports:`. Never throws, but reports problems. */
export async function readApi(text: string): Promise<Api> {
  const yaml = await import("yaml");
  const reader = new Reader(yaml);
  for (const { line, content } of fences(text)) reader.take(content, line);
  return reader;
}

class Reader implements Api {
  readonly dependencies: Dependency[] = [];
  readonly exports: Declared[] = [];
  readonly problems: Array<{ line: number; message: string }> = [];
  isBroken = false;
  readonly #yaml: Yaml;
  readonly #seen = new Set<string>();
  #lines: readonly string[] = [];
  #lineOf: (node: Node | null | undefined) => number = () => 0;
  #firstLine = 0;

  constructor(yaml: Yaml) {
    this.#yaml = yaml;
  }

  /** @param firstLine 1-based line in the document where the block's content starts */
  take(content: string, firstLine: number): void {
    if (!/^(dependencies|exports)\s*:/m.test(content)) return;
    if (isNestedTooDeeply(this.#yaml, content, MAX_LEVELS)) {
      this.isBroken = true;
      return this.#complain(firstLine, "The YAML cannot be read: it is nested too deeply");
    }
    const counter = new this.#yaml.LineCounter();
    const document: Document.Parsed = this.#yaml.parseDocument(content, {
      lineCounter: counter,
      prettyErrors: false,
      logLevel: "error",
    });
    this.#firstLine = firstLine;
    this.#lines = content.split("\n");
    this.#lineOf = (node) => firstLine - 1 + counter.linePos(node?.range?.[0] ?? 0).line;
    const [fault] = document.errors;
    this.isBroken ||= fault !== undefined;
    if (fault !== undefined) {
      return this.#complain(
        firstLine - 1 + counter.linePos(fault.pos[0]).line,
        `The YAML cannot be read: ${fault.message}`,
      );
    }
    for (const [key, node, line] of this.#pairs(document.contents)) {
      if (key !== "dependencies" && key !== "exports") continue;
      if (this.#seen.has(key)) this.#complain(line, `There is more than one '${key}'`);
      else if (key === "dependencies")
        for (const pair of this.#pairs(node)) this.dependencies.push(this.#dependency(...pair));
      else append(this.exports, this.#names(node, undefined));
      this.#seen.add(key);
    }
  }

  #dependency(target: string, node: Node | null, line: number): Dependency {
    const status = this.#status(line);
    const isAll = this.#yaml.isScalar(node) && node.value === "*";
    return { target, status, line, names: isAll || node === null ? "*" : this.#namesOrAll(node, status) };
  }

  #namesOrAll(node: Node, status: Status | undefined): readonly Declared[] | "*" {
    const isAll = this.#pairs(node).some(([, names]) => this.#yaml.isScalar(names) && names.value === "*");
    return isAll ? "*" : this.#names(node, status);
  }

  /** A name's status is on its own line, else on the line of what contains it. */
  #names(node: Node | null, outer: Status | undefined): Declared[] {
    return this.#pairs(node).flatMap(([category, names, line]) => {
      if (!isCategory(category)) {
        this.#complain(line, `'${category}' is none of ${CATEGORIES.join(", ")}`);
        return [];
      }
      const status = this.#status(line) ?? outer;
      // In a mapping, each name has its members below it: `Store: {methods: [get]}`.
      const items = this.#yaml.isSeq(names)
        ? names.items
        : this.#yaml.isMap(names)
          ? names.items.map(({ key }) => key)
          : [];
      return items.flatMap((item) => {
        const scalar = (this.#yaml.isMap(item) ? (item as YAMLMap<Scalar>).items[0]?.key : item) as Node | undefined;
        const name = this.#yaml.isScalar(scalar) ? /^[\w$]+/.exec(String(scalar.value))?.[0] : undefined;
        const at = this.#lineOf(scalar);
        if (name === undefined) this.#complain(at, `A name is expected under '${category}'`);
        return name === undefined ? [] : [{ name, category, status: this.#status(at) ?? status, line: at }];
      });
    });
  }

  #pairs(node: unknown): Array<[key: string, value: Node | null, line: number]> {
    if (!this.#yaml.isMap(node)) return [];
    return node.items.map(({ key, value }) => [
      String((key as Scalar).value),
      value as Node | null,
      this.#lineOf(key as Node),
    ]);
  }

  #status(line: number): Status | undefined {
    const text = this.#lines[line - this.#firstLine] ?? "";
    const [, isPartial, status] =
      /#.*\[(PARTIALLY\s+)?(PLANNED|IN-PROGRESS|IMPLEMENTED)(?![\w-])[^\]]*\]/.exec(text) ?? [];
    return isPartial === undefined ? (status as Status | undefined) : "IN-PROGRESS";
  }

  #complain(line: number, message: string): void {
    this.problems.push({ line, message });
  }
}

function isCategory(word: string): word is Category {
  return CATEGORIES.includes(word);
}

/** Returns fenced YAML blocks, each with the number of its first line. */
function fences(text: string): Array<{ readonly line: number; readonly content: string }> {
  const fenced: Array<{ line: number; content: string }> = [];
  let open:
    { readonly mark: string; readonly isYaml: boolean; readonly line: number; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const fence = /^\s{0,3}(`{3,}|~{3,})\s*(\w*)/.exec(line);
    if (open !== undefined && fence?.[1]?.startsWith(open.mark) && fence[2] === "") {
      if (open.isYaml) fenced.push({ line: open.line, content: open.lines.join("\n") });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (fence !== null)
      open = { mark: fence[1] ?? "", isYaml: /^ya?ml$/i.test(fence[2] ?? ""), line: index + 2, lines: [] };
  }
  return fenced;
}
