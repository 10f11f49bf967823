import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publishReport as publish, problemWith } from "../../../src/faces/watch/publish.ts";
import { createFolder } from "../../support/folder.ts";

const report = "=== LOAF RESULTS ===\n=== END ===";

test("writes the whole report, and keeps its folder out of git", () => {
  const root = createFolder();
  publish(root, ".loaf/output.md", report);
  publish(root, ".loaf/output.md", `${report}!`);
  expect(readFileSync(join(root, ".loaf/output.md"), "utf8")).toBe(`${report}!\n`);
  expect(readFileSync(join(root, ".loaf/.gitignore"), "utf8")).toBe("*\n");
  publish(root, "chat/out.md", report);
  expect(existsSync(join(root, "chat/.gitignore"))).toBe(false);
});

test("a reader has the whole old report while the next one is written", () => {
  const root = createFolder();
  publish(root, ".loaf/output.md", report);
  const reader = openSync(join(root, ".loaf/output.md"), "r");
  publish(root, ".loaf/output.md", "new");
  expect([readFileSync(reader, "utf8"), readFileSync(join(root, ".loaf/output.md"), "utf8")]).toEqual([`${report}\n`, "new\n"]);
  closeSync(reader);
  expect(readdirSync(join(root, ".loaf"))).toEqual([".gitignore", "output.md"]);
});

test("41: a link at the temporary name is not followed", () => {
  const [root, outside] = [createFolder({ ".loaf/x": "" }), createFolder({ mine: "mine" })];
  symlinkSync(join(outside, "mine"), join(root, `.loaf/output.md.${process.pid}`));
  publish(root, ".loaf/output.md", "new");
  expect([readFileSync(join(root, ".loaf/output.md"), "utf8"), readFileSync(join(outside, "mine"), "utf8")]).toEqual(["new\n", "mine"]);
});

test("does not replace a file of the user", () => {
  const root = createFolder({ "README.md": "# Mine", empty: "", "chat/x": "" });
  expect(problemWith(root, "README.md")).toMatch(/'README.md' exists and is not one of Loaf's reports/);
  expect(() => publish(root, "README.md", report)).toThrow("not one of Loaf's reports");
  expect(problemWith(root, "chat")).toBe("'chat' is a directory");
  expect(problemWith(root, "empty")).toBeUndefined();
  expect(readFileSync(join(root, "README.md"), "utf8")).toBe("# Mine");
});

test.each([
  ["quotes a report", `# Notes\n\n${report}\n`],
  ["begins with a blank line and a report", `\n${report}\n`],
  ["begins with text in brackets and a report", `[todo] read this\n${report}\n`],
  ["begins with a longer line", "=== LOAF RESULTS === of Monday\n"],
])("does not replace a file of the user that %s", (_, notes) => {
  const root = createFolder({ "notes.md": notes });
  expect(problemWith(root, "notes.md")).toMatch(/'notes.md' exists and is not one of Loaf's reports/);
  expect(() => publish(root, "notes.md", report)).toThrow("not one of Loaf's reports");
  expect(readFileSync(join(root, "notes.md"), "utf8")).toBe(notes);
});

test("replaces a report that begins with status lines", () => {
  const root = createFolder();
  const statuses = ["SUCCESS: WRITE - a.js", "ERROR: SEARCH - a.js: old_text not found", "SKIP: RUN - a", "FATAL: WRITE - a"];
  publish(root, "out.md", `${statuses.map((status, at) => `[task-1.${at}] ${status}`).join("\n")}\n${report}`);
  publish(root, "out.md", report);
  expect(readFileSync(join(root, "out.md"), "utf8")).toBe(`${report}\n`);
});

test("41: a .loaf link in a cloned repository is not followed", () => {
  const [root, outside] = [createFolder(), createFolder({ "output.md": report })];
  symlinkSync(outside, join(root, ".loaf"));
  expect(() => publish(root, ".loaf/output.md", "new")).toThrow(`is not in the project: a link in its path leads to ${outside}`);
  const other = createFolder();
  mkdirSync(join(other, ".loaf"));
  symlinkSync(join(outside, "output.md"), join(other, ".loaf/output.md"));
  expect(() => publish(other, ".loaf/output.md", "new")).toThrow("'.loaf/output.md' is a link: put a file in its place");
  expect(readFileSync(join(outside, "output.md"), "utf8")).toBe(report);
});
