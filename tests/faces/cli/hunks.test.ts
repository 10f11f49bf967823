/** The keys `h` and `c` of a question: an edit hunk by hunk, and comments for the model. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { atTerminal, hasPseudoTerminal } from "../../support/at-terminal.ts";
import { createFolder } from "../../support/folder.ts";
import { hunkChoices, writeChoices } from "../../support/hunk-choices.ts";
import { tries } from "../../support/tries.ts";
import { write } from "./answers.ts";

const CONFIG = { "loaf.yml": "relative_paths: true\n" };
const LINES = Array.from({ length: 12 }, (_, index) => ([3, 6, 10].includes(index) ? `use x ${index}` : `line ${index}`));
const FILE = `${LINES.join("\n")}\n`;
const EDIT = `${printBlock("e1x", { action: "file_replace_all_text", path: "a.txt", old_text: "use x", new_text: "use y" })}\n`;
/** Ends a question for an answer, and that for a comment. */
const question = "(Enter: no";

function project(answer: string): string {
  return createFolder({ ...CONFIG, "a.txt": FILE, "answer.md": answer });
}

async function ask(root: string, answers: readonly string[]): Promise<{ screen: string; text: string; report: string }> {
  const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question, answers });
  return { screen, text: readFileSync(join(root, "a.txt"), "utf8"), report: readFileSync(join(root, ".loaf/output.md"), "utf8") };
}

describe.skipIf(!hasPseudoTerminal)("loaf run --ask, hunk by hunk", () => {
  test("each hunk is shown, with the lines around it once; the report has what was left out, with the reason", async () => {
    const { screen, text, report } = await ask(project(EDIT), ["h", "y", "c", "x is part of an interface\n", "n", "y"]);
    expect(screen).toContain("[y]es, [n]o, [h]unk by hunk, [a]ll further edits inside a.txt, [d]rop them, [A]ll further file_replace_all_text, [c]omment, [q]uit, [?] explains (Enter: no)");
    expect(screen).toContain("a.txt line 7: hunk 2 of 3\n-use x 6\n+use y 6\n line 7\n line 8\n line 9\n");
    expect(screen).toContain("Take this hunk? [y]es, [n]o, [a]ll from here, [d]rop all from here, [c]omment, [q]uit, [?] explains (Enter: no)");
    expect(text).toBe(FILE.replace("use x 3", "use y 3").replace("use x 10", "use y 10"));
    expect(report).toContain("[e1x] a.txt left out by the user:\nline 7 stays as it is:\nuse x 6\n\nnot taken:\nuse y 6\n\nthe user says:\nx is part of an interface\n");
    expect(report).toContain("2 of 3 hunks");
  });

  test("a hunk names the declaration that it is in, as on the page", async () => {
    const root = createFolder({ ...CONFIG, "cart.ts": "class Cart {\n  total() {\n    return x;\n  }\n}\n\nlog(x);\n" });
    writeFileSync(join(root, "answer.md"), printBlock("e1x", { action: "file_replace_all_text", path: "cart.ts", old_text: "x", new_text: "y" }));
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question, answers: ["h", "y", "y"] });
    expect(screen).toContain("cart.ts line 3, Cart › total: hunk 1 of 2\n");
    expect(screen).toContain("cart.ts line 7: hunk 2 of 2\n");
  });

  test("a and d decide about the hunks from there on; none at all refuses the edit, and all of them are the whole edit", async () => {
    const both = await ask(project(EDIT), ["h", "y", "d"]);
    expect(both.text).toBe(FILE.replace("use x 3", "use y 3"));
    const later = await ask(project(EDIT), ["h", "\n", "a"]);
    expect(later.text).toBe(FILE.replace("use x 6", "use y 6").replace("use x 10", "use y 10"));
    const none = await ask(project(EDIT), ["h", "d"]);
    expect([none.text, none.screen.includes("Refused by the user")]).toEqual([FILE, true]);
    const all = await ask(project(EDIT), ["h", "a"]);
    expect([all.text, all.report.includes("partly taken")]).toEqual([FILE.replaceAll("use x", "use y"), false]);
  });

  test("after q in a hunk nothing of the edit is made, and nothing after it", async () => {
    const { screen, text } = await ask(project(EDIT + write("bbb", "b.txt", "b")), ["h", "y", "q"]);
    expect(text).toBe(FILE);
    expect(screen).toMatch(/❌ e1x [^]*❌ bbb .*\n {3}Not run/);
  });

  test("a comment is in the report, whatever the answer is; an empty one is none", async () => {
    const { report, screen } = await ask(project(EDIT + write("bbb", "b.txt", "b")), ["c", "what for?\n", "n", "c", "\n", "c", "good\n", "y"]);
    expect(report).toContain("[e1x] a.txt comment of the user:\nthe user says:\nwhat for?\n");
    expect(report).toContain("[bbb] b.txt comment of the user:\nthe user says:\ngood\n");
    expect(screen).toContain("For the chat (Enter: nothing): good");
    expect(report.match(/comment of the user/g)).toHaveLength(2);
  });

  test("d refuses all later edits of the same file, and asks about others", async () => {
    const root = project(EDIT + printBlock("e2x", { action: "file_append", path: "a.txt", content: "more" }) + "\n" + write("bbb", "b.txt", "b"));
    const { screen, text } = await ask(root, ["d", "y"]);
    expect(text).toBe(FILE);
    expect(screen).toMatch(/❌ e2x .*\n {3}Refused by the user/);
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("b\n");
  });

  test("any choice of hunks gives the tree that just these splices give", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(hunkChoices, async (choices) => {
        const root = createFolder(CONFIG);
        const { answer, taken, after, expected } = writeChoices(root, "src", choices);
        writeFileSync(join(root, "answer.md"), answer);
        const keys = (areTaken: readonly boolean[]): string[] => [...(areTaken.length > 1 ? ["h"] : []), ...areTaken.map((isTaken) => (isTaken ? "y" : "n"))];
        await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question, answers: taken.flatMap(keys) });
        expect(after()).toEqual(expected);
      }),
      tries(4, 60),
    );
  });
});
