/** Counts how a day's answers land in real projects: at the first try, after one pasted report, or not as meant. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { fullReport, instructions, Loaf } from "../../src/index.ts";
import { projectRoot } from "../support/documents.ts";
import { createFolder } from "../support/folder.ts";

const document = join(projectRoot, "tests/cases/day/forty-answers.md");

/** Of installed packages: what a project in this language consists of. */
const PROJECTS: Readonly<Record<string, { readonly from: string; readonly parts: readonly string[] }>> = {
  commander: { from: "commander", parts: ["package.json", "index.js", "lib"] },
  gyp: { from: "node-gyp/gyp", parts: ["pylib"] },
  cordova: { from: "cordova-plugin-file", parts: ["package.json", "src/android"] },
};

/** All, as if somebody at a terminal had agreed to whole files. */
const SYNTAXES = ["nesl", "patch", "search-replace", "tool-calls", "unified-diff", "whole-file", "lazy"];

/** Lines that a model means to replace in a file, or a file that it means to move away or to make. */
interface Meant {
  readonly path: string;
  readonly isDeleted: boolean;
  readonly movedFrom: string | undefined;
  readonly edits: ReadonlyArray<{ readonly old: string; readonly next: string }>;
}

interface Section {
  readonly title: string;
  readonly project: string;
  readonly meant: readonly Meant[];
  /** The answer, and the one after its report, if that is needed. */
  readonly answers: readonly string[];
}

type Outcome = "first try" | "after one report" | "not landed" | "wrong";

test("forty answers of a day", { timeout: 120_000 }, async () => {
  const outcomes: Array<readonly [title: string, outcome: Outcome]> = [];
  for (const section of readSections()) outcomes.push([section.title, await outcomeOf(section)]);
  const count = (wanted: Outcome): number => outcomes.filter(([, outcome]) => outcome === wanted).length;
  expect(outcomes.filter(([, outcome]) => outcome === "wrong" || outcome === "not landed")).toEqual([]);
  expect(readFileSync(document, "utf8")).toContain(`**${count("first try")} landed at the first try, ${count("after one report")} after one pasted report, ${count("wrong")} wrong.**`);
  expect(outcomes).toHaveLength(40);
});

/** Runs the answers until all that is meant has landed. Any other content of a file is wrong. */
async function outcomeOf({ title, project, meant, answers }: Section): Promise<Outcome> {
  const root = createFolder();
  copyProject(project, root);
  const before = filesBelow(root);
  const allowed = new Map(meant.map((one) => [one.path, versionsOf(before, one)]));
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant", final_newline: "ensure" }, syntaxes: SYNTAXES } });
  // What a model knows when it answers: what it means, what it wrote, what it was taught if it writes NESL, and what the report showed.
  const taught = answers[0]?.includes("#!nesl") === true ? instructions({ root, relativePaths: true, allowedActions: undefined }) : "";
  let known = [...meant.flatMap(({ edits }) => edits.map(({ next }) => next)), answers[0], taught].join("\n");
  for (const [index, answer] of answers.entries()) {
    expect(wordsOf(answer).filter((word) => !known.includes(word)), `${title}: words that no report showed`).toEqual([]);
    known += fullReport(await loaf.execute(answer), loaf);
    const now = filesBelow(root);
    const paths = [...Object.keys(before), ...Object.keys(now)];
    if (paths.some((path) => !(allowed.get(path) ?? [before[path]]).includes(now[path]))) return "wrong";
    if (Array.from(allowed).every(([path, versions]) => now[path] === versions.at(-1))) {
      expect(index, `${title}: the last answer that is needed`).toBe(answers.length - 1);
      return index === 0 ? "first try" : "after one report";
    }
  }
  return "not landed";
}

function wordsOf(text: string): string[] {
  return text.match(/\p{L}{4,}/gu) ?? [];
}

function copyProject(name: string, root: string): void {
  const project = PROJECTS[name];
  if (project === undefined) throw new Error(`There is no project ${name}`);
  for (const part of project.parts) {
    mkdirSync(dirname(join(root, part)), { recursive: true });
    cpSync(join(projectRoot, "node_modules", project.from, part), join(root, part), { recursive: true });
  }
}

function filesBelow(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [relative(root, join(parentPath, name)), readFileSync(join(parentPath, name), "utf8")]));
}

/** What a file may be after some of what is meant has landed, and last after all of it. Undefined where there is none. */
function versionsOf(before: Readonly<Record<string, string>>, { path, isDeleted, movedFrom, edits }: Meant): ReadonlyArray<string | undefined> {
  if (isDeleted) return [before[path], undefined];
  const start = before[movedFrom ?? path];
  if (start === undefined) return [undefined, edits.map(({ next }) => next).join("")];
  let versions = [start];
  for (const edit of edits) versions = versions.flatMap((text) => [text, withEdit(text, edit, path)]);
  return [before[path], ...versions];
}

function withEdit(text: string, { old, next }: Meant["edits"][number], path: string): string {
  const [first = "", ...others] = `\n${text}`.split(`\n${old}`);
  if (others.length !== 1) throw new Error(`${path} has these lines ${others.length} times:\n${old}`);
  return `${first}\n${next}${others.join("")}`.slice(1);
}

function readSections(): Section[] {
  const [, ...sections] = readFileSync(document, "utf8").split(/^## /m);
  return sections.map((section) => {
    const fences = Array.from(section.matchAll(/^(`{3,})(meant|answer|answer crlf|second answer)\n([^]*?)^\1$/gm), ([, , kind = "", text = ""]) => ({ kind, text }));
    const title = section.slice(0, section.indexOf("\n"));
    const meant = fences.flatMap(({ kind, text }) => (kind === "meant" ? text.split(/^@@ /m).slice(1).map(readMeant) : []));
    const answers = fences.flatMap(({ kind, text }) => (kind === "meant" ? [] : [kind === "answer crlf" ? text.replaceAll("\n", "\r\n") : text]));
    if (answers.length === 0) throw new Error(`${title} has no answer`);
    return { title, project: title.split(" · ")[1] ?? "", meant, answers };
  });
}

/** Reads a path, then notes in brackets and lines that go and come. A line that goes after one that comes begins the next edit. */
function readMeant(part: string): Meant {
  const [path = "", ...lines] = part.trimEnd().split("\n");
  const edits: Array<{ old: string; next: string }> = [];
  for (const [index, line] of lines.entries()) {
    if (!/^[-+]/.test(line)) continue;
    if (edits.length === 0 || (line.startsWith("-") && lines[index - 1]?.startsWith("+") === true)) edits.push({ old: "", next: "" });
    const edit = edits.at(-1);
    if (edit !== undefined) edit[line.startsWith("-") ? "old" : "next"] += `${line.slice(1)}\n`;
  }
  return { path, isDeleted: lines.includes("(deleted)"), movedFrom: /^\(moved from (.+)\)$/m.exec(part)?.[1], edits };
}
