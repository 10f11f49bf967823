/** The law of fragments: statements with unchanged ones around them land where they stand, or are refused. */
import { expect, test } from "vitest";
import { isLong } from "../support/tries.ts";
import { answered } from "./answered.ts";

const LANGUAGES = [
  { path: "a.ts", call: (name: string) => `${name}Step(items);`, loop: "for (const item of items) {", condition: "if (item.length > 3) {", end: "}", last: "return items.length;", head: (name: string) => `export function ${name}(items: string[]): number {`, space: "  " },
  { path: "a.py", call: (name: string) => `${name}_step(items)`, loop: "for item in items:", condition: "if len(item) > 3:", end: "", last: "return len(items)", head: (name: string) => `def ${name}(items):`, space: "    " },
  { path: "a.rb", call: (name: string) => `${name}_step(items)`, loop: "items.each do |item|", condition: "if item.length > 3", end: "end", last: "items.length", head: (name: string) => `def ${name}(items)`, space: "  " },
  { path: "a.go", call: (name: string) => `${name}Step(items)`, loop: "for _, item := range items {", condition: "if len(item) > 3 {", end: "}", last: "return len(items)", head: (name: string) => `func ${name}(items []string) int {`, space: "\t" },
];
type Language = (typeof LANGUAGES)[number];
const NAMES = {
  different: ["open", "count", "parse", "check", "trim", "store", "close", "report"],
  repeated: ["open", "count", "open", "check", "count", "store", "close", "open"],
} as const;
const SENTENCES = ["Update this part of `PATH`:", "In `work` in `PATH`:", "Then change `PATH` like this:"];
const CHANGES = ["change", "above", "below", "replace", "drop"] as const;
const AROUND = [1, 2, 3];

/** A line of a function. */
interface Row {
  readonly depth: number;
  readonly text: string;
  readonly at?: number;
}

function rowsOf({ call, loop, condition, end, last }: Language, names: readonly string[]): readonly Row[] {
  const step = (depth: number, at: number): Row => ({ depth, text: call(names[at] ?? ""), at });
  const close = (depth: number): Row[] => (end === "" ? [] : [{ depth, text: end }]);
  return [step(1, 0), step(1, 1), { depth: 1, text: loop }, step(2, 2), { depth: 2, text: condition }, step(3, 3), step(3, 4), ...close(2), step(2, 5), ...close(1), step(1, 6), step(1, 7), { depth: 1, text: last }];
}

/** The rows as a function's body, between two functions that begin and end alike. */
function fileOf(language: Language, rows: readonly Row[]): string {
  const other = rowsOf(language, ["load", "count", "walk", "test", "cut", "save", "close", "tell"]);
  const functionOf = (name: string, body: readonly Row[]): string => `${language.head(name)}\n${textOf(language, body)}${language.end === "" ? "" : `${language.end}\n`}`;
  return [...(language.path === "a.go" ? ["package a\n"] : []), functionOf("other", other), functionOf("work", rows), functionOf("third", other)].join("\n");
}

const textOf = ({ space }: Language, rows: readonly Row[]): string => rows.map(({ depth, text }) => `${space.repeat(depth)}${text}\n`).join("");

const RUNS = LANGUAGES.flatMap((language) => SENTENCES.flatMap((sentence) => (["different", "repeated"] as const).flatMap((names) => NAMES[names].flatMap((_, at) => CHANGES.flatMap((change) => AROUND.flatMap((around) => [true, false].map((isDedented) => ({ language, sentence, names, at, change, around, isDedented, path: language.path }))))))));
/** One of so many in the short tests: prime to the numbers above. */
const STEP = 97;
const SOME = RUNS.filter((_, index) => isLong || index % STEP === 0);
let landed = 0;

test.each(SOME)("$path: $sentence $change $at, $names, $around around, $isDedented", async ({ language, sentence, names, at, change, around, isDedented }) => {
  const old = rowsOf(language, NAMES[names]);
  const place = old.findIndex((row) => row.at === at);
  const row = old[place] as Row;
  const fresh = { depth: row.depth, text: language.call("notify") };
  const made = { change: [{ ...row, text: row.text.replace("items", "items, 2") }], above: [fresh, row], below: [row, fresh], replace: [fresh], drop: [] }[change];
  const now = [...old.slice(0, place), ...made, ...old.slice(place + 1)];
  const [from, to] = [Math.max(0, place - around), Math.min(now.length, place + made.length + around)];
  const shown = now.slice(from, to);
  const least = isDedented ? Math.min(...shown.map(({ depth }) => depth)) : 0;
  const answer = `${sentence.replace("PATH", language.path)}\n\n\`\`\`\n${textOf(language, shown.map((one) => ({ ...one, depth: one.depth - least })))}\`\`\`\n`;
  const [before, after] = [fileOf(language, old), fileOf(language, now)];
  const result = await answered(language.path, before, answer);
  expect(result === before ? after : result, answer).toBe(after);
  if (result === after) landed += 1;
});

test("most of them land", () => {
  expect(landed).toBeGreaterThan(SOME.length * 0.6);
});

/** What a fragment shows of two blocks says nothing of the comment between them. */
const BLOCKS: Readonly<Record<string, readonly [comment: string, block: (name: string) => string, added: string]>> = {
  "a.scss": ["/*\n * Second.\n */", (name) => `.${name} {\n    color: $${name};\n    margin: 0 ${name.length}px;\n}`, "    --x: 1;\n"],
  "a.less": ["// Second.", (name) => `.${name} {\n    color: @${name};\n    margin: 0 ${name.length}px;\n}`, "    --x: 1;\n"],
  "a.conf": ["# Second.", (name) => `location /${name} {\n    proxy_pass http://${name};\n    allow ${name};\n}`, "    deny all;\n"],
  "a.tf": ["# Second.", (name) => `resource "bucket" "${name}" {\n    bucket = "${name}"\n    acl    = "${name}"\n}`, "    force = true\n"],
  "a.kt": ["// Second.", (name) => `fun ${name}(x: Int): Int {\n    log("${name}")\n    return x\n}`, "    check(x)\n"],
  "a.lua": ["-- Second.", (name) => `local function ${name}(x)\n    print("${name}")\n    return x\nend`, "    check(x)\n"],
};

test.each(Object.keys(BLOCKS).flatMap((path) => ["Update these in `PATH`:", "In `PATH`:", "`PATH`:"].flatMap((sentence) => ["\n", "\n\n"].map((gap) => ({ path, sentence, gap })))))("$path: $sentence %j", async ({ path, sentence, gap }) => {
  const [comment, block, added] = BLOCKS[path] as (typeof BLOCKS)[string];
  const changed = (name: string): string => block(name).replace("\n", `\n${added}`);
  const file = `${[block("first"), comment, block("second"), block("third")].join("\n\n")}\n`;
  const landed = await answered(path, file, `${sentence.replace("PATH", path)}\n\n\`\`\`\n${[changed("first"), changed("second")].join(gap)}\n\`\`\`\n`);
  expect([file, `${[changed("first"), comment, changed("second"), block("third")].join("\n\n")}\n`]).toContain(landed);
});

/** A fragment that ends inside a statement leaves no half of that. */
test.each(["In the `work` function (`a.py`):", "Update this part of `a.py`:", "`a.py`:"])("%s", async (sentence) => {
  const branch = (name: string): string => `        def ${name}(path):\n            try:\n                return ${name}_of(path)\n            except OSError:\n                return None\n`;
  const file = `def work():\n    if fast:\n\n${branch("load")}\n${branch("store")}\n    return load, store\n`;
  const shown = branch("load").split("\n").slice(1, -1).concat("", "        def put(path):", "            try:", "                return store_of(path)");
  for (const from of [0, 1, 2, 3]) {
    const landed = await answered("a.py", file, `${sentence}\n\n\`\`\`python\n${shown.slice(from).join("\n")}\n\`\`\`\n`);
    expect(landed.match(/try:/g)).toHaveLength(landed.match(/except/g)?.length ?? 0);
  }
});
