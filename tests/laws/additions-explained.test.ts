/** Law of additions: the order tells them, and no word of its explanation. Members left out without an order never stay in silence. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const CASES: ReadonlyArray<readonly [path: string, name: string, head: string, members: readonly string[], foot: string, more: string]> = [
  ["a.ts", "Config", "export interface Config {\n", ["  host: string;\n", "  port: number;\n", "  debug: boolean;\n", "  retries: number;\n"], "}\n", "  timeout: number;\n"],
  ["b.ts", "Level", "export enum Level {\n", ["  Debug,\n", "  Info,\n", "  Warn,\n", "  Error,\n"], "}\n", "  Fatal,\n"],
  ["c.ts", "options", "export const options = {\n", ["  host: \"a\",\n", "  port: 1,\n", "  debug: true,\n", "  retries: 2,\n"], "};\n", "  timeout: 3,\n"],
  ["a.go", "Config", "type Config struct {\n", ["\tHost string\n", "\tPort int\n", "\tDebug bool\n", "\tRetries int\n"], "}\n", "\tTimeout int\n"],
  ["a.rs", "Config", "pub struct Config {\n", ["    host: String,\n", "    port: u16,\n", "    debug: bool,\n", "    retries: u8,\n"], "}\n", "    timeout: u8,\n"],
  ["a.py", "OPTIONS", "OPTIONS = {\n", ["    \"host\": \"a\",\n", "    \"port\": 1,\n", "    \"debug\": True,\n", "    \"retries\": 2,\n"], "}\n", "    \"timeout\": 3,\n"],
];
const BEGIN: Readonly<Record<string, string>> = { ts: "import x from \"x\";\n\n", go: "package a\n\n", rs: "use x;\n\n", py: "import x\n\n\n" };
const END: Readonly<Record<string, string>> = { ts: "\nexport function z() {}\n", go: "\nfunc z() {}\n", rs: "\nfn z() {}\n", py: "\n\ndef z():\n    pass\n" };
const EXPLAINED = [
  "Update `NAME` in `PATH`, which adds a timeout:", "Change `NAME` in `PATH` so that there is only one place for it:", "Here is the updated `NAME` in `PATH`. This adds the new value:", "Update `NAME` in `PATH` - this puts the last one in order:", "Refactor `NAME` in `PATH`; it implements the interface:", "Update `NAME` in `PATH` in place:",
  "In the first place, update `NAME` in `PATH`:", "Modify `NAME` in `PATH` (see the place where it is used):", "Update `NAME` in `PATH`, as it belongs in there:", "Change `NAME` in `PATH`. I added a comment, too:", "Update `NAME` in `PATH`, an extra one is added:", "Rewrite `NAME` in `PATH`, which includes the check:",
];
const ORDERED = [
  "Add a value to `NAME` in `PATH`:", "In `PATH`, add one to `NAME`:", "Update `NAME` in `PATH` to add one:", "Extend `NAME` in `PATH` by adding one:", "Now add it to `NAME` in `PATH`:", "You need to add one to `NAME` in `PATH`:", "`NAME` in `PATH` needs another one:", "I'd add one to `NAME` in `PATH`:", "Don't forget to add it to `NAME` in `PATH`:",
  "First, insert it into `NAME` in `PATH`:", "Change `NAME` in `PATH` and add it:", "Finally, include it in `NAME` in `PATH`:", "Füge `NAME` in `PATH` einen Wert hinzu:", "Ajoute une valeur à `NAME` dans `PATH` :", "Add one to `NAME` in `PATH`, since it was missing:",
];

describe.each(CASES)("%s", (path, name, head, members, foot, more) => {
  const language = path.split(".").at(-1) ?? "";
  const fileOf = (all: readonly string[]): string => (BEGIN[language] ?? "") + head + all.join("") + foot + (END[language] ?? "");
  const shown = [...members.toSpliced(2, 1), more];
  const made = (sentence: string): Promise<string> =>
    answered(path, fileOf(members), `${sentence.replace("NAME", name).replace("PATH", path)}\n\n\`\`\`\n${head}${shown.join("")}${foot}\`\`\`\n`);

  test("an explanation keeps nothing that is not shown", async () => {
    for (const sentence of EXPLAINED) expect([fileOf(members), fileOf(shown)], sentence).toContain(await made(sentence));
  });

  test("an order to add keeps what is not shown", async () => {
    for (const sentence of ORDERED) expect(await made(sentence), sentence).toBe(fileOf([...members, more]));
  });
});
