/** Questions at a terminal that --yes does not answer: a text that would lose parts of a file, and a protected file. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atTerminal, hasPseudoTerminal } from "../../support/at-terminal.ts";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";

const OLD = "import { rate } from './rate.js';\n\nexport function total(items) {\n  return items.length * rate;\n}\n\nexport function tax(sum) {\n  return sum * 0.2;\n}\n\nexport function name() {\n  return 'shop';\n}\n";
/** Has no tax. */
const NEW = OLD.replace(/export function tax[^]*?\n}\n\n/, "").replace("'shop'", "'store'");
const LOSES = "Writing the text would remove tax from 'src/shop.js', and no sentence of the answer says so";
const fenced = (path: string, text: string) => `Here is the full \`${path}\`:\n\n\`\`\`\n${text}\`\`\`\n`;

function project(answer: string): { readonly root: string; read(name: string): string | undefined } {
  const root = createFolder({ "loaf.yml": "relative_paths: true\n", "src/shop.js": OLD, "answer.md": answer });
  execFileSync("git", ["init", "-q", root]);
  return { root, read: (name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined) };
}

describe.skipIf(!hasPseudoTerminal)("a text that lacks a function of its file", () => {
  test("shows what would go, and replaces the file after a yes", async () => {
    const { root, read } = project(fenced("src/shop.js", NEW));
    const { code, screen } = await atTerminal(["run", "answer.md"], { cwd: root, answers: ["y"] });
    expect(screen.replace(/\s+/g, " ")).toContain(LOSES);
    expect(screen).toContain("-export function tax(sum) {");
    expect(screen).toContain("Allow this? [y]es, [n]o, [q]uit");
    expect([code, read("src/shop.js")]).toEqual([0, NEW]);
  });

  test("is refused after a no, with its name in the report", async () => {
    const { root, read } = project(fenced("src/shop.js", NEW));
    const { code, screen } = await atTerminal(["run", "answer.md"], { cwd: root, answers: ["n"] });
    expect(screen.replace(/\s+/g, " ")).toContain(`file_put src/shop.js ${LOSES}`);
    expect([code, read("src/shop.js")]).toEqual([1, OLD]);
  });

  test("is asked about also where it has less than half of the lines", async () => {
    const { root, read } = project("Replace the whole file.\n\n`notes.txt`\n\n```\nq\n```\n");
    writeFileSync(join(root, "notes.txt"), "a\nb\nc\nd\ne\n");
    const { screen } = await atTerminal(["run", "answer.md"], { cwd: root, answers: ["y"] });
    expect(screen).toContain("The text has 0 of the 5 lines");
    expect(read("notes.txt")).toBe("q\n");
  });

  test("is refused by --yes and where nobody can be asked", async () => {
    const { root, read } = project(fenced("src/shop.js", NEW));
    const { screen } = await atTerminal(["run", "--yes", "answer.md"], { cwd: root, answers: [] });
    expect(screen.replace(/\s+/g, " ")).toContain(LOSES);
    expect((await runLoaf(["run", "--yes", "answer.md"], { cwd: root })).stdout).toContain(LOSES);
    expect(read("src/shop.js")).toBe(OLD);
  });
});

describe.skipIf(!hasPseudoTerminal)("a file that a default rule protects", () => {
  const CI = ".github/workflows/ci.yml";

  test("is written after the person has opened it, once", async () => {
    const { root, read } = project(fenced(CI, "on: push\n"));
    const { screen } = await atTerminal(["run", "answer.md"], { cwd: root, answers: ["o", "y"] });
    expect(screen.replace(/\s+/g, " ")).toContain(`${CI} is protected, since other programs run what stands in it`);
    expect(screen.indexOf("+on: push")).toBeGreaterThan(0);
    expect(read(CI)).toBe("on: push\n");
  });

  test("stays closed after a no, and with --yes", async () => {
    const { root, read } = project(fenced(CI, "on: push\n"));
    await atTerminal(["run", "answer.md"], { cwd: root, answers: ["n"] });
    await atTerminal(["run", "--yes", "answer.md"], { cwd: root, answers: [] });
    expect(read(CI)).toBeUndefined();
  });
});
