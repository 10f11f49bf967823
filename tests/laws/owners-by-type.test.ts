/** Law of code without a path whose name several files declare: the type that it is shown with, or that its sentence names, tells the file. */
import { describe, expect, test } from "vitest";
import { answeredIn } from "./answered.ts";

const go = (type: string, body: string): string => `package a\n\ntype ${type} struct {\n\tn int\n}\n\nfunc (s *${type}) Add(n int) int {\n\treturn ${body}\n}\n`;
const java = (type: string, body: string): string => `public class ${type} {\n    @Override\n    public String toString() {\n        return ${body};\n    }\n}\n`;
const GO = { "a/store.go": go("Store", "s.n"), "b/cart.go": go("Cart", "s.n") };
const JAVA = { "src/Account.java": java("Account", "\"a\""), "src/Service.java": java("Service", "\"s\"") };
const method = (type: string): string => `func (s *${type}) Add(n int) int {\n\treturn s.n + n\n}\n`;
const toString = "@Override\npublic String toString() {\n    return \"new\";\n}\n";
const fence = (language: string, code: string): string => `\n\n\`\`\`${language}\n${code}\`\`\`\n`;

describe("a method of Go", () => {
  test.each([["Store", "a/store.go"], ["Cart", "b/cart.go"]])("of %s is in its file", async (type, path) => {
    expect(await answeredIn(GO, `Count in \`Add\`:${fence("go", method(type))}`)).toEqual({ ...GO, [path]: go(type, "s.n + n") });
  });

  test("of a type that no file has a method of is in none", async () => {
    expect(await answeredIn(GO, `Count in \`Add\`:${fence("go", method("Stock"))}`)).toEqual(GO);
  });

  test("whose type is in one file and which is in another is in the other one", async () => {
    const [type, rest] = go("Store", "s.n").split("\nfunc") as [string, string];
    const files = { ...GO, "a/store.go": `${type}\nfunc (s *Shop) Add() {\n}\n`, "a/add.go": `package a\n\nfunc${rest}` };
    const now = await answeredIn(files, `Count in \`Add\`:${fence("go", method("Store"))}`);
    expect(now).toEqual({ ...files, "a/add.go": `package a\n\nfunc${rest.replace("s.n\n", "s.n + n\n")}` });
  });
});

describe("a method whose class the sentence names", () => {
  test.each(["Update `toString()` in the `Service` class:", "Change `toString` of the class `Service`:", "In the `Service` class, update `toString`:"])("%s", async (sentence) => {
    expect(await answeredIn(JAVA, sentence + fence("java", toString))).toEqual({ ...JAVA, "src/Service.java": java("Service", "\"new\"") });
  });

  test("is in none if no class is named, or both are", async () => {
    for (const sentence of ["Update `toString()`:", "Update `toString()` in the classes `Account` and `Service`:", "Update `toString` in the `Other` class:"])
      expect(await answeredIn(JAVA, sentence + fence("java", toString)), sentence).toEqual(JAVA);
  });
});

test("a fence of a script's language is its text where the sentence orders it", async () => {
  const files = { "run.ps1": "param($Path)\nWrite-Host \"Backing up $Path\"\nCompress-Archive -Path $Path -DestinationPath backup.zip\n" };
  const line = "param($Path)\nWrite-Host \"Saving $Path\"\nCompress-Archive -Path $Path -DestinationPath backup.zip\n";
  const now = await answeredIn(files, `In \`run.ps1\`, change the message:${fence("powershell", line)}`);
  expect(now["run.ps1"]).toBe(line);
  expect(await answeredIn(files, `Run this:${fence("powershell", line)}`)).toEqual(files);
});

test("what goes below a function with its comment has the distance of the others", async () => {
  const [a, b] = ["fn a() {\n    x();\n}\n", "fn b() {\n    y();\n}\n"];
  const answer = `Update \`a\` in \`a.rs\`:${fence("rust", a.replace("x", "z"))}\nAdd another version below it:${fence("rust", `/// Like \`a\`.\n${a.replace("a()", "c()")}`)}`;
  expect(await answeredIn({ "a.rs": `${a}\n${b}` }, answer)).toEqual({ "a.rs": `${a.replace("x", "z")}\n/// Like \`a\`.\n${a.replace("a()", "c()")}\n${b}` });
});
