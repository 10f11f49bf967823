/** Answers in the formats that tools teach their models today, all the same edit. 0 wrong, and nothing in silence. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { filesBelow } from "../support/intake.ts";
import { shared } from "../support/shared.ts";

interface Case {
  readonly name: string;
  readonly must: "apply" | "named";
  readonly files: Readonly<Record<string, string>>;
  readonly answer: string;
  readonly expected: Readonly<Record<string, string | null>> | null;
}

/** Scripts of a shell, which are named and never run. */
const UNREAD = ["shell: cat > file <<EOF"];

const path = join(shared ?? "", "conformance/today/formats.json");
const cases = shared !== undefined && existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly Case[]) : [];

describe.skipIf(shared === undefined)("formats of today (skipped where LOAF_SHARED is not set)", () => {
  test.each(cases.map((one) => [one.name, one] as const))("%s", async (name, { must, files, answer, expected }) => {
    const root = createFolder({ ...files });
    // As `loaf init` sets it up.
    const config = { relative_paths: true, edits: { match: "tolerant", final_newline: "ensure" } } as const;
    const loaf = await Loaf.create({ repoPath: root, config, approve: () => "once" });
    const result = await loaf.execute(answer.replaceAll("{{ROOT}}", root));
    const after = filesBelow(root);
    if (must === "named" || UNREAD.includes(name)) expect([after, fullReport(result, loaf)]).toEqual([files, expect.stringMatching(/^(?:note: |\S+ ❌)/m)]);
    else expect(after).toEqual(Object.fromEntries(Object.entries({ ...files, ...expected }).filter(([, text]) => text !== null)));
  });
});
