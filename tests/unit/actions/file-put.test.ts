import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";

async function put(before: string | Buffer, content: string, path = "src/a.js"): Promise<{ readonly after: Buffer; readonly code: string | undefined }> {
  const root = createFolder({ [path]: before });
  const loaf = await Loaf.create({ repoPath: root, config: { syntaxes: ["whole-file", "lazy"] } });
  const { results } = await loaf.execute(`### \`${path}\`\n\n~~~~js\n${content}\n~~~~\n`);
  return { after: readFileSync(join(root, path)), code: results[0]?.code };
}

test.each([
  ["line endings and a byte order mark", "\ufeffone\r\ntwo\r\n", "one\nthree", "\ufeffone\r\nthree\r\n"],
  ["the absence of a final newline", "one\ntwo", "one\nthree", "one\nthree"],
  ["them where lines are filled in", "\ufeffone\r\ntwo();\r\nthree();\r\n", "one\n// ... existing code ...\nthree();\nfour();", "\ufeffone\r\ntwo();\r\nthree();\r\nfour();\r\n"],
  ["a first line with the file's path that was there before", "// src/a.js\none\n", "// src/a.js\none\ntwo", "// src/a.js\none\ntwo\n"],
])("a whole file keeps %s", async (_, before, content, after) => {
  expect((await put(before, content)).after.toString()).toBe(after);
});

test("a first line that only names the file is no text of it", async () => {
  expect((await put("one\n", "// src/a.js\none\ntwo")).after.toString()).toBe("one\ntwo\n");
});

test.each([
  ["one that is not UTF-8", Buffer.from("caf\xe9\none\n", "latin1")],
  ["a binary one", Buffer.from([0, 1, 2, 3])],
])("%s is not overwritten", async (_, before) => {
  expect(await put(before, "café\none")).toEqual({ after: before, code: "file/exists" });
});
