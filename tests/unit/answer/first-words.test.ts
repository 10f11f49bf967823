import fc from "fast-check";
import { expect, test } from "vitest";
import { firstSentence, firstWords } from "../../../src/answer/first-words.ts";

const sentenceAbove = (prose: string): string | undefined => firstSentence(`${prose}\n#!nesl [@three-char-SHA-256: abc]\nI am inside\n`, prose.split("\n").length + 1);

const above = (prose: string): string | undefined => {
  const sentence = sentenceAbove(prose);
  return sentence && firstWords(sentence);
};

test.each([
  ["I moved the rounding.", "I moved the rounding."],
  ["\n\r\n  Sure, here it is:\r\n\r\nmore", "Sure, here it is:"],
  ["Sure! I add the check. More.", "Sure! I add the check."],
  ["## 1. The **plan** for `app.ts`", "The plan for app.ts"],
  ["> - quoted words", "quoted words"],
  ["```sh\nnpm run build\n```\nThen this edit:\n```", "Then this edit:"],
  ["src/app.ts\nNow the total:", "Now the total:"],
  ["<thinking>\n--- a/x.ts b\n*** Begin Patch\n{ \"a\": 1 }\nÜber den Rand", "Über den Rand"],
  ["“Done”, she said", "“Done”, she said"],
  ["Use ghp_aB3dE5gH7jK9aB3dE5gH7jK9aB3dE5gH7jK9 here", "Use [masked: GitHub token] here"],
])("of %j they are %j", (prose, words) => expect(above(prose)).toBe(words));

test("of an answer below long reasoning, they are the answer's", () => expect(above(`${" \n".repeat(9_000)}The total was wrong.`)).toBe("The total was wrong."));

test.each(["", "src/app.ts", "```", "===\n---", "```\ncode with words\n"])("there are none in %j", (prose) => expect(above(prose)).toBeUndefined());

test("a block's own words are not the answer's", () => expect(firstSentence("#!nesl [@three-char-SHA-256: abc]\nI am inside", 1)).toBeUndefined());

test("a sentence ends at its full stop, or with the line", () => {
  expect(sentenceAbove("I moved v1.2 of app.ts. The rest stays.")).toBe("I moved v1.2 of app.ts.");
  expect(sentenceAbove("Here is the fix, whole")).toBe("Here is the fix, whole");
});

test("of a watched text they are those below the results of the text before", () => {
  expect(above("=== LOAF RESULTS ===\nabc ✅ file_write a.txt\n=== END ===\n\nNow the second part:")).toBe("Now the second part:");
});

test("they are cut between words, and a word that is too long within it", () => {
  expect(above("The total was rounded twice, so that I have moved the rounding to the end of it")).toBe("The total was rounded twice, so that I have moved the…");
  expect(above(`a ${"b".repeat(90)}`)).toBe(`a ${"b".repeat(58)}…`);
});

test("they are short and on one line, whatever the answer", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const words = firstWords(firstSentence(text, 100) ?? "");
      expect(words.length).toBeLessThanOrEqual(61);
      expect(words).not.toContain("\n");
      expect(words.isWellFormed()).toBe(text.isWellFormed() ? true : words.isWellFormed());
    }),
  );
});
