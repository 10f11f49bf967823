/** Code for which no path is told: the only file that declares its names is offered. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/core/approval.ts";
import { shownRequest } from "../../../src/report/request.ts";
import { fullReport, Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { filesBelow } from "../../support/intake.ts";

const CART = "export function total(items) {\n  return 0;\n}\n\nexport function clear() {}\n";
const NOW = "export function total(items) {\n  return items.length;\n}";
const answer = (intro: string, code: string, language = "js") => `${intro}\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
const UPDATE = answer("Update `total`:", NOW);

async function run(files: Readonly<Record<string, string>>, text: string, mayAsk = true) {
  const root = createFolder({ ...files });
  const asked: string[] = [];
  const approve = mayAsk ? (request: ApprovalRequest) => (asked.push([shownRequest(request, root).title, ...shownRequest(request, root).body.split("\n").filter((line) => line.startsWith("⚠️"))].join(" ")), "once" as const) : undefined;
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, syntaxes: ["plain"] }, ...(approve && { approve }) });
  const result = await loaf.execute(text);
  return { asked, changed: Object.entries(filesBelow(root)).filter(([path, now]) => now !== files[path]).map(([path]) => path), report: fullReport(result, loaf) };
}

test("is asked about with its name, whatever the settings allow", async () => {
  const files = { "src/cart.js": CART, "src/other.js": "export const x = total([]);\n", "notes.md": `\`\`\`js\n${CART}\`\`\`\n`, "cart.py": "def total(items):\n    pass\n" };
  expect(await run(files, UPDATE)).toMatchObject({ asked: ["e1 (line 3) file_put src/cart.js: total replaced (lines 1-3); 1 declaration untouched ⚠️ no path is given: only 'src/cart.js' fits the code and its sentence"], changed: ["src/cart.js"], report: expect.stringContaining("warning: [e1] no path is given: only 'src/cart.js' fits the code and its sentence") });
  expect(await run(files, UPDATE, false)).toMatchObject({ changed: [], report: expect.stringContaining("hint: [e1] send it with the path of its file alone on the line above the code fence") });
});

test.each([
  ["two files declare it", { "a.js": CART, "b.js": CART }, UPDATE],
  ["no file declares it", { "a.js": "export const x = 1;\n" }, UPDATE],
  ["its names are in different files", { "a.js": CART, "b.js": "export function show() {}\n" }, answer("Update these:", `${NOW}\n\nexport function show() {\n  total([]);\n}`)],
  ["it only shows how to call it", { "a.js": CART }, answer("Use it like this:", "total(cart);")],
  ["it is an example", { "a.js": CART }, answer("For example:", NOW)],
  ["it is in another language", { "a.py": "def total(items):\n    return 0\n" }, UPDATE],
])("is not read where %s", async (_, files, text) => {
  expect(await run(files as unknown as Record<string, string>, text)).toMatchObject({ asked: [], changed: [], report: expect.stringMatching(/^note: not read: 1 code block without a path \(line 3\)$/m) });
});

test("a new method of the only class that the sentence names, and the file of an old text", async () => {
  const files = { "Cart.java": "class Cart {\n    int total() {\n        return 0;\n    }\n}\n", "Shop.java": "class Shop {\n    Cart cart = new Cart();\n}\n" };
  const method = answer("Add this method to the `Cart` class, right after `total`:", "    int size() {\n        return 1;\n    }", "java");
  expect(await run(files, method)).toMatchObject({ asked: [expect.stringContaining("Cart.java: Cart.size added")], changed: ["Cart.java"] });
  const pair = `Replace this:\n\n\`\`\`java\n    int total() {\n        return 0;\n\`\`\`\n\nwith this:\n\n\`\`\`java\n    int total() {\n        return 2;\n\`\`\`\n`;
  expect(await run(files, pair)).toMatchObject({ asked: [expect.stringContaining("Cart.java: ")], changed: ["Cart.java"] });
});

test("keeps its position between a preview and its run", async () => {
  const root = createFolder({ "a.js": CART });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, syntaxes: ["plain"] }, approve: () => "once" });
  const text = `${UPDATE}\n${answer("Create `b.js`:", "b();")}`;
  const previewed = [];
  for await (const one of loaf.preview(text)) previewed.push(one.result?.data);
  expect(previewed).toMatchObject([{ path: "a.js" }, { path: "b.js" }]);
  writeFileSync(join(root, "c.js"), CART);
  const { results } = await loaf.execute(text, { only: new Set([1]) });
  expect(results).toMatchObject([{ data: { path: "b.js" } }]);
});
