/** Runs one case of a document in a fresh project, and says for each expectation what was expected and what came out. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import type { ExecutionResult } from "../../src/core/outcome.ts";
import { Loaf, parse } from "../../src/index.ts";
import { allowedCommands } from "../../src/trust/trust.ts";
import { unifiedDiff } from "../../src/report/diff.ts";
import { fullReport } from "../../src/report/chat.ts";
import { summaryReport } from "../../src/report/chat.ts";
import { decodeContent } from "./case-content.ts";
import type { Case, CaseBlock, Replacement } from "./case-file.ts";
import { asOrdinaryUser } from "./ordinary-user.ts";
import { printJson } from "./print-json.ts";
import { reduceTo } from "./reduce-to.ts";
import { createSandbox, snapshot, type Sandbox } from "./sandbox.ts";

export interface Observation {
  readonly block: CaseBlock;
  readonly expected: unknown;
  readonly actual: unknown;
  /** What to write into the document to expect what came out; undefined where that cannot be written. */
  readonly replacement?: Replacement["content"];
}

export async function runCase({ answer, blocks }: Case): Promise<Observation[]> {
  const sandbox = createSandbox();
  // An ordinary user has to be able to write there too.
  vi.stubEnv("XDG_STATE_HOME", join(sandbox.directory, "state"));
  try {
    arrange(blocks, sandbox);
    const observe = async (role: CaseBlock["role"], look: (block: CaseBlock) => Promise<Observation> | Observation): Promise<Observation[]> =>
      Promise.all(blocks.filter((block) => block.role === role).map(look));
    return [
      ...(await observe("parsed", (block) => observeJson(block, parse(answer)))),
      ...(await observe("diff", async (block) => observeText(block, await dryRun(answer, sandbox)))),
      ...(await observeRun()),
    ];

    async function observeRun(): Promise<Observation[]> {
      if (!blocks.some(({ role }) => ["result", "report", "summary", "after", "absent"].includes(role))) return [];
      const loaf = await Loaf.create({ repoPath: sandbox.root });
      const execute = (): Promise<ExecutionResult> => loaf.execute(sandbox.inward(answer));
      const result = await (blocks.some(takesRightsAway) ? asOrdinaryUser(sandbox.directory, execute) : execute());
      const report = (): string => fullReport(result, loaf);
      return [
        ...(await observe("result", (block) => observeResult(block, sandbox.outward(result)))),
        ...(await observe("report", (block) => observeText(block, sandbox.outward(report())))),
        ...(await observe("summary", (block) => observeText(block, sandbox.outward(summaryReport(result))))),
        ...(await observe("after", (block) => observeFile(block, sandbox.locate(block.path)))),
        ...(await observe("absent", (block) => ({ block, expected: undefined, actual: lstatSync(sandbox.locate(block.path), { throwIfNoEntry: false }) }))),
      ];
    }
  } finally {
    vi.unstubAllEnvs();
    sandbox.remove();
  }
}

/** Modes come last: a directory that may not be written to has to be filled first. */
export function arrange(blocks: readonly CaseBlock[], sandbox: Sandbox): void {
  const modes: Array<[path: string, mode: number]> = [];
  for (const block of blocks) {
    const path = sandbox.locate(block.role === "config" ? "loaf.yml" : block.path);
    if (block.role === "allowed") for (const command of block.lines) allowedCommands.add(sandbox.root, command);
    if (!["file", "config", "dir", "link"].includes(block.role)) continue;
    mkdirSync(block.role === "dir" ? path : dirname(path), { recursive: true });
    const { bytes, mode } = decodeContent(block);
    if (block.role === "file") writeFileSync(path, bytes);
    if (block.role === "config") writeFileSync(path, sandbox.inward(bytes.toString()));
    if (block.role === "link") symlinkSync(sandbox.inward(block.lines.join("\n")), path);
    if (mode !== undefined) modes.unshift([path, mode]);
  }
  for (const [path, mode] of modes) chmodSync(path, mode);
}

/** Whether a file or directory may not be read or written by its own owner. Root may all the same. */
function takesRightsAway(block: CaseBlock): boolean {
  return block.flags.some((flag) => /^mode=0?[0-5]../.test(flag));
}

/** The diff that a dry run shows. It must leave everything as it was. */
async function dryRun(answer: string, sandbox: Sandbox): Promise<string> {
  const before = snapshot(sandbox.directory);
  const loaf = await Loaf.create({ repoPath: sandbox.root, dryRun: true });
  await loaf.execute(sandbox.inward(answer));
  const diff = sandbox.outward(unifiedDiff(loaf.changes(), loaf.root));
  const after = snapshot(sandbox.directory);
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error("the dry run changed files");
  return diff;
}

function observeJson(block: CaseBlock, actual: unknown): Observation {
  const plain: unknown = JSON.parse(JSON.stringify(actual));
  return { block, expected: JSON.parse(block.lines.join("\n")), actual: plain, replacement: printJson(plain) };
}

/** Only what the document names counts. */
function observeResult(block: CaseBlock, result: ExecutionResult): Observation {
  return observeJson(block, reduceTo(JSON.parse(block.lines.join("\n")), result));
}

function observeText(block: CaseBlock, text: string): Observation {
  const actual = text.replace(/\n$/, "");
  return { block, expected: block.lines.join("\n"), actual, replacement: actual };
}

/** Bytes are compared as Latin-1, which shows all of them and mends none. */
function observeFile(block: CaseBlock, path: string): Observation {
  const { bytes, mode } = decodeContent(block);
  const expected = { content: bytes.toString("latin1"), ...(mode !== undefined && { mode: mode.toString(8) }) };
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { block, expected, actual: undefined };
  const actual = { bytes: readFileSync(path), mode: stats.mode & 0o777 };
  return {
    block,
    expected,
    actual: { content: actual.bytes.toString("latin1"), ...(mode !== undefined && { mode: actual.mode.toString(8) }) },
    replacement: actual,
  };
}
