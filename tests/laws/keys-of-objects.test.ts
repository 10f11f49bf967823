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

/** A key may have several values: what is added replaces nothing, and a whole file may repeat one. */
test("a further value of a key", async () => {
  const unit = "[Unit]\nDescription=a\n\n[Service]\nEnvironment=A=1\nExecStart=/bin/a\n";
  const both = unit.replace("A=1\n", "A=1\nEnvironment=B=2\n");
  const fence = (text: string): string => `\`\`\`ini\n${text}\n\`\`\`\n`;
  for (const sentence of ["In `a.service`, under `[Service]`, add:", "Add this to the `[Service]` section of `a.service`:", "Add this below `[Service]` in `a.service`:"])
    for (const shown of ["Environment=B=2", "[Service]\nEnvironment=B=2"])
      expect([unit, both]).toContain(await answered("a.service", unit, `${sentence}\n\n${fence(shown)}`));
  expect(await answered("a.service", unit, `Here is the full \`a.service\`:\n\n${fence(both.trimEnd())}`)).toBe(both);
  const peers = "[Interface]\nAddress = 10.0.0.1\n\n[Peer]\nPublicKey = a\n";
  const whole = `${peers}\n[Peer]\nPublicKey = b`;
  expect(await answered("wg0.conf", peers, `Here is the full \`wg0.conf\`:\n\n${fence(whole)}`)).toBe(`${whole}\n`);
});

/** What a key is good for says nothing of the object that it goes into. */
test.each(["In `package.json`, add this so that scripts can use `import`:", "Add this to `package.json` so your scripts run as modules:", "Add this to `package.json`, which allows engines to skip scripts:"])("%s", async (sentence) => {
  const [before, after] = [{ name: "shop", scripts: { test: "vitest" } }, { name: "shop", scripts: { test: "vitest" }, type: "module" }].map((file) => `${JSON.stringify(file, null, 2)}\n`) as [string, string];
  expect(await answered("package.json", before, `${sentence}\n\n\`\`\`json\n"type": "module"\n\`\`\`\n`)).toBe(after);
});
