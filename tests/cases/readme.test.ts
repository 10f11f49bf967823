/** What the README shows is so. Its example of the library runs in `scripts/package.mjs`, in an installed copy. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { fullReport } from "../../src/report/chat.ts";
import { projectRoot } from "../support/documents.ts";
import { runLoaf } from "../support/run-loaf.ts";
import { createSandbox } from "../support/sandbox.ts";

const readme = readFileSync(join(projectRoot, "README.md"), "utf8");

test("each link in a document of the package leads to a file of the package", () => {
  const { files } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { readonly files: readonly string[] };
  const isPublished = (path: string): boolean => ["README.md", "LICENSE", "package.json"].includes(path) || files.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const documents = ["README.md", ...files.filter((entry) => entry.endsWith(".md"))];
  const links = documents.flatMap((document) =>
    [...readFileSync(join(projectRoot, document), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => ({ document, leadsTo: join(dirname(document), link) })),
  );
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(({ leadsTo }) => !isPublished(leadsTo) || !existsSync(join(projectRoot, leadsTo)))).toEqual([]);
});

test("the README's answer gives the README's report", async () => {
  const sandbox = createSandbox();
  try {
    mkdirSync(join(sandbox.root, "src"));
    writeFileSync(join(sandbox.root, "src/server.js"), "app.listen(3000);\n");
    const loaf = await Loaf.create({ repoPath: sandbox.root, config: { relative_paths: true } });
    const result = await loaf.execute(example("answer"));
    expect(fullReport(result, loaf)).toBe(example("report"));
  } finally {
    sandbox.remove();
  }
});

test("the command has every subcommand that the README names", async () => {
  const named = new Set(Array.from(readme.matchAll(/\bloaf(?:-cli)? ([a-z]+)/g), ([, name]) => name));
  expect(named).toContain("run");
  const { stdout } = await runLoaf(["--help"]);
  for (const name of named) expect(stdout).toMatch(new RegExp(`^ +${name}\\b`, "m"));
});

function example(name: string): string {
  const [, text] = new RegExp(`<!-- example: ${name} -->\n\`\`\`\n([^]*?)\n\`\`\`\n<!-- end -->`).exec(readme) ?? [];
  if (text === undefined) throw new Error(`README.md has no example '${name}'`);
  return text;
}
