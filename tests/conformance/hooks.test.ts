/** Runs with hooks: what their commands are given, and what becomes of the run where one fails. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { type Config, Loaf } from "../../src/index.ts";
import { conformance } from "../support/conformance.ts";
import { reduceTo } from "../support/reduce-to.ts";

interface HookCase {
  readonly name: string;
  readonly config: { readonly config: Pick<Config, "hooks" | "vars"> & { readonly repoPath: string } };
  readonly nesl: string;
  readonly expected: object;
  /** `a.txt contains "…"` or `a.txt does not exist`; of the former JSON with its quotes. */
  readonly verify: readonly string[];
}

/** behaviour.md 8 has changed: in single quotes a variable stays as it is. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  "001-basic-hooks-execution": ['hook-trace.txt contains "BEFORE_RAN\\nAFTER_RAN\\nFILES_MODIFIED=${modifiedFiles}"'],
};

conformance<HookCase>("hooks", async ({ name, config: { config }, nesl, expected, verify }, sandbox) => {
  const { repoPath, hooks, vars } = config;
  const root = sandbox.inward(repoPath);
  mkdirSync(root, { recursive: true });
  const loaf = await Loaf.create({ repoPath: root, ...(hooks && { hooks }), config: { ...(vars && { vars }) } });
  const result = await loaf.execute(sandbox.inward(nesl));
  expect(reduceTo(expected, sandbox.outward(result))).toEqual(expected);
  for (const sentence of CHANGED[name] ?? verify) check(root, sentence);
});

function check(root: string, sentence: string): void {
  const [, file = "", text, absent] = /^(\S+) (?:contains (".*")|(does not exist))$/.exec(sentence) ?? [];
  if (absent !== undefined) expect(existsSync(`${root}/${file}`)).toBe(false);
  else expect(readFileSync(`${root}/${file}`, "utf8")).toContain(JSON.parse(text ?? "") as string);
}
