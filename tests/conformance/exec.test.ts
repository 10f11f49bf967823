/** Commands: the result's data is what the data says. */
import { expect } from "vitest";
import { Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { conformance } from "../support/conformance.ts";

interface ExecCase {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly platform?: string;
  readonly expected: { readonly success: boolean; readonly error?: string; readonly stdout: string; readonly stderr: string; readonly exit_code?: number };
}

conformance<ExecCase>("exec", async ({ parameters, platform, expected: { success, error, ...data } }, sandbox) => {
  const loaf = await Loaf.create({ repoPath: sandbox.root, config: { "fs-guard": { allowed: ["./**", "/tmp"] } } });
  const text = printBlock("abc", { action: "exec", ...parameters });
  const { results, parseErrors } = await loaf.execute(text);
  expect(parseErrors).toEqual([]);
  const stderr = data.stderr.startsWith("{SYNTAX_ERROR") ? expect.stringContaining("SyntaxError") : data.stderr;
  const [result] = results;
  const found = result?.data as typeof data | undefined;
  const words = platform === "darwin" && found !== undefined ? { ...found, stderr: withoutLine(found.stderr) } : found;
  expect({ ...result, data: words }).toMatchObject({ success, ...(error !== undefined && { error }), data: { ...data, stderr } });
});

/** The bash of macOS says what is wrong as others do, but not in which line. */
function withoutLine(stderr: string): string {
  return stderr.replace(/^bash: line \d+: /, "bash: ");
}
