/** The law of lines that sentences take away: below a placeholder they are gone, or the answer is refused. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const FILES: Readonly<Record<string, readonly [file: string, comment: string, line: string]>> = {
  "a.py": ["def log(level, msg):\n    start(level)\n    if level > 3:\n        stream = errors\n    else:\n        stream = output\n    stream.write(msg)\n", "#", "stream = errors"],
  "a.go": ["package a\n\nfunc log(level int, msg string) {\n\tstart(level)\n\tcount++\n\twrite(level)\n\tstream.Write(msg)\n}\n", "//", "count++"],
  "a.ts": ["export function log(level: number, msg: string) {\n  start(level);\n  count += 1;\n  write(level);\n  stream.write(msg);\n}\n", "//", "count += 1;"],
  "a.rb": ["def log(level, msg)\n  start(level)\n  count += 1\n  write(level)\n  stream.write(msg)\nend\n", "#", "count += 1"],
};
const SENTENCES = ["This removes the line `LINE`.", "We no longer need `LINE`.", "I removed `LINE`.", "It drops the old call `LINE`."];
/** None takes the line away. */
const OTHERS = ["Do not remove the line `LINE`.", "Instead of dropping `LINE`, this flushes first.", "It comes after `LINE`."];

const RUNS = Object.keys(FILES).flatMap((path) =>
  ["`PATH`:", "Update `log` in `PATH`:"].flatMap((label) => [...SENTENCES, ...OTHERS].map((sentence) => ({ path, label, sentence }))),
);

test.each(RUNS)("$path: $sentence $label", async ({ path, label, sentence }) => {
  const [file, comment, line] = FILES[path] ?? ["", "", ""];
  const lines = file.trimEnd().split("\n");
  const start = lines.findIndex((text) => text.includes("start(level"));
  const indent = /^\s*/.exec(lines[start] ?? "")?.[0] ?? "";
  const last = lines.slice(lines.findIndex((text) => /stream\.write/i.test(text)));
  const shown = [lines[start - 1], `${indent}flush()`, lines[start], `${indent}${comment} ... existing code ...`, ...last].join("\n");
  const result = await answered(path, file, `${sentence.replace("LINE", line)}${label.startsWith("`") ? "\n\n" : " "}${label.replace("PATH", path)}\n\n\`\`\`\n${shown}\n\`\`\`\n`);
  if (SENTENCES.includes(sentence)) expect(result === file || !result.includes(line), result).toBe(true);
  else expect(result).toBe(file.replace(lines[start] ?? "", `${indent}flush()\n${lines[start]}`));
});

/** What is cut to be pasted somewhere else does not only go. */
test.each(["Cut this function from `b.py`:|Paste it into `c.py`:", "Cut `load` from `b.py`:|and paste it into `c.py`.", "Take `load` out of `b.py`:|Then add it to `c.py`."])("%s", async (said) => {
  const file = "import os\n\n\ndef load(x):\n    return x\n\n\ndef store(x):\n    return load(x)\n";
  const [above, below] = said.split("|");
  expect(await answered("b.py", file, `${above}\n\n\`\`\`python\ndef load(x):\n    return x\n\`\`\`\n\n${below}\n`)).toBe(file);
});
