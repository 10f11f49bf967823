import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { actions } from "../../../src/actions/index.ts";
import { exampleBlock } from "../../../src/teach/instructions.ts";
import { instructions, Loaf } from "../../../src/index.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";

/** The project that all examples are written for. */
const APP = `const port = 3000;
const host = "localhost";
const oldName = "app";
function start() {
  serve(oldName, host, port);
} // start
`;

const runnable = actions.filter(({ name }) => hasSandbox || name !== "exec");

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
  vi.stubEnv("XDG_STATE_HOME", join(sandbox.directory, "state"));
  for (const directory of ["src", "empty"]) mkdirSync(join(sandbox.root, directory));
  writeFileSync(join(sandbox.root, "src/app.js"), APP);
  writeFileSync(join(sandbox.root, "README.md"), "# oldName\n");
  writeFileSync(join(sandbox.root, "CHANGELOG.md"), "- First.\n");
});
afterEach(() => sandbox.remove());

test.each(runnable.map((action) => [action.name, action] as const))("the example of %s runs", async (_, action) => {
  const loaf = await Loaf.create({ repoPath: sandbox.root });
  const { parseErrors, results } = await loaf.execute(exampleBlock(action, "k7m", sandbox.root));
  expect(parseErrors).toEqual([]);
  expect(results).toMatchObject([{ action: action.name, success: true }]);
  expect(results[0]).not.toHaveProperty("warnings");
});

test.each(runnable.map((action) => [action.name, action] as const))("the example of %s runs with paths relative to the root", async (_, action) => {
  const loaf = await Loaf.create({ repoPath: sandbox.root, config: { relative_paths: true } });
  expect((await loaf.execute(exampleBlock(action, "k7m", ""))).success).toBe(true);
});

test.each([
  ["csl", undefined, ["file_write", "file_append", "file_replace_text", "file_replace_all_text", "file_replace_text_range"]],
  ["csl", { start: "[[", end: "]]" }, ["file_write", "file_append", "file_replace_text", "file_replace_all_text", "file_replace_text_range"]],
  ["replacer", undefined, ["file_write", "file_replace_text"]],
] as const)("the instructions for %s run when used as an answer: with delimiters %j", async (syntax, csl, actions) => {
  const loaf = await Loaf.create({ repoPath: sandbox.root, config: csl === undefined ? {} : { csl } });
  const { success, results } = await loaf.execute(instructions({ root: sandbox.root, relativePaths: true, allowedActions: undefined, syntax, csl }));
  expect(success).toBe(true);
  expect(results.map(({ action }) => action)).toEqual(actions);
  expect(results.filter(({ warnings }) => warnings !== undefined)).toEqual([]);
});

test.each([false, true])("the instructions for NESL run when used as an answer: short form %s", async (isShort) => {
  const loaf = await Loaf.create({ repoPath: sandbox.root });
  const { success, results } = await loaf.execute(instructions({ root: sandbox.root, relativePaths: false, allowedActions: undefined, isShort }));
  expect(success).toBe(true);
  expect(results.map(({ action }) => action)).toEqual(isShort ? ["file_write"] : ["file_write", "file_replace_text"]);
  expect(readFileSync(join(sandbox.root, "docs/hello.md"), "utf8")).toBe("# Hello\n\nA first page.\n");
});
