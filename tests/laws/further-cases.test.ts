/** The law of further cases: they stand below those of the only switch that is meant, above what takes all others, and none is lost. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file whose line with @ takes what no other case does, and a case that it lacks. */
const SWITCHES: ReadonlyArray<readonly [path: string, file: string, code: string]> = [
  ["a.ts", "export function f(s: S, a: A): S {\n  switch (a.type) {\n    case \"add\":\n      return s + 1;\n    // Empties it.\n    case \"clear\":\n      return 0;\n@    default:\n      return s;\n  }\n}\n\nexport function g() {\n  return 1;\n}\n", "case \"remove\":\n  return s - 1;"],
  ["a.go", "package a\n\nfunc f(k string) int {\n\tswitch k {\n\tcase \"a\":\n\t\treturn 1\n\tcase \"b\":\n\t\treturn 2\n@\tdefault:\n\t\treturn 0\n\t}\n}\n", "case \"c\":\n\tlog.Println(\"c\")\n\treturn 3"],
  ["A.java", "class A {\n    int f(int k) {\n        switch (k) {\n            case 1:\n                return 1;\n            case 2:\n                x();\n                break;\n@            default:\n                return 0;\n        }\n        return 2;\n    }\n}\n", "case 3:\n    return 3;"],
  ["a.rs", "fn f(k: Kind) -> i32 {\n    match k {\n        Kind::A => {\n            g();\n            1\n        }\n        Kind::B => 2,\n@        _ => 0,\n    }\n}\n", "Kind::C => {\n    h();\n    3\n}"],
  ["a.kt", "fun f(k: Kind): Int {\n    return when (k) {\n        Kind.A -> 1\n        Kind.B -> {\n            g()\n            2\n        }\n@        else -> 0\n    }\n}\n", "Kind.C -> {\n    h()\n    3\n}"],
  ["a.rb", "def f(k)\n  case k\n  when :a\n    1\n  when :b\n    2\n@  else\n    0\n  end\nend\n", "when :c\n  3"],
  ["a.py", "def f(k):\n    match k:\n        case \"a\":\n            return 1\n        case \"b\":\n            return 2\n@        case _:\n            return 0\n", "case \"c\":\n    return 3"],
  ["a.sh", "#!/bin/sh\ncase \"$1\" in\n  start)\n    go\n    ;;\n  stop)\n    halt\n    ;;\n@  *)\n    echo usage\n    ;;\nesac\n", "reload)\n  halt\n  go\n  ;;"],
  ["a.php", "<?php\nfunction f($k) {\n    return match ($k) {\n        'a' => 1,\n        'b' => 2,\n@        default => 0,\n    };\n}\n", "'c' => 3,"],
  ["a.swift", "func f(_ k: Kind) -> Int {\n    switch k {\n    case .a:\n        return 1\n    case .b:\n        return 2\n@    default:\n        return 0\n    }\n}\n", "case .c:\n    return 3"],
  ["a.c", "int f(int k)\n{\n\tswitch (k) {\n\tcase 1:\n\t\treturn 1;\n\tcase 2: {\n\t\tx();\n\t\tbreak;\n\t}\n@\tdefault:\n\t\treturn 0;\n\t}\n\treturn 3;\n}\n", "case 3:\n\treturn 9;"],
  ["A.cs", "class A\n{\n    string F(K k) => k switch\n    {\n        K.A => \"a\",\n        K.B => \"b\",\n@        _ => \"c\",\n    };\n}\n", "K.D => \"d\","],
];
const SENTENCES = ["Add a case to `f` in `PATH`:", "In `PATH`, add a new case:", "Handle the new one in the switch of `PATH`:"];
const SHOWN = ["alone", "below the last one", "above the one that takes all others"] as const;

const plain = (file: string): string => file.replace(/^@/m, "");
const indentOf = (file: string): string => /^@(\s*)/m.exec(file)?.[1] ?? "";
const indented = (code: string, indent: string): string => code.replaceAll(/^(?=.)/gm, indent);
const answerOf = (path: string, sentence: string, code: string): string => `${sentence.replace("PATH", path)}\n\n\`\`\`\n${code}\n\`\`\`\n`;
const withCase = (file: string, code: string): string => file.replace(/^@/m, () => `${indented(code, indentOf(file))}\n`);

/** Returns the last case above the line with @, and the case of that line, as the file has them. */
function neighbours(file: string): readonly [above: string, below: string] {
  const [rows, indent] = [file.split("\n"), indentOf(file)];
  const at = rows.findIndex((row) => row.startsWith("@"));
  const first = rows.slice(0, at).findLastIndex((row) => row.startsWith(indent) && /^(?:case|when|'b'|Kind|K\.|stop)/.test(row.slice(indent.length)));
  const end = rows.findIndex((row, index) => index > at && !/^\s/.test(row.slice(indent.length)));
  return [rows.slice(first, at).join("\n"), rows.slice(at, end).join("\n").replace("@", "")];
}

describe.each(SENTENCES)("%s", (sentence) => {
  describe.each(SHOWN)("a case shown %s", (place) => {
    test.each(SWITCHES)("%s", async (path, file, code) => {
      const [above, below] = neighbours(file);
      const put = indented(code, indentOf(file));
      const shown = place === "alone" ? put : place === SHOWN[1] ? `${above}\n${put}` : `${put}\n${below}`;
      expect(await answered(path, plain(file), answerOf(path, sentence, shown))).toBe(withCase(file, code));
      const atMargin = shown.split("\n").map((line) => line.replace(indentOf(file), "")).join("\n");
      expect(await answered(path, plain(file), answerOf(path, sentence, atMargin))).toBe(withCase(file, code));
    });
  });

  test.each(SWITCHES)("%s: no case is put into one of two switches, or beside one of its name", async (path, file, code) => {
    const twice = path.endsWith(".java") || path.endsWith(".cs") ? plain(file).replace("class A", "class B") : plain(file).replace(/\bf\b/, "other");
    const both = `${plain(file)}\n${path.endsWith(".go") || path.endsWith(".php") ? twice.replace(/^.*\n+/, "") : twice}`;
    expect(await answered(path, both, answerOf(path, "In `PATH`, add a new case:", code))).toBe(both);
    const [above] = neighbours(file);
    const changed = above.replace(/\d(?!.*\d)|halt|"b"$|2,?$/m, "other");
    const now = await answered(path, plain(file), answerOf(path, sentence, `${changed}\n${indented(code, indentOf(file))}`));
    const head = above.split("\n", 1)[0] ?? "";
    expect(now.split("\n").filter((row) => row === head).length).toBeLessThan(2);
  });
});

test.each([
  ["a.js", "function f(k) {\n  switch (k) {\n    case 1:\n      go();\n    default:\n      stop();\n  }\n}\n"],
  ["a.js", "function f(k) {\n  switch (k) {\n    case 1:\n      if (k) {\n        return 2;\n      }\n    default:\n      stop();\n  }\n}\n"],
  ["a.c", "int f(int k)\n{\n\tswitch (k) {\n\tcase 1:\n\tdefault:\n\t\treturn 2;\n\t}\n}\n"],
])("%s: a case that falls through to the last one still does", async (path, file) => {
  expect(await answered(path, file, answerOf(path, "Add a case to `f` in `PATH`:", "case 3:\n  return 3;"))).toBe(file);
});

const TWO = "function f(k) {\n  switch (k) {\n    case 'a':\n      return 1;\n    default:\n      return 0;\n  }\n}\n\nfunction g(k) {\n  switch (k.type) {\n    case 'x':\n      go();\n      break;\n    case 'y':\n      stop();\n      break;\n  }\n}\n";
test.each([
  ["Add error handling to `case 'x'` of `g` in `PATH`:", "case 'x':\n  try { go(); } catch {}\n  break;"], ["Add a case above `y` in `g` in `PATH`:", "case 'z':\n  run();\n  break;"], ["Add a case at the top of the switch in `g` in `PATH`:", "case 'z':\n  run();\n  break;"],
  ["Add `'b'` to the first case in `f` in `PATH`:", "case 'b':\n  return 1;"], ["Rename the `x` case in `g` of `PATH` and handle it like this:", "case 'x2':\n  go();\n  break;"],
])("%s is no further case of another switch, or elsewhere than it says", async (sentence, code) => {
  const now = await answered("a.js", TWO, answerOf("a.js", sentence, code));
  expect(now.slice(0, now.indexOf("function g"))).toBe(TWO.slice(0, TWO.indexOf("function g")));
  expect(now.split("\n").length).toBeLessThanOrEqual(TWO.split("\n").length);
});
