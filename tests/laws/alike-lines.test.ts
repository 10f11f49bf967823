/** Laws of lists of alike lines: an excerpt of one lands as the list that was meant, or not at all. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { tries } from "../support/tries.ts";
import { answered } from "./answered.ts";

interface List {
  readonly path: string;
  readonly above: string;
  readonly below: string;
  item(name: string, value: string): string;
  /** What the last item has at its end in place of that of others. */
  readonly last?: readonly [its: RegExp, own: string];
}

const LISTS: readonly List[] = [
  { path: "nav.html", above: "<nav>\n  <ul>\n", item: (name, value) => `    <li><a href="/${name}">${name} ${value}</a></li>\n`, below: "  </ul>\n</nav>\n" },
  { path: "rows.html", above: "<table>\n  <tbody>\n", item: (name, value) => `    <tr><td>${name}</td><td>${value}</td></tr>\n`, below: "  </tbody>\n</table>\n" },
  { path: "list.csv", above: "name,number\n", item: (name, value) => `${name},${value}\n`, below: "" },
  { path: "list.yml", above: "name: list\nsteps:\n", item: (name, value) => `  - ${name}: ${value}\n`, below: "other: 1\n" },
  { path: "LIST.md", above: "# List\n\n", item: (name, value) => `- ${name} has ${value}\n`, below: "\n## End\n\nText.\n" },
  { path: "TABLE.md", above: "# Table\n\n| name | number |\n| --- | --- |\n", item: (name, value) => `| ${name} | ${value} |\n`, below: "\nText.\n" },
  { path: "kind.ts", above: "export enum Kind {\n", item: (name, value) => `  ${name} = "${value}",\n`, below: "}\n\nexport const one = 1;\n" },
  { path: "kind.rs", above: "pub enum Kind {\n", item: (name, value) => `    ${name}(${value}),\n`, below: "}\n\npub fn one() -> u8 {\n    1\n}\n" },
  { path: "arms.ts", above: "export function of(kind: string): number {\n  switch (kind) {\n", item: (name, value) => `    case "${name}":\n      return ${value};\n`, below: "    default:\n      return 0;\n  }\n}\n" },
  { path: "arms.go", above: "package a\n\nfunc Of(kind string) int {\n\tswitch kind {\n", item: (name, value) => `\tcase "${name}":\n\t\treturn ${value}\n`, below: "\t}\n\treturn 0\n}\n" },
  { path: "imports.ts", above: "", item: (name, value) => `import { ${name} } from "./${name}${value}";\n`, below: "\nexport const all = 1;\n" },
  { path: "imports.py", above: "", item: (name, value) => `from ${name}${value} import ${name}\n`, below: "\n\ndef main():\n    return 1\n" },
  { path: "array.ts", above: "export const all = [\n", item: (name, value) => `  "${name}-${value}",\n`, below: "];\n\nexport function one(): number {\n  return 1;\n}\n" },
  { path: "objects.js", above: "export const all = [\n", item: (name, value) => `  { name: "${name}", number: ${value} },\n`, below: "];\n" },
  { path: "list.json", above: "{\n  \"all\": [\n", item: (name, value) => `    "${name}-${value}",\n`, last: [/,\n$/, "\n"], below: "  ]\n}\n" },
  { path: "map.json", above: "{\n", item: (name, value) => `  "${name}": ${value},\n`, last: [/,\n$/, "\n"], below: "}\n" },
  { path: "routes.js", above: "const app = create();\n\n", item: (name, value) => `app.get("/${name}", ${name}${value});\n`, below: "\napp.listen(3000);\n" },
  { path: "list.env", above: "", item: (name, value) => `${name}=${value}\n`, below: "" },
  { path: "vars.css", above: ":root {\n", item: (name, value) => `  --${name}: ${value}px;\n`, below: "}\n\n.a {\n  margin: 0;\n}\n" },
  { path: "tables.sql", above: "CREATE TABLE a (\n", item: (name, value) => `  ${name} VARCHAR(${value}) NOT NULL,\n`, below: "  PRIMARY KEY (id)\n);\n" },
  { path: "a.go", above: "package a\n\ntype A struct {\n", item: (name, value) => `\t${name} int \`json:"${value}"\`\n`, below: "}\n" },
  { path: "call.py", above: "def main():\n", item: (name, value) => `    register("${name}", ${value})\n`, below: "    return 1\n" },
];
const NAMES = ["alpha", "beta", "gamma", "delta", "alphabet", "betatron", "omega", "sigma"];

type Change = "insert" | "change" | "remove" | "rename";
type Sentence = (path: string, name: string) => string;
/** Sentences that tell nothing of the change. */
const ANY: readonly Sentence[] = [(path) => `In \`${path}\`:`, (path) => `Update the list in \`${path}\`:`, (path) => `### \`${path}\``, (path) => `Change this part of \`${path}\`:`];
const TOLD: Readonly<Record<Change, readonly Sentence[]>> = {
  insert: [(path, name) => `Add \`${name}\` to \`${path}\`:`, (path) => `Add this to \`${path}\`:`, (path, name) => `In \`${path}\`, add an entry for ${name}:`],
  change: [(path, name) => `In \`${path}\`, change \`${name}\`:`, (path, name) => `Update \`${name}\` in \`${path}\`:`],
  remove: [(path, name) => `Remove \`${name}\` from \`${path}\`:`, (path, name) => `In \`${path}\`, drop \`${name}\`:`],
  rename: ANY,
};

/** Lists in which a name that the file does not have is a further member, wherever it stands. */
const IS_NAMED = /^(?:imports|map|vars)/;

test("an excerpt of a list lands as the list that was meant, or not at all", async () => {
  for (const { path } of LISTS) await loadStructure(path);
  let [landed, tried] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...LISTS),
      fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 7 }),
      fc.constantFrom<Change>("insert", "change", "remove", "rename"),
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.nat({ max: 3 }),
      fc.nat(),
      fc.boolean(),
      async (list, [fresh = "", ...own], how, place, up, down, tell, isTold) => {
        const textOf = (items: readonly string[]): string => list.above + endedItems(list, items).join("") + list.below;
        const old = own.map((name) => list.item(name, String(NAMES.indexOf(name) + 10)));
        const at = place % (how === "insert" ? old.length + 1 : old.length);
        const name = how === "insert" || how === "rename" ? fresh : (own[at] as string);
        const one = list.item(name, "42");
        const now = how === "insert" ? old.toSpliced(at, 0, one) : how === "remove" ? old.toSpliced(at, 1) : old.with(at, one);
        const items = endedItems(list, now);
        const middle = how === "remove" ? "" : (items[at] as string);
        const above = (list.above + items.slice(0, at).join("")).split(/(?<=\n)/).slice(up === 0 ? Infinity : -up);
        const below = (items.slice(how === "remove" ? at : at + 1).join("") + list.below).split(/(?<=\n)/).slice(0, down);
        const shown = above.join("") + middle + below.join("");
        fc.pre(shown.trim() !== "");
        const sentences = isTold ? TOLD[how] : ANY;
        const answer = `${sentences[tell % sentences.length]?.(list.path, name)}\n\n\`\`\`\n${shown}\`\`\`\n`;
        const result = await answered(list.path, textOf(old), answer);
        tried += 1;
        if (result === textOf(old)) return;
        landed += 1;
        const isFurther = (how === "insert" && shown === middle) || (how === "rename" && IS_NAMED.test(list.path));
        const further = isFurther ? [...old, ""].map((_, to) => textOf(old.toSpliced(to, 0, one))) : [];
        expect([textOf(now), ...further], answer).toContain(result);
      },
    ),
    tries(200, 4_000),
  );
  expect(landed).toBeGreaterThan(tried * 0.55);
});

function endedItems({ last }: List, items: readonly string[]): readonly string[] {
  return last === undefined ? items : items.map((one, at) => (at === items.length - 1 ? one.replace(...last) : one));
}
