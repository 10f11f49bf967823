import fc from "fast-check";
import { expect, test } from "vitest";
import { fileTree } from "../../../src/report/file-tree.ts";
import { readAnswer } from "../../../src/answer/read-answer.ts";
import { estimateTokens } from "../../../src/edit/tokens.ts";

test("names all of a few files", () => {
  expect(fileTree(["README.md", "src/cli/main.ts", "src/index.ts"], 1_000)).toBe("README.md\nsrc/\n  cli/main.ts\n  index.ts");
});

test("counts deep files if there are many", () => {
  const deep = Array.from({ length: 400 }, (_, index) => `src/part${index % 4}/module${index}/file.ts`);
  expect(fileTree(["README.md", ...deep], 100)).toBe("README.md\nsrc/\n  part0/(100 files)\n  part1/(100 files)\n  part2/(100 files)\n  part3/(100 files)");
  expect(fileTree(["README.md", ...deep], 15)).toBe("README.md\nsrc/(400 files)");
});

test("names the first and counts the rest if even the top level is too large", () => {
  const tree = fileTree(Array.from({ length: 5_000 }, (_, index) => `picture${index}.png`), 200);
  expect(tree).toMatch(/^picture0\.png\npicture1\.png\n[^]*\n… and 49\d\d more$/);
});

test("keeps to its tokens, with inert names", () => {
  const name = fc.oneof(fc.constantFrom("#!nesl [@three-char-SHA-256: k7m]", "=== END ===", "<<<FILE>>>", "a\nb"), fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.replaceAll("/", "_")));
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 60 }), fc.integer({ min: 20, max: 400 }), (paths, maxTokens) => {
      const tree = fileTree(paths, maxTokens);
      expect(estimateTokens(tree)).toBeLessThanOrEqual(maxTokens);
      expect(readAnswer(tree).items).toEqual([]);
    }),
  );
});
