/** Laws of what a sentence tells: of several places with one name it chooses, and where it chooses none, nothing is edited. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { tries } from "../support/tries.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  /** A member with a number in it, as it stands in its container. */
  member(name: string, number: number): string;
  container(name: string, members: string): string;
  /** What stands between members. */
  readonly between: string;
}

const LANGUAGES: readonly Language[] = [
  { path: "a.py", member: (name, number) => `    def ${name}(self):\n        return ${number}\n`, container: (name, members) => `class ${name}:\n${members}`, between: "\n" },
  { path: "a.ts", member: (name, number) => `  ${name}(): number {\n    return ${number};\n  }\n`, container: (name, members) => `export class ${name} {\n${members}}\n`, between: "\n" },
  { path: "a.rb", member: (name, number) => `  def ${name}\n    ${number}\n  end\n`, container: (name, members) => `class ${name}\n${members}end\n`, between: "\n" },
  { path: "A.java", member: (name, number) => `    int ${name}() {\n        return ${number};\n    }\n`, container: (name, members) => `class ${name} {\n${members}}\n`, between: "\n" },
  { path: "a.rs", member: (name, number) => `    fn ${name}(&self) -> u8 {\n        ${number}\n    }\n`, container: (name, members) => `impl ${name} {\n${members}}\n`, between: "\n" },
  { path: "a.php", member: (name, number) => `    public function ${name}()\n    {\n        return ${number};\n    }\n`, container: (name, members) => `class ${name}\n{\n${members}}\n`, between: "\n" },
  { path: "a.yml", member: (name, number) => `  ${name}:\n    size: ${number}\n`, container: (name, members) => `${name}:\n${members}`, between: "" },
];
const CONTAINERS = ["Cart", "Order", "Invoice"];
const MEMBERS = ["load", "save", "check"];

/** A file in which each container has its own choice of the members, each with a number of its own. */
function fileOf({ path, member, container, between }: Language, has: readonly (readonly boolean[])[], extra?: { readonly of: string; readonly below: string; readonly text: string }): string {
  const text = CONTAINERS.map((name, at) => {
    const members = MEMBERS.flatMap((one, index) => {
      const own = has[at]?.[index] === true ? [member(one, at * 3 + index + 1)] : [];
      return extra?.of === name && extra.below === one ? [...own, extra.text] : own;
    });
    return container(name, members.join(between));
  }).join(path.endsWith(".py") ? "\n\n" : "\n");
  return path === "a.php" ? `<?php\n\n${text}` : text;
}

const fence = (text: string, isFlat: boolean): string => {
  const indent = /^ */.exec(text)?.[0] ?? "";
  return `\`\`\`\n${isFlat ? text.replaceAll(`\n${indent}`, "\n").slice(indent.length) : text}\`\`\`\n`;
};

const TOLD: ReadonlyArray<(of: string, name: string, path: string) => string> = [
  (of, name, path) => `In the \`${of}\` class of \`${path}\`, change \`${name}\`:`,
  (of, name, path) => `In \`${path}\`, update \`${of}.${name}\`:`,
  (of, name, path) => `Update \`${name}\` in \`${of}\` (\`${path}\`):`,
  (of, name, path) => `In \`${path}\`, \`${name}\` of \`${of}\` should be:`,
  (of, name, path) => `In \`${path}\`, change \`${name}\` in the ${of} class:`,
  (of, name, path) => `${of}'s \`${name}\` in \`${path}\` changes to:`,
];
const has = fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 });

test("of members with one name, the one in the container that the sentence names is replaced, and none where it names none", async () => {
  for (const { path } of LANGUAGES) await loadStructure(path);
  let [landed, tried] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LANGUAGES), has, fc.nat({ max: 2 }), fc.nat({ max: 2 }), fc.option(fc.constantFrom(...TOLD)), fc.boolean(), async (language, chosen, of, at, tell, isFlat) => {
      const all = chosen.map((own, index) => (index === of ? own.map((one, member) => one || member === at) : own[at] === true ? own : own.map((one, member) => one || member !== at)));
      const name = MEMBERS[at] as string;
      const text = fileOf(language, all);
      const now = language.member(name, 42);
      const wanted = text.replace(language.container(CONTAINERS[of] as string, "\n").split("\n")[0] as string, "\u0000$&").replace(/\0[^]*/, (rest) => rest.slice(1).replace(language.member(name, of * 3 + at + 1), () => now));
      const answer = `${tell === null ? `Update \`${name}\` in \`${language.path}\`:` : tell(CONTAINERS[of] as string, name, language.path)}\n\n${fence(now, isFlat)}`;
      const isOnly = all.filter((own) => own[at]).length === 1;
      const result = await answered(language.path, text, answer);
      const isUnclear = tell === null && !isOnly;
      if (isUnclear) expect(result, answer).toBe(text);
      else tried += 1;
      if (result !== text) {
        landed += 1;
        expect(result, answer).toBe(wanted);
      }
    }),
    tries(80, 2_000),
  );
  expect(landed).toBeGreaterThan(tried * 0.9);
});

const PLACES: ReadonlyArray<(of: string, name: string, next: string | undefined) => string | undefined> = [
  (of, name) => `below \`${name}\` in the \`${of}\` class`,
  (of, name) => `to \`${of}\`, after \`${name}\``,
  (of, name) => `after \`${of}.${name}\``,
  (of, name) => `right after \`${name}\` in the ${of} class`,
  (of, name) => `inside \`${of}\`, below \`${name}()\``,
  (of, _, next) => (next === undefined ? `at the end of the \`${of}\` class` : undefined),
  (of, _, next) => (next === undefined ? `to the \`${of}\` class` : undefined),
  (of, _, next) => (next === undefined ? undefined : `to \`${of}\`, before \`${next}\``),
  (of, name, next) => (next === undefined ? undefined : `between \`${name}\` and \`${next}\` in \`${of}\``),
];

test("a new member goes where the sentence says, or nowhere", async () => {
  for (const { path } of LANGUAGES) await loadStructure(path);
  let [landed, tried] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LANGUAGES), fc.nat({ max: 2 }), fc.nat({ max: 2 }), fc.constantFrom(...PLACES), fc.boolean(), async (language, of, at, place, isFlat) => {
      const all = [[true, true, true], [true, true, true], [true, true, true]];
      const [container, name] = [CONTAINERS[of] as string, MEMBERS[at] as string];
      const told = place(container, name, MEMBERS[at + 1]);
      fc.pre(told !== undefined);
      const text = fileOf(language, all);
      const extra = language.member("extra", 42);
      const wanted = fileOf(language, all, { of: container, below: name, text: extra });
      const answer = `In \`${language.path}\`, add this ${told}:\n\n${fence(extra, isFlat)}`;
      const result = await answered(language.path, text, answer);
      tried += 1;
      if (result !== text) {
        landed += 1;
        expect(result, answer).toBe(wanted);
      }
    }),
    tries(80, 2_000),
  );
  expect(landed).toBeGreaterThan(tried * 0.8);
});

/** Statements of functions, some of which several have, in languages with closing lines and without. */
const STATEMENTS = ["open(path)", "read(path)", "check(size)", "log(size)", "close(path)", "send(name)", "wait(name)", "done(name)"];
const FUNCTIONS: Readonly<Record<string, { readonly head: (name: string) => string; readonly line: (call: string) => string; readonly foot: string }>> = {
  "b.py": { head: (name) => `def ${name}(path):\n`, line: (call) => `    ${call}\n`, foot: "\n\n" },
  "b.js": { head: (name) => `function ${name}(path) {\n`, line: (call) => `  ${call};\n`, foot: "}\n\n" },
  "b.go": { head: (name) => `func ${name}(path string) {\n`, line: (call) => `\t${call}\n`, foot: "}\n\n" },
  "b.sh": { head: (name) => `${name}() {\n`, line: (call) => `  ${call.replace("(", " ").replace(")", "")}\n`, foot: "}\n\n" },
};
const NAMES = ["first", "second", "third"];

test("lines of a function, with unchanged ones at both ends, go where they stood, or nowhere", async () => {
  for (const path of Object.keys(FUNCTIONS)) await loadStructure(path);
  let [landed, clear] = [0, 0];
  const bodies = fc.array(fc.array(fc.nat({ max: STATEMENTS.length - 1 }), { minLength: 4, maxLength: 8 }), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(FUNCTIONS)), bodies, fc.nat({ max: 2 }), fc.nat(), fc.nat(), fc.boolean(), fc.constantFrom("added", "changed", "gone"), async (path, all, of, from, to, isTold, how) => {
      const { head, line, foot } = FUNCTIONS[path] as (typeof FUNCTIONS)[string];
      const lines = all.map((body) => body.map((index) => line(STATEMENTS[index] ?? "")));
      const own = lines[of] as string[];
      const [first, last] = [from % (own.length - 2), 2 + (to % (own.length - 2))];
      fc.pre(last > first + 1);
      const inner = how === "added" ? [...own.slice(first + 1, last), line("added(path)")] : how === "changed" ? [line("changed(path)"), ...own.slice(first + 2, last)] : own.slice(first + 2, last);
      const textOf = (bodies: readonly (readonly string[])[]): string => (path === "b.go" ? "package b\n\n" : "") + bodies.map((body, index) => head(NAMES[index] ?? "") + body.join("") + foot).join("");
      const shown = [own[first], ...inner, own[last]].join("");
      const text = textOf(lines);
      const wanted = textOf(lines.map((body, index) => (index === of ? [...body.slice(0, first + 1), ...inner, ...body.slice(last)] : body)));
      fc.pre(!text.includes(shown));
      const verb = how === "gone" ? "shorten" : "change";
      const answer = `${isTold ? `In \`${path}\`, ${verb} this part of \`${NAMES[of]}\`:` : `${verb} this part of \`${path}\`:`}\n\n\`\`\`${path.slice(2)}\n${shown}\`\`\`\n`;
      const result = await answered(path, text, answer);
      const where = isTold ? own : lines.flat();
      const isClear = [own[first], own[last]].every((end) => where.filter((one) => one === end).length === 1);
      if (isClear) clear += 1;
      if (result !== text) {
        if (isClear) landed += 1;
        expect(result, answer).toBe(wanted);
      }
    }),
    tries(80, 2_000),
  );
  expect(landed).toBeGreaterThan(clear * 0.8);
});

test.each(["stop_after_delay", "run_before_all", "_inside_", "log_below"])("the name of a declaration may hold a word that tells a place: %s", async (name) => {
  const file = `class first:\n    x = 1\n\n\nclass ${name}:\n    x = 2\n\n\nclass last:\n    x = 3\n`;
  const answer = `Add a class to \`a.py\`. Put it after \`${name}\`:\n\n\`\`\`python\nclass other:\n    x = 4\n\`\`\`\n`;
  expect(await answered("a.py", file, answer)).toBe(file.replace("class last:", "class other:\n    x = 4\n\n\nclass last:"));
});
