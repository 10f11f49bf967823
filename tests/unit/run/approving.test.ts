import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { type ActionRequest, type Approve, type ApprovalRequest, Loaf } from "../../../src/index.ts";
import { Consent } from "../../../src/run/consent.ts";
import { createFolder } from "../../support/folder.ts";
import { hasSandbox } from "../../support/programs.ts";

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
  expect(asked).toEqual(["failed"]);
  expect(result.results).toMatchObject([{ success: false, code: "text/not-found" }]);
});

test("a file that is changed while somebody decides is not overwritten", async () => {
  const root = createFolder({ "a.txt": "old" });
  const { result } = await run(() => (writeFileSync(join(root, "a.txt"), "mine, and longer"), "yes"), write("aaa", "a.txt", "new"), root);
  expect(result.results).toMatchObject([{ success: false, code: "file/changed" }]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("mine, and longer");
});

test("a file and a kind that were agreed to cover what comes after, quit covers nothing", async () => {
  const action = (name: string, more: Partial<ActionRequest> = {}): ActionRequest => ({ kind: "action", blockId: "", blockStartLine: 1, action: name, params: {}, changes: [], mayRepeat: true, files: [], ...more });
  const sandbox = { kind: "no-sandbox", reason: "" } as const;
  const asked: string[] = [];
  const consent = new Consent((request) => {
    const name = request.kind === "action" ? request.action : request.kind;
    asked.push(name);
    return ({ edit: "file", write: "kind", delete: "kind", "no-sandbox": "once", command: "once" } as const)[name] ?? "no";
  });
  const requests = [
    action("edit", { files: ["/a"] }), action("other", { files: ["/a"] }), action("other", { files: ["/a", "/b"] }), action("other"),
    action("write"), action("write", { files: ["/c"] }), action("write", { mayRepeat: false }),
    action("delete", { mayRepeat: false }), action("delete", { mayRepeat: false }),
    sandbox, sandbox, { kind: "command", command: "rm", cwd: "/" }, { kind: "command", command: "rm", cwd: "/" },
  ] as const;
  const given: boolean[] = [];
  for (const request of requests) given.push(await consent.isGiven(request));
  expect(given).toEqual([true, true, false, false, true, true, true, true, true, true, true, true, true]);
  expect(asked).toEqual(["edit", "other", "other", "write", "write", "delete", "delete", "no-sandbox", "command", "command"]);
  const ended = new Consent(() => "quit");
  expect([await ended.isGiven(sandbox), ended.isStopped, await ended.isGiven(action("edit"))]).toEqual([false, true, false]);
});

test.skipIf(!hasSandbox)("what may be agreed to in advance, the definition and the changes say", async () => {
  const asked: ApprovalRequest[] = [];
  const blocks = [
    write("aaa", "a.txt", "new"),
    block("bbb", 'action = "file_read"', 'path = "a.txt"'),
    block("ccc", 'action = "files_replace_all_text"', 'paths = "a.txt\\nlink.txt\\nb.txt"', 'old_text = "o"', 'new_text = "e"'),
    block("ddd", 'action = "file_move"', 'old_path = "a.txt"', 'new_path = "new/c.txt"'),
    block("eee", 'action = "file_move"', 'old_path = "b.txt"', 'new_path = "new/c.txt"'),
    block("fff", 'action = "file_delete"', 'path = "new/c.txt"'),
    write("ggg", "deep/er/c.txt", "new"),
    block("hhh", 'action = "exec"', 'lang = "bash"', 'code = "true"'),
  ];
  const root = createFolder({ "a.txt": "old", "b.txt": "old" });
  symlinkSync("b.txt", join(root, "link.txt"));
  await run((request) => (asked.push(request), "yes"), blocks.join(""), root);
  const told = asked.map((request) => (request.kind === "action" ? [request.blockId, request.mayRepeat, ...request.files.map((file) => relative(root, file))] : [request.kind]));
  expect(told.slice(0, 8)).toEqual([["aaa", true, "a.txt"], ["bbb", true], ["ccc", true, "b.txt"], ["ddd", true], ["eee", false], ["fff", false], ["ggg", true, "deep/er/c.txt"], ["hhh", false]]);
});

test.skipIf(!hasSandbox)("a command runs on its view only after a yes, and what it changed lands only after another", async () => {
  const code = "echo new > made.txt";
  const exec = block("aaa", 'action = "exec"', 'lang = "bash"', `code = "${code}"`);
  for (const answers of [["no"], ["yes", "no"], ["yes", "yes"]] as const) {
    const asked: unknown[] = [];
    const { root, result } = await run((request) => {
      asked.push(request.kind === "action" && request.ran !== undefined);
      return answers[asked.length - 1] ?? "no";
    }, exec);
    expect(asked).toEqual([false, true].slice(0, answers.length));
    expect([result.success, existsSync(join(root, "made.txt"))]).toEqual([answers[1] === "yes", answers[1] === "yes"]);
  }
});
