/** The law of a text of several lines inside code that is moved to the indentation of the file: it stays what it is. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  /** What stands around a function, and how far that is indented. */
  readonly around: readonly [before: string, after: string];
  readonly depth: number;
  readonly name: string;
  /** A function with a value and with a text, whose lines are between these two. */
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly step: string;
  readonly opens: string;
  readonly closes: string;
  /** How far the end of the text is indented beside the code; undefined if it is at the margin. */
  readonly end: number | undefined;
}

const RUBY = { path: "a.rb", around: ["module A\n  class B\n", "  end\nend\n"], depth: 4, name: "sql", head: ["def sql", "  x = VALUE"], tail: ["  x", "end"], step: "  " } as const;
const SHELL = { path: "a.sh", around: ["if true; then\n", "fi\n"], depth: 2, name: "show", head: ["show() {", "  x=VALUE"], tail: ["  y=$x", "}"], step: "  " } as const;
const LANGUAGES: Readonly<Record<string, Language>> = {
  "Ruby <<-": { ...RUBY, opens: "  y = <<-EOT", closes: "EOT", end: 2 }, "Ruby <<-, ended at the margin": { ...RUBY, opens: "  y = <<-EOT", closes: "EOT", end: undefined }, "Ruby <<": { ...RUBY, opens: "  y = <<EOT", closes: "EOT", end: undefined }, "Ruby <<~": { ...RUBY, opens: "  y = <<~EOT", closes: "EOT", end: 2 },
  "a shell": { ...SHELL, opens: "  cat <<EOF", closes: "EOF", end: undefined }, "a shell, in quotes": { ...SHELL, opens: "  cat > f.txt <<'EOF'", closes: "EOF", end: undefined },
  "TypeScript": { path: "a.ts", around: ["class A {\n", "}\n"], depth: 2, name: "sql", head: ["sql() {", "  const x = VALUE;"], opens: "  const y = `", closes: "`;", end: 2, tail: ["  return x + y;", "}"], step: "  " },
  "Python": { path: "a.py", around: ["class A:\n", ""], depth: 4, name: "sql", head: ["def sql(self):", "    x = VALUE"], opens: '    y = """', closes: '"""', end: 4, tail: ["    return x"], step: "    " },
  "PHP": { path: "a.php", around: ["<?php\nclass A {\n", "}\n"], depth: 4, name: "sql", head: ["public function sql() {", "    $x = VALUE;"], opens: "    $y = <<<EOT", closes: "EOT;", end: undefined, tail: ["    return $x;", "}"], step: "    " },
};
/** How far the lines of the text are indented, in the file; below their end at the margin, anything goes. */
const BODIES: Readonly<Record<string, readonly string[]>> = { "at the margin": ["select", "  one", "from x"], "indented a little": ["  select", "    one", "  from x"], "deep": ["            select", "              one", "            from x"] };

const pad = (count: number, line: string): string => (line === "" ? "" : " ".repeat(count) + line);
function fileOf({ around: [before, after], depth, head, tail, opens, closes, end }: Language, body: readonly string[], value: string): string {
  const [above, below] = [[...head.map((line) => line.replace("VALUE", value)), opens], tail].map((lines) => lines.map((line) => pad(depth, line)));
  return `${before}${[...(above ?? []), ...body, pad(end === undefined ? 0 : depth + end, closes), ...(below ?? [])].join("\n")}\n${after}`;
}

/** Ways to show the function: all as in the file, the code alone moved to the margin, or all of it. */
const SHOWN: Readonly<Record<string, (language: Language, body: readonly string[]) => string | undefined>> = {
  "as in the file": (language, body) => fileOf({ ...language, around: ["", ""] }, body, "2"),
  "with the code at the margin": (language, body) => fileOf({ ...language, around: ["", ""], depth: 0 }, body, "2"),
  "with all at the margin": (language, body) => {
    const { depth } = language;
    const isDeep = body.every((line) => line.startsWith(" ".repeat(depth)));
    return isDeep && language.end !== undefined ? fileOf({ ...language, around: ["", ""], depth: 0 }, body.map((line) => line.slice(depth)), "2") : undefined;
  },
};

describe.each(Object.entries(LANGUAGES))("%s", (_, language) => {
  const bodies = Object.entries(BODIES).filter(([how]) => how === "deep" || !language.opens.includes("<<~"));
  const shown = bodies.flatMap(([how, body]) => Object.entries(SHOWN).flatMap(([way, show]) => ({ how, way, body, text: show(language, body) })).filter(({ text }) => text !== undefined));

  test.each(shown)("$how, $way", async ({ body, text }) => {
    const { path, name } = language;
    for (const sentence of [`Update \`${name}\` in \`${path}\`:`, `In \`${path}\`:`]) {
      const [before, wanted] = [fileOf(language, body, "1"), fileOf(language, body, "2")];
      const now = await answered(path, before, `${sentence}\n\n\`\`\`\n${text ?? ""}\`\`\`\n`);
      expect([before, wanted], now).toContain(now);
    }
  });

  test.each(shown)("$how, $way: without its first and last line", async ({ body, text }) => {
    const { path, name } = language;
    const [before, wanted] = [fileOf(language, body, "1"), fileOf(language, body, "2")];
    const lines = (text ?? "").trimEnd().split("\n");
    const inner = lines.slice(1, language.path === "a.py" ? undefined : -1);
    // The first line is the value: one that stays stands above it.
    const withLine = (file: string): string => file.replace(language.head[0] ?? "", `${language.head[0] ?? ""}\nKEPT`);
    const keep = pad(language.depth + language.step.length, path === "a.php" ? "$k = 1;" : path === "a.ts" ? "const k = 1;" : path === "a.sh" ? "k=1" : "k = 1");
    const [old, now] = [before, wanted].map((file) => withLine(file).replace("KEPT", keep)) as [string, string];
    const margin = /^ */.exec(inner[0] ?? "")?.[0] ?? "";
    const result = await answered(path, old, `In \`${path}\`, in \`${name}\`:\n\n\`\`\`\n${margin}${keep.trim()}\n${inner.join("\n")}\n\`\`\`\n`);
    expect([old, now], result).toContain(result);
  });

  test.each(["add this below", "insert this after", "put this below"])("%s a line: new text keeps its lines", async (order) => {
    const { path, opens, closes, step } = language;
    const before = fileOf(language, ["  old text"], "1");
    const below = (language.head[1] ?? "").replace("VALUE", "1").trim();
    for (const body of [["select", "  one", "from x"], ["one line"], ["a:", "  - b"]]) {
      const shown = [opens.trim().replace("EO", "NEW_EO"), ...body, closes.replace("EO", "NEW_EO")].join("\n");
      const now = await answered(path, before, `In \`${path}\`, ${order} \`${below}\`:\n\n\`\`\`\n${shown}\n\`\`\`\n`);
      // The lines of a text without a margin move as one.
      const moved = body.map((line) => pad(language.depth + step.length, line));
      expect([body, ...(opens.includes("<<~") ? [moved] : [])].some((lines) => now.includes(`\n${lines.join("\n")}\n`)) || now === before, now).toBe(true);
      expect(now === before || closes !== "EOF" || now.includes(`\nNEW_${closes}\n`), now).toBe(true);
    }
  });
});

test("what Ruby and C++ append begins no heredoc", async () => {
  for (const [path, before, shown] of [
    ["a.rb", "class Cart\n  def add(item)\n    @items << item\n    item\n  end\nend\n", "def add(item)\n  @items << item\n  log(item)\n  item\nend\n"],
    ["a.cpp", "struct Cart {\n  int add(int item) {\n    out << item\n        << end;\n    return item;\n  }\n};\n", "int add(int item) {\n  out << item\n      << end;\n  log(item);\n  return item;\n}\n"],
  ] as const) {
    const now = await answered(path, before, `Update \`add\` in \`${path}\`:\n\n\`\`\`\n${shown}\`\`\`\n`);
    const wanted = before.replace(/(\n +)(return )?item(;?)\n/, (end, margin: string, _: string, semicolon: string) => `${margin}log(item)${semicolon}${end}`);
    expect(now).toBe(wanted);
  }
});
