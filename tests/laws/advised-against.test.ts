/** Law of code that the answer takes back below it: nothing of it lands. What only follows an edit takes nothing back. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

const AGAINST = [
  "I'd advise against it here. Keep what you have.", "But I would steer clear of that.", "I'd hold off on this for now.", "That said, I'd skip this.", "Not worth it for a project this size.",
  "It's not worth the trouble, honestly.", "I don't think you need it.", "You don't need this.", "This is overkill here.", "I would not go down that road.", "Personally I'd avoid it.",
  "Please don't do this in production.", "But that would be a mistake.", "I'm not suggesting you do that.", "This is just to illustrate the idea.", "Don't apply this yet.", "Leave it as it is for now, though.",
  "We decided not to do this.", "So stick with the current version.", "I'd recommend leaving it alone.", "However, this approach has too many drawbacks, so let's not.", "Still, I would strongly recommend against this.",
  "Never mind.", "That's a bad idea, though.", "Ich würde davon abraten.", "Je le déconseille ici.", "No lo recomiendo.", "Eu não recomendo.", "这里不建议这样做。",
];
const FOLLOWS = [
  "You don't need to restart the server.", "This avoids the second lookup.", "I'd also run the tests.", "That is all you need.", "Leave the tests as they are.", "I left the rest as it is.", "It is worth a test, too.",
  "Don't forget to restart.", "I don't see anything else that is affected.", "The old version was a mistake.", "This is only called once.", "Keep the old file around until you have tested it.", "You don't need the old import any more.",
  "We decided to keep the signature.", "That would be all.", "It's a bit longer, but not by much.", "Stay safe!",
];
const FORMS = [
  (path: string, code: string) => `You could put it into \`${path}\`:\n\n\`\`\`js\n${code}\`\`\`\n`,
  (path: string, code: string) => `It needs a store of its own.\n\n**${path}**\n\n\`\`\`js\n${code}\`\`\`\n`,
  (path: string, code: string) => `Create \`${path}\`:\n\n\`\`\`js\n${code}\`\`\`\n`,
];
const OLD = "export function get(key) {\n  return map[key];\n}\n\nexport function size() {\n  return map.size;\n}\n";
const NEW = "export function get(key) {\n  return map.get(key);\n}\n";

/** Returns what an answer makes of a file that is not there, and of one that is. */
async function made(form: (path: string, code: string) => string, sentence: string): Promise<readonly [string | undefined, string]> {
  const root = createFolder({ "src/old.js": OLD });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, syntaxes: ["whole-file", "lazy", "plain"] }, gitCommit: false });
  await loaf.execute(`${form("src/new.js", NEW)}\n${sentence}\n`);
  await loaf.execute(`${form("src/old.js", NEW).replace("Create", "Update")}\n${sentence}\n`);
  const file = join(root, "src/new.js");
  return [existsSync(file) ? readFileSync(file, "utf8") : undefined, readFileSync(join(root, "src/old.js"), "utf8")];
}

describe.each(FORMS.map((form) => [form("src/a.js", "").split("\n", 1)[0], form] as const))("below code in the form %s", (_, form) => {
  test.each(AGAINST)("%s: nothing lands", async (sentence) => {
    expect(await made(form, sentence)).toEqual([undefined, OLD]);
  });

  test.each(FOLLOWS)("%s: both land", async (sentence) => {
    expect(await made(form, sentence)).toEqual([NEW, OLD.replace("map[key]", "map.get(key)")]);
  });
});
