/** The law of a fence without a path: it goes on with the file above it, unless its sentence tells another one in words. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { isLong } from "../support/tries.ts";

interface Language {
  readonly path: string;
  readonly other: string;
  block(name: string, value: number): string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/shop.py", other: "src/client.py", block: (name, value) => `def ${name}():\n    return ${value}\n` },
  { path: "src/shop.ts", other: "src/client.ts", block: (name, value) => `export function ${name}(): number {\n  return ${value};\n}\n` },
  { path: "shop/shop.go", other: "shop/client.go", block: (name, value) => `func ${name}() int {\n\treturn ${value}\n}\n` },
];
const fileOf = ({ path }: Language, blocks: readonly string[]): string => (path.endsWith(".go") ? "package shop\n\n" : "") + blocks.join("\n\n");

/** What the answer shows of the first file. */
const FIRST: Readonly<Record<string, (path: string, old: string, now: string, whole: string) => string>> = {
  "a declaration": (path, _, now) => `Update \`load\` in \`${path}\`:\n\n\`\`\`\n${now}\`\`\`\n`,
  "SEARCH/REPLACE": (path, old, now) => `${path}\n\`\`\`\n<<<<<<< SEARCH\n${old}=======\n${now}>>>>>>> REPLACE\n\`\`\`\n`,
  "a whole file": (path, _, __, whole) => `Here is the full \`${path}\`:\n\n\`\`\`\n${whole}\`\`\`\n`,
};
const ELSEWHERE = [
  "Then in the client module, replace `save` with:", "And for the client, update `save`:", "And for client, update `save`:", "The other module needs the same. Update `save`:",
  "Also update `save` in both files:", "In the second file, replace `save`:", "Update `save` in the client too:", "Do the same to `save` in your client:",
  "Change `save` in each module:", "Your client has a `save` too. Change it in the client to:", "Now the other file. Replace `save` with:",
];
const ADDED_ELSEWHERE = [
  "Add this test:", "And add a test for it:", "Then add this to your settings:", "Add this to the client module as well:", "Put this into a new file:", "Add this in a separate module:",
  "Finally, add this to your client:", "Add this to the other file:", "Then, in the settings module, add:", "Add a unit test:",
];
const GOES_ON = [
  "Then update `save`:", "And change `save` to:", "Update `save` as well:", "Also update `save` at the end of the file:", "In the same file, update `save`:",
  "Further down in the module, change `save`:", "Change `save` in the same way:", "For the same reason, update `save`:", "To keep them in step, update `save`:",
  "In addition, replace `save` with:", "For consistency, update `save`:", "Update `save` for callers that need it:", "In this module, update `save` too:",
];
const OTHERS = ["has it too", "lacks it", "is not there"] as const;

/** One of so many in the short tests: prime to the number of languages, first blocks and others. */
const STEP = 7;
const answers = (sentences: readonly string[]) =>
  LANGUAGES.flatMap((language) =>
    sentences.flatMap((sentence) => Object.keys(FIRST).flatMap((first) => OTHERS.map((other) => ({ language, path: language.path, sentence, first, other })))),
  ).filter((_, index) => isLong || index % STEP === 0);

async function filesAfter({ language, sentence, first, other }: ReturnType<typeof answers>[number], shown: string): Promise<readonly [string, string | undefined]> {
  const { block, path } = language;
  const [old, now] = [block("load", 1), block("load", 3)];
  const there = { [path]: fileOf(language, [old, block("save", 2)]), ...(other !== "is not there" && { [language.other]: fileOf(language, [block(other === "lacks it" ? "send" : "save", 5)]) }) };
  const root = createFolder(there);
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(`${FIRST[first]?.(path, old, now, fileOf(language, [now, block("save", 2)])) ?? ""}\n${sentence}\n\n\`\`\`\n${shown}\`\`\`\n`);
  const textOf = (file: string): string | undefined => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined);
  return [textOf(path) ?? "", textOf(language.other)];
}

// Without such a file, "for client" may name anything.
test.each(answers(ELSEWHERE).filter(({ sentence, other }) => !sentence.includes("for client") || other !== "is not there"))("$path: $first, then $sentence ($other)", async (given) => {
  const { block } = given.language;
  const [text, other] = await filesAfter(given, block("save", 9));
  expect(text).toBe(fileOf(given.language, [block("load", 3), block("save", 2)]));
  const may = { "has it too": ["save", 5], "lacks it": ["send", 5], "is not there": undefined } as const;
  const old = may[given.other];
  const kept = old && fileOf(given.language, [block(old[0], old[1])]);
  expect([kept, ...(given.other === "has it too" ? [fileOf(given.language, [block("save", 9)])] : [])]).toContain(other);
});

test.each(answers(ADDED_ELSEWHERE))("$path: $first, then $sentence ($other)", async (given) => {
  const { block } = given.language;
  const [text] = await filesAfter(given, block("test_load", 9));
  expect(text).toBe(fileOf(given.language, [block("load", 3), block("save", 2)]));
});

test.each(answers(GOES_ON))("$path: $first, then $sentence ($other)", async (given) => {
  const { block } = given.language;
  const [text] = await filesAfter(given, block("save", 9));
  expect(text).toBe(fileOf(given.language, [block("load", 3), block("save", 9)]));
});
