/** The law of stretches: statements of a function between two placeholders, without its head, go where they are meant or nowhere. */
import { expect, test } from "vitest";
import { isLong } from "../support/tries.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly top: string;
  readonly open: (name: string) => string;
  readonly close: string;
  readonly mark: string;
  readonly set: (name: string, value: string) => string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/a.ts", top: 'import { a } from "a";', open: (name) => `export function ${name}(x: number) {`, close: "}", mark: "//", set: (name, value) => `  const ${name} = ${value};` },
  { path: "src/a.py", top: "import a", open: (name) => `def ${name}(x):`, close: "", mark: "#", set: (name, value) => `    ${name} = ${value}` },
  { path: "src/a.cpp", top: "#include <a>", open: (name) => `int ${name}(int x)\n{`, close: "}", mark: "//", set: (name, value) => `    int ${name} = ${value};` },
  { path: "src/a.go", top: "package a", open: (name) => `func ${name}(x int) int {`, close: "}", mark: "//", set: (name, value) => `\t${name} := ${value}` },
  { path: "src/a.rs", top: "use a;", open: (name) => `fn ${name}(x: i32) {`, close: "}", mark: "//", set: (name, value) => `    let ${name} = ${value};` },
  { path: "src/a.rb", top: "require 'a'", open: (name) => `def ${name}(x)`, close: "end", mark: "#", set: (name, value) => `  ${name} = ${value}` },
  { path: "src/a.java", top: "import a.B;", open: (name) => `static int ${name}(int x) {`, close: "}", mark: "//", set: (name, value) => `    int ${name} = ${value};` },
  { path: "src/a.sh", top: "#!/bin/sh", open: (name) => `${name}() {`, close: "}", mark: "#", set: (name, value) => `  ${name}="$${value}"` },
];

/** What becomes of a line; an added one stands below it. */
const CHANGES = ["goes", "two go", "is another", "gets a new one"] as const;
/** What the file has twice: nothing; each statement, in another function; every second statement, in this one. */
const TWICE = ["nothing", "the function", "a statement"] as const;
/** What is shown around the stretch. */
const FORMS = ["nothing", "the top", "the head", "the first line of the head", "the end"] as const;
const LABELS = [(path: string) => `**${path}**`, (path: string) => `Update \`second\` in \`${path}\`:`, (path: string) => `In \`${path}\`:`];

const EVERY = LANGUAGES.flatMap((language) =>
  TWICE.flatMap((twice) =>
    CHANGES.flatMap((change) =>
      [0, 1, 2, 3].flatMap((above) => [0, 1, 2, 3].flatMap((below) => FORMS.flatMap((form) => LABELS.map((label) => ({ language, twice, change, above, below, form, label }))))),
    ),
  ),
);
/** One of so many in the short tests: prime to the number of each. */
const STEP = 53;

test("what stands between placeholders is put into the only place that it fits, or refused", { timeout: isLong ? 2_000_000 : 60_000 }, async () => {
  const shares: Record<string, number[]> = {};
  for (const { language, twice, change, above, below, form, label } of EVERY.filter((_, at) => isLong || at % STEP === 0)) {
    const { path, top, open, close, mark, set } = language;
    const body = (word: string, count: number): string[] => Array.from({ length: count }, (_, at) => (twice === "a statement" && at % 2 === 1 ? set("w", "same1") : set(`v${at}`, `${word}${at}`)));
    const lines = body("two", 10);
    const print = (name: string, statements: readonly string[]): string => [open(name), ...statements, close, ""].filter((line, at) => line !== "" || at > statements.length + 1 || close !== "").join("\n");
    const file = (statements: readonly string[]): string => [top, "", print("first", twice === "the function" ? lines : body("one", 6)), "", print("second", statements), "", print("third", body("three", 4)), ""].join("\n");
    const at = 4;
    const count = change === "two go" ? 2 : 1;
    const fresh = change === "is another" ? [set("v4", "other9")] : change === "gets a new one" ? [lines[at] ?? "", set("v99", "fresh9")] : [];
    const stretch = [...lines.slice(at - above, at), ...fresh, ...lines.slice(at + count, at + count + below)];
    if (stretch.length === 0) continue;
    const [hole, inside] = [`${mark} ... existing code ...`, `${/^\s*/.exec(lines[0] ?? "")?.[0]}${mark} ...`];
    const [first = ""] = open("second").split("\n");
    const end = close === "" ? [] : [close];
    const shown = {
      nothing: [hole, ...stretch, hole],
      "the top": [top, "", hole, "", ...stretch, hole],
      "the head": [open("second"), inside, ...stretch, inside, ...end],
      "the first line of the head": [first, hole, ...stretch, hole, ...end],
      "the end": [hole, ...stretch, inside, ...end],
    }[form];
    const [before, after] = [file(lines), file([...lines.slice(0, at), ...fresh, ...lines.slice(at + count)])];
    const answer = `${label(path)}\n\n\`\`\`\n${shown.join("\n")}\n\`\`\`\n`;
    const result = await answered(path, before, answer);
    if (result !== before) expect(result, answer).toBe(after);
    // Beside a placeholder, nothing tells that a line is gone.
    if (above > 0 && below > 0 && twice === "nothing") (shares[form] ??= []).push(Number(result === after));
  }
  for (const [form, all] of Object.entries(shares)) expect(all.filter((one) => one === 1).length / all.length, form).toBeGreaterThan(0.5);
});
