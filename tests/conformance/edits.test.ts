/**
 * Edits that models proposed for a real project, as the default settings take them: to the letter, but for line endings. What else
 * may differ is for tolerant matching, which is not built yet.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntax/print.ts";
import { createSandbox } from "../support/sandbox.ts";
import { shared } from "../support/shared.ts";

interface Edit {
  readonly id: string;
  readonly kind: string;
  readonly base_file: string;
  readonly base_transform: keyof typeof transforms;
  readonly search: string;
  readonly replace: string;
  readonly expected_sha256: string;
}

const transforms = {
  none: (text: string) => text,
  "lf-to-crlf": (text: string) => text.replaceAll("\n", "\r\n"),
  "rstrip-then-append-search": (text: string, search: string) => `${text.replace(/\n+$/, "")}\n\n${search}`,
};

describe.skipIf(shared === undefined)("edits (skipped where LOAF_SHARED is not set)", () => {
  const folder = join(shared ?? "", "edits");
  const edits = shared === undefined ? [] : readFileSync(join(folder, "cases.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line) as Edit);

  test.each(["exact", "crlf-file"])("%s: applied, byte for byte", async (kind) => {
    const wrong = await resultsThat((edit, { success, sha256 }) => !success || sha256 !== edit.expected_sha256, kind);
    expect(wrong).toEqual([]);
  });

  test.each(["NEG-duplicate", "NEG-interior-drift"])("%s: refused, and the file untouched", async (kind) => {
    const wrong = await resultsThat((_, { success, sha256, before }) => success || sha256 !== before, kind);
    expect(wrong).toEqual([]);
  });

  /** The IDs of the edits of a kind whose result is of that sort. */
  async function resultsThat(isWrong: (edit: Edit, result: Result) => boolean, kind: string): Promise<string[]> {
    const ofKind = edits.filter((edit) => edit.kind === kind);
    expect(ofKind.length).toBeGreaterThan(100);
    const results = await applyAll(ofKind, folder);
    return ofKind.filter((edit, index) => isWrong(edit, results[index] as Result)).map(({ id }) => id);
  }
});

interface Result {
  readonly success: boolean;
  /** Of the file afterwards, and before. */
  readonly sha256: string;
  readonly before: string;
}

async function applyAll(edits: readonly Edit[], folder: string): Promise<Result[]> {
  const sandbox = createSandbox();
  try {
    const loaf = await Loaf.create({ repoPath: sandbox.root });
    const path = join(sandbox.root, "file.py");
    const results: Result[] = [];
    for (const { base_file, base_transform, search, replace } of edits) {
      writeFileSync(path, transforms[base_transform](readFileSync(join(folder, base_file), "utf8"), search));
      const before = hash(path);
      const { success } = await loaf.execute(printBlock("edt", { action: "file_replace_text", path, old_text: search, new_text: replace }));
      results.push({ success, before, sha256: hash(path) });
    }
    return results;
  } finally {
    sandbox.remove();
  }
}

function hash(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
