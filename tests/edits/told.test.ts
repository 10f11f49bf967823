/**
 * Edits of real files that sentences tell: a declaration goes, or one comes back beside what is named; a line gets a new
 * text. What lands is the file that is meant, but for blank lines, or nothing lands. `scripts/install.mjs` fetches the files.
 */
import { existsSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { loadStructure, partsOf } from "../../src/addresses/structure.ts";
import { languageOf } from "../../src/addresses/languages.ts";
import type { Part } from "../../src/addresses/part.ts";
import { Loaf } from "../../src/index.ts";
import { isComplete } from "../support/complete.ts";
import { createFolder } from "../support/folder.ts";

const folder = resolve("node_modules/.cache/loaf-samples");
const packages = existsSync(folder) ? readdirSync(folder).filter((one) => /^[\w-]+@/.test(one)).sort() : [];
if (packages.length === 0 && isComplete) throw new Error("the packages that scripts/install.mjs fetches are missing: in CI the tests that need them do not skip");

const SOURCE = /\.(?:[cm]?[jt]sx?|py|s?css|java|kt|swift|cpp|h)$/;
const GENERATED = /\.min\.|\.d\.[cm]?ts$|(?:^|\/)(?:dist|_?esm\d*|_?cjs|_types|bundles)\//;
const SHORTEST = 300;
const LONGEST = 30_000;
/** Files of each package. */
const FILES = 5;
const MOVABLE = new Set(["function", "method", "constructor", "class", "enum", "interface"]);
const REMARK = /^\s*(?:\/\/|#(?!include|define|if|endif)|\/\*|\*|<!--|@\w)/;

interface Told {
  readonly style: string;
  readonly before: string;
  readonly after: string;
  readonly answer: string;
}

interface Declaration {
  readonly part: Part;
  readonly owner: Part | undefined;
  readonly above: Part | undefined;
  readonly below: Part | undefined;
}

/** What must land of each style, in per cent. What is not clear, or leaves a syntax error, is refused. */
const LEAST: Readonly<Record<string, number>> = { removed: 98, below: 98, above: 98, "at the end": 95, "to its class": 95, span: 95, "lone span": 98, halves: 98, numbered: 92, "diff without margin": 97 };

describe.skipIf(packages.length === 0)("edits that sentences tell (skipped where the packages are missing; scripts/install.mjs gets them)", () => {
  test("0 wrong", { timeout: 900_000 }, async () => {
    const [wrong, shares]: [string[], Record<string, { all: number; landed: number }>] = [[], {}];
    for (const [path, text] of packages.flatMap((name) => filesOf(join(folder, name, "package")))) {
      await loadStructure(path);
      for (const { style, before, after, answer } of [...movesIn(path, text), ...changesIn(path, text)]) {
        const share = (shares[style] ??= { all: 0, landed: 0 });
        share.all += 1;
        const now = await answered(path, before, answer);
        if (plain(now) === plain(after)) share.landed += 1;
        else if (now !== before) wrong.push(`${style} ${path}: ${answer.slice(0, 200)}`);
      }
    }
    writeSync(1, `${Object.entries(shares).map(([style, { all, landed }]) => `${style}: ${landed} of ${all}`).join("\n")}\n`);
    expect(wrong).toEqual([]);
    expect(Object.keys(shares).sort()).toEqual(Object.keys(LEAST).sort());
    for (const [style, { all, landed }] of Object.entries(shares)) expect((100 * landed) / all, style).toBeGreaterThanOrEqual(LEAST[style] ?? 0);
  });
});

async function answered(path: string, before: string, answer: string): Promise<string> {
  const root = createFolder({ [path]: before });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(answer);
  return readFileSync(join(root, path), "utf8");
}

function plain(text: string): string {
  return text.replaceAll(/\n\s*\n+/g, "\n").trim();
}

function filesOf(root: string): ReadonlyArray<readonly [string, string]> {
  const fit = filesBelow(root).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return text.length >= SHORTEST && text.length <= LONGEST && !/\r|```/.test(text) ? [[path, text] as const] : [];
  });
  return fit.filter((_, index) => index % Math.ceil(fit.length / FILES) === 0);
}

function filesBelow(root: string, below = ""): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : SOURCE.test(path) && !GENERATED.test(path) && languageOf(path) !== undefined ? [path] : [];
  });
}

/** Takes declarations out of a file, and puts them back. */
function movesIn(path: string, text: string): Told[] {
  const parts = partsOf(path, text);
  const all = declarationsIn(parts);
  const count = (name: string): number => all.filter(({ part }) => part.name === name).length;
  const isOnce = (part: Part | undefined): part is Part => part !== undefined && count(part.name) === 1 && /^[\w$]+$/.test(part.name) && !part.isUncertain;
  const fit = all.filter(({ part, owner }) => MOVABLE.has(part.kind) && isOnce(part) && (owner === undefined || isOnce(owner)) && isWhole(text, part) && lineOf(text, part.end) - lineOf(text, part.start) < 60);
  const isLastMember = ({ owner, below }: Declaration): boolean => owner?.kind === "class" && below === undefined;
  const some = [...fit.filter((_, index) => index % Math.ceil(fit.length / 2) === 0), ...fit.filter(isLastMember).slice(0, 1)];
  return some.flatMap(({ part, owner, above, below }) => {
    const lines = text.split("\n");
    const { first, last } = withRemarks(lines, text, part);
    // A comment that a blank line divides from it belongs to nobody.
    if (REMARK.test(lines.slice(0, first).findLast((line) => line.trim() !== "") ?? "")) return [];
    const tail = lines.slice((lines[last + 1] ?? "").trim() === "" ? last + 2 : last + 1);
    const rest = [...lines.slice(0, first), ...tail].join("\n");
    // The author of a list whose last member has no comma writes none after the one above it either, before this is added.
    const isLastOfList = !/,\s*$/.test(lines[last] ?? "") && /^\s*[)}\]]/.test(tail.find((line) => line.trim() !== "") ?? "");
    const neighbour = lines.slice(0, first).findLastIndex((line) => line.trim() !== "");
    const lacking = isLastOfList ? [...lines.slice(0, first).map((line, row) => (row === neighbour ? line.replace(/,\s*$/, "") : line)), ...tail].join("\n") : rest;
    const shown = fence(path, lines.slice(first, last + 1).join("\n"));
    // Statements between two declarations leave the place open.
    const isBeside = (one: Part | undefined, other: Part | undefined): boolean => isOnce(one) && isOnce(other) && isWhole(text, one) && isWhole(text, other) && lines.slice(lineOf(text, one.end - 1) + 1, withRemarks(lines, text, other).first).every((line) => line.trim() === "");
    const where = owner === undefined ? "" : ` in the \`${owner.name}\` class`;
    const isLast = below === undefined && lines.slice(last + 1).every((line) => owner !== undefined || line.trim() === "");
    return [
      { style: "removed", before: text, after: rest, answer: `Delete \`${part.name}\` from \`${path}\`:\n\n${shown}` },
      ...(isBeside(above, part) ? [{ style: "below", before: lacking, after: text, answer: `Add this below \`${above?.name}\`${where} of \`${path}\`:\n\n${shown}` }] : []),
      ...(isBeside(part, below) ? [{ style: "above", before: lacking, after: text, answer: `In \`${path}\`, add the following before \`${below?.name}\`${where}:\n\n${shown}` }] : []),
      ...(isLast && owner?.kind === "class" && owner.children.length > 1 ? [{ style: "to its class", before: lacking, after: text, answer: `Add a \`${part.name}\` ${part.kind} to the \`${owner.name}\` class in \`${path}\`:\n\n${shown}` }] : []),
      ...(isLast && owner === undefined ? [{ style: "at the end", before: lacking, after: text, answer: `Add this at the end of \`${path}\`:\n\n${shown}` }] : []),
    ];
  });
}

/** Gives one line of a file another word. */
function changesIn(path: string, text: string): Told[] {
  const lines = text.split("\n");
  const once = [...lines.keys()].slice(3, -3).filter((at) => {
    const line = lines[at]?.trim() ?? "";
    return line.length > 8 && line.length < 90 && /\w{4}/.test(line) && !/[`\\]/.test(line) && !REMARK.test(line) && lines.filter((other) => other.includes(line)).length === 1;
  });
  return once.filter((_, index) => index % Math.ceil(once.length / 2) === 0).flatMap((at) => {
    const [line = "", indent = ""] = [lines[at]?.trim(), /^\s*/.exec(lines[at] ?? "")?.[0]];
    const now = line.replace(/[A-Za-z]\w{3,}(?!.*\w{4})/, (word) => `${word}2`);
    const after = lines.with(at, indent + now);
    const change = { before: text, after: after.join("\n") };
    const comment = path.endsWith(".py") ? "#" : path.endsWith("css") ? "/*" : "//";
    const end = comment === "/*" ? " */" : "";
    const around = (of: readonly string[]): string => of.slice(at - 1, at + 2).join("\n");
    return [
      { style: "span", ...change, answer: `In \`${path}\`, change \`${line}\` to \`${now}\`.\n` },
      { style: "lone span", ...change, answer: `In \`${path}\`, change this line:\n\n\`${line}\`\n\nto:\n\n\`${now}\`\n` },
      { style: "halves", ...change, answer: `In \`${path}\`:\n\n${fence(path, `${comment} Before${end}\n${around(lines)}\n\n${comment} After${end}\n${around(after)}`)}` },
      { style: "numbered", ...change, answer: `In \`${path}\`, change line ${at + 1} to:\n\n${fence(path, now)}` },
      { style: "diff without margin", ...change, answer: `In \`${path}\`:\n\n${fence("a.diff", `${lines.slice(at - 2, at).join("\n")}\n-${lines[at]}\n+${after[at]}\n${lines.slice(at + 1, at + 3).join("\n")}`)}` },
    ];
  });
}

function fence(path: string, text: string): string {
  return `\`\`\`${path.slice(path.lastIndexOf(".") + 1)}\n${text}\n\`\`\`\n`;
}

function declarationsIn(parts: readonly Part[], owner?: Part): Declaration[] {
  return parts.flatMap((part, index) => [{ part, owner, above: parts[index - 1], below: parts[index + 1] }, ...(owner === undefined ? declarationsIn(part.children, part) : [])]);
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length - 1;
}

/** Returns whether a declaration begins and ends with its lines, at the left or inside a class. */
function isWhole(text: string, { start, end }: Part): boolean {
  return text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim() === "" && /^[;,]?[ \t]*(?:\n|$)/.test(text.slice(end));
}

function withRemarks(lines: readonly string[], text: string, part: Part): { readonly first: number; readonly last: number } {
  let first = lineOf(text, part.start);
  while (first > 0 && REMARK.test(lines[first - 1] ?? "")) first -= 1;
  return { first, last: lineOf(text, part.end - 1) };
}
