/** Runs a model's answer in a fresh folder, as `loaf run` does in a project that `loaf init` set up. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Config, Loaf } from "../../src/index.ts";
import { createSandbox } from "./sandbox.ts";

export interface Intake {
  /** All files afterwards, by path relative to the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** All sentences of the result: errors, findings, warnings. */
  readonly output: string;
}

export async function runIntake(files: Readonly<Record<string, string>>, answer: string, config: Config = {}): Promise<Intake> {
  const sandbox = createSandbox();
  const { root } = sandbox;
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" }, ...config } });
    const { fatalError, parseErrors, results, findings = [] } = await loaf.execute(answer);
    const sentences = [fatalError, ...parseErrors.map(({ message }) => message), ...results.map(({ error }) => error), ...findings.map(({ message }) => message)].filter((sentence) => sentence !== undefined);
    return { files: filesBelow(root), output: results.length === 0 && sentences.length === 0 ? "nothing to run" : sentences.join("\n") };
  } finally {
    sandbox.remove();
  }
}

export function filesBelow(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [relative(root, join(parentPath, name)), readFileSync(join(parentPath, name), "utf8")]));
}
