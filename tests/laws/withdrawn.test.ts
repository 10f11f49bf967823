/**
 * Law of edits that the text beside them takes back: none is made, in whatever format. Any other sentence leaves them
 * what they are. Sentences stand above a block, below it, or between two.
 */
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { isBlock } from "../../src/core/block.ts";
import { readAnswer } from "../../src/answer/read-answer.ts";
import { createFolder } from "../support/folder.ts";
import { SYNTAXES } from "./one-edit.ts";

/** What stands above an edit and takes it back. */
const FORBIDDEN = [
  "Don't use this:", "You might be tempted to do this, but don't do it:", "Please do not apply this block:", "Never do this:", "**Do not use this.**", "The obvious way is a flag. Don't do that:",
  "I wouldn't do this:", "I would not recommend this:", "What not to do:", "How not to do it is easy, so don't try this:", "Bitte nicht so:", "Verwende das nicht:", "Ne faites pas ceci :", "No hagas esto:", "不要这样做：",
  "**Don't** do this:", "***Never*** use this:", "You could also change it like this, but I wouldn't:", "Please do not apply the edit below, it is only an illustration:",
  "This is what you might be tempted to write, but please do not\napply this:", "I won't apply this edit, as an example only:", "As an illustration only:", "You shouldn't do this:", "We must not do it like this:",
  "Don't write it like this:", "Never build the list like this:", "Avoid this:", "Avoid writing it this way:", "I'd advise against this:", "I would not do it this way:", "It's tempting to write this:", "It is tempting to add a\nglobal here:",
  "- Fine so far.\n- Wrong:", "For comparison only:", "This is wrong:", "This would be a mistake:", "Don’t use the following edit:", "If you can, don't do this:", "Don't apply the next edit (it breaks the tests):", "I don't recommend this:", "Just to illustrate, this is only an example:",
];
/** Labels and headings. */
const LABELS = [
  "Wrong:", "**Wrong:**", "Bad:", "❌ Bad:", "❌ **Wrong**", "Incorrect:", "### Wrong way", "## What not to do", "**What not to do**", "#### Don't", "Don't:", "Avoid:", "Not like this:", "Anti-pattern:", "Bad example:", "The wrong way:",
  "## How not to do it", "First attempt (wrong):", "Insecure:", "Not recommended:", "## Rejected", "> Wrong:", "1. Wrong:", "- Bad:", "Here is what you should not do:", "What you shouldn't do:", "## Things to avoid",
  "Falsch:", "So nicht:", "## Was man nicht tun sollte", "Mauvais :", "À ne pas faire :", "## Lo que no debes hacer", "Incorrecto:", "Errado:", "Sbagliato:", "错误示例：", "反例：", "悪い例：", "Неправильно:", "Instead of this:", "Rather than doing this:", "## Rejected alternative",
];
/** What gives the edit below it as another way than the one above. */
const OTHER_WAYS = [
  "Alternatively:", "**Alternatively:**", "Alternatively, with a flag:", "Or:", "Or, if you prefer a flag:", "As an alternative:", "Another option:", "Another way is a flag:", "The alternative:", "### Alternative", "## Alternative: a flag", "### Or with a flag",
  "Alternative approach:", "Oder:", "Ou bien :", "O bien:", "Alternativ:", "<details>\n<summary>Rejected alternative</summary>", "<details><summary>Alternative</summary>", "<details>\n<summary>Another approach</summary>\n\nWith a flag:",
];
const OPTIONS = [["**Option A**", "**Option B**"], ["### Option 1: a flag", "### Option 2: an enum"], ["Option A (simple):", "Option B:"], ["## Approach 1", "## Approach 2"], ["1. **Variant A**", "2. **Variant B**"], ["**Variante A:**", "**Variante B:**"]] as const;
const NO_OTHER_WAYS = ["The other change:", "The other file:", "And another one:", "Or else it fails. So:", "Another call of it:", "Or rather, this too:", "## Alternative text", "The alternative text was missing:", "<details>\n<summary>The second change</summary>", "Other callers:", "The order:"];
/** What stands below an edit and takes it back. */
const RETRACTED = [
  "But this gains nothing, so I'd leave it.", "However, this would break existing callers, so I would keep the current version.", "That said, I would not change it.", "That doesn't work, though.", "So better leave it as it is.", "The current version is fine, so keep it.", "But it's slower, so I don't recommend it.",
  "Actually, scratch that.", "(Never mind the above.)", "(Actually, scratch that.)", "Wait, this is wrong.", "Never mind.", "Never mind, that breaks the build.", "Don't apply this yet.", "Hmm, that is not right: the list may be empty.", "On second thought, don't do this.",
  "Ignore the above, it breaks the tests.", "Ignore that.", "No, that's a bad idea.", "I wouldn't do this, though.", "Ignore this, it is only the old text for comparison.",
  "Hmm, that's not quite right. Let me redo it:", "Actually, scratch that - use this:", "Scratch that — use the next one instead:", "Hmm. That's wrong.", "Wait. That breaks the cache.", "Oops, that's incorrect.", "No, wait, that won't work.", "Forget the last edit.",
  "Disregard the block above.", "**Don't** apply this.", "Let me redo that:", "Correction:", "Sorry, that was wrong. Here it is again:", "Actually, that\nis wrong.", "This isn't right.", "Let me take that back.", "Actually no, use this instead:", "Oops, no. Use the next one instead:", "I reverted that because it breaks the build.",
  "I'd advise against it here. Keep what you have.", "But I would steer clear of that.", "I'd hold off on this for now.", "That said, I'd skip this.", "Not worth it for a project this size.", "It's not worth the trouble, honestly.",
  "I don't think you need it.", "You don't need this.", "This is overkill here.", "I would not go down that road.", "Personally I'd avoid it.", "Please don't do this in production.", "But that would be a mistake.",
  "I'm not suggesting you do that.", "This is just to illustrate the idea.", "Leave it as it is for now, though.", "We decided not to do this.", "So stick with the current version.", "I'd recommend leaving it alone.",
  "However, this approach has too many drawbacks, so let's not.", "Still, I would strongly recommend against this.", "That's a bad idea, though.", "Ich würde davon abraten.", "Je le déconseille ici.", "Actually, never mind the above; change the other:", "I take that back. Update the other:", "(This was the old plan; it isn't needed.) Here is the next:",
  "Moment, das war falsch. Ändere stattdessen die andere:", "Hmm, das brauchst du doch nicht. Ändere die andere:", "Attendez, c'est faux.", "Espera, eso está mal.", "Oops, that was only my first idea. Update the other:",
  "Wait, `new` should stay unchanged. Update only the other:", "Hmm, on second thought keep the original `new`. Only change the other:", "On second thought, leave `new` as it was. Change the other instead:", "Actually no, `new` is fine. The bug is in the other:",
  "Actually, `new` doesn't need to change.", "Wait, `new` must not change.", "Oh, `new()` was right already.", "Nein, `new` soll so bleiben.", "Sorry, `new` needs no change:", "No lo recomiendo.", "Eu não recomendo.", "这里不建议这样做。",
];
/** What stands above or below edits that are meant. */
const MEANT = [
  "It is slower, so I'd leave a comment there.", "The old version was fine, so this is only style.", "That doesn't work in the old one.", "You can leave the tests as they are, so nothing else changes.",
  "Don't forget this:", "Don't forget to restart the server.", "Don't worry.", "Don't use the global:", "We don't do this yet:", "You don't need it any more:", "Globals are a bad idea, so:", "Never call it twice:", "The code should not do this:", "The loop doesn't use it:", "Here is the fix:",
  "This was wrong before.", "It's wrong in the old file only, too.", "Wait for the server to start.", "Do not commit the lock file.", "Don't use this function elsewhere.", "This was a mistake that is easily made.", "Ignore the warning about types.",
  "I would not change more.", "It would be wrong to change the tests.", "If the flag is set at start, don't use it; set x:", "Don't run it yet, though: the migration has to be deployed first.", "This is wrong in the docs too, so I would open an issue there.",
  "The old version cached it. Don't do that:", "The value was read twice. Never do that:", "You don't need to restart the server.", "This avoids the second lookup.", "I'd also run the tests.", "That is all you need.", "Leave the tests as they are.", "I left the rest as it is.",
  "It is worth a test, too.", "I don't see anything else that is affected.", "The old version was a mistake.", "This is only called once.", "Keep the old file around until you have tested it.", "You don't need the old import any more.", "We decided to keep the signature.",
  "That would be all.", "It's a bit longer, but not by much.", "Stay safe!", "Avoid the second lookup:", "The wrong value was used:", "## What was wrong", "### Bad input", "**Wrong type**: fixed here.", "Don't change the tests.", "If it is missing, never use it:",
  "Wait, `other` should stay unchanged.", "Hmm, `other` is fine.", "On second thought, keep `other` as it is.", "`new` is the same for all callers.", "Actually, `new` is fine with empty lists.", "Hmm, `new` must not be called twice.", "(The old plan was slow.) Here:", "Actually, leave `new` in the list.", "This was the first version that passed.", "I would not be surprised if more is wrong.",
  "Instead of a flag, use an enum:", "I'd keep the name.", "That's right.", "No other file needs this.", "So this is not needed any more:", "It is not wrong:", "Wait, one more thing:", "Actually, there's one more:", "The rest doesn't apply here.", "Don't apply it to the other branch.", "When you are done, don't use it twice:",
  "This doesn't work on Windows.", "It adds the item twice. This is wrong:", "Hmm, one more thing.", "Sorry for the delay.", "Correction of the typo:", "Skip the tests for now.", "I'd skip the tests.", "I wouldn't touch the tests.", "I'd avoid a new dependency.", "Drop the old table afterwards.", "`x` is wrong:", "I'll do it in a\ntransaction, so nothing is lost:",
];

/** What stands above the edit that is meant, of two. */
const RIGHT = ["Right:", "✅ Good:", "**Right:**", "## What to do", "Use this:", "Do this instead:", "Better:", "So ist es richtig:", "Sondern so:", "Correct :", "Bien :", "Correcto:", "## La solución", "Así sí:", "Certo:", "正确示例：", "良い例：", "Правильно:", "The fix:", "use this:"];

const LINES = ["first", "second", "third"];
const EDITS = ["SEARCH/REPLACE", "a call", "a call of tags", "Codex's patch", "a diff"];
const printed = (format: string, at: number, now: string): string => SYNTAXES[format]?.({ path: "f.txt", lines: LINES, at, count: 1, now: [now] }) ?? "";
const FORMS: ReadonlyArray<readonly [string, (at: number, now: string) => string]> = [
  ...EDITS.map((format) => [format, (at: number, now: string) => printed(format, at, now)] as const),
  ["a whole file", (at, now) => printed("a whole file", at, now)],
  ["a fence with its path", (_, now) => `\`\`\`js src/${now}.js\nexport function ${now}() {}\n\`\`\`\n`],
  ["a fence with its path above", (_, now) => `**src/${now}.js**\n\n\`\`\`js\nexport function ${now}() {}\n\`\`\`\n`],
];

/** Returns how many edits an answer makes. */
function made(answer: string): number {
  return readAnswer(answer).items.filter((item) => isBlock(item) && item.diagnostics.length === 0).length;
}

describe.each(FORMS)("%s", (_, form) => {
  const [edit, other] = [form(0, "new"), form(1, "last")];

  test.each([...FORBIDDEN, ...LABELS])("%s: not made below it", (sentence) => {
    expect(made(`${sentence}\n\n${edit}`)).toBe(0);
    expect(made(`Here are two ways.\n\n${sentence.replaceAll("\n", "\r\n")}\r\n\r\n${edit}`)).toBe(0);
  });

  test.each(RETRACTED)("%s: not made above it", (sentence) => {
    expect(made(`Here:\n\n${edit}\n${sentence}\n`)).toBe(0);
  });

  test.each(MEANT)("%s: made, below it and above it", (sentence) => {
    expect(made(`${edit}\n${sentence}\n`)).toBe(1);
    // What only tells something hands nothing over; the path at the fence does.
    expect(made(`${sentence}\n\n${edit}`)).toBe(1);
  });

  test.each([...FORBIDDEN.filter((sentence) => /[:：]\**$/.test(sentence)), ...LABELS])("%s: of two, the one below it is not made", (sentence) => {
    expect(made(`Here:\n\n${edit}\n${sentence}\n\n${other}`)).toBe(1);
  });

  test.each(RIGHT)("%s: of two, the one below it is made, whatever stands above the other", (right) => {
    // A heading takes back its whole section.
    const expected = (wrong: string): number => (wrong.startsWith("#") && !right.startsWith("#") ? 0 : 1);
    const lost = LABELS.filter((wrong) => made(`${wrong}\n\n${edit}\n${right}\n\n${other}`) !== expected(wrong));
    expect(lost).toEqual([]);
  });

  test.each(OTHER_WAYS)("%s: of two, the one below it is not made, nor what is below that", (sentence) => {
    expect(made(`Here:\n\n${edit}\n${sentence}\n\n${other}`)).toBe(1);
    expect(made(`Here:\n\n${edit}\nThat is all.\n\n${sentence}\n\n${other}`)).toBe(1);
  });

  test.each(NO_OTHER_WAYS)("%s: of two, both are made", (sentence) => {
    expect(made(`Here:\n\n${edit}\n${sentence}\n\n${other}`)).toBe(2);
  });

  test.each(OTHER_WAYS.filter((sentence) => !sentence.includes("Rejected")))("%s: the only one is made", (sentence) => {
    expect(made(`${sentence}\n\n${edit}`)).toBe(1);
  });

  test.each(OPTIONS)("%s, %s: of several options, none is made", (one, another) => {
    expect(made(`There are two ways.\n\n${one}\n\n${edit}\n${another}\n\n${other}`)).toBe(0);
    expect(made(`${one}\n\n${edit}\nThat is all.\n\n${other}`)).toBe(2);
  });

  test("below a struck path, it is not made", () => {
    expect(made(`~~f.txt~~\n\n${edit}`)).toBe(0);
    expect(made(`Here:\n\n${other}\n**~~\`f.txt\`~~**\n${edit}`)).toBe(1);
  });

  test.each(RETRACTED)("%s: of two, the one above it is not made", (sentence) => {
    expect(made(`Here:\n\n${edit}\n${sentence}\n\n${other}`)).toBe(1);
  });
});

describe.each(EDITS)("%s", (format) => {
  const [edit, other] = [printed(format, 0, "new"), printed(format, 1, "last")];

  test("the report quotes the sentence", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder({ "f.txt": "first\nsecond\nthird\n" }), config: { relative_paths: true }, gitCommit: false });
    const { parseErrors } = await loaf.execute(`A way that is\nno good. Never do this:\n\n${edit}`);
    expect(parseErrors.map(({ message }) => message)).toEqual(["The answer says not to: 'A way that is no good. Never do this:'"]);
  });

  test("a sentence takes back all edits that no other sentence divides", () => {
    expect(made(`Never do this:\n\n${edit}\n${other}`)).toBe(0);
    expect(made(`${edit}\n${other}\nActually, scratch that.\n`)).toBe(0);
    expect(made(`${edit}\nAnd then:\n\n${other}\nActually, scratch that.\n`)).toBe(1);
  });

  test("a heading takes back all edits of its section", () => {
    expect(made(`## What not to do\n\nA global:\n\n${edit}\n### Or a flag\n\nLike this:\n\n${other}\n## What to do\n\nThis:\n\n${edit}`)).toBe(1);
    expect(made(`\`\`\`md\n# Wrong\n\`\`\`\n\nThis:\n\n${edit}`)).toBe(1);
  });

  test("what is said of another fence, or in one, takes no edit back", () => {
    const bad = "```js\nglobal.x = 1;\n```\n";
    expect(made(`${edit}\nDon't do this, though:\n\n${bad}`)).toBe(1);
    expect(made(`The old code built it by hand. Never do this:\n\n${bad}\n${edit}`)).toBe(1);
    expect(made(`\`\`\`text\nNever do this:\n\`\`\`\n\n${edit}`)).toBe(1);
    expect(made(`${printed(format, 2, "Don't use this:")}\n${edit}`)).toBe(2);
  });
});

describe.each(["NESL, a text", "CSL", "replacer"])("%s, whose blocks run whatever prose says", (format) => {
  const block = printed(format, 0, "new");
  const warned = (answer: string): number => readAnswer(answer).findings.filter(({ code }) => code === "answer/taken-back").length;

  test.each([...FORBIDDEN, ...LABELS])("%s: made below it, with a warning", (sentence) => {
    expect([made(`${sentence}\n\n${block}`), warned(`${sentence}\n\n${block}`)]).toEqual([1, 1]);
  });

  test.each(RETRACTED)("%s: made above it, with a warning", (sentence) => {
    expect([made(`${block}\n${sentence}\n`), warned(`${block}\n${sentence}\n`)]).toEqual([1, 1]);
  });

  test.each(MEANT)("%s: no warning", (sentence) => {
    expect(warned(`${block}\n${sentence}\n`) + warned(`${sentence}\n\n${block}`)).toBe(0);
  });
});

test("blocks that have run before the text ends are named in the report", async () => {
  const loaf = await Loaf.create({ repoPath: createFolder({ "f.txt": "first\nsecond\nthird\n" }), config: { relative_paths: true }, gitCommit: false });
  const { findings } = await loaf.execute(Readable.from([printed("NESL, a text", 0, "new"), "\nActually, scratch that.\n"]));
  expect(findings).toMatchObject([{ code: "answer/taken-back", line: 1, message: "the answer takes block k7m in line 1 back ('Actually, scratch that.'), and it runs all the same: check what it does" }]);
});
