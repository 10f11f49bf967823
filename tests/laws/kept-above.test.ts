/** A law of excerpts with placeholders: what stands above a declaration that they show without it stays, and so does what closes its class. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly mark: string;
  /** What stands above each function. */
  readonly above: readonly string[];
  readonly head: (name: string, parameter: string) => string;
  readonly body: readonly string[];
  readonly added: string;
  readonly end: string;
  readonly open: string;
  readonly close: string;
}

const call = (line: string): string => `    ${line}`;
const BODY = ["open();", "work();", "close();"].map(call);
const LANGUAGES: readonly Language[] = [
  { path: "a.py", mark: "#", above: ["@group.command()", '@option("--name")', "# Runs."], head: (name, parameter) => `def ${name}(${parameter}):`, body: ["    open()", "    work()", "    close()"], added: "    log()", end: "", open: "import a", close: "" },
  { path: "a.rs", mark: "//", above: ["/// Runs.", "#[test]", "#[cfg(unix)]"], head: (name, parameter) => `fn ${name}(${parameter && `${parameter}: u8`}) {`, body: BODY, added: "    log();", end: "}", open: "use std::fmt;", close: "" },
  { path: "a.go", mark: "//", above: ["// It runs.", "//go:noinline"], head: (name, parameter) => `func ${name}(${parameter && `${parameter} int`}) {`, body: ["\topen()", "\twork()", "\tclose()"], added: "\tlog()", end: "}", open: "package a", close: "" },
  { path: "A.java", mark: "//", above: ["    /** Runs. */", "    @Test", '    @Timeout(value = 1)'], head: (name, parameter) => `    void ${name}(${parameter && `int ${parameter}`}) {`, body: BODY.map(call), added: "        log();", end: "    }", open: "class A {", close: "}" },
  { path: "a.ts", mark: "//", above: ["    /**", "     * Runs.", "     */", "    @Input()"], head: (name, parameter) => `    ${name}(${parameter && `${parameter}: number`}) {`, body: BODY.map(call), added: "        log();", end: "    }", open: "export class A {", close: "}" },
  { path: "A.cs", mark: "//", above: ["    /// Runs.", "    [Fact]"], head: (name, parameter) => `    public void ${name}(${parameter && `int ${parameter}`}) {`, body: BODY.map(call), added: "        log();", end: "    }", open: "class A {", close: "}" },
  { path: "a.cpp", mark: "//", above: ["/// Runs.", "template <typename T>", "[[nodiscard]]", "__attribute__((noinline))"], head: (name, parameter) => `int ${name}(${parameter && `T ${parameter}`}) {`, body: BODY, added: "    log();", end: "}", open: "#include <a>", close: "" },
  { path: "a.php", mark: "//", above: ["/** Runs. */", "#[Pure]"], head: (name, parameter) => `function ${name}(${parameter && `$${parameter}`}) {`, body: BODY, added: "    log();", end: "}", open: "<?php", close: "" },
];

const NAMES = ["first", "second"];
const LABELS = [(path: string) => `### ${path}`, (path: string) => `\`${path}\`:`, (path: string, name: string) => `Update \`${name}\` in \`${path}\`:`];

const trials = LANGUAGES.flatMap((language) =>
  LABELS.flatMap((label, way) => NAMES.flatMap((name) => ["", "\n"].flatMap((gap) => [true, false].flatMap((hasHoleBelow) => ["", "size"].map((parameter) => ({ language, label, way, name, gap, hasHoleBelow, parameter })))))),
);

test("only the line that is new comes, and nothing above the declaration goes", async () => {
  for (const { path } of LANGUAGES) await loadStructure(path);
  let landed = 0;
  for (const { language, label, way, name, gap, hasHoleBelow, parameter } of trials) {
    const { path, mark, above, head, body, added, end, open, close } = language;
    const print = (of: string, isNew: boolean, isShown: boolean): string => {
      const lines = [...(isShown ? [] : above), head(of, isNew ? parameter : ""), body[0], ...(isNew ? [added] : []), ...body.slice(1), end];
      return lines.filter((line) => line !== "").join("\n");
    };
    const file = (changed: string): string => `${[open, ...NAMES.map((of) => print(of, of === changed, false)), close].filter((part) => part !== "").join("\n\n")}\n`;
    const hole = `${mark} ... existing code ...`;
    const fence = `${hole}\n${gap}${print(name, true, true)}\n${hasHoleBelow ? `${gap}${hole}\n` : ""}`;
    const [before, after] = [file(""), file(name)];
    const now = await answered(path, before, `${label(path, name)}\n\n\`\`\`\n${fence}\`\`\`\n`);
    if (now !== before) expect(now, `${path} ${way} ${fence}`).toBe(after);
    landed += Number(now === after);
  }
  expect(landed / trials.length).toBeGreaterThan(0.9);
});
