import { expect, test } from "vitest";
import { copySequence } from "../../../../src/faces/cli/copy.ts";

const text = Buffer.from("Grüße\n");
const sequence = "\u001b]52;c;R3LDvMOfZQo=\u0007";

test("the text goes to the terminal in base64, so that nothing of it can act there", () => {
  expect(copySequence(text, false)).toBe(sequence);
  expect(copySequence(Buffer.from("\u0007\u001b[2J"), false)).toBe("\u001b]52;c;BxtbMko=\u0007");
});

test("in tmux it goes to tmux, and through it to the terminal around it", () => {
  expect(copySequence(text, true)).toBe(`${sequence}\u001bPtmux;\u001b${sequence}\u001b\\`);
});
