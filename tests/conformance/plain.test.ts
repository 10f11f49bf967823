/** Answers of chats that were taught no format. 0 wrong: what lands is what a careful person would make. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { filesBelow } from "../support/intake.ts";
import { shared } from "../support/shared.ts";

interface Case {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly answer: string;
  readonly must: "apply" | "loose" | "ask" | "refuse";
  readonly expected: Readonly<Record<string, string | null>> | null;
}

/** Cases of which all, or a part, is refused in words. */
const REFUSED: Readonly<Record<string, string>> = {
  "025": "one sample for twelve places",
  "044": "no path: 'in the template'",
};

/** A person has to open the file of a workflow. */
const PROTECTED = ["030"];

const path = join(shared ?? "", "conformance/plain/answers.jsonl");
const cases = shared !== undefined && existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Case) : [];

describe.skipIf(shared === undefined)("plain answers (skipped where LOAF_SHARED is not set)", () => {
  test.each(cases.map((one) => [one.id, one] as const))("%s", async (id, { files, answer, must, expected }) => {
    const root = createFolder({ ...files });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" } }, approve: () => "once", isPerson: PROTECTED.includes(id) });
    const result = await loaf.execute(answer);
    const after = filesBelow(root);
    // What did not land is named.
    if (must === "refuse") expect([after, fullReport(result, loaf)]).toEqual([files, expect.stringMatching(/^(?:note: not (?:read|run)|note: .*it was not read$|\S+ ❌)/m)]);
    else if (id in REFUSED) {
      const wanted = { ...files, ...expected };
      for (const [name, text] of Object.entries(after)) expect([text === files[name], isMadeOf(text, files[name] ?? "", wanted[name] ?? "")]).toContain(true);
      expect(fullReport(result, loaf)).toMatch(/❌|note: not read/);
    } else expect(plain(after, must)).toEqual(plain(withoutNull({ ...files, ...expected }), must));
  });
});

/** Returns whether each line of a text is one of the old text or of the new one. */
function isMadeOf(text: string, old: string, now: string): boolean {
  const lines = new Set([...old.split("\n"), ...now.split("\n")].map((line) => line.trim()));
  return text.split("\n").every((line) => lines.has(line.trim()));
}

function withoutNull(files: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
}

/** Blank lines around an inserted piece are free in some cases. */
function plain(files: Readonly<Record<string, string>>, must: Case["must"]): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, must === "loose" ? text.replace(/\n\s*\n+/g, "\n") : text]));
}
