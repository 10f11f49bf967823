/** Source files of five languages, out of the packages that development installs in locked versions. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folders = {
  typescript: [["node_modules/zod/src", /(?<!\.test)\.ts$/], ["node_modules/@types/node", /\.d\.ts$/]],
  javascript: [["node_modules/node-gyp/lib", /\.js$/], ["node_modules/commander/lib", /\.js$/], ["node_modules/yaml/dist", /\.js$/], ["node_modules/vitest/dist", /\.js$/]],
  python: [["node_modules/node-gyp/gyp/pylib", /\.py$/]],
  css: [["node_modules/highlight.js", /\.s?css$/], ["node_modules/istanbul-reports/lib", /\.css$/]],
  markdown: [["node_modules", /^(?:README|CHANGELOG)\.md$/]],
} as const;

export type Language = keyof typeof folders;

export const languages = Object.keys(folders) as Language[];

export interface Source {
  readonly path: string;
  readonly language: Language;
  /** Without line endings; there are at least 20. The last one ends with a newline in the file. */
  readonly lines: readonly string[];
}

const SMALLEST = 400;
const LARGEST = 64_000;
const MOST_FILES = 60;

/** At most 60 files, evenly out of all there are, in an order that is the same everywhere. */
export function sourcesOf(language: Language): Source[] {
  const paths = folders[language].flatMap(([folder, name]) => filesBelow(folder, name, language === "markdown" ? 3 : 9));
  const sources = paths.flatMap((path) => readSource(path, language) ?? []);
  const step = Math.max(1, sources.length / MOST_FILES);
  return Array.from({ length: Math.min(MOST_FILES, sources.length) }, (_, index) => sources[Math.floor(index * step)] as Source);
}

function filesBelow(folder: string, name: RegExp, depth: number): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth === 0 || entry.name.startsWith(".") ? [] : filesBelow(path, name, depth - 1);
    return entry.isFile() && name.test(entry.name) ? [path] : [];
  });
}

/** Undefined for what is no good for the purpose: too small, too large, or not plain lines that end with LF. */
function readSource(path: string, language: Language): Source | undefined {
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8").replaceAll("\r\n", "\n");
  if (bytes.length < SMALLEST || bytes.length > LARGEST || /[\r\ufeff\ufffd]/.test(text)) return undefined;
  const lines = text.replace(/\n+$/, "").split("\n");
  return lines.length < 20 ? undefined : { path, language, lines };
}
