import { expect, test } from "vitest";
import { Loaf } from "../../../../src/index.ts";
import { printBlock } from "../../../../src/syntax/print.ts";
import { createFolder } from "../../../support/folder.ts";

/** What the log says of a run whose hook changes these files, after an answer. */
async function summaryOf(hook: string, answer: string, files: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const loaf = await Loaf.create({ repoPath: createFolder(files), config: { relative_paths: true }, hooks: { after: [{ run: hook }] } });
  await loaf.execute(answer);
  return (await loaf.history()).runs[0]?.summary;
}

test("a run is told by what its actions did", async () => {
  const answer = `${printBlock("one", { action: "file_write", path: "a.txt", content: "a" })}\n${printBlock("two", { action: "file_delete", path: "gone.txt" })}`;
  expect(await summaryOf("true", answer)).toBe("write a.txt");
});

test("where only commands or hooks have changed files, their number is told, folders not counted", async () => {
  const nothing = printBlock("one", { action: "ls", path: "." });
  expect(await summaryOf("mkdir -p new/folder && echo x > new/folder/file", nothing)).toBe("change 1 file");
  expect(await summaryOf("rm a && echo x >> b", nothing, { a: "a", b: "b" })).toBe("change 2 files");
});
