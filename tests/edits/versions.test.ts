/** A new version of a source is read with the tree of the old one, and must give what it gives when it is read alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { languageOf } from "../../src/addresses/languages.ts";
import { hasPackages } from "./packages.ts";
import { Random } from "./random.ts";

const folder = resolve("node_modules/.cache/loaf-samples");
const KINDS = [".ts", ".js", ".py", ".go", ".rs", ".java", ".c", ".h", ".cpp", ".cs", ".rb", ".php", ".css", ".json"];
/** Of each kind, and for each of them so many versions, each made of the one before it. */
const FILES = 12;
const VERSIONS = 6;
/** UTF-16 units. The tree of less than this is not kept, and more takes too long. */
const [SHORTEST, LONGEST] = [4_001, 40_000];

test.skipIf(!hasPackages).each(KINDS)("versions of files that end in %s", { timeout: 120_000 }, async (kind) => {
  const sources = sourcesOf(kind);
  expect(sources.length).toBeGreaterThan(kind === ".json" ? 0 : 2);
  const [language, other] = [languageOf(`a${kind}`), languageOf(kind === ".css" ? "a.go" : "a.css")];
  await other?.load();
  await language?.load();
  const read = (text: string): unknown => ({ parts: language?.read(text), syntax: language?.syntax(text, "always") });
  const readAlone = (text: string): unknown => {
    // Trees of two other texts are kept in place of its own.
    for (const count of [1_000, 1_001]) other?.read("a{}\n".repeat(count + SHORTEST / 4));
    return read(text);
  };
  const random = new Random(kind.length + kind.charCodeAt(1));
  let valid = 0;
  for (const source of sources) {
    let text = source;
    read(text);
    for (let version = 0; version < VERSIONS; version++) {
      text = changed(text, random);
      const now = read(text);
      if (language?.syntax(text).faults.length === 0) valid += 1;
      expect(now).toEqual(readAlone(text));
      read(text);
    }
  }
  // A text with errors is read alone anyhow.
  expect(valid).toBeGreaterThan(sources.length);
});

function sourcesOf(kind: string): readonly string[] {
  const sources: string[] = [];
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (sources.length === FILES) return;
      if (entry.isDirectory()) visit(join(path, entry.name));
      else if (entry.isFile() && entry.name.endsWith(kind)) {
        const text = readFileSync(join(path, entry.name), "utf8");
        if (text.length >= SHORTEST && text.length <= LONGEST) sources.push(text);
      }
    }
  };
  visit(folder);
  return sources;
}

/** Changes lines as edits do: gone, twice, in another place, with another name, with a part of another line. */
function changed(text: string, random: Random): string {
  const lines = text.split("\n");
  const at = random.below(lines.length - 1);
  const length = 1 + random.below(3);
  const [first, other] = [lines.slice(at, at + length), random.one(lines)];
  const changes: ReadonlyArray<() => readonly string[]> = [
    () => lines.toSpliced(at, length),
    () => lines.toSpliced(at, 0, ...first),
    () => lines.toSpliced(at, length, ...first.map((line) => line.replace(/\w{2,}/, (word) => `${word}Other`))),
    () => lines.toSpliced(at, length, ...first.map((line) => line.replaceAll(/\d+/g, "7").replaceAll(/"\w*"/g, '"ä😀"'))),
    () => lines.toSpliced(at, 0, other),
    () => lines.toSpliced(at, 0, ""),
    () => lines.toSpliced(at, 1, `${first[0]}${other.trim()}`),
  ];
  return random.one(changes)().join("\n");
}
