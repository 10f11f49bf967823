/** Law of new statements beside known ones that end or begin a block: they replace nothing, and elsewhere they do not land. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const FORMS = [
  { path: "a.py", begin: ["def load(path):"], lines: ["    data = read(path)", "    log(data)", "    store(data)"], end: ["", "", "def other():", "    pass"], fresh: ["    check(path)", "    if not path:\n        fail(path)"], leave: "    return data" },
  { path: "a.ts", begin: ["function load(path: string) {"], lines: ["  const data = read(path);", "  log(data);", "  store(data);"], end: ["}", "", "start();"], fresh: ["  check(path);", "  if (!path) {\n    fail(path);\n  }"], leave: "  return data;" },
  { path: "a.go", begin: ["package a", "", "func load(path string) error {"], lines: ["\tdata := read(path)", "\tlog.Println(data)", "\tstore(data)"], end: ["}"], fresh: ["\tcheck(path)", "\tif path == \"\" {\n\t\tfail(path)\n\t}"], leave: "\treturn nil" },
  { path: "A.java", begin: ["class A {", "    void load(String path) {"], lines: ["        Data data = read(path);", "        log(data);", "        store(data);"], end: ["    }", "}"], fresh: ["        check(path);", "        if (path == null) {\n            fail(path);\n        }"], leave: "        return data;" },
] as const;

test.each(FORMS)("$path", async ({ path, begin, lines, end, fresh, leave }) => {
  const fileOf = (...statements: readonly string[]): string => [...begin, ...statements, ...end, ""].join("\n");
  const shown = (code: readonly string[], told = `In \`load\` in \`${path}\`:`): string => `${told}\n\n\`\`\`${/\w+$/.exec(path)?.[0]}\n${code.join("\n")}\n\`\`\`\n`;
  const before = fileOf(...lines);
  for (const now of fresh) {
    for (const known of [lines.slice(2), lines.slice(1)])
      expect(await answered(path, before, shown([...known, now])), now).toBe(fileOf(...lines, now));
    for (const known of [lines.slice(0, 1), lines.slice(0, 2)])
      expect(await answered(path, before, shown([now, ...known])), now).toBe(fileOf(now, ...lines));
    // What stands in the middle may replace what the file has there.
    for (const code of [[...lines.slice(0, 1), now], [now, ...lines.slice(2)]])
      expect(await answered(path, before, shown(code)), now).toBe(before);
    // Below a return nothing runs, and an example changes nothing.
    const left = fileOf(...lines, leave);
    expect(await answered(path, left, shown([leave, now])), now).toBe(left);
    expect(await answered(path, before, shown([...lines.slice(2), now], `For example, to use \`load\` in \`${path}\`:`)), now).toBe(before);
  }
});

test.each([
  ["a.ts", "function find(id) {\n  const row = db.get(id);\n  log(row);\n  if (row.old) {\n    return null;\n  }\n  return row;\n}\n", "  log(row);", ["  if (debug) {\n    log(row);\n  }", "  queue(() => {\n    log(row);\n  });"], "  if (!id) {\n    return null;\n  }"],
  ["a.py", "def find(id):\n    row = db.get(id)\n    log(row)\n    if row.old:\n        return None\n    return row\n", "    log(row)", ["    if debug:\n        log(row)"], "    if not id:\n        return None"],
] as const)("%s: a statement that is all of a condition gets it, unless it leaves the function", async (path, before, statement, conditions, early) => {
  const shown = (told: string, code: string): string => `${told}\n\n\`\`\`${/\w+$/.exec(path)?.[0]}\n${code}\n\`\`\`\n`;
  for (const condition of conditions)
    for (const told of [`In \`${path}\`:`, `Update \`find\` in \`${path}\`:`])
      expect(await answered(path, before, shown(told, condition)), condition).toBe(before.replace(statement, condition));
  expect(await answered(path, before, shown(`Add a log to \`${path}\`:`, conditions[0]))).toBe(before);
  expect(await answered(path, before, shown(`In \`find\` in \`${path}\`, handle a missing id:`, early))).toBe(before);
});
