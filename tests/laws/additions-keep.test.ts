/** The law of an order to add: what is not shown stays, or the file does. And of a line that begins as another one does. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const fence = (code: string): string => `\n\n\`\`\`\n${code}\n\`\`\`\n`;

/** Functions, lists and containers, shown with what is new alone. */
const SHORT: readonly (readonly [path: string, name: string, text: string, code: string])[] = [
  ["a.py", "main", "def main():\n    args = parse()\n    run(args)\n    close(args)\n", "def main():\n    setup()"],
  ["a.js", "main", "function main() {\n  const args = parse();\n  run(args);\n  close(args);\n}\n", "function main() {\n  setup();\n}"],
  ["a.go", "main", "package a\n\nfunc main() {\n\tload()\n\trun()\n\tclose()\n}\n", "func main() {\n\tsetup()\n}"],
  ["A.java", "run", "class A {\n    void run() {\n        load();\n        work();\n    }\n}\n", "void run() {\n    setup();\n}"],
  ["a.rb", "main", "def main\n  load\n  run\n  close\nend\n", "def main\n  setup\nend"],
  ["A.php", "boot", "<?php\n\nclass A\n{\n    public function boot($app)\n    {\n        $this->load($app);\n        $this->run();\n        $this->close();\n    }\n}\n", "    public function boot($app)\n    {\n        $this->log($app);\n    }"],
  ["short.js", "main", "function main() {\n  a();\n  b();\n  c();\n}\n", "function main() {\n  log();\n}"],
  ["list.py", "ITEMS", "ITEMS = ['a', 'b', 'c']\n", "ITEMS = ['d']"],
  ["list.js", "map", "const map = { a: 1, b: 2 };\n", "const map = { c: 3 };"],
  ["kind.ts", "Kind", "export type Kind = 'a' | 'b';\n", "export type Kind = 'c';"],
  ["README.md", "Use", "# A\n\n## Use\n\nRun it.\n\nThen stop it.\n\n## More\n\nText.\n", "## Use\n\nOr call it."],
  ["routes.rb", "routes", "Rails.application.routes.draw do\n  resources :posts\n  resources :users\n  root 'posts#index'\nend\n", "Rails.application.routes.draw do\n  resources :tags\nend"],
  ["pom.xml", "dependencies", "<project>\n  <dependencies>\n    <dependency>a</dependency>\n    <dependency>b</dependency>\n  </dependencies>\n</project>\n", "  <dependencies>\n    <dependency>c</dependency>\n  </dependencies>"],
  ["a.test.js", "tests", "describe('a', () => {\n  beforeEach(() => open());\n\n  it('one', () => {\n    expect(1).toBe(1);\n  });\n});\n", "describe('a', () => {\n  it('two', () => {\n    expect(2).toBe(2);\n  });\n});"],
  ["A.vue", "script", '<script setup>\nimport { ref } from "vue";\n\nconst a = ref(1);\nconst b = ref(2);\n</script>\n\n<template>\n  <p>{{ a }}</p>\n</template>\n', "<script setup>\nfunction add() {\n  a.value += 1;\n}\n</script>"],
];
const ADDS = ["Add this to `NAME` in `PATH`:", "Add to `PATH`:", "In `PATH`, add:", "At the end of `NAME` in `PATH`, add:", "Extend `NAME` in `PATH`:", "You also need this in `PATH`:", "Füge in `PATH` hinzu:"];

describe.each(ADDS)("%s", (way) => {
  test.each(SHORT)("%s", async (path, name, text, code) => {
    const landed = await answered(path, text, way.replace("PATH", path).replace("NAME", name) + fence(code));
    const words = (line: string): string => line.trim().replace(/[\]};']+$/, "");
    for (const line of text.split("\n")) expect(landed, `${way}\n${landed}`).toContain(words(line));
  });
});

/** Whole new forms, which an order to add something to them shows too. */
test.each([
  ["a.py", "def main():\n    run()\n", "def main():\n    setup()\n    run()\n"],
  ["b.py", "def main():\n    args = parse()\n    run(args)\n", "def main():\n    args = parse(strict=True)\n    try:\n        run(args)\n    finally:\n        close()\n"],
  ["a.js", "function load(path) {\n  return read(path);\n}\n", "function load(path) {\n  if (!path) return null;\n  return read(path);\n}\n"],
  ["store.py", "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n", "def total(items, tax=0):\n    return sum(item.price * item.quantity for item in items) * (1 + tax)\n"],
  ["l.js", "const list = ['a'];\n", "const list = ['a', 'b'];\n"],
  ["m.js", "const list = ['a', 'b'];\n", "const list = [\n  'a',\n  'b',\n  'c',\n];\n"],
])("%s: all of it is shown", async (path, text, now) => {
  for (const way of ["Add a check to `PATH`:", "Add this to `PATH`:", "In `PATH`, add it:"]) expect(await answered(path, text, way.replace("PATH", path) + fence(now.trimEnd()))).toBe(now);
});

/** A statement of a file, and a further one that begins as it does. */
const ALIKE: readonly (readonly [path: string, text: string, old: string, further: string])[] = [
  ["main.py", "app = FastAPI()\n\n<>\n\nstart(app)\n", "app.include_router(items.router)", "app.include_router(users.router)"],
  ["app.js", "const app = express();\n\n<>\n\napp.listen(80);\n", "app.use(express.json());", "app.use(cors());"],
  ["main.go", "package a\n\nfunc main() {\n\t<>\n\tserve()\n}\n", 'mux.HandleFunc("/a", a)', 'mux.HandleFunc("/b", b)'],
  ["Dockerfile", "FROM node:20\n<>\nCMD a\n", "RUN npm ci", "RUN npm run build"],
  ["build.gradle", "dependencies {\n    <>\n}\n", "implementation 'a:b:1'", "implementation 'c:d:2'"],
  ["Gemfile", "source 'x'\n<>\n", "gem 'rails'", "gem 'redis'"],
  ["Program.cs", "var builder = Create();\n<>\nbuilder.Run();\n", "builder.Services.AddScoped<Items>();", "builder.Services.AddScoped<Users>();"],
];

test.each(ALIKE)("%s: a further one", async (path, text, old, further) => {
  for (const way of ["In `PATH`:", "**PATH**", "You also need this in `PATH`:", "Don't forget `PATH`:", "Finally, `PATH`:", "Update `PATH`:", "Use it in `PATH`:", "Et dans `PATH` :"])
    expect(await answered(path, text.replace("<>", old), way.replace("PATH", path) + fence(further)), way).toContain(old);
});

test.each([
  ["app.js", "app.listen(3000);\n", "app.listen(PORT);", "In `app.js`, change the port:"],
  ["app.js", "app.listen(3000);\n", "app.listen(process.env.PORT || 3000);", "In `app.js`:"],
  ["a.js", "console.log(sum);\n", "console.log(`Sum: ${sum}`);", "In `a.js`:"],
  ["a.py", "limit = 10\n", "limit = 20", "In `a.py`:"],
])("%s: %s becomes %s", async (path, text, now, sentence) => {
  expect(await answered(path, `start();\n${text}stop();\n`, sentence + fence(now))).toBe(`start();\n${now}\nstop();\n`);
});

/** Versions and dates that run downwards run on. */
test.each([
  ["# Changes\n\n<>## 1.1.0\n\n- b\n\n## 1.0.0\n\n- a\n", "## 1.2.0\n\n- c\n"],
  ["# News\n\n<>## 2024-05-02\n\nb\n\n## 2023-01-10\n\na\n", "## 2024-08-09\n\nc\n"],
  ["# Changes\n\n## Unreleased\n\n- x\n\n<>## v0.9\n\n- b\n\n## v0.8\n\n- a\n", "## v1.0\n\n- c\n"],
  ["# Guide\n\n## 1.1 Start\n\na\n\n## 1.2 Use\n\nb\n\n<>", "## 1.3 Stop\n\nc\n"],
])("a new section: %#", async (text, section) => {
  const after = text.replace("<>", () => `${section}\n`).trimEnd();
  for (const way of ["Add a section to `C.md`:", "And an entry in `C.md`:"]) {
    const landed = await answered("C.md", `${text.replace("<>", "").trimEnd()}\n`, way + fence(section.trimEnd()));
    expect(landed.trimEnd(), way).toBe(after);
  }
});
