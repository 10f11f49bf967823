/** The law of characters: whichever sign code holds, its fence is read, and it lands as it is written. */
import { expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { filesBelow } from "../support/intake.ts";

/** Signs, letters and symbols that stand for something in answers, tables, trees and bullets; none that a report escapes. */
const SIGNS = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code)).filter((sign) => /[\p{P}\p{S}\p{Lo}]/u.test(sign) && sign.charCodeAt(0) > 0x7f);
const GROUPS = Array.from({ length: Math.ceil(SIGNS.length / 40) }, (_, group) => SIGNS.slice(group * 40, group * 40 + 40));
const contentOf = (signs: readonly string[]): string => signs.map((sign, at) => `word ${at} ${sign} end\n`).join("");

async function run(before: Readonly<Record<string, string>>, answer: string): Promise<Readonly<Record<string, string>>> {
  const root = createFolder(before);
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(answer);
  return filesBelow(root);
}

test("a fence that a sentence hands over lands with any sign in it", async () => {
  const answer = GROUPS.map((signs, group) => `Create \`notes/n${group}.txt\`:\n\n\`\`\`\n${contentOf(signs)}\`\`\`\n`).join("\n");
  const files = await run({}, answer);
  for (const [group, signs] of GROUPS.entries()) expect(files[`notes/n${group}.txt`]).toBe(contentOf(signs));
});

test("lines that are added below a line land with any sign in them", async () => {
  const before = Object.fromEntries(GROUPS.map((_, group) => [`notes/n${group}.txt`, "first\nlast\n"]));
  const answer = GROUPS.map((signs, group) => `In \`notes/n${group}.txt\`, add this after \`first\`:\n\n\`\`\`\n${contentOf(signs)}\`\`\`\n`).join("\n");
  const files = await run(before, answer);
  for (const [group, signs] of GROUPS.entries()) expect(files[`notes/n${group}.txt`]).toBe(`first\n${contentOf(signs)}last\n`);
});
