/** The law of what a sentence adds to a file: no line that the file has goes, and it stands below the last one of its kind, or is refused. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const SENTENCES = [
  "Add this to `PATH`:", "Also add another one to `PATH`:", "In `PATH`, add:", "Add the new entry to `PATH`, so that it is found:", "`PATH` needs one more:", "Put this into `PATH`:",
];
/** A file, in which @ marks the place, and what is added, at column 0. */
const PLACED: ReadonlyArray<readonly [path: string, file: string, added: string]> = [
  ["n.conf", "server {\n    location /a {\n        proxy_pass http://a;\n    }\n@}\n", "location /b {\n    proxy_pass http://b;\n}\n"],
  ["m.tf", 'resource "bucket" "a" {\n  name = "a"\n}\n@', '\nresource "bucket" "b" {\n  name = "b"\n}\n'],
  ["s.js", 'const app = express();\n\napp.get("/a", (req, res) => {\n  res.send("a");\n});\n@\napp.listen(1);\n', '\napp.get("/b", (req, res) => {\n  res.send("b");\n});\n'],
  ["r.js", 'function r(s, a) {\n  switch (a.type) {\n    case "x": {\n      return 1;\n    }\n@    default:\n      return s;\n  }\n}\n', 'case "y": {\n  return 2;\n}\n'],
  ["a.test.js", 'describe("a", () => {\n  it("x", () => {\n    expect(1).toBe(1);\n  });\n@});\n', 'it("y", () => {\n  expect(2).toBe(2);\n});\n'],
  ["routes.rb", 'Rails.application.routes.draw do\n  namespace :a do\n    get "x"\n  end\n@end\n', 'namespace :b do\n  get "y"\nend\n'],
  ["i.html", '<main>\n  <section class="x">\n    <h2>A</h2>\n  </section>\n@</main>\n', '<section class="x">\n  <h2>B</h2>\n</section>\n'],
  ["A.tsx", "export function A() {\n  return (\n    <div>\n      <Card>\n        <h2>A</h2>\n      </Card>\n@    </div>\n  );\n}\n", "<Card>\n  <h2>B</h2>\n</Card>\n"],
  ["s.sql", "CREATE TABLE a (\n  id INT\n);\n@", "\nCREATE TABLE b (\n  id INT\n);\n"],
  ["a.proto", "message A {\n  string id = 1;\n}\n@", "\nmessage B {\n  string id = 1;\n}\n"],
  ["a.ini", "[a]\nx = 1\n@", "\n[b]\nx = 1\n"],
];
/** What has no place that can be told, or none yet. */
const REFUSED: ReadonlyArray<readonly [path: string, file: string, added: string]> = [
  ["a.toml", '[[bin]]\nname = "a"\npath = "x"\n', '[[bin]]\nname = "b"\npath = "y"\n'],
  ["h.go", "package h\n\nfunc F(x int) error {\n\tif x < 0 {\n\t\treturn errNeg\n\t}\n\treturn nil\n}\n", "if x > 9 {\n\treturn errBig\n}\n"],
  ["two.html", "<ul>\n  <li>\n    <a>A</a>\n  </li>\n</ul>\n<div>\n  <ul>\n    <li>\n      <a>B</a>\n    </li>\n  </ul>\n</div>\n", "<li>\n  <a>C</a>\n</li>\n"],
];

/** One of two blocks, with one line more: never a third one. */
const MORE: ReadonlyArray<readonly [path: string, file: string, shown: string, further: string]> = [
  ["n.conf", "server {\n    listen 80;\n}\n\nserver {\n    listen 81;\n}\n", "server {\n    listen 81;\n", "    gzip on;\n}\n"],
  ["s.js", 'app.get("/a", (q, r) => {\n  r.send(x);\n});\n\napp.get("/b", (q, r) => {\n  r.send(y);\n});\n', 'app.get("/b", (q, r) => {\n', "  log(q);\n  r.send(z);\n});\n"],
  ["A.tsx", "export const A = () => (\n  <div>\n    <Card>\n      <h2>A</h2>\n    </Card>\n    <Card>\n      <h2>B</h2>\n    </Card>\n  </div>\n);\n", "<Card>\n  <h2>B</h2>\n", "  <p>more</p>\n</Card>\n"],
  ["a.ini", "[a]\nx = 1\n\n[b]\nx = 1\n", "[b]\n", "y = 2\n"],
];

describe.each(SENTENCES)("%s", (sentence) => {
  const answerOf = (path: string, added: string): string => `${sentence.replace("PATH", path)}\n\n\`\`\`\n${added.trim()}\n\`\`\`\n`;

  test.each(PLACED)("%s", async (path, file, added) => {
    const [above = "", below = ""] = file.split("@");
    const indent = /\n?( *)\S[^\n]*\n$/.exec(above)?.[1] ?? "";
    expect(await answered(path, above + below, answerOf(path, added))).toBe(above + added.replace(/^(?=.)/gm, indent) + below);
  });

  test.each(MORE)("%s has no block more", async (path, file, shown, further) => {
    const heads = (text: string): number => text.split("\n").filter((line) => line.trim() === shown.split("\n", 1)[0]).length;
    expect(heads(await answered(path, file, answerOf(path, shown + further)))).toBe(heads(file));
  });

  test.each(REFUSED)("%s is refused", async (path, file, added) => {
    expect(await answered(path, file, answerOf(path, added))).toBe(file);
  });
});
