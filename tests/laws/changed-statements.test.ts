/** The law of statements that become others of all their words, above or below some that stay: nothing else tells their place. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A call in a language, a statement that sets a name, and two functions around some lines. */
const LANGUAGES: ReadonlyArray<readonly [path: string, call: (name: string, ...args: readonly string[]) => string, set: (name: string, value: string) => string, write: (lines: readonly string[]) => string]> = [
  ["b.js", (name, ...args) => `  ${name}(${args.join(", ")});`, (name, value) => `  const ${name} = ${value};`, (lines) => `function other(row) {\n  open(row);\n  store(row);\n  close(row);\n}\n\nfunction save(row) {\n${lines.join("\n")}\n}\n`],
  ["b.py", (name, ...args) => `    ${name}(${args.join(", ")})`, (name, value) => `    ${name} = ${value}`, (lines) => `def other(row):\n    open(row)\n    store(row)\n    close(row)\n\n\ndef save(row):\n${lines.join("\n")}\n`],
  ["b.go", (name, ...args) => `\t${name}(${args.join(", ")})`, (name, value) => `\t${name} := ${value}`, (lines) => `package b\n\nfunc other(row Row) {\n\topen(row)\n\tstore(row)\n\tclose(row)\n}\n\nfunc save(row Row) {\n${lines.join("\n")}\n}\n`],
  ["B.java", (name, ...args) => `        ${name}(${args.join(", ")});`, (name, value) => `        int ${name} = ${value};`, (lines) => `class B {\n    void other(Row row) {\n        open(row);\n        store(row);\n        close(row);\n    }\n\n    void save(Row row) {\n${lines.join("\n")}\n    }\n}\n`],
];

describe.each(LANGUAGES)("%s", (path, call, set, write) => {
  const [begin, store, end] = [call("begin", "row", "table"), call("store", "row", "table"), call("finish", "row", "table")];
  const [longer, fresh] = [call("finish", "row", "table", "now"), call("flush", "row")];
  const size = set("size", "total + 1");
  const file = write([begin, store, end]);
  const answer = (sentence: string, shown: readonly string[]): string => `${sentence}\n\n\`\`\`\n${shown.map((line) => line.trim()).join("\n")}\n\`\`\`\n`;
  const order = `Update \`save\` in \`${path}\` to keep the table:`;

  test.each([
    ["the last one longer, a new one between", [begin, store, fresh, longer], [begin, store, fresh, longer]],
    ["the first one longer", [call("begin", "row", "table", "now"), store, fresh, end], [call("begin", "row", "table", "now"), store, fresh, end]],
    ["a value that is used", [size, call("finish", "row", "table", "size")], [begin, store, size, call("finish", "row", "table", "size")]],
  ] as const)("%s", async (_, shown, wanted) => {
    expect(await answered(path, file, answer(order, shown))).toBe(write(wanted));
  });

  // What is not shown may stay or go, and what is shown elsewhere may be meant to move.
  test.each([
    ["a line between them is left out", [begin, longer]],
    ["a new one stands above", [fresh, begin, store, longer]],
    ["a new one stands below", [begin, store, longer, fresh]],
    ["a value that nothing uses", [size, longer]],
    ["a line of its own is shown again", [longer, begin]],
    ["a call of another name", [store, call("finalize", "row", "table")]],
    ["a word less", [size, call("finish", "row", "size")]],
  ] as const)("%s: nothing is lost", async (_, shown) => {
    const text = await answered(path, file, answer(order, shown));
    for (const line of [begin, store]) expect(text.split("\n")).toContain(line);
    expect(text.split("\n").filter((line) => /\b(?:finish|finalize)\b/.test(line)).length).toBe(1);
    expect(text.split(begin).length).toBe(2);
  });

  test("lines of two functions, of which none is named", async () => {
    const twice = `${file}\n${file.replaceAll("save", "keep")}`;
    expect(await answered(path, twice, answer(`Update \`${path}\` to keep the table:`, [begin, store, fresh, longer]))).toBe(twice);
  });

  test.each(["Currently, `save` in `PATH` has:", "For example, in `PATH`:", "Don't do this in `PATH`:", "The old code of `save` in `PATH` was:"])("%s", async (sentence) => {
    expect(await answered(path, file, answer(sentence.replace("PATH", path), [begin, store, fresh, longer]))).toBe(file);
  });
});

/** A block with the same head is another form of the only one there, if it has all its words as often. */
describe("blocks", () => {
  const component = (effect: string, state = ""): string => `export function App() {\n  const [a, setA] = useState(1);\n${state}\n${effect}\n\n  return <p>{a}</p>;\n}\n`;
  const old = "  useEffect(() => {\n    load().then((data) => {\n      setA(data);\n    });\n  }, []);";
  const now = "  useEffect(() => {\n    load()\n      .then((data) => setA(data))\n      .catch(setError);\n  }, []);";
  const state = "  const [error, setError] = useState(null);\n";
  const shown = `  const [a, setA] = useState(1);\n${state}\n${now}`;

  test.each(["Update `App` in `a.tsx` to show errors:", "Add an error state in `a.tsx`:", "Add an error state to `App` in `a.tsx`:"])("%s", async (sentence) => {
    const answer = `${sentence}\n\n\`\`\`tsx\n${shown}\n\`\`\`\n`;
    expect(await answered("a.tsx", component(old), answer)).toBe(component(now, state));
    const other = `${component(old)}\n${component(old).replace("App", "Other")}`;
    const text = await answered("a.tsx", other, answer);
    expect([other, `${component(now, state)}\n${component(old).replace("App", "Other")}`]).toContain(text);
    const twice = component(`${old}\n\n${old}`);
    if (sentence.startsWith("Update")) expect(await answered("a.tsx", twice, answer)).toBe(twice);
    const more = component(old.replace("setA(data);", "setA(data);\n      setA(data + 1);"));
    if (sentence.startsWith("Add")) expect(await answered("a.tsx", more, answer)).toBe(more);
  });

  test("a rule of a Makefile keeps its lines", async () => {
    const file = "build:\n\tgo build ./...\n\ntest:\n\tgo test ./...\n\tgo vet ./...\n";
    const answer = (shown: string): string => `Update the \`Makefile\`:\n\n\`\`\`makefile\n${shown}\n\`\`\`\n`;
    expect(await answered("Makefile", file, answer("build:\n\tgo build -o bin ./..."))).toBe(file.replace("build ./", "build -o bin ./"));
    expect(await answered("Makefile", file, answer("test:\n\tgo test -race ./..."))).toContain("go vet");
  });
});

test("a value of a script that the changed command uses", async () => {
  const file = "#!/bin/sh\nset -e\n\ndocker build -t app .\ndocker push app\n";
  const answer = "In `d.sh`, tag the image:\n\n```bash\nTAG=$(git rev-parse HEAD)\ndocker build -t app:$TAG .\n```\n";
  expect(await answered("d.sh", file, answer)).toBe(file.replace("docker build -t app .", "TAG=$(git rev-parse HEAD)\ndocker build -t app:$TAG ."));
});
