/** The law of lines beside a call: it is code of the function that the sentence names, never the declaration of its name. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file of which F calls C once, with @ above that call and % below it, beside the declaration of what it calls. */
const CALLS: ReadonlyArray<readonly [path: string, named: string, call: string, file: string, line: string]> = [
  ["a.py", "main", "compute(3)", "def compute(x):\n    y = x + 1\n    return y\n\n\ndef main():\n    job = Job()\n@    compute(3)\n%    job.run()\n", 'log("x")'],
  ["b.py", "run", "self.save(result)", "class Job:\n    def save(self, result):\n        self.done = result\n\n    def run(self):\n        result = load()\n@        self.save(result)\n%        close()\n", 'log("x")'],
  ["c.py", "main", "compute(a, b)", "def compute(a, b):\n    return a + b\n\n\ndef main():\n    a, b = read()\n@    total = compute(a, b)\n%    show(total)\n", "count += 1"],
  ["d.py", "main", "job.run()", "class Job:\n    def run(self):\n        self.ready = True\n\n\ndef main():\n    job = Job()\n@    job.run()\n%    job.stop()\n", 'log("x")'],
  ["a.ts", "start", "save(1);", "export function save(id: number): void {\n  write(id);\n}\n\nexport function start(): void {\n  open();\n@  save(1);\n%  close();\n}\n", 'log("x");'],
  ["b.ts", "run", "this.save(item);", "class Job {\n  save(item: Item): void {\n    write(item);\n  }\n\n  run(item: Item): void {\n    open();\n@    this.save(item);\n%    close();\n  }\n}\n", 'log("x");'],
  ["c.ts", "start", "save()", "function save() {\n  write();\n}\n\nfunction start() {\n  open();\n@  await save();\n%  close();\n}\n", 'log("x");'],
  ["a.rb", "run", "save(1)", "class Job\n  def save(id)\n    write(id)\n  end\n\n  def run\n    open\n@    save(1)\n%    close\n  end\nend\n", 'log "x"'],
  ["a.go", "main", "save(1)", "package a\n\nfunc save(id int) {\n\twrite(id)\n}\n\nfunc main() {\n\topen()\n@\tsave(1)\n%\tstop()\n}\n", 'log("x")'],
  ["a.rs", "main", "save(1)", "fn save(id: u8) {\n    write(id);\n}\n\nfn main() {\n    open();\n@    save(1);\n%    stop();\n}\n", 'log("x");'],
  ["A.java", "run", "save(1)", "class A {\n    void save(int id) {\n        write(id);\n    }\n\n    void run() {\n        open();\n@        save(1);\n%        stop();\n    }\n}\n", 'log("x");'],
  ["a.php", "run", "save(1)", "<?php\n\nfunction save($id)\n{\n    write($id);\n}\n\nfunction run()\n{\n    open();\n@    save(1);\n%    stop();\n}\n", 'log("x");'],
];
const NAMED: ReadonlyArray<readonly [sentence: string, mark: "@" | "%"]> = [
  ["In `FUNC` in `PATH`, add this right after `CALL`:", "%"],
  ["In `PATH`, in `FUNC`, below the `CALL` line, add:", "%"],
  ["Add this to `FUNC` in `PATH`, after `CALL`:", "%"],
  ["In `PATH`, insert this before `CALL` in `FUNC`:", "@"],
  ["In the `FUNC` function of `PATH`, add this just above `CALL`:", "@"],
];
const ALONE: typeof NAMED = [
  ["In `PATH`, add this right after `CALL`:", "%"],
  ["Add this above `CALL` in `PATH`:", "@"],
];

const answerOf = (sentence: string, [path, named, call, , line]: (typeof CALLS)[number]): string =>
  `${sentence.replace("PATH", path).replace("FUNC", named).replace("CALL", call)}\n\n\`\`\`\n${line}\n\`\`\`\n`;
const without = (text: string): string => text.replace(/^[@%]/gm, "");
const withLine = ([, , , file, line]: (typeof CALLS)[number], mark: string): string => {
  const indent = /^@([ \t]*)/m.exec(file)?.[1] ?? "";
  return without(file.replace(new RegExp(`^${mark}`, "m"), `${indent}${line}\n`));
};

describe.each(NAMED)("%s", (sentence, mark) => {
  test.each(CALLS)("%s: %s, %s", async (...call) => {
    expect(await answered(call[0], without(call[3]), answerOf(sentence, call))).toBe(withLine(call, mark));
  });

  test.each(CALLS)("%s: %s, %s, which another function has too", async (...call) => {
    const [path, named, , file, line] = call;
    const other = OTHERS[path.slice(path.lastIndexOf("."))] as string;
    const twice = file + other.replace("CALL", /^@\s*(.*)$/m.exec(file)?.[1] ?? "");
    const both: typeof call = [path, named, call[2], twice, line];
    expect(await answered(path, without(twice), answerOf(sentence, both))).toBe(withLine(both, mark));
  });
});

describe.each(ALONE)("%s", (sentence, mark) => {
  // Of `save()` alone, the declaration may be meant.
  test.each(CALLS.filter(([, , call]) => call !== "save()"))("%s: %s, %s", async (...call) => {
    expect([withLine(call, mark), without(call[3])]).toContain(await answered(call[0], without(call[3]), answerOf(sentence, call)));
  });
});

/** A further function, which has the same call. */
const OTHERS: Readonly<Record<string, string>> = {
  ".py": "\n\ndef another(x):\n    CALL\n",
  ".ts": "\nfunction another() {\n  CALL\n}\n",
  ".rb": "\ndef another\n  CALL\nend\n",
  ".go": "\nfunc another() {\n\tCALL\n}\n",
  ".rs": "\nfn another() {\n    CALL\n}\n",
  ".java": "\nclass B {\n    void another() {\n        CALL\n    }\n}\n",
  ".php": "\nfunction another()\n{\n    CALL\n}\n",
};

test("statements below a function that nothing closes stand outside of it", async () => {
  const text = "def compute(x):\n    return x\n\n\ndef main():\n    pass\n";
  expect(await answered("a.py", text, "In `a.py`, below the `compute` function, add:\n\n```python\nregister(compute)\n```\n")).toBe(
    "def compute(x):\n    return x\n\nregister(compute)\n\n\ndef main():\n    pass\n",
  );
});
