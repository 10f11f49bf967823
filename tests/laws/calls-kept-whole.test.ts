/** Law of a call that a new statement has whole: that takes its place, and it never stands twice. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const FORMS = [
  { path: "a.go", call: "\tstore.Save(item)", kept: ["\tif err := store.Save(item); err != nil {", "\t\treturn", "\t}"], lines: ["\titem := read(r)", "", "\tlog.Println(item)"], head: "func add(r Request) {", end: "}" },
  { path: "a.ts", call: "  app.listen(port, () => {\n    log(port);\n  });", kept: ["  const server = app.listen(port, () => {", "    log(port);", "  });", "", "  process.on(\"exit\", () => server.close());"], lines: ["  const app = express();", "  app.use(json());", ""], head: "function main() {", end: "}" },
  { path: "b.ts", call: "  save(item);", kept: ["  await save(item);"], lines: ["  const item = read();", "  log(item);"], head: "async function main() {", end: "}" },
  { path: "a.py", call: "    sub.add_parser(\"list\")", kept: ["    list_ = sub.add_parser(\"list\")", "    list_.add_argument(\"--tag\")"], lines: ["    sub = parser()", "    show = sub.add_parser(\"show\")"], head: "def build():", end: "" },
  { path: "A.java", call: "        items.remove(item);", kept: ["        boolean ok = items.remove(item);", "        if (!ok) {", "            throw new Missing(item);", "        }"], lines: ["        Item item = read();", "        log(item);"], head: "    void main() {", end: "    }" },
  { path: "a.php", call: "    save($item);", kept: ["    $ok = save($item);", "    if (!$ok) {", "        return;", "    }"], lines: ["    $item = read();", "    report($item);"], head: "function main() {", end: "}" },
] as const;

const fileOf = ({ path, head, end, lines }: (typeof FORMS)[number], statements: readonly string[]): string => {
  const [begin, close] = path === "A.java" ? [["class A {"], ["}"]] : [path === "a.php" ? ["<?php"] : [], []];
  return [...begin, head, ...lines.slice(0, 1), ...statements, ...lines.slice(1), ...(end === "" ? [] : [end]), ...close, ""].join("\n");
};
const shown = (path: string, code: readonly string[]): string => `\n\n\`\`\`${/\w+$/.exec(path)?.[0]}\n${code.join("\n")}\n\`\`\`\n`;

test.each(FORMS)("$path", async (form) => {
  const { path, call, kept } = form;
  const [before, after] = [fileOf(form, [call]), fileOf(form, kept)];
  for (const told of [`Update \`${path}\`:`, `In \`${path}\`:`, `In \`${path}\`, keep what it returns:`])
    expect(await answered(path, before, told + shown(path, kept)), told).toBe(after);
  // Which of two calls is meant, nobody says.
  const twice = fileOf(form, [call, call]);
  expect(await answered(path, twice, `Update \`${path}\`:${shown(path, kept)}`)).toBe(twice);
  for (const told of [`For example, in \`${path}\` you can use it like this:`, `Don't do this in \`${path}\`:`])
    expect(await answered(path, before, told + shown(path, kept)), told).toBe(before);
});

test.each([
  ["a.ts", "function main() {\n  load(s);\n  save(s);\n  return s;\n}\n", "  return save(s);", "function main() {\n  load(s);\n  return save(s);\n}\n"],
  ["a.py", "def main(s):\n    load(s)\n    save(s)\n    return 0\n", "    return save(s)", "def main(s):\n    load(s)\n    return save(s)\n"],
  ["b.ts", "async function main() {\n  load(s);\n  save(s);\n}\n", "  await load(s);\n  await save(s);", "async function main() {\n  await load(s);\n  await save(s);\n}\n"],
  ["b.py", "def main(s):\n    load(s)\n    save(s)\n", "    ok = load(s)\n    if not ok:\n        return\n    save(s)", "def main(s):\n    ok = load(s)\n    if not ok:\n        return\n    save(s)\n"],
])("%s: %j has a call above or beside it", async (path, before, code, after) => {
  expect(await answered(path, before, `Update \`main\` in \`${path}\`:${shown(path, [code])}`)).toBe(after);
});
