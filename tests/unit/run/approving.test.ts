import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Approve, type ApprovalRequest, Loaf } from "../../../src/index.ts";
import { Consent } from "../../../src/run/consent.ts";
import { createFolder } from "../../support/folder.ts";

const block = (id: string, ...lines: string[]) => [`#!nesl [@three-char-SHA-256: ${id}]`, ...lines, `#!end_${id}`, ""].join("\n");
const write = (id: string, path: string, content: string) => block(id, 'action = "file_write"', `path = "${path}"`, `content = "${content}"`);

async function run(approve: Approve | undefined, text: string, root = createFolder({ "a.txt": "old" })) {
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approveEach: true, ...(approve && { approve }) });
  return { root, result: await loaf.execute(text) };
}

const answer = write("aaa", "a.txt", "new") + write("bbb", "b.txt", "b");

test("each action is shown with what it would change, seen after those before it", async () => {
  const asked: ApprovalRequest[] = [];
  const edit = block("ccc", 'action = "file_replace_text"', 'path = "b.txt"', 'old_text = "b"', 'new_text = "c"');
  const { root, result } = await run((request) => (asked.push(request), "yes"), answer + edit);
  expect(result.success).toBe(true);
  expect(asked).toMatchObject([
    { kind: "action", blockId: "aaa", changes: [{ before: { bytes: Buffer.from("old") }, after: { bytes: Buffer.from("new") } }] },
    { kind: "action", blockId: "bbb", changes: [{ before: undefined, after: { bytes: Buffer.from("b") } }] },
    { kind: "action", blockId: "ccc", changes: [{ before: { bytes: Buffer.from("b") }, after: { bytes: Buffer.from("c") } }] },
  ]);
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("c");
});

test.each<[string, Approve | undefined]>([
  ["with nobody to ask", undefined],
  ["where asking fails", () => { throw new Error("gone"); }],
  ["with an answer that is none", () => "maybe" as never],
])("%s everything is refused", async (_, approve) => {
  const { root, result } = await run(approve, answer);
  expect(result).toMatchObject({ success: false, executedActions: 0, results: [{ error: "Refused by the user", code: "skip/refused" }, { code: "skip/refused" }] });
  expect([readFileSync(join(root, "a.txt"), "utf8"), existsSync(join(root, "b.txt"))]).toEqual(["old", false]);
});

test("what would fail when it is shown does not run, even where it would not fail any more", async () => {
  const root = createFolder({ "a.txt": "old" });
  const missing = block("ddd", 'action = "file_replace_text"', 'path = "a.txt"', 'old_text = "else"', 'new_text = "new"');
  const asked: string[] = [];
  const { result } = await run((request) => (asked.push(request.kind), "yes"), missing, root);
  expect(asked).toEqual([]);
  expect(result.results).toMatchObject([{ success: false, code: "text/not-found" }]);
});

test("a file that is changed while somebody decides is not overwritten", async () => {
  const root = createFolder({ "a.txt": "old" });
  const { result } = await run(() => (writeFileSync(join(root, "a.txt"), "mine, and longer"), "yes"), write("aaa", "a.txt", "new"), root);
  expect(result.results).toMatchObject([{ success: false, code: "file/changed" }]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("mine, and longer");
});

test("all counts for its own kind only, quit for everything", async () => {
  const consent = new Consent((request) => (request.kind === "action" ? "all" : "no"));
  const action = { kind: "action", blockId: "", blockStartLine: 1, action: "", params: {}, changes: [] } as const;
  const sandbox = { kind: "no-sandbox", reason: "" } as const;
  expect([await consent.isGiven(action), await consent.isGiven(sandbox), await consent.isGiven(action)]).toEqual([true, false, true]);
  const ended = new Consent(() => "quit");
  expect([await ended.isGiven(sandbox), ended.isStopped, await ended.isGiven(action)]).toEqual([false, true, false]);
});
