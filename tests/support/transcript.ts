/**
 * Transcripts: a document in which commands stand as at a terminal, each with what it printed. They are run from the first to the last in one
 * folder, and what comes out is compared.
 *
 *     ```console
 *     $ loaf undo
 *     Undone: run 3 (write a.txt): restored a.txt
 *     ```
 *
 * A line without `$` before a command's output belongs to it; what a command reads stands in a block `answer` before it, and is in the file `answer.md`.
 * Names of commits are shown as `<commit>`.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface TranscriptStep {
  readonly line: number;
  readonly command: string;
  /** What it has to print, on both streams. */
  readonly expected: string;
  /** For `answer.md`; undefined where that stays as it is. */
  readonly answer: string | undefined;
}

export function readTranscript(path: string): TranscriptStep[] {
  const steps: TranscriptStep[] = [];
  let [inside, answer]: [string, string | undefined] = ["", undefined];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence !== null) {
      inside = inside === "" ? (fence[1] ?? "") || "text" : "";
      if (inside === "answer") answer = "";
    } else if (inside === "answer") answer += `${line}\n`;
    else if (inside === "console" && line.startsWith("$ ")) {
      steps.push({ line: index + 1, command: line.slice(2), expected: "", answer });
      answer = undefined;
    } else if (inside === "console") {
      const last = steps.pop();
      if (last === undefined) throw new Error(`${path}:${index + 1}: output before the first command`);
      steps.push({ ...last, expected: `${last.expected}${line}\n` });
    }
  }
  if (steps.length === 0) throw new Error(`${path}: no commands`);
  return steps;
}

/** @param program what `loaf` runs */
export function runStep({ command, answer }: TranscriptStep, { root, program, env }: { readonly root: string; readonly program: string; readonly env: NodeJS.ProcessEnv }): string {
  if (answer !== undefined) writeFileSync(join(root, "..", "answer.md"), answer);
  const script = `loaf() { "${process.execPath}" "${program}" "$@"; }\n{ ${command}\n} 2>&1`;
  const { stdout, status } = spawnSync("bash", ["-c", script], { cwd: root, env, encoding: "utf8" });
  const shown = stdout.replaceAll(/\b([0-9a-f]{40}|[0-9a-f]{10}|[0-9a-f]{7})\b/g, "<commit>").replaceAll(root, "/project");
  return `${shown}${status === 0 ? "" : `(exit code ${status})\n`}`;
}
