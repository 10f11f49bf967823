import { expect, test } from "vitest";
import { idleSentence } from "../../../../src/faces/cli/watch-screen.ts";

test.each([
  [110, "Watching loaf-input.md: save an answer into it · r run again · u undo · c copy the report · h help · q quit"],
  [79, "Watching loaf-input.md · r run again · u undo · c copy report · h help · q quit"],
  [40, "Watching loaf-input.md · h help · q quit"],
])("in %d cells, the idle line of loaf watch names as many keys as fit", (cells, sentence) => {
  expect(idleSentence("loaf-input.md", cells)).toBe(sentence);
});
