/** Answers and files made to be slow: what a whole run with its report takes, in a process of its own, against the limit for their size. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { atMost, within } from "./measure.mjs";

const MB = 1_000_000;
/** Milliseconds by size, and most memory in MB. */
const LIMITS = [[1, 5_000], [16, 30_000]];
const MOST_MEMORY = 1_500;
const HEADER = "#!nesl [@three-char-SHA-256: abc]\n";

export function hostileRows() {
  return [...answers(), ...files()];
}

function answers() {
  const kinds = [
    ["operators", (size) => HEADER + filled("=\n", size)],
    ["stray headers", (size) => filled("#!nesl x\n", size)],
    ["fences", (size) => filled("```\n~~~\n````ts\n", size)],
    ["foreign edits", (size) => filled("<<<<<<< SEARCH\n=======\n--- a\n+++ b\n@@ -1 +1 @@\n", size)],
  ];
  return kinds.flatMap(([name, make]) => LIMITS.flatMap(([size, limit]) => rowsOf(`${size} MB of ${name}`, { answer: make(size * MB) }, limit)));
}

function files() {
  const kinds = [
    ["a near miss in one line", "a.txt", (size) => filled("ab ", size), (text) => ({ action: "file_replace_text", path: "a.txt", old_text: `${text.slice(0, 400_000)}q`, new_text: "x" })],
    ["a near miss of many lines", "a.txt", (size) => filled("const value = compute(other);\n", size), (text) => ({ action: "file_replace_text", path: "a.txt", old_text: `${text.slice(0, 400_000)}q`, new_text: "x" })],
    ["'a<' with an address", "a.ts", (size) => filled("a<", size), () => ({ action: "file_read", path: "a.ts@@nope" })],
    ["a flow sequence with an address", "a.yml", (size) => `a: [${filled("a,", size)}]`, () => ({ action: "file_read", path: "a.yml@@a" })],
    ["anchors with an address", "a.yml", (size) => `a: ${filled("&a ", size)}`, () => ({ action: "file_read", path: "a.yml@@a" })],
  ];
  // Larger files than `max_file_size` are refused.
  return kinds.flatMap(([name, file, make, properties]) => {
    const text = make(MB);
    // Beside the limit of an action a run takes its start and its report.
    return rowsOf(`1 MB of ${name}`, { answer: block(properties(text)), file, text }, 7_000);
  });
}

function rowsOf(what, { answer, file, text }, limit) {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  try {
    mkdirSync(join(folder, "project"));
    if (file !== undefined) writeFileSync(join(folder, "project", file), text);
    writeFileSync(join(folder, "answer.md"), answer);
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") };
    const script = `
      const { Loaf, fullReport } = await import(${JSON.stringify(resolve(import.meta.dirname, "../dist/modules/index.js"))});
      const { readFileSync } = await import("node:fs");
      const begun = performance.now();
      const loaf = await Loaf.create({ repoPath: "project", config: { relative_paths: true, edits: { match: "tolerant" } } });
      const report = fullReport(await loaf.execute(readFileSync("answer.md", "utf8")), loaf);
      if (!report.includes("=== END ===") && !report.includes("Nothing to run found")) throw new Error("There is no report");
      console.log(JSON.stringify([performance.now() - begun, process.resourceUsage().maxRSS / 1024]));`;
    const [duration, memory] = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, env, encoding: "utf8" }));
    return [within(what, duration, limit), atMost("  and its memory", memory, MOST_MEMORY, "MB")];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function block(properties) {
  const lines = Object.entries(properties).map(([key, value]) => `${key} = <<'EOT_abc'\n${value}\nEOT_abc`);
  return `${HEADER}${lines.join("\n")}\n#!end_abc\n`;
}

function filled(piece, size) {
  return piece.repeat(Math.ceil(size / piece.length));
}
