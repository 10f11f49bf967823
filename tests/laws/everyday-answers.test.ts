/** Law of what everyday answers have: a path behind "to:", an order behind a place without a comma, code alone, imports by the way. */
import { describe, expect, test } from "vitest";
import { answeredIn, answered } from "./answered.ts";

const fence = (language: string, code: string): string => `\n\n\`\`\`${language}\n${code}\`\`\`\n`;

describe("a path is no old text of a pair", () => {
  const files = { "Cargo.toml": "[dependencies]\nclap = \"4\"\n", "src/config.rs": "pub fn load() -> u32 {\n    1\n}\n" };
  const [toml, rust] = ["[dependencies]\nclap = \"4\"\nserde = \"1\"\n", "use std::fs;\n\npub fn load() -> u32 {\n    fs::size()\n}\n"];
  test.each(["and change `src/config.rs` to:", "And change `src/config.rs` to this:", "Then replace `src/config.rs` with:", "and `src/config.rs` changes to:"])("%s", async (sentence) => {
    const answer = `Add this to \`Cargo.toml\`:${fence("toml", toml)}\n${sentence}${fence("rust", rust)}`;
    expect(await answeredIn(files, answer)).toEqual({ "Cargo.toml": toml, "src/config.rs": rust });
  });
});

describe("a place without a comma stands before the order", () => {
  const css = ".grid {\n  display: grid;\n}\n";
  const rule = "@media (max-width: 600px) {\n  .grid {\n    gap: 0;\n  }\n}\n";
  test.each(["For small screens add a media query to `a.css`:", "On phones add this to `a.css`:", "At the end of `a.css` add:", "In the end of the file `a.css` add a media query:"])("%s", async (sentence) => {
    expect(await answered("a.css", css, sentence + fence("css", rule))).toBe(`${css}\n${rule}`);
  });
  test.each(["In the version where you add a media query to `a.css`:", "For those who add a query to `a.css`:", "For small screens we did not add a media query to `a.css`:", "With `a.css` you could add a query:", "On phones the add a query in `a.css` is:", "For small screens designers usually add a media query in `a.css`:", "In practice most teams add a media query to `a.css`:", "For dark mode libraries like Tailwind add these rules to `a.css`:", "For comparison add a media query to `a.css`:", "In theory add a media query to `a.css`:"])("%s orders nothing", async (sentence) => {
    expect(await answered("a.css", css, sentence + fence("css", rule))).toBe(css);
  });
});

test.each(["Below the grid add a media query in `a.css`:", "Add a media query below the grid in `a.css`:", "Add a media query after the grid rule in `a.css`:", "Add this below the grid in `a.css`:"])("%s loses no style", async (sentence) => {
  for (const more of ["", "\n.card {\n  gap: 1px;\n}\n"]) {
    const css = `.grid {\n  display: grid;\n}\n${more}`;
    const rule = "@media (max-width: 600px) {\n  .grid {\n    gap: 0;\n  }\n}\n";
    expect(await answered("a.css", css, sentence + fence("css", rule))).toContain(css.trimEnd());
  }
});

describe("a block without a path is in the only file that has its first line", () => {
  const files = { "app.js": "const form = byId(\"form\");\n\nform.addEventListener(\"submit\", (event) => {\n  event.preventDefault();\n  items.push(text.value);\n  render();\n});\n", "b.js": "render();\n" };
  const block = "form.addEventListener(\"submit\", (event) => {\n  event.preventDefault();\n  const value = text.value.trim();\n  if (!value) return;\n  items.push(value);\n  render();\n});\n";
  test("under an order", async () => {
    expect(await answeredIn(files, `Ignore empty input in the submit handler:${fence("js", block)}`)).toEqual({ ...files, "app.js": files["app.js"].slice(0, files["app.js"].indexOf("form.add")) + block });
  });
  test.each(["For example, a handler that ignores empty input:", "You could ignore empty input like this, if you want to:", "Currently the handler is:", "Ignore this old handler, it was:"])("%s", async (sentence) => {
    expect(await answeredIn(files, sentence + fence("js", block))).toEqual(files);
  });
  test("two files that have it, and a use of it, tell none", async () => {
    const twice = { ...files, "b.js": files["app.js"] };
    expect(await answeredIn(twice, `Ignore empty input in the submit handler:${fence("js", block)}`)).toEqual(twice);
    expect(await answeredIn(files, `Call it in the submit handler:${fence("js", "render();\nitems.push(text.value);\nform.submit();\n")}`)).toEqual(files);
  });
});

describe("the first import of a Python file has two blank lines below it, as its functions have above", () => {
  const file = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
  test.each([["an import and a function", "Use it in `a.py`:", "from c import dim\n\n\ndef a():\n    return dim(1)\n"], ["an import with one blank line", "Use it in `a.py`:", "from c import dim\n\ndef a():\n    return dim(1)\n"]])("%s", async (_, sentence, code) => {
    const blank = code.includes("\n\n\n") ? "\n\n" : "\n";
    expect(await answered("a.py", file, sentence + fence("python", code))).toBe(`from c import dim\n${blank}${file.replace("return 1", "return dim(1)")}`);
  });
  test("alone, and by the way", async () => {
    const code = "def a():\n    return dim(1)\n";
    const now = `from c import dim\n\n\n${file.replace("return 1", "return dim(1)")}`;
    expect(await answered("a.py", file, `Add an import to \`a.py\`:${fence("python", "from c import dim\n")}\nAnd use it in \`a.py\`:${fence("python", code)}`)).toBe(now);
    for (const words of ["with `from c import dim` at the top of that file too.", "with `from c import dim` at the top."])
      expect(await answered("a.py", file, `Use it in \`a.py\`:${fence("python", code)}\n${words} All is well.\n`), words).toBe(now);
  });
  test.each(["with `from c import dim` it works.", "It fails with `from c import dim` at the top.", "You had it with `from c import dim` at the top before."])("%s imports nothing", async (words) => {
    const code = "def a():\n    return 3\n";
    expect(await answered("a.py", file, `Update \`a\` in \`a.py\`:${fence("python", code)}\n${words}\n`)).toBe(file.replace("return 1", "return 3"));
  });
});

describe("settings of a file that has nothing else", () => {
  const file = "# app\nserver.port=8080\nspring.url=jdbc\n\n# log\nlevel=info\n";
  const said = (sentence: string, lines: string): Promise<string> => answered("a.properties", file, sentence + fence("properties", lines));
  test.each(["Set the port in `a.properties`:", "Update `a.properties`:", "`a.properties`:", "In `a.properties`:"])("%s sets each by its key", async (sentence) => {
    expect(await said(sentence, "server.port=9090\nlevel=debug\n")).toBe(file.replace("8080", "9090").replace("info", "debug"));
    expect(await said(sentence, "server.port=9090\nspring.url=jdbc\nshow=true\n")).toBe(file.replace("8080", "9090").replace("jdbc\n", "jdbc\nshow=true\n"));
    expect(await said(sentence, "server.port=9090\nnew=1\n")).toBe(file.replace("8080\n", "9090\nnew=1\n"));
  });
  test("an addition changes none, what is shown twice or has other lines is not read so", async () => {
    expect(await said("Add to `a.properties`:", "level=info\ncolor=red\n")).toBe(`${file}color=red\n`);
    expect(await said("Add to `a.properties`:", "level=debug\ncolor=red\n")).toBe(file);
    expect([file, file.replace("8080", "1")]).toContain(await said("Update `a.properties`:", "server.port=1\nserver.port=2\n"));
    const twice = `${file}level=info\n`;
    expect(await answered("a.properties", twice, `Update \`a.properties\`:${fence("properties", "level=debug\ncolor=red\n")}`)).toBe(twice);
  });
});

describe("code in another language than the file that its sentence names is read by what it declares", () => {
  const files = { "a.py": "def load():\n    return 1\n", "config.json": "{\n  \"a\": 1\n}\n", "package.json": "{\n  \"b\": 1\n}\n", "README.md": "# A\n", Dockerfile: "FROM node:18\nWORKDIR /app\nCOPY . .\nRUN npm install\nEXPOSE 3000\n" };
  const code = "def load():\n    return read(\"config.json\")\n";
  test.each(["Read `config.json` at start-up:", "Use `config.json` in `load`:", "Load it from `config.json`:"])("%s", async (sentence) => {
    expect(await answeredIn(files, sentence + fence("python", code))).toEqual({ ...files, "a.py": code });
  });
  test.each(["Add this to `README.md`:", "Update `config.json`:", "For example, read `config.json`:", "Currently you read `config.json`:"])("%s leaves the code as it is", async (sentence) => {
    const other = sentence.startsWith("Update") ? code.replace("load", "other") : code;
    expect((await answeredIn(files, sentence + fence("python", other)))["a.py"]).toBe(files["a.py"]);
  });
  test.each(["Change `config.json` so that this works:", "Add your key to `config.json`, it is read by this:", "Delete `config.json`, since nobody calls this any more:", "A script to read `config.json`:"])("%s leaves it too", async (sentence) => {
    expect((await answeredIn(files, sentence + fence("python", code)))["a.py"]).toBe(files["a.py"]);
  });
  test("a Dockerfile is known by its language", async () => {
    const docker = "FROM node:18\nWORKDIR /app\nCOPY package*.json ./\nRUN npm ci\nCOPY . .\nEXPOSE 3000\n";
    expect(await answeredIn(files, `Copy \`package.json\` first so that the layer is cached:${fence("dockerfile", docker)}`)).toEqual({ ...files, Dockerfile: docker });
    expect(await answeredIn(files, `Copy \`package.json\` first:${fence("dockerfile", "FROM python:3\nRUN pip install x\n")}`)).toEqual(files);
    const two = { ...files, "b/Dockerfile": files.Dockerfile };
    expect(await answeredIn(two, `Copy \`package.json\` first:${fence("dockerfile", docker)}`)).toEqual(two);
  });
});

test("a class or a method in a class of fields stands apart", async () => {
  const file = "class Order:\n    product = 1\n    quantity = 2\n    created = 3\n\n    def total(self):\n        return 1\n";
  for (const [sentence, code] of [["Add a `Meta` class to `Order` in `a.py`:", "    class Meta:\n        ordering = [1]\n"], ["Add a `count` method to `Order` in `a.py`:", "    def count(self):\n        return 2\n"]] as const)
    expect(await answered("a.py", file, sentence + fence("python", code))).toBe(`${file}\n${code}`);
});

describe("a new part below a label is at the end of its file", () => {
  test.each(["**CSS** (`a.css`):", "### 1. Styles – `a.css`", "`a.css`:", "In `a.css`:"])("%s", async (label) => {
    const css = ".grid {\n  display: grid;\n}\n";
    expect(await answered("a.css", css, `${label}${fence("css", "#clear {\n  color: red;\n}\n")}`)).toBe(`${css}\n#clear {\n  color: red;\n}\n`);
  });
  test.each(["**1. View** – in `a.py`:", "The new view, in `a.py`:", "In the view (`a.py`):"])("%s", async (label) => {
    const file = "def a():\n    return 1\n";
    expect(await answered("a.py", file, `${label}${fence("python", "def search(x):\n    return x\n")}`)).toBe(`${file}\n\ndef search(x):\n    return x\n`);
  });
});

describe("a fence with the name of its language", () => {
  const docker = "FROM node:18\nCOPY . .\n";
  const now = docker.replace("18", "22");
  const files = { Dockerfile: docker, "api/Dockerfile": docker, "Dockerfile.dev": docker };
  test.each([["Update `api/Dockerfile`:", "api/Dockerfile"], ["Update `Dockerfile.dev`:", "Dockerfile.dev"], ["Create `worker/Dockerfile`:", "worker/Dockerfile"], ["Update `Dockerfile`:", "Dockerfile"]])("%s changes no other file", async (sentence, path) => {
    expect(await answeredIn(files, sentence + fence("Dockerfile", now))).toEqual(path in files ? { ...files, [path]: now } : files);
  });
});

test.each(["You have this helper in `b.py`:|What you need:|from b import helper\n", "You have this helper in `b.py`:|What you want:|print(helper(\"x\"))\n"])("%s is no pair of two versions", async (answer) => {
  const [have = "", want = "", code = ""] = answer.split("|");
  const file = "def helper(x):\n    return x\n";
  expect(await answered("b.py", file, `${have}${fence("python", file)}\n${want}${fence("python", code)}`)).toContain(file);
});

describe("sentences that hand over", () => {
  const file = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
  const code = "def a():\n    return 3\n";
  test.each(["Make it faster by changing `a.py`:", "For production, in `a.py`:", "`a` in `a.py` can be shortened:", "I'd give `a` in `a.py` another value:", "`a.py`, at the end of the file:"])("%s", async (sentence) => {
    const isEnd = sentence.includes("at the end");
    expect(await answered("a.py", file, sentence + fence("python", isEnd ? "def c():\n    return 3\n" : code))).toBe(isEnd ? `${file}\n\ndef c():\n    return 3\n` : file.replace("return 1", "return 3"));
  });
  test.each(["It fails by changing `a.py`:", "You could do it by changing `a.py`:", "This is caused by replacing `a.py`:", "For comparison, in `a.py`:", "For the old version, in `a.py`:", "For reference, in `a.py`:", "For the record, in `a.py`:", "Upstream fixed it by updating `a.py`:", "I'd give you this example for `a.py`:", "Let me give you the current state of `a.py`:", "This code in `a.py` can be improved:", "I see code in `a.py` that can be shortened:"])("%s hands over nothing", async (sentence) => {
    expect(await answered("a.py", file, sentence + fence("python", code))).toBe(file);
  });
});
