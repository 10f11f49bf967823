/** Every attack in the guard's case documents, as calls of tools: each ends as in an answer, and leaves the same tree. */
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { actionByName } from "../../src/actions/index.ts";
import { Loaf, parse } from "../../src/index.ts";
import { documentPaths, readDocument } from "../support/documents.ts";
import { startRawServer } from "../support/mcp-raw.ts";
import { arrange } from "../support/run-case.ts";
import { createSandbox, type Sandbox, snapshot } from "../support/sandbox.ts";

interface Attack {
  readonly title: string;
  readonly actions: ReadonlyArray<{ readonly action: string; readonly params: Readonly<Record<string, string>> }>;
  readonly prepare: (sandbox: Sandbox) => void;
}

const attacks: readonly Attack[] = documentPaths
  .filter((path) => path.startsWith("tests/cases/guard/"))
  .flatMap((path) => readDocument(path).cases.map((one) => ({ path, ...one })))
  .map(({ path, name, answer, blocks }) => ({
    title: `${path.split("/").at(-1)}: ${name}`,
    actions: parse(answer).blocks.map(({ properties: { action = "", ...params } }) => ({ action, params })).filter(({ action }) => actionByName.has(action)),
    prepare: (sandbox: Sandbox) => arrange(blocks, sandbox),
  }))
  .filter(({ actions }) => actions.length > 0);

/** What each action ended with, and the tree after all of them. */
interface Outcome {
  readonly ends: ReadonlyArray<{ readonly isError: boolean; readonly error: string }>;
  readonly tree: unknown;
}

async function inSandbox({ prepare }: Attack, act: (sandbox: Sandbox) => Promise<Outcome["ends"]>): Promise<Outcome> {
  const sandbox = createSandbox();
  vi.stubEnv("XDG_STATE_HOME", join(sandbox.directory, "state"));
  try {
    prepare(sandbox);
    const ends = await act(sandbox);
    return { ends: sandbox.outward(ends), tree: sandbox.outward(snapshot(sandbox.root)) };
  } finally {
    vi.unstubAllEnvs();
    sandbox.remove();
  }
}

const inwardOf = (sandbox: Sandbox, params: Readonly<Record<string, string>>): Record<string, string> => JSON.parse(sandbox.inward(JSON.stringify(params))) as Record<string, string>;

describe("the guard's cases as calls", () => {
  test("are many", () => expect(attacks.length).toBeGreaterThan(40));

  test.each(attacks)("$title", async (attack) => {
    const byLibrary = await inSandbox(attack, async (sandbox) => {
      const loaf = await Loaf.create({ repoPath: sandbox.root });
      const ends = [];
      for (const { action, params } of attack.actions) {
        const { success, results: [result], parseErrors: [problem], fatalError } = await loaf.perform([{ action, params: inwardOf(sandbox, params) }]);
        ends.push({ isError: !success, error: result?.error ?? problem?.message ?? fatalError ?? "" });
      }
      return ends;
    });
    const byTools = await inSandbox(attack, async (sandbox) => {
      const server = await startRawServer(sandbox.root);
      const ends = [];
      for (const [index, { action, params }] of attack.actions.entries()) {
        const { result, error } = await server.request("tools/call", { name: action, arguments: inwardOf(sandbox, params) });
        const text = sandbox.outward(result?.content?.map((part) => part.text).join("\n") ?? error?.message ?? "");
        const expected = (byLibrary.ends[index]?.error ?? "").replace(`${action}: `, "");
        ends.push({ isError: error !== undefined || result?.isError === true, error: text.includes(expected) || error !== undefined ? (byLibrary.ends[index]?.error ?? "") : text });
      }
      await server.end();
      return ends;
    });
    expect(byTools).toEqual(byLibrary);
  });
});
