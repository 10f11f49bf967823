/** The answer and the report that the README shows: the one gives the other. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { fullReport } from "../../src/report/full.ts";
import { projectRoot } from "../support/documents.ts";
import { createSandbox } from "../support/sandbox.ts";

const readme = readFileSync(join(projectRoot, "README.md"), "utf8");

test("the README's answer gives the README's report", async () => {
  const sandbox = createSandbox();
  try {
    mkdirSync(join(sandbox.root, "src"));
    writeFileSync(join(sandbox.root, "src/server.js"), "app.listen(3000);\n");
    const loaf = await Loaf.create({ repoPath: sandbox.root, config: { relative_paths: true } });
    const result = await loaf.execute(example("answer"));
    expect(fullReport(result, { peek: (path) => loaf.peek(path), maxTokens: loaf.settings.report.max_tokens })).toBe(example("report"));
  } finally {
    sandbox.remove();
  }
});

function example(name: string): string {
  const [, text] = new RegExp(`<!-- example: ${name} -->\n\`\`\`\n([^]*?)\n\`\`\`\n<!-- end -->`).exec(readme) ?? [];
  if (text === undefined) throw new Error(`README.md has no example '${name}'`);
  return text;
}
