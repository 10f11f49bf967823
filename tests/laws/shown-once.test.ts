/** The law of what an answer shows: it stands once in the file, however its lines and those below them were ordered. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Block {
  readonly name: string;
  /** The lines above those that change places, and what divides these. */
  readonly head: string;
  readonly items: readonly string[];
  readonly between?: string;
  readonly above: string;
  readonly below: string;
}

/** Blocks that no line closes: the next one shows where they end. */
const BLOCKS: Readonly<Record<string, Block>> = {
  "README.md": { name: "Install", head: "## Install\n\n", items: ["Run it.", "```bash\nnpm test\n```", "Check it.", "Log in."], between: "\n\n", above: "# Shop\n\n", below: "\n\n## End\n\nDone.\n" },
  "list.md": { name: "Install", head: "## Install\n\n", items: ["- run it", "- stop it", "- check it", "- log in"], above: "# Shop\n\n", below: "\n\n## End\n\nDone.\n" },
  "a.rst": { name: "Install", head: "Install\n-------\n\n", items: ["Run it.", "Stop it.", "Check it.", "Log in."], between: "\n\n", above: "Shop\n====\n\n", below: "\n\nEnd\n---\n\nDone.\n" },
  Makefile: { name: "install", head: "install: all\n", items: ["\tcp a b", "\tcp c d", "\tcp e f", "\tls"], above: "CC = gcc\n\n", below: "\n\nend:\n\trm a\n" },
  "a.ini": { name: "server", head: "[server]\n", items: ["port = 1", "host = x", "user = y", "mode = z"], above: "[a]\nx = 1\n\n", below: "\n\n[end]\ny = 2\n" },
  "a.hs": { name: "install", head: "install :: IO ()\ninstall = do\n", items: ["  run 1", "  stop 2", "  check 3", "  log 4"], above: "module A where\n\n", below: "\n\nend :: Int\nend = 1\n" },
  "a.nim": { name: "install", head: "proc install() =\n", items: ["  run(1)", "  stop(2)", "  check(3)", "  log(4)"], above: "import os\n\n", below: "\n\nproc last() =\n  discard\n" },
  "a.sass": { name: ".card", head: ".card\n", items: ["  margin: 1px", "  color: red", "  border: 0", "  padding: 2px"], above: ".a\n  top: 1px\n\n", below: "\n\n.end\n  left: 2px\n" },
};
const ORDERS = ["0132", "3210", "0312", "1230", "01230", "0231"];

test.each(Object.keys(BLOCKS))("a block without a closing line ends with another one of its lines: %s", async (path) => {
  const { name, head, items, between = "\n", above, below } = BLOCKS[path] as Block;
  const blockOf = (order: string): string => head + [...order].map((at) => items[Number(at)]).join(between);
  const before = above + blockOf("0123") + below;
  for (const sentence of ["Update `NAME` in `P`:", "In `P`, `NAME` should be:"])
    for (const order of ORDERS) {
      const told = sentence.replace("NAME", name).replace("P`", `${path}\``);
      const text = await answered(path, before, `${told}\n\n\`\`\`\`\n${blockOf(order)}\n\`\`\`\`\n`);
      expect(text).toBe(above + blockOf(order) + below);
    }
});

type Write = (name: string, value: string) => string;
const FUNCTIONS: Readonly<Record<string, Write>> = {
  "a.js": (name, value) => `function ${name}(id) {\n  log("${name}");\n  return ${value};\n}`,
  "a.go": (name, value) => `func ${name}(id int) int {\n\tlog("${name}")\n\treturn ${value}\n}`,
  "a.rs": (name, value) => `fn ${name}(id: i32) -> i32 {\n    log("${name}");\n    ${value}\n}`,
  "a.rb": (name, value) => `def ${name}(id)\n  log("${name}")\n  ${value}\nend`,
  "a.py": (name, value) => `def ${name}(id):\n    log("${name}")\n    return ${value}`,
  "a.kt": (name, value) => `fun ${name}(id: Int): Int {\n    log("${name}")\n    return ${value}\n}`,
};

test.each(Object.keys(FUNCTIONS))("a placeholder that is no comment doubles no function below it: %s", async (path) => {
  const write = FUNCTIONS[path] as Write;
  const fileOf = (load: string, save: string): string =>
    [...(path === "a.go" ? ["package a"] : []), write("first", "1"), write("load", load), write("save", save), write("last", "4")].join("\n\n") + "\n";
  const before = fileOf("2", "3");
  for (const sentence of ["Update `load` in `P`:", "In `P`, change `load` to:"])
    for (const hole of ["...", "… existing code …", "... (unchanged)", "[...]"])
      for (const save of ["3", "33"]) {
        const shown = `${write("load", "22").replace('log("load")', hole).replace(`${hole};`, hole)}\n\n${write("save", save)}`;
        const text = await answered(path, before, `${sentence.replace("P`", `${path}\``)}\n\n\`\`\`\n${shown}\n\`\`\`\n`);
        for (const name of ["load", "save"]) expect([...text.matchAll(new RegExp(`${name}\\(`, "g"))].length, `${shown}\n\n${text}`).toBe(1);
        // Elsewhere it may be code.
        if (hole === "..." && /js|go|rs$/.test(path)) expect([before, fileOf("22", save)]).toContain(text);
      }
});

test("lines that are shown in another order take nothing away that is not shown", async () => {
  const before = "all:\n\tcp a b\n\tcp c d\n\tcp e f\n\tls\n\techo ok\n\nend:\n\trm a\n";
  const text = await answered("Makefile", before, "Update `all` in `Makefile`:\n\n```make\nall:\n\tcp a b\n\tls\n\tcp c d\n```\n");
  expect(text).toBe(before);
});

test("a fragment may have a line that stands elsewhere in the file", async () => {
  const before = "[server]\nport = 1\nhost = x\n\n[db]\nport = 2\ntimeout = 30\n";
  const text = await answered("a.ini", before, "Update `server` in `a.ini`:\n\n```ini\n[server]\nport = 1\ntimeout = 30\nhost = x\n```\n");
  expect(text).toBe(before.replace("port = 1\n", "port = 1\ntimeout = 30\n"));
});
