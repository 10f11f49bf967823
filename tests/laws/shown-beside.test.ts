/** Laws of what an answer shows beside its edit, and of what a whole text lacks: neither costs the file a block. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { freeTries } from "../support/tries.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly head: string;
  readonly between: string;
  readonly foot?: string;
  block(name: string, value: number): string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/store.ts", head: 'import { db } from "./db";\n\n', between: "\n", block: (name, value) => `function ${name}(key: string): number {\n  const found = db.get(key);\n  log("${name}", found);\n  return found + ${value};\n}\n` },
  { path: "app/store.py", head: "import os\n\n\n", between: "\n\n", block: (name, value) => `def ${name}(key):\n    found = db.get(key)\n    print("${name}", found)\n    return found + ${value}\n` },
  { path: "store/store.go", head: 'package store\n\nimport "fmt"\n\n', between: "\n", block: (name, value) => `func ${name}(key string) int {\n\tfmt.Println("${name}", key)\n\treturn ${value}\n}\n` },
  { path: "lib/store.rb", head: 'require "set"\n\n', between: "\n", block: (name, value) => `def ${name}(key)\n  puts "${name} #{key}"\n  ${value}\nend\n` },
  { path: "web/style.css", head: ":root {\n  --gap: 4px;\n}\n\n", between: "\n", block: (name, value) => `.${name} {\n  color: red;\n  padding: ${value}px;\n}\n` },
  { path: "bin/store.sh", head: "#!/bin/bash\nset -e\n\n", between: "\n", block: (name, value) => `${name}() {\n  echo "${name} $1"\n  return ${value}\n}\n` },
  { path: "db/store.sql", head: "BEGIN;\n\n", between: "\n", foot: "\nCOMMIT;\n", block: (name, value) => `CREATE TABLE ${name} (\n  id INTEGER PRIMARY KEY,\n  size VARCHAR(${value})\n);\n` },
  { path: "conf/app.toml", head: 'title = "x"\n\n', between: "\n", block: (name, value) => `[${name}]\nimage = "db"\nsize = ${value}\n` },
  { path: "conf/app.yml", head: "version: 3\n\n", between: "\n", block: (name, value) => `${name}:\n  image: db\n  size: ${value}\n` },
];
const NAMES = ["load", "load_all", "reload", "size", "save"] as const;

const fileOf = ({ head, between, foot = "" }: Language, blocks: readonly string[]): string => head + blocks.join(between) + foot;
const fenced = (text: string): string => `\`\`\`\n${text.replace(/\n*$/, "\n")}\`\`\`\n`;

const given = fc
  .record({ language: fc.constantFrom(...LANGUAGES), names: fc.shuffledSubarray([...NAMES], { minLength: 3 }), changed: fc.nat(), other: fc.nat() })
  .map(({ language, names, changed, other }) => {
    const at = changed % names.length;
    const beside = (at + 1 + (other % (names.length - 1))) % names.length;
    const old = names.map((name, index) => language.block(name, 10 + index));
    const now = old.with(at, language.block(names[at] ?? "", 99));
    return { language, names, at, beside, old, now };
  });

const HEADS = [
  (path: string) => `Here is the full updated \`${path}\`:`, (path: string) => `**${path}**`, (path: string) => `### ${path}`,
  (path: string) => `Replace the contents of \`${path}\` with:`, (path: string) => `Updated \`${path}\`:`,
];

test("a whole text takes away what a sentence says goes, and nothing else", { timeout: 120_000 }, async () => {
  const seen = { whole: 0, kept: 0 };
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(...HEADS), fc.constantFrom("told", "untold", "all", "cut"), async ({ language, names, beside, old, now }, head, how) => {
      const name = names[beside] ?? "";
      const blocks = how === "told" || how === "untold" ? now.toSpliced(beside, 1) : now;
      const whole = fileOf(language, blocks);
      const shown = how === "cut" ? whole.split("\n").slice(0, -3).join("\n") : whole;
      const sentence = how === "told" ? `I also removed \`${name}\`, which nothing uses.` : "I cleaned it up a bit.";
      const answer = `${sentence}\n\n${head(language.path)}\n\n${fenced(shown)}`;
      const before = fileOf(language, old);
      const after = await answered(language.path, before, answer);
      const may = [before, fileOf(language, now), ...(how === "told" || how === "all" ? [whole] : [])];
      expect(may, `${answer}\n---\n${after}`).toContain(after);
      seen[after === before ? "kept" : "whole"] += 1;
    }),
    freeTries(150, 3_000),
  );
  expect(seen.whole).toBeGreaterThan(seen.kept);
});

/** What stands above code that is no edit. */
const BESIDE = [
  (name: string) => `A naive version of \`${name}\` would be:`, (name: string) => `You might be tempted to write \`${name}\` like so:`, () => "For comparison, this is how the docs do it:",
  (name: string) => `The old version of \`${name}\` from last year:`, () => "Avoid this pattern:", (name: string) => `In your tests you could stub \`${name}\`:`, () => "What I tried first, which did not work:",
  () => "Your colleague's branch has:", (name: string) => `Imagine \`${name}\` was written as follows:`, (name: string) => `Later you can extend \`${name}\`:`, () => "The same thing in a shorter form, not needed here:",
  (name: string) => `Could you tell me whether \`${name}\` should become:`, (name: string) => `Should \`${name}\` become this:`, (name: string) => `I'm not sure if \`${name}\` is to be:`,
  (name: string) => `When this runs, the optimizer turns \`${name}\` into:`, () => "Si prefieres, también funciona:", () => "Frühere Fassung:", () => "This was the problem:",
];

test("of code that is told, compared or supposed beside an edit, nothing lands", { timeout: 120_000 }, async () => {
  let landed = 0;
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(...BESIDE), fc.boolean(), fc.boolean(), async ({ language, names, at, beside, old, now }, told, isOther, isFirst) => {
      const shown = isOther ? beside : at;
      const noise = `${told(names[shown] ?? "")}\n\n${fenced(language.block(names[shown] ?? "", 55))}`;
      const edit = `Update \`${names[at]}\` in \`${language.path}\`:\n\n${fenced(now[at] ?? "")}`;
      const answer = isFirst ? `${noise}\n${edit}` : `${edit}\n${noise}`;
      const before = fileOf(language, old);
      const after = await answered(language.path, before, answer);
      expect([before, fileOf(language, now)], `${answer}\n---\n${after}`).toContain(after);
      if (after !== before) landed += 1;
    }),
    freeTries(150, 3_000),
  );
  expect(landed).toBeGreaterThan(75);
});

/** An edit in a syntax that tools teach. */
const AS_BLOCK = [
  (path: string, old: string, now: string) => `${path}\n<<<<<<< SEARCH\n${old}=======\n${now}>>>>>>> REPLACE\n`,
  (path: string, old: string, now: string) => `*** Begin Patch\n*** Update File: ${path}\n@@\n${signed(old, "-")}${signed(now, "+")}*** End Patch\n`,
  (path: string, old: string, now: string) => `--- a/${path}\n+++ b/${path}\n@@ @@\n${signed(old, "-")}${signed(now, "+")}`,
];
const signed = (text: string, sign: string): string => text.replace(/^/gm, sign).slice(0, -1);
/** Sentences above the text of a block that stands in the answer as an edit too. */
const AGAIN = [
  (name: string, path: string) => `Update \`${name}\` in \`${path}\`:`, (name: string, path: string) => `Here is the new \`${name}\` in \`${path}\`:`,
  (name: string, path: string) => `In \`${path}\`, \`${name}\` becomes:`, (_: string, path: string) => `\`${path}\`:`,
];

test("an excerpt beside a block of its file lands if it is another edit, and the same edit lands once", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(...AS_BLOCK), fc.constantFrom(...AGAIN), fc.boolean(), fc.boolean(), async ({ language, names, at, beside, old, now }, block, sentence, isOther, isFirst) => {
      const both = now.with(beside, language.block(names[beside] ?? "", 77));
      const shown = isOther ? beside : at;
      const excerpt = `${sentence(names[shown] ?? "", language.path)}\n\n${fenced(both[shown] ?? "")}`;
      const edit = `And:\n\n${block(language.path, old[at] ?? "", now[at] ?? "")}`;
      const answer = isFirst ? `${excerpt}\n${edit}` : `I updated \`${language.path}\`.\n\n${edit}\n${excerpt}`;
      const before = fileOf(language, old);
      const after = await answered(language.path, before, answer);
      expect(after, `${answer}\n---\n${after}`).toBe(fileOf(language, isOther ? both : now));
    }),
    freeTries(150, 3_000),
  );
});

test("of code that is told, compared or supposed beside a block, nothing lands", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(...AS_BLOCK), fc.constantFrom(...BESIDE), fc.boolean(), fc.boolean(), async ({ language, names, at, beside, old, now }, block, told, isOther, isFirst) => {
      const shown = isOther ? beside : at;
      const noise = `${told(names[shown] ?? "")}\n\n${fenced(language.block(names[shown] ?? "", 55))}`;
      const edit = `Here is the fix:\n\n${block(language.path, old[at] ?? "", now[at] ?? "")}`;
      const before = fileOf(language, old);
      const answer = isFirst ? `${noise}\n${edit}` : `${edit}\n${noise}`;
      const after = await answered(language.path, before, answer);
      expect(after, `${answer}\n---\n${after}`).toBe(fileOf(language, now));
    }),
    freeTries(150, 3_000),
  );
});

/** A new line below the one that a sentence puts it below, both shown. */
test.each([
  ["a.tsx", "<main>\n  <Search />\n  <List />\n</main>\n", "  <Search />", "  <Select />", "Render the select after the search bar in `a.tsx`:"],
  ["a.py", "def a():\n    x = 1\n    y = 2\n    return x\n", "    y = 2", "    log(y)", "In `a.py`, log the value after it's computed:"],
  ["a.go", "package a\n\nfunc a() {\n\tx := 1\n\tgo2(x)\n}\n", "\tx := 1", "\tlog(x)", "In `a.go`, log the value right after it is set:"],
])("%s: %#", async (path, file, above, added, said) => {
  const answer = `${said}\n\n\`\`\`\n${above}\n${added}\n\`\`\`\n`;
  expect(await answered(path, file, answer)).toBe(file.replace(`${above}\n`, () => `${above}\n${added}\n`));
});

/** An order to replace something below a line inserts nothing there. */
test.each(["In `a.tsx`, replace the list after the search bar:", "Change what is rendered after the search bar in `a.tsx`:"])("%s", async (said) => {
  const file = "<main>\n  <SearchBar value={q} />\n  <List items={all} />\n</main>\n";
  const now = await answered("a.tsx", file, `${said}\n\n\`\`\`tsx\n  <SearchBar value={q} />\n  <Grid items={all} />\n\`\`\`\n`);
  expect([file, file.replace("List", "Grid")]).toContain(now);
});
