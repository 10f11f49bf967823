/** A law of lazy files: declarations beside a placeholder tell which lines it stands for, whatever has changed in them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { tries } from "../support/tries.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly head: string;
  readonly hole: string;
  readonly between: string;
  /** A function, or a method of a class of its own. Bodies of one number are alike in all of them. */
  print(name: string, body: number, isMember: boolean, parameter: string): string;
}

const BODIES = ["a();", "b(1);", "c();"];
const braced = (head: string, body: number, indent = ""): string => `${indent}${head} {\n${indent}    ${BODIES[body]}\n${indent}    done();\n${indent}}\n`;
const LANGUAGES: readonly Language[] = [
  { path: "a.js", head: 'import a from "a";\n', hole: "// ... existing code ...", between: "\n", print: (name, body, isMember, parameter) => (isMember ? `class ${name} {\n${braced(`run(${parameter})`, body, "    ")}}\n` : braced(`export function ${name}(${parameter})`, body)) },
  { path: "a.go", head: 'package a\n\nimport "fmt"\n', hole: "// ... rest of the code ...", between: "\n", print: (name, body, isMember, parameter) => braced(`func ${isMember ? "(s *Server) " : ""}${name}(${parameter === "" ? "" : `${parameter} int`})`, body).replaceAll(";", "") },
  { path: "a.rs", head: "use std::fmt;\n", hole: "// ... existing code ...", between: "\n", print: (name, body, isMember, parameter) => (isMember ? `impl ${name} {\n${braced(`fn run(${parameter === "" ? "" : `${parameter}: u8`})`, body, "    ")}}\n` : braced(`#[inline]\npub fn ${name}(${parameter === "" ? "" : `${parameter}: u8`})`, body)) },
  { path: "a.py", head: "import a\n", hole: "# ... existing code ...", between: "\n\n", print: (name, body, isMember, parameter) => (isMember ? `class ${name}:\n    def run(self${parameter && `, ${parameter}`}):\n        ${BODIES[body]}\n        done()\n` : `@cached\ndef ${name}(${parameter}):\n    ${BODIES[body]}\n    done()\n`).replaceAll(";", "") },
];

const declaration = fc.record({ body: fc.nat({ max: 2 }), isMember: fc.boolean() });
const change = fc.record({ what: fc.constantFrom("stays", "stays", "stays", "shown", "body", "parameter", "new below"), body: fc.nat({ max: 2 }) });

test("a lazy file gives the new one, wherever each stretch between placeholders shows a declaration of the old one, or an end", async () => {
  for (const { path } of LANGUAGES) await loadStructure(path);
  let [landed, tried] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LANGUAGES), fc.array(fc.tuple(declaration, change), { minLength: 3, maxLength: 8 }), fc.boolean(), async ({ path, head, hole, between, print }, rows, isHeadShown) => {
      const old = rows.map(([{ body, isMember }], at) => print(`Part${at}`, body, isMember, ""));
      const now = rows.flatMap(([{ body, isMember }, { what, body: other }], at) => {
        const own = { text: print(`Part${at}`, what === "body" ? other : body, isMember, what === "parameter" ? "x" : ""), isNew: false, isShown: what !== "stays" };
        return what === "new below" ? [{ ...own, isShown: false }, { text: print(`New${at}`, other, isMember, ""), isNew: true, isShown: true }] : [own];
      });
      // Stretches that stay are placeholders; the head is shown, or behind one.
      const stretches: Array<{ readonly isHole: boolean; readonly parts: typeof now }> = [];
      for (const part of now) {
        const last = stretches.at(-1);
        if (last?.isHole === !part.isShown) last.parts.push(part);
        else stretches.push({ isHole: !part.isShown, parts: [part] });
      }
      if (!stretches.some(({ isHole }) => isHole) || !stretches.some(({ isHole }) => !isHole)) return;
      const text = (all: readonly string[]): string => `${head}\n${all.join(between)}`;
      const [before, after] = [text(old), text(now.map((part) => part.text))];
      const shown = stretches.map(({ isHole, parts }) => (isHole ? `${hole}\n` : parts.map((part) => part.text).join(between)));
      const first = isHeadShown ? [head] : stretches[0]?.isHole === true ? [] : [`${hole}\n`];
      const isTold = stretches.every(({ isHole, parts }, at) => isHole || parts.some(({ isNew }) => !isNew) || at === stretches.length - 1);
      const written = await answered(path, before, `### ${path}\n\n~~~~\n${[...first, ...shown].join("\n")}~~~~\n`);
      tried += Number(isTold && after !== before);
      landed += Number(isTold && after !== before && written === after);
      // What stands alone between two placeholders goes to the end, or is refused.
      const lines = (all: string): string[] => all.split("\n").filter((line) => line.trim() !== "").sort();
      if (!isTold && written !== before) expect(lines(written)).toEqual(lines(after));
      else if (written !== after) expect(written).toBe(before);
    }),
    tries(400, 20_000),
  );
  expect(landed / tried).toBeGreaterThan(0.97);
});
