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
  test.each(["In the version where you add a media query to `a.css`:", "For those who add a query to `a.css`:", "For small screens we did not add a media query to `a.css`:", "With `a.css` you could add a query:", "On phones the add a query in `a.css` is:"])("%s orders nothing", async (sentence) => {
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
