/** The law of what a sentence puts into a container: it stands among its members, with the commas of these, or nowhere. */
import { expect, test } from "vitest";
import { placeAsShown } from "../../src/excerpts/lines/as-shown.ts";
import { toldIn } from "../../src/excerpts/told/told.ts";
import { growthOfItem } from "../support/work.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  /** Two containers: head, members, foot. */
  readonly containers: ReadonlyArray<readonly [head: string, members: readonly string[], foot: string]>;
  readonly names: readonly [string, string];
  readonly added: string;
}

const LANGUAGES: readonly Language[] = [
  { path: "app.ini", containers: [["[server]", ["port = 3000", "host = web"], ""], ["[db]", ["port = 5432", "name = x"], ""]], names: ["server", "db"], added: "timeout = 30" },
  { path: "a.service", containers: [["[Unit]", ["Description=x", "Wants=y"], ""], ["[Service]", ["ExecStart=/bin/x", "Restart=always"], ""]], names: ["Unit", "Service"], added: "After=network.target" },
  { path: "a.toml", containers: [["[server]", ["port = 3000", 'host = "web"'], ""], ["[db]", ["port = 5432", 'name = "x"'], ""]], names: ["server", "db"], added: "timeout = 30" },
  { path: "a.yml", containers: [["server:", ["  port: 3000", "  host: web"], ""], ["db:", ["  port: 5432", "  name: x"], ""]], names: ["server", "db"], added: "  timeout: 30" },
  { path: "a.graphql", containers: [["enum Color {", ["  RED", "  GREEN"], "}"], ["enum Size {", ["  SMALL", "  LARGE"], "}"]], names: ["Color", "Size"], added: "  OTHER" },
  { path: "a.prisma", containers: [["model User {", ["  id Int @id", "  email String"], "}"], ["model Post {", ["  key Int @id", "  title String"], "}"]], names: ["User", "Post"], added: "  note String?" },
  { path: "a.swift", containers: [["enum Color {", ["    case red", "    case green"], "}"], ["enum Size {", ["    case small", "    case large"], "}"]], names: ["Color", "Size"], added: "    case other" },
  { path: "a.kt", containers: [["enum class Color {", ["    RED,", "    GREEN,"], "}"], ["enum class Size {", ["    SMALL,", "    LARGE,"], "}"]], names: ["Color", "Size"], added: "    OTHER" },
  { path: "a.scss", containers: [[".card {", ["  padding: 8px;", "  color: red;"], "}"], [".menu {", ["  margin: 8px;", "  border: 0;"], "}"]], names: [".card", ".menu"], added: "  opacity: 1;" },
  { path: "a.css", containers: [[":root {", ["  --gap: 8px;", "  --line: 2px;"], "}"], [".menu {", ["  --pad: 8px;", "  --edge: 0;"], "}"]], names: [":root", ".menu"], added: "  --space: 1px;" },
  { path: "a.conf", containers: [["location /a {", ["    proxy_pass http://a;", "    allow all;"], "}"], ["location /b {", ["    proxy_pass http://b;", "    deny all;"], "}"]], names: ["location /a", "location /b"], added: "    gzip on;" },
  { path: "a.py", containers: [["COLORS = [", ['    "red",', '    "green",'], "]"], ["SIZES = [", ['    "small",', '    "large",'], "]"]], names: ["COLORS", "SIZES"], added: '    "other"' },
  { path: "a.lua", containers: [["local colors = {", ['  "red",', '  "green",'], "}"], ["local sizes = {", ['  "small",', '  "large",'], "}"]], names: ["colors", "sizes"], added: '  "other"' },
  { path: "Makefile", containers: [["red:", ["\ttouch a", "\ttouch b"], ""], ["green:", ["\ttouch c", "\ttouch d"], ""]], names: ["red", "green"], added: "\ttouch e" },
  { path: "a.md", containers: [["## Red\n", ["- a", "- b"], ""], ["## Green\n", ["- c", "- d"], ""]], names: ["Red", "Green"], added: "- e" },
];

/** The file, with a further member of one container. */
function fileOf({ containers, added }: Language, place?: { readonly of: number; readonly at: number }): string {
  const comma = containers.every(([, members]) => members.every((member) => member.endsWith(","))) ? "," : "";
  const blocks = containers.map(([head, members, foot], index) => {
    const now = index === place?.of ? members.toSpliced(place.at, 0, `${added}${comma}`) : members;
    return [head, ...now, ...(foot === "" ? [] : [foot])].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}

const INTO: ReadonlyArray<(name: string) => string> = [
  (name) => `add this under \`${name}\``,
  (name) => `add this to \`${name}\``,
  (name) => `add the following inside \`${name}\``,
  (name) => `\`${name}\` needs one more line`,
  (name) => `add this as the first entry of \`${name}\``,
];
const answerOf = (path: string, order: string, added: string): string => `In \`${path}\`, ${order}:\n\n\`\`\`\n${added}\n\`\`\`\n`;

test.each(LANGUAGES)("what goes into a container of $path is one of its members, or nothing is edited", async (language) => {
  const { path, containers, names, added } = language;
  const text = fileOf(language);
  let [landed, tried] = [0, 0];
  for (const [of, name] of names.entries())
    for (const order of INTO) {
      const answer = answerOf(path, order(name), added);
      const count = containers[of]?.[1].length ?? 0;
      const places = order(name).includes("first") ? [0] : Array.from({ length: count + 1 }, (_, at) => at);
      const result = await answered(path, text, answer);
      tried += 1;
      if (result === text) continue;
      landed += 1;
      const lines = (whole: string): string => whole.replaceAll(/\n+/g, "\n");
      expect(places.map((at) => lines(fileOf(language, { of, at }))), answer).toContain(lines(result));
    }
  expect(landed).toBeGreaterThanOrEqual(tried * 0.2);
});

test.each(LANGUAGES)("what goes beside a member of $path stands there, with the commas of the list", async (language) => {
  const { path, containers, added } = language;
  const text = fileOf(language);
  for (const [of, [, members]] of containers.entries())
    for (const [at, member] of members.entries())
      for (const word of ["below", "above"]) {
        const answer = answerOf(path, `${word} \`${member.trim().replace(/,$/, "")}\`, add`, added);
        const result = await answered(path, text, answer);
        if (result !== text) expect(result, answer).toBe(fileOf(language, { of, at: word === "below" ? at + 1 : at }));
      }
});

const COMPOSER = '{\n    "name": "a/b",\n    "require": {\n        "php": "^8.2",\n        "c/d": "^3.0"\n    }\n}\n';
const MESSAGES = '{\n  "cart": {\n    "title": "Cart",\n    "empty": "Empty"\n  },\n  "user": {\n    "title": "User"\n  }\n}\n';
const COMPOSE = "services:\n  web:\n    image: web:1\n    environment:\n      PORT: 3000\n      HOST: web\n";
const PACKAGE = '{\n  "name": "a",\n  "scripts": {\n    "build": "tsc",\n    "test": "vitest"\n  }\n}\n';

test.each([
  ["composer.json", COMPOSER, '        "e/f": "^7.8"', COMPOSER.replace('"^3.0"\n', '"^3.0",\n        "e/f": "^7.8"\n')],
  ["composer.json", COMPOSER, '"e/f": "^7.8"', COMPOSER.replace('"^3.0"\n', '"^3.0",\n        "e/f": "^7.8"\n')],
  ["en.json", MESSAGES, '    "total": "Total"', MESSAGES],
  ["compose.yaml", COMPOSE, "      KEY: abc", `${COMPOSE}      KEY: abc\n`],
  ["compose.yaml", COMPOSE, "KEY: abc", `${COMPOSE}      KEY: abc\n`],
  ["package.json", '{\n  "version": "1.0.0",\n  "dependencies": {\n    "a": "^1.0.0"\n  }\n}\n', '"b": "^2.0.0"', '{\n  "version": "1.0.0",\n  "dependencies": {\n    "a": "^1.0.0",\n    "b": "^2.0.0"\n  }\n}\n'],
  // What may be a key of the file itself is one.
  ["package.json", PACKAGE, '"license": "MIT"', PACKAGE.replace("  }\n}", '  },\n  "license": "MIT"\n}')],
])("a key of %s that no sentence gives a place goes where its form tells, or nowhere (%#)", async (path, text, added, wanted) => {
  expect(await answered(path, text, answerOf(path, path === "package.json" && added.includes("^") ? "add this dependency" : "add this entry", added))).toBe(wanted);
});

test.each([
  ["a.py", "A = [\n    'a',\n    'b'\n    # end\n]\n", "below `'b'`, add", "    'c'", "A = [\n    'a',\n    'b',\n    'c'\n    # end\n]\n"],
  ["a.exs", '  defp deps do\n    [\n      {:a, "1"},\n      {:b, "2"}\n    ]\n  end\n', 'below `{:b, "2"}`, add', '      {:c, "3"}', '  defp deps do\n    [\n      {:a, "1"},\n      {:b, "2"},\n      {:c, "3"}\n    ]\n  end\n'],
  ["a.js", "function f() {\n  const a = 1,\n    b = 2;\n  go(a, b);\n}\n", "below `go(a, b);`, add", "  stop();", "function f() {\n  const a = 1,\n    b = 2;\n  go(a, b);\n  stop();\n}\n"],
])("the commas of a list in %s divide its members, and no statements (%#)", async (path, text, order, added, wanted) => {
  expect(await answered(path, text, answerOf(path, order, added))).toBe(wanted);
});

test("a declaration below a container stays outside of it", async () => {
  const text = ".card {\n  color: red;\n}\n\n.menu {\n  border: 0;\n}\n";
  const answer = answerOf("a.scss", "add this below `.card`", ".list {\n  margin: 0;\n}");
  expect(await answered("a.scss", text, answer)).toMatch(/^\.card \{\n {2}color: red;\n\}\n\n?\.list \{/);
});

test("the object of a key is found in linear time among thousands", () => {
  const growth = growthOfItem(4_000, (count) => {
    const objects = Array.from({ length: count }, (_, index) => `    "p${index}": {\n      "port": ${index},\n      "dev": true\n    }`).join(",\n");
    const file = `{\n  "dependencies": {\n    "a": "^1.0.0",\n    "b": "^2.0.0"\n  },\n  "packages": {\n${objects}\n  }\n}\n`;
    const at = file.length - 2;
    const content = '    "c": "^3.0.0"\n';
    const placed = placeAsShown(file, content, { splices: [{ start: at, end: at, text: '  "c": "^3.0.0"\n' }], said: toldIn("Add this dependency:"), path: "a.json" });
    expect(placed !== undefined && "splices" in placed && placed.splices[0]?.start).toBeLessThan(70);
  });
  expect(growth).toBeLessThan(8);
});

/** A test of Rust belongs among the others, also where it is shown at the margin. One whose file has no such module stays outside. */
const TEST_SENTENCES = ["Add a test to `src/a.rs`:", "And a test in `src/a.rs`:", "Add these tests to `src/a.rs`:", "Add a test to the `tests` module in `src/a.rs`:", "Add a test for `a` below `one` in `src/a.rs`:"];
const MARKS = ["#[test]", "#[tokio::test]", "#[test]\n#[should_panic]", '#[test_case(2 ; "two")]'];
const rustTest = (mark: string, name: string): string => `${mark}\nfn ${name}() {\n    assert_eq!(a(), 2);\n}\n`;
const inModule = (code: string): string => code.replace(/^(?=.)/gm, "    ");

test.each(TEST_SENTENCES.flatMap((sentence) => MARKS.flatMap((mark) => ["tests", "checks"].map((name) => ({ sentence: sentence.replace("`tests`", `\`${name}\``), mark, name })))))("$mark, mod $name: $sentence", async ({ sentence, mark, name }) => {
  const head = `pub fn a() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod ${name} {\n    use super::*;\n\n`;
  const file = `${head}${inModule(rustTest(mark, "one"))}}\n`;
  const shown = `${rustTest(mark, "two")}\n${rustTest(mark, "three")}`;
  expect(await answered("src/a.rs", file, `${sentence}\n\n\`\`\`rust\n${shown}\`\`\`\n`)).toBe(`${head}${inModule(`${rustTest(mark, "one")}\n${shown}`)}}\n`);
});

test.each(["pub fn a() {}\n\n#[test]\nfn one() {\n    a();\n}\n", "pub fn a() {}\n", "pub fn a() {}\n\nmod b {\n    fn c() {}\n}\n"])("a test at the margin of a file without such a module: %s", async (file) => {
  const landed = await answered("src/a.rs", file, `Add a test to \`src/a.rs\`:\n\n\`\`\`rust\n${rustTest("#[test]", "two")}\`\`\`\n`);
  expect(landed.replaceAll(/\n+/g, "\n")).toBe(`${file}${rustTest("#[test]", "two")}`.replaceAll(/\n+/g, "\n"));
});
