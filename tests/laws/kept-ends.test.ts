/** The law of statements whose end an answer does not show: the line that closes one stays, and so does its last one. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Statement {
  readonly lines: readonly string[];
  /** What follows the lines. */
  readonly end: string;
  readonly mark: string;
  /** What stands around. */
  readonly around: readonly [string, string];
}
const STATEMENTS: Readonly<Record<string, Statement>> = {
  "a.lua": { lines: ["elseif x == 3 then", '  log("three")', "  return 31"], end: "end\n", mark: "--", around: ['function f(x)\n  if x == 1 then\n    log("one")\n    return 11\n  ', "end\n"] },
  "a.scala": { lines: ["def total: Int = items.fold(0) { (sum, item) =>", "  val line = item.price * item.count", "  logger.debug(line.toString)", "  sum + line"], end: "}\n", mark: "//", around: ["class Cart(items: List[Item]) {\n  ", "}\n"] },
  "a.swift": { lines: ["let names = people.map { (person) -> String in", "  let name = person.first", "  print(name)", "  return name + suffix"], end: "}\n", mark: "//", around: ["func f() {\n  ", "}\n"] },
};
const SENTENCES = ["Update `P`:", "In `P`, it becomes:", "Change it in `P`:"];

test.each(Object.keys(STATEMENTS))("the line that closes a statement stays: %s", async (path) => {
  const { lines, end, mark, around: [above, below] } = STATEMENTS[path] as Statement;
  const fileOf = (texts: readonly string[]): string => `${above}${[...texts, end].join("\n  ")}${below}`;
  const before = fileOf(lines);
  const changes = [
    [...lines.slice(0, 1), ...lines.slice(2)],
    [...lines.slice(0, -1), lines.at(-1)?.replace(/\w(?=\W*$)/, (sign) => `${sign}2`) ?? ""],
    [...lines.slice(0, 1), lines[1]?.replace(/\w(?=\W*$)/, (sign) => `${sign}2`) ?? "", ...lines.slice(2)],
  ];
  for (const sentence of SENTENCES)
    for (const now of changes)
      for (const indent of ["", "  "])
        for (const holes of [[], [`  ${mark} ...`], [`${mark} ... existing code ...`]]) {
          const shown = [...now, ...holes].map((line) => indent + line).join("\n");
          const text = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${shown}\n\`\`\`\n`);
          expect([before, fileOf(now)], `${sentence}\n${shown}\n\n${text}`).toContain(text);
        }
});

test("a placeholder that goes on in a rule of a Makefile takes the place of no line of it", async () => {
  const before = "build: a.o\n\tmkdir -p out\n\tcc -o out/app a.o\n\tls out\n\ntest:\n\t./app\n";
  for (const fresh of ["\tmkdir -p outNew", "\tls outNew"])
    for (const hole of ["\t# ... existing code ...", "\t# ... rest of the code"]) {
      const shown = `build: a.o\n\tmkdir -p out\n\tcc -o out/app a.o\n${fresh}\n${hole}`;
      const text = await answered("Makefile", before, `In \`Makefile\`, update \`build\`:\n\n\`\`\`make\n${shown}\n\`\`\`\n`);
      expect([before, before.replace("\tls out", `${fresh}\n\tls out`)], text).toContain(text);
    }
});

/** A case of which only the first lines are shown goes on to its return, or is refused. */
const CASES: readonly (readonly [path: string, above: string, lines: readonly string[], below: string])[] = [
  ["a.ts", "function f(state, action) {\n  switch (action.type) {\n", ['    case "a":', "      const gap = action.time - (state.at || 0);", "      return {", "        ...state,", "        gap,", "      };"], '    case "b":\n      return state;\n  }\n}\n'],
  ["a.go", "package a\n\nfunc f(kind string, at int) int {\n\tswitch kind {\n", ['\tcase "a":', "\t\tgap := at - 1", "\t\tlog(gap)", "\t\treturn gap"], "\tdefault:\n\t\treturn 0\n\t}\n}\n"],
  ["a.rb", "def f(at)\n", ["  if at > 1", "    gap = at - 1", "    log(gap)", "    return gap"], "  end\n  0\nend\n"],
];
test.each(CASES)("%s: the return below the lines that are shown stays", async (path, above, [head = "", ...body], below) => {
  const fileOf = (lines: readonly string[]): string => `${above}${[head, ...lines].join("\n")}\n${below}`;
  for (const first of [body[0]?.replace(/1|0/, "2") ?? "", "      report(at)"])
    for (const sentence of ["Guard against it in `P`:", "Update `P`:", "In `P`, change this:"]) {
      const text = await answered(path, fileOf(body), `${sentence.replace("P", path)}\n\n\`\`\`\n${head}\n${first}\n\`\`\`\n`);
      expect([fileOf(body), fileOf([first, ...body.slice(1)])], text).toContain(text);
    }
});
