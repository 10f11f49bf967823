/** The law of a path above code: what divides the two is no line of the file. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

test.each(["", "\n", "\n\n"])("no blank line stays of those below a path: %j", async (gap) => {
  const fileOf = (sign: string): string => `const a = 1;\n\nclass C {\n  f() {\n    return 1;\n  }\n\n  g() {\n    return 1 ${sign} 2;\n  }\n}\n\nmodule.exports = C;\n`;
  const shown = `// a.js\n${gap}class C {\n  // ... existing code ...\n\n  g() {\n    return 1 + 2;\n  }\n}\n`;
  expect(await answered("a.js", fileOf("-"), `\`\`\`js\n${shown}\`\`\`\n`)).toBe(fileOf("+"));
});

test.each(["Avoid creating a client for each request:", "Please avoid opening a new connection:"])("%s", async (sentence) => {
  const file = "export function f() {\n  return shared;\n}\n";
  expect(await answered("a.js", file, `${sentence}\n\n\`\`\`js\n// a.js\nexport function f() {\n  return create();\n}\n\`\`\`\n`)).toBe(file);
});
