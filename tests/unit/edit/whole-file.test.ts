import fc from "fast-check";
import { expect, test } from "vitest";
import { Failed, nextStep } from "../../../src/core/failure.ts";
import { meantText } from "../../../src/edit/whole-file.ts";

test("a whole text that changes one line leaves every other byte as it was", () => {
  const endings = fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(endings, fc.nat(), fc.boolean(), (all, chosen, isOpen) => {
      const changed = chosen % all.length;
      const textOf = (isNew: boolean, endingOf: (ending: string) => string): string => {
        const lines = all.map((ending, index) => (isNew && index === changed ? "new" : `line ${index}`) + (isOpen && index === all.length - 1 ? "" : endingOf(ending)));
        return lines.join("");
      };
      const meant = meantText({ path: "a.txt", content: textOf(true, () => "\n"), label: undefined }, textOf(false, (ending) => ending));
      expect(meant).toBe(textOf(true, (ending) => ending));
    }),
    { numRuns: 1_000 },
  );
});

const put = (before: string, content: string, path = "a.txt") => meantText({ path, content, label: undefined }, before);

/** Returns the code and the hint of a refused text, or the text that is meant. */
function meant(before: string, content: string, path?: string): string | { readonly code: string; readonly hint: string | undefined } {
  try {
    return put(before, content, path);
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    return { code: thrown.failure.code, hint: nextStep(thrown.failure) };
  }
}

const TEN = Array.from({ length: 10 }, (_, index) => `x${index} = ${index}\n`);

test.each([
  ["the first six of ten lines", TEN.slice(0, 6), "1-6"],
  ["the last seven of ten lines", TEN.slice(3), "4-10"],
  ["all lines but the last", TEN.slice(0, 9), "1-9"],
  ["lines in the middle, with a blank one", [...TEN.slice(1, 5), "\n", ...TEN.slice(5, 8)], "2-8"],
])("%s with nothing changed are an excerpt, however many", (_, lines, place) => {
  expect(meant(TEN.join(""), lines.join(""))).toEqual({ code: "file/excerpt", hint: expect.stringContaining(`lines ${place} of the file`) });
});

test.each([
  ["without a line in the middle", [...TEN.slice(0, 4), ...TEN.slice(5)]],
  ["with a new last line", [...TEN.slice(0, 9), "y = 1\n"]],
  ["with the same lines", TEN],
  ["with more blank lines", [...TEN, "\n", "\n"].toSpliced(3, 0, "\n")],
])("a text %s is no excerpt", (_, lines) => {
  expect(meant(TEN.join(""), lines.join(""))).toEqual(expect.any(String));
});

test.each([
  ["first", ["y = 1\n", ...TEN.slice(2)]],
  ["last", [...TEN.slice(0, 8), "y = 1\n"]],
])("a text with fewer %s lines loses those", (_, lines) => {
  expect(meant(TEN.join(""), lines.join(""))).toEqual({ code: "file/loses", hint: expect.any(String) });
});

const CONFIG = "host: localhost\nport: 3000\nuser: ann\npassword: secret\n";

test.each([
  ["one line", "1\n", "2\n"],
  ["one line by two", "1\n", "2\n3\n"],
  ["three lines", "a\nb\nc\n", "d\ne\nf\n"],
  ["each value of a longer file", CONFIG, "host: example.org\nport: 80\nuser: bob\npassword: other\n"],
])("a text that replaces %s is no excerpt: it has as many lines", (_, before, content) => {
  expect(meant(before, content)).toBe(content);
});

test("a text of as many lines that shares few words with a longer file is probably another file's", () => {
  expect(meant(CONFIG, "import os\n\n\ndef main():\n    print(os.name)\n\n\nmain()\n")).toMatchObject({ code: "file/unlike" });
  expect(meant(CONFIG, "import os\n")).toMatchObject({ code: "file/excerpt" });
});
