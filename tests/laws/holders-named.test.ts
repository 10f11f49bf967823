/** The law of what the order names: a member that only another declaration has is not that of the named one. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** Files with a holder that lacks what another one has. */
const FILES: readonly (readonly [path: string, text: string, holder: string, name: string, code: string])[] = [
  ["models.py", "class Post(Model):\n    title = Char()\n\n    class Meta:\n        ordering = ['-id']\n\n    def url(self):\n        return '/posts/'\n\n\nclass Tag(Model):\n    name = Char()\n", "Tag", "url", "def url(self):\n    return '/tags/'"],
  ["meta.py", "class Post(Model):\n    title = Char()\n\n    class Meta:\n        ordering = ['-id']\n\n\nclass Tag(Model):\n    name = Char()\n", "Tag", "Meta", "class Meta:\n    ordering = ['name']"],
  ["m.ts", "class Cart {\n  total() {\n    return 1;\n  }\n}\n\nclass Shop {\n  name = 'x';\n}\n", "Shop", "total", "total() {\n  return 2;\n}"],
  ["api.js", "export const api = {\n  list() {\n    return [];\n  },\n};\n\nexport const mock = {\n  calls: 0,\n};\n", "mock", "list", "list() {\n  return [1];\n},"],
  ["m.rb", "class Post\n  def title\n    1\n  end\nend\n\nclass Tag\n  def name\n    2\n  end\nend\n", "Tag", "title", "def title\n  3\nend"],
  ["c.yml", "web:\n  image: a\n  restart: always\n\ndb:\n  volume: x\n", "db", "restart", "restart: no"],
  ["c.json", '{\n  "dev": {\n    "port": 80\n  },\n  "prod": {\n    "host": "x"\n  }\n}\n', "prod", "port", '"port": 443'],
  ["c.toml", '[dev]\nport = 80\n\n[prod]\nhost = "x"\n', "prod", "port", "port = 443"],
  ["a.css", ".card {\n  color: red;\n  margin: 0;\n}\n\n.btn {\n  padding: 4px;\n}\n", ".btn", "color", "color: blue;"],
  ["io.js", "function load(path) {\n  const list = JSON.parse(read(path));\n  return list;\n}\n\nfunction save(path, all) {\n  write(path, all);\n}\n", "save", "list", "  const list = JSON.parse(read(path) || '[]');"],
];
const WAYS = [
  "In `PATH`, give `HOLDER` a `NAME`:", "`HOLDER` in `PATH` also needs `NAME`:", "In `PATH`, `HOLDER` should get `NAME` too:", "`HOLDER` (`PATH`) is missing `NAME`. Add it:", "Then, for `HOLDER` in `PATH`:", "Define `NAME` for `HOLDER` in `PATH`:",
  "Extend `HOLDER` in `PATH` with `NAME`:", "Update `HOLDER` in `PATH`:", "Same for `HOLDER` in `PATH`:", "In `PATH`, inside `HOLDER`:", "Fix `HOLDER` in `PATH`:", "Aktualisiere `HOLDER` in `PATH`:", "更新 `PATH` 中的 `HOLDER`:",
];

describe.each(WAYS)("%s", (way) => {
  test.each(FILES)("%s", async (path, text, holder, name, code) => {
    const sentence = way.replace("PATH", path).replace("HOLDER", holder).replace("NAME", name);
    const landed = await answered(path, text, `${sentence}\n\n\`\`\`\n${code}\n\`\`\`\n`);
    // What the other one has stays.
    for (const line of text.split("\n")) expect(landed.split("\n"), landed).toContain(line.replace(/("host": "x")$/, landed === text ? "$1" : '"host": "x",'));
  });
});

/** What only mentions another declaration says nothing of where its code stands. */
test.each(["Update `total` in `m.ts`, which `Shop` calls:", "In `m.ts`, change `total` (as `Shop` needs it):", "Change `total` in `m.ts` so that `Shop` gets a number:", "Update `Cart` in `m.ts`, and not `Shop`:"])("%s", async (sentence) => {
  const [, text] = FILES.find(([path]) => path === "m.ts") as (typeof FILES)[number];
  expect(await answered("m.ts", text, `${sentence}\n\n\`\`\`\n  total() {\n    return 2;\n  }\n\`\`\`\n`)).toBe(text.replace("return 1", "return 2"));
});
