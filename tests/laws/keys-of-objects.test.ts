/** The law of a key that a sentence calls by the name of its object, in the singular: it goes into that object. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const OBJECTS = [["scripts", "script", "build"], ["engines", "engine", "npm"], ["overrides", "override", "left"]] as const;
const SENTENCES = ["In `package.json`, add a `KEY` SINGLE:", "Add a `KEY` SINGLE to `package.json`:", "Add this SINGLE to `package.json`:"];
const fileOf = (name: string, members: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "shop", version: "1.0.0", [name]: members }, null, 2)}\n`;

test.each(OBJECTS.flatMap(([name, single, key]) => SENTENCES.flatMap((sentence) => ["", ","].map((comma) => [sentence.replace("KEY", key).replace("SINGLE", single), comma, name, key] as const))))(
  "%s%s into %s",
  async (sentence, comma, name, key) => {
    const answer = `${sentence}\n\n\`\`\`json\n"${key}": "1"${comma}\n\`\`\`\n`;
    expect(await answered("package.json", fileOf(name, { first: "0" }), answer)).toBe(fileOf(name, { first: "0", [key]: "1" }));
  },
);

/** Sections of a file without a grammar have equal keys: the one of the section that is named changes, or none. */
test.each(["web", "db"])("a setting of [%s]", async (section) => {
  const file = "[web]\nimage=web:1\nlevel=info\n\n[db]\nimage=db:1\nlevel=info\n";
  const wanted = file.replace(new RegExp(`(\\[${section}\\][^[]*level=)info`), "$1debug");
  let landed = 0;
  for (const sentence of ["In `c.ini`, under `[S]`:", "In `c.ini`, set the level of `S`:", "In the `S` section of `c.ini`:", "`c.ini`, in `[S]`:", "Add this to the `[S]` section of `c.ini`:"])
    for (const shown of ["level=debug", `[${section}]\nlevel=debug`]) {
      const text = await answered("c.ini", file, `${sentence.replace("S", section)}\n\n\`\`\`ini\n${shown}\n\`\`\`\n`);
      expect([wanted, file]).toContain(text);
      landed += Number(text === wanted);
    }
  expect(landed).toBeGreaterThan(0);
});
