/** Law of new statements that leave a function early, above a placeholder: they stand above what that hides, or nothing lands. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const LANGUAGES = [
  { path: "a.tsx", hole: "// ...the rest stays the same", head: "export function list({ kind }) {", lines: ["  const all = read(kind);", "", "  const sorted = sort(all);"], tail: ["", "  return (", "    <div>{sorted}</div>", "  );", "}"], early: ["  if (loading) return <p>Loading</p>;"], deep: ["  if (!kind) {", "    return null;", "  }"] },
  { path: "a.go", hole: "// ...", head: "func list(kind string) []Item {", lines: ["\tall := read(kind)", "", "\tsorted := sort(all)"], tail: ["", "\treturn sorted", "}"], early: ["\tif kind == \"\" {", "\t\treturn nil", "\t}"], deep: ["\tif all == nil {", "\t\treturn empty", "\t}"] },
  { path: "a.py", hole: "# ...", head: "def list_all(kind):", lines: ["    every = read(kind)", "", "    ordered = order(every)"], tail: ["", "    return ordered"], early: ["    if not kind:", "        return []"], deep: ["    if every is None:", "        raise ValueError(kind)"] },
] as const;

test.each(LANGUAGES)("$path", async ({ path, hole, head, lines, tail, early, deep }) => {
  const begin = path === "a.go" ? ["package a", ""] : [];
  const other = path === "a.py" ? ["", "", "def other():", "    return 1"] : [];
  const joined = (...parts: ReadonlyArray<readonly string[]>): string => `${parts.flat().join("\n")}\n`;
  const before = joined(begin, [head], lines, tail, other);
  const indent = /^\s*/.exec(lines[0])?.[0] ?? "";
  const end = path === "a.py" ? [] : ["}"];
  for (const fresh of [early, deep])
    for (const changed of [lines, lines.map((line) => line.replace("sort(", "sortBy(").replace("order(", "order_by("))]) {
      const code = joined([head], changed, [""], fresh, ["", `${indent}${hole}`], end);
      expect([joined(begin, [head], changed, [""], fresh, tail, other), before]).toContain(await answered(path, before, `Update it in \`${path}\`:\n\n\`\`\`\n${code}\`\`\`\n`));
      const isKept = changed === lines;
      if (isKept) expect(await answered(path, before, `Update it in \`${path}\`:\n\n\`\`\`\n${code}\`\`\`\n`)).toBe(joined(begin, [head], changed, [""], fresh, tail, other));
    }
});

test.each([["return None", "raise ValueError(path)"], ["raise ValueError(path)", "return None"]])("%s that becomes %s is no new statement above a placeholder", async (old, now) => {
  const file = `def load(path):\n    if not path:\n        ${old}\n    data = read(path)\n    return data\n`;
  const after = await answered("a.py", file, `Update \`load\` in \`a.py\`:\n\n\`\`\`python\ndef load(path):\n    if not path:\n        ${now}\n    # ... rest ...\n\`\`\`\n`);
  expect([file, file.replace(old, now)]).toContain(after);
});
