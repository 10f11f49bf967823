import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Content } from "../../../src/core/change-set.ts";
import { unifiedDiff } from "../../../src/report/diff.ts";
import { parse } from "../../../src/answer/read-answer.ts";
import { type Format, syntaxes } from "../../../src/syntaxes/index.ts";

const file = (text: string | Uint8Array, mode = 0o644): Content => ({ kind: "file", bytes: Buffer.from(text), size: Buffer.from(text).length, mode });
const link = (target: string): Content => ({ kind: "link", target });
const directory: Content = { kind: "directory" };
const diff = (before: Content | undefined, after: Content | undefined, path = "/p/a.txt"): string => unifiedDiff([{ path, before, after }], "/p");

describe("output", () => {
  test("an edit", () => {
    expect(diff(file("one\ntwo\nthree\n"), file("one\n2\nthree\n"))).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
`);
  });

  test("a file that was moved, with and without another change; a directory", () => {
    const moved = (before: Content, after: Content) => unifiedDiff([{ path: "/p/b.txt", movedFrom: "/p/a.txt", before, after }], "/p");
    expect(moved(file("1\n"), file("1\n"))).toBe("diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n");
    expect(moved(file("1\n"), file("2\n", 0o755))).toBe(`diff --git a/a.txt b/b.txt
old mode 100644
new mode 100755
rename from a.txt
rename to b.txt
--- a/a.txt
+++ b/b.txt
@@ -1,1 +1,1 @@
-1
+2
`);
    expect(moved(directory, directory)).toBe("Moved directory a.txt to b.txt\n");
    expect(moved(file("1\n"), link("x"))).toContain("deleted file mode 100644\n--- a/a.txt\n");
    expect(moved(file("1\n"), link("x"))).toContain("new file mode 120000\n--- /dev/null\n+++ b/b.txt\n");
  });

  test("the reason why a file is not shown", () => {
    const withheld = { kind: "file", mode: 0o644, size: 5, withheld: "it is gone" } as const;
    expect(diff(file("1"), withheld)).toBe("Files a/a.txt and b/a.txt differ (not shown: it is gone)\n");
  });

  test("a new file without a newline at its end, a deleted one", () => {
    expect(diff(undefined, file("hello", 0o755))).toBe(`diff --git a/a.txt b/a.txt
new file mode 100755
--- /dev/null
+++ b/a.txt
@@ -0,0 +1,1 @@
+hello
\\ No newline at end of file
`);
    expect(diff(file("a\nb\n"), undefined)).toContain("deleted file mode 100644\n--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n");
  });

  test("a mode, a link, a directory, a binary file", () => {
    expect(diff(file("a", 0o644), file("a", 0o755))).toBe("diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n");
    expect(diff(undefined, link("b"))).toContain("new file mode 120000\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+b\n\\ No newline");
    expect(diff(undefined, directory) + diff(directory, undefined)).toBe("New directory a.txt\nDeleted directory a.txt\n");
    expect(diff(file("\u0001\0\u0002"), file("\u0003\0\u0002"))).toBe("diff --git a/a.txt b/a.txt\nBinary files a/a.txt and b/a.txt differ\n");
  });

  test("permissions that git's modes do not express", () => {
    expect(diff(file("k", 0o600), file("k", 0o644))).toBe("Permissions of a.txt changed from 600 to 644\n");
    expect(diff(file("k\n", 0o600), file("l\n", 0o640))).toMatch(/^diff --git .*\n\+l\nPermissions of a.txt changed from 600 to 640\n$/s);
    expect(diff(file("k", 0o600), file("k", 0o755))).not.toContain("Permissions");
  });

  test("a file that replaces a directory is both", () => {
    expect(diff(directory, file("x\n"))).toMatch(/^Deleted directory a\.txt\ndiff --git [^]*\nnew file mode/);
  });

  test("text that is not UTF-8 is readable", () => {
    expect(diff(file(Buffer.from("caf\u00e9 a\n", "latin1")), file(Buffer.from("caf\u00e9 b\n", "latin1")))).toContain("-café a\n+café b\n");
  });

  test("names a file that must not be shown, and git apply skips it", () => {
    const unseen: Content = { kind: "file", mode: 0o644, size: 9 };
    expect(diff(unseen, undefined, "/p/.env") + diff(undefined, unseen, "/p/x\ny")).toBe(
      `Files a/.env and /dev/null differ (not shown: it may not be read, or is too large)
Files /dev/null and b/x\\u000ay differ (not shown: it may not be read, or is too large)
`,
    );
  });

  test("a note says if a patch does not have the exact bytes", () => {
    const note = /\nnote: not for git apply: .*\n$/;
    expect(diff(undefined, file("a\u0007\n"))).toMatch(note);
    expect(diff(undefined, file("#!nesl [@x: k7m]\n"))).toMatch(note);
    expect(diff(file(Buffer.from("\u00e9", "latin1")), file("e"))).toMatch(note);
    expect(diff(undefined, file("caf\u00e9 \u{1f469}\u200d\u{1f680}\n"))).not.toMatch(note);
    expect(diff(undefined, file("caf\u00e9 \u200b\n"))).toMatch(note);
    expect(diff(file(Buffer.from("\u00e9", "latin1")), file(Buffer.from("\u00e9", "latin1"), 0o755))).not.toMatch(note);
  });

  test("escapes hidden characters in text and names", () => {
    const text = [
      diff(undefined, file("\u001b[2J\u202e\rx\n"), "/p/\u001b[31m\nx"),
      diff(undefined, directory, "/p/\u0007\nx"),
      diff(undefined, file("\0"), "/p/\nx"),
    ].join("");
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e|^x/mu);
  });

  test("paths outside the root stay absolute", () => {
    expect(diff(undefined, directory, "/pq/x") + diff(undefined, directory, "/x") + diff(undefined, directory, "/p/..x")).toBe(
      "New directory /pq/x\nNew directory /x\nNew directory ..x\n",
    );
  });

  test("files that differ in thousands of lines are shown as replaced, since the shortest diff takes long", () => {
    const lines = (text: string) => Array.from({ length: 1_500 }, (_, index) => `same ${index}\n${text} ${index}\n`).join("");
    expect(diff(file(lines("old")), file(lines("new")))).toContain("@@ -1,3000 +1,3000 @@\n-same 0\n-old 0\n-same 1\n");
  });
});

test("43, 44: a pasted diff opens no block, even without signs and indentation", () => {
  const line = fc.constantFrom("", "  ", "\t", "\ufeff", "\r", "+", "-", "x", "=== END ===").chain((start) =>
    fc.constantFrom("#!nesl [@three-char-SHA-256: k7m]", "#!nesl broken", "#!SHAM [@x: k7m]", "#!end_k7m", '<---WRITE file="a"--->', "<<<FILE>>>", "<<<<<<< SEARCH", "*** Begin Patch", "action = \"x\"", "plain").map((rest) => `${start}${rest}`),
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  const harmless = { blocks: [], errors: [] };
  fc.assert(
    fc.property(text, text, (before, after) => {
      const text = diff(file(before), file(after));
      for (const lost of [/^$/, /^\s+/gm, /^[ +-]/gm, /^[ +-]\s*/gm]) {
        // A diff is an answer itself, so only what it shows must be harmless.
        for (const { name: format } of syntaxes.filter(({ name }) => name !== "unified-diff")) expect(parse(text.replace(lost, ""), { format: format as Format })).toEqual(harmless);
      }
    }),
  );
});

describe("git apply", () => {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "loaf-diff-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test("reproduces the changes", () => {
    const before: Record<string, Content | undefined> = {
      "closed.txt": file("as it was"),
      "edit.txt": file("a\r\nb\nc"),
      "gone.txt": file("x\ny", 0o600),
      "run.sh": file("#!/bin/sh\n"),
      "link": link("edit.txt"),
      "turned": file("was a file\n"),
      "new \"ü\tname\".txt": undefined,
    };
    const after: Record<string, Content | undefined> = {
      "closed.txt": file("as it was", 0o600),
      "edit.txt": file("a\r\nB\nc\n", 0o640),
      "gone.txt": undefined,
      "run.sh": file("#!/bin/sh\necho\n", 0o755),
      "link": link("run.sh"),
      "turned": link("edit.txt"),
      "new \"ü\tname\".txt": file("new\n"),
    };
    for (const [name, content] of Object.entries(before)) put(join(root, name), content);
    applyDiff(Object.keys(before).map((name) => ({ path: join(root, name), before: before[name], after: after[name] })));
    for (const [name, content] of Object.entries(after)) expectAt(join(root, name), content);
  });

  test("for any two texts", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "c\n"), { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const path = join(root, "a.txt");
        writeFileSync(path, before);
        if (before !== after) applyDiff([{ path, before: file(before), after: file(after) }]);
        expect(readFileSync(path, "utf8")).toBe(after);
      }),
      { numRuns: 40 },
    );
  });

  function applyDiff(changes: Parameters<typeof unifiedDiff>[0]): void {
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: root, input: unifiedDiff(changes, root), env });
  }
});

function put(path: string, content: Content | undefined): void {
  if (content?.kind === "link") symlinkSync(content.target, path);
  if (content?.kind !== "file") return;
  writeFileSync(path, content.bytes ?? "");
  chmodSync(path, content.mode);
}

function expectAt(path: string, content: Content | undefined): void {
  if (content === undefined) expect(existsSync(path)).toBe(false);
  else if (content.kind === "link") expect(readlinkSync(path)).toBe(content.target);
  else if (content.kind === "file") {
    expect(readFileSync(path)).toEqual(content.bytes);
    expect(lstatSync(path).mode & 0o111).toBe(content.mode & 0o111);
  }
}

describe("117: a diff shows what will be", () => {
  test("a script with NUL is text, with the NUL visible, wherever that is", () => {
    for (const text of ["#!/bin/sh\nid\n\0", "id\0\nrm -r x\n", "\0id\n", `#!/bin/sh\nid\nexit\n${"\0\u0001".repeat(500)}`]) {
      const shown = diff(undefined, file(text));
      expect(shown).not.toContain("Binary files");
      expect(shown).toContain("\\u0000");
      expect(shown).toContain("id");
    }
  });

  test.each(["\u200b", "\u200d", "\u2060", "\u00ad", "\u202e", "\u2066", "\ufeff", "\u115f", "\u{e0041}"])("the invisible %j is an escape", (hidden) => {
    expect(diff(undefined, file(`a${hidden}b\n`))).toMatch(/^\+a(?:\\u[0-9a-f]{4})+b$/m);
  });
});
