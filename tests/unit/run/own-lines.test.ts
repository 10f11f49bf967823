/** What a whole new text of a file would take from its user for good. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/core/approval.ts";
import { Loaf, type LoafOptions } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository } from "../../support/repository.ts";

const text = (two: string, more: readonly string[] = []): string => ["import a", "", "function one() {", "  return 1;", "}", "function two() {", `  return ${two};`, "}", ...more, ""].join("\n");
const whole = (content: string): string => `a.js\n\n\`\`\`js\n${content}\`\`\`\n`;

async function run(root: string, answer: string, options: Partial<LoafOptions> = {}) {
  const loaf = await Loaf.create({ repoPath: root, config: { syntaxes: ["nesl", "whole-file", "lazy"], git: { commit: false } }, ...options });
  const { results } = await loaf.execute(answer);
  return { loaf, result: results[0] };
}

/** A file with lines that its user added since the commit: one is the file's own elsewhere. */
function dirty(): string {
  const { root } = createRepository({ "a.js": text("2") });
  writeFileSync(join(root, "a.js"), text("2", ["// note", "  return 1;"]));
  return root;
}

test("lines that no commit and no run has are named where a whole file replaces them", async () => {
  const { result } = await run(dirty(), whole(text("3")));
  expect(result).toMatchObject({ success: true, warnings: ["removes 2 lines that the user wrote and no commit has: 9: // note; 10: return 1;"] });
});

test("they are asked about where somebody can be, also in a syntax that needs no question", async () => {
  const asked: ApprovalRequest[] = [];
  const root = dirty();
  const { result } = await run(root, whole(text("3")), { approve: (request) => (asked.push(request), "no") });
  expect(asked).toMatchObject([{ kind: "action", warnings: [expect.stringContaining("9: // note")] }]);
  expect(result).toMatchObject({ success: false, code: "skip/refused" });
  expect(readFileSync(join(root, "a.js"), "utf8")).toBe(text("2", ["// note", "  return 1;"]));
});

test("nobody is asked about what the answer keeps, what HEAD has and what a run wrote", async () => {
  const { root } = createRepository({ "a.js": text("2") });
  const approve = (): never => { throw new Error("asked"); };
  expect((await run(root, whole(text("3")), { approve })).result).toMatchObject({ success: true });
  expect((await run(root, whole(text("4")), { approve })).result).toMatchObject({ success: true });
  writeFileSync(join(root, "a.js"), text("4", ["// note", "}"]));
  const { result, loaf } = await run(root, whole(text("5", ["// note", "}"])), { approve });
  expect(result).toMatchObject({ success: true });
  expect(result).not.toHaveProperty("warnings");
  // A run that edits a dirty file has not written the user's lines.
  await loaf.undo();
  expect((await run(root, whole(text("6", ["// other", "}"])))).result?.warnings).toEqual([expect.stringContaining("1 line that the user wrote and no commit has: 9: // note")]);
  // What only lacks the last lines may be cut off.
  await loaf.undo();
  writeFileSync(join(root, "a.js"), text("4", ["// note", "}"]));
  expect((await run(root, whole(text("6")))).result).toMatchObject({ success: false, code: "file/loses" });
});

test("without a repository, the file as the first run met it takes the place of the commit", async () => {
  const root = createFolder({ "a.js": text("2", ["// end"]) });
  expect((await run(root, whole(text("3", ["// end"])))).result).not.toHaveProperty("warnings");
  writeFileSync(join(root, "a.js"), text("3", ["// note", "// end"]));
  // A run that edits another line has not written the user's.
  await run(root, ["a.js", "<<<<<<< SEARCH", "  return 3;", "=======", "  return 4;", ">>>>>>> REPLACE", ""].join("\n"));
  const { result } = await run(root, whole(text("5", ["// end"])));
  expect(result?.warnings).toEqual(["removes 1 line that the user wrote and no commit has: 9: // note"]);
});

test("of a file that a run created, all lines but the runs' own are the user's", async () => {
  const root = createFolder();
  await run(root, whole(text("2", ["// end"])));
  writeFileSync(join(root, "a.js"), text("2", ["// note", "// end"]));
  const { result } = await run(root, whole(text("3", ["// end"])));
  expect(result?.warnings).toEqual(["removes 1 line that the user wrote and no commit has: 9: // note"]);
});

test("of a file that no run has touched, nothing tells who wrote a line", async () => {
  const root = createFolder({ "a.js": text("2", ["// note", "// end"]) });
  expect((await run(root, whole(text("3", ["// end"])))).result).not.toHaveProperty("warnings");
});

test("of a file that a command created, nothing tells which lines are the run's", async () => {
  const root = createFolder();
  const create = printBlock("exe", { action: "exec", lang: "bash", code: `printf '${text("2", ["// end"]).replaceAll("\n", "\\n")}' > a.js` });
  expect((await run(root, create)).result).toMatchObject({ success: true });
  expect((await run(root, whole(text("3", ["// end"])))).result).toMatchObject({ success: true });
  expect(readFileSync(join(root, "a.js"), "utf8")).toBe(text("3", ["// end"]));
  await run(root, create);
  expect((await run(root, whole(text("4", ["// end"])))).result).not.toHaveProperty("warnings");
});
