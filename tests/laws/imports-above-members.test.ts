/** The law of an import above a member in one fence: each goes to its place, and no import of the file goes. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";
import { createFolder } from "../support/folder.ts";
import { fullReport, Loaf } from "../../src/index.ts";

interface Language {
  readonly path: string;
  /** What stands above the imports. */
  readonly head: string;
  readonly imports: readonly string[];
  readonly added: string;
  readonly open: string;
  readonly close: string;
  readonly member: (name: string, line: string) => string;
}

const LANGUAGES: readonly Language[] = [
  {
    path: "src/Tools.java", head: "package app;\n\n", imports: ["import java.util.List;\n", "import java.util.Map;\n"], added: "import java.util.logging.Logger;\n", open: "public class Tools {\n", close: "}\n",
    member: (name, line) => `    public int ${name}(int x) {\n${line}        return x;\n    }\n`,
  },
  {
    path: "src/Tools.kt", head: "package app\n\n", imports: ["import java.util.Date\n", "import java.util.UUID\n"], added: "import org.slf4j.LoggerFactory\n", open: "class Tools {\n", close: "}\n",
    member: (name, line) => `    fun ${name}(x: Int): Int {\n${line}        return x\n    }\n`,
  },
  {
    path: "src/tools.ts", head: "", imports: ["import { a } from './a'\n", "import { b } from './b'\n"], added: "import { log } from './log'\n", open: "export class Tools {\n", close: "}\n",
    member: (name, line) => `    ${name}(x: number) {\n${line}        return x\n    }\n`,
  },
  {
    path: "tools.py", head: "", imports: ["import json\n", "import re\n"], added: "import zlib\n", open: "class Tools:\n", close: "",
    member: (name, line) => `    def ${name}(self, x):\n${line}        return x\n`,
  },
];
const SENTENCES = ["**P**", "Log the value in `beta` (`P`):"];

test.each(LANGUAGES.flatMap(({ path }) => [1, 2].map((count) => [path, count] as const)))("%s with %i imports", async (path, count) => {
  const { head, imports, added, open, close, member } = LANGUAGES.find((language) => language.path === path) as Language;
  const fileOf = (all: readonly string[], line: string): string =>
    `${head}${all.join("")}\n${open}${[member("alpha", ""), member("beta", line), member("gamma", "")].join("\n")}${close}`;
  const before = fileOf(imports.slice(0, count), "");
  const wanted = fileOf([...imports.slice(0, count), added], "        log(x);\n");
  for (const sentence of SENTENCES)
    for (const shown of [member("beta", "        log(x);\n"), member("beta", "        log(x);\n").replaceAll(/^ {4}/gm, "")])
      expect(await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${added}\n${shown}\`\`\`\n`)).toBe(wanted);
});

test("no hint has a class removed that an excerpt only does not show", async () => {
  const root = createFolder({ "Tools.java": "package app;\n\npublic class Tools {\n    public static final String HEIF = \"heif\";\n\n    public int alpha(int x) {\n        return x;\n    }\n}\n" });
  for (const shown of ["public static final String JXL = \"jxl\";", "    public static final String JXL = \"jxl\";\n    static { check(JXL); }", "import java.util.List;\n\nint size = 2;"])
    for (const sentence of ["```java\n// Tools.java\n", "**Tools.java**\n\n```java\n"]) {
      const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "no" });
      expect(fullReport(await loaf.execute(`${sentence}${shown}\n\`\`\`\n\nPlace it after \`HEIF\`.\n`), loaf)).not.toMatch(/Remove `Tools`/);
    }
});
