/** Edits that models proposed for a real project, changed in ways that models and chats change text: each lands byte for byte, or is refused. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { createSandbox } from "../support/sandbox.ts";
import { shared } from "../support/shared.ts";

interface Edit {
  readonly id: string;
  readonly kind: string;
  readonly base_file: string;
  readonly base_transform: keyof typeof transforms;
  readonly search: string;
  readonly replace: string;
  readonly should_apply: boolean;
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

  test.each([
    ["exact", "exact"],
    ["exact", "crlf-file"],
    ["tolerant", "exact"],
    ["tolerant", "crlf-file"],
    ["tolerant", "trailing-ws"],
    ["tolerant", "dedent"],
    ["tolerant", "smart-quotes"],
  ] as const)("%s: %s is applied, byte for byte", async (match, kind) => {
    const wrong = await resultsThat((edit, { success, sha256 }) => !success || sha256 !== edit.expected_sha256, match, (edit) => edit.kind === kind && edit.should_apply);
    expect(wrong).toEqual([]);
  });

  test.each(["exact", "tolerant"] as const)("%s: whatever must be refused is, and the file untouched", async (match) => {
    const wrong = await resultsThat((_, { success, sha256, before }) => success || sha256 !== before, match, (edit) => !edit.should_apply);
    expect(wrong).toEqual([]);
  });

  /** The IDs of the chosen edits whose result is of that sort. */
  async function resultsThat(isWrong: (edit: Edit, result: Result) => boolean, match: "exact" | "tolerant", isChosen: (edit: Edit) => boolean): Promise<string[]> {
    const chosen = edits.filter(isChosen);
    expect(chosen.length).toBeGreaterThan(100);
    const results = await applyAll(chosen, folder, match);
    return chosen.filter((edit, index) => isWrong(edit, results[index] as Result)).map(({ id }) => id);
  }
});

interface Result {
  readonly success: boolean;
  /** Of the file afterwards, and before. */
  readonly sha256: string;
  readonly before: string;
}

async function applyAll(edits: readonly Edit[], folder: string, match: "exact" | "tolerant"): Promise<Result[]> {
  const sandbox = createSandbox();
  try {
    const loaf = await Loaf.create({ repoPath: sandbox.root, config: { edits: { match } } });
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
