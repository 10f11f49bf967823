/** Law of statements that a fragment puts into a block: they go deeper, those below them stay, and no other is lost. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const PY = (body: string): string => `import sys\n\n\ndef main(path):\n    check(path)\n${body}    return data\n\n\ndef other(path):\n    store = Store(path)\n    return 1\n`;
const JS = (body: string): string => `function main(path) {\n  check(path);\n${body}  return data;\n}\n\nfunction other(path) {\n  const store = open(path);\n  return 1;\n}\n`;
const CASES = [
  ["a.py", "python", PY("    store = Store(path)\n    data = store.load()\n"), PY("    try:\n        store = Store(path)\n        data = store.load()\n    except ValueError:\n        return None\n"), "    try:\n        store = Store(path)\n        data = store.load()\n    except ValueError:\n        return None\n    return data\n"],
  ["a.js", "js", JS("  const store = open(path);\n  data = store.load();\n"), JS("  try {\n    const store = open(path);\n    data = store.load();\n  } catch (error) {\n    return undefined;\n  }\n"), "  try {\n    const store = open(path);\n    data = store.load();\n  } catch (error) {\n    return undefined;\n  }\n  return data;\n"],
] as const;
const said = (path: string, file: string, language: string, sentence: string, code: string): Promise<string> => answered(path, file, `${sentence.replace("PATH", path)}\n\n\`\`\`${language}\n${code}\`\`\`\n`);

describe.each(CASES)("in %s", (path, language, file, now, code) => {
  test.each(["In `main` (`PATH`), handle errors of the store:", "Update `main` in `PATH`:", "In `PATH`:"])("%s", async (sentence) => {
    expect(await said(path, file, language, sentence, code)).toBe(now);
  });
  test.each(["For example, in `PATH`:", "In `PATH` you could catch errors, if you want to:", "Don't do this in `main` in `PATH`:"])("%s leaves them", async (sentence) => {
    expect(await said(path, file, language, sentence, code)).toBe(file);
  });
  test("changed ones, and those with others between them, are not wrapped", async () => {
    const [call, end] = path === "a.py" ? ["Store(path)", "\n"] : ["open(path)", ";\n"];
    expect(await said(path, file, language, "In `main` in `PATH`:", code.replace(call, call.replace("path", "path, 1")))).toBe(file);
    const between = file.replace(/(\n *)(return data)/, `$1log(data)${end.trimEnd()}$1$2`);
    expect(await said(path, between, language, "In `main` in `PATH`:", code)).toBe(between);
  });
});
