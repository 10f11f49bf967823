import { describe, expect, test } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { readCommands } from "../../../src/actions/command-words.ts";

const wordsOf = (command: string): string[] | undefined => readCommands(command)[0];

/** Returns the problem of a command, or its words if there is none. */
function problemOf(text: string): unknown {
  try {
    return readCommands(text);
  } catch (thrown) {
    return thrown instanceof Failed && "problem" in thrown.failure ? thrown.failure.problem : thrown;
  }
}

test.each<[string, string[]]>([
  ["npm test", ["npm", "test"]],
  ["  npm \t test  ", ["npm", "test"]],
  [`grep 'two words' "and two" a\\ b`, ["grep", "two words", "and two", "a b"]],
  [`a''b "" ''`, ["ab", "", ""]],
  [`x"y"'z'\\w`, ["xyzw"]],
  [`echo "a \\"quote\\" and \\\\ and \\n"`, ["echo", 'a "quote" and \\ and \\n']],
  [`echo '\\' '$HOME' '\`x\`'`, ["echo", "\\", "$HOME", "`x`"]],
  [`echo "\\$HOME" "\\\`x\\\`"`, ["echo", "$HOME", "`x`"]],
  ["grep 'foo$' \"bar$\" baz$ src/*.ts", ["grep", "foo$", "bar$", "baz$", "src/*.ts"]],
  ["npm run test:* -- --reporter=dot é😀", ["npm", "run", "test:*", "--", "--reporter=dot", "é😀"]],
  ["echo a#b", ["echo", "a#b"]],
])("%s", (command, words) => {
  expect(wordsOf(command)).toEqual(words);
});

test("reads each line as a command, except blank ones and comments", () => {
  expect(readCommands("\nnpm ci\n  # then\n\n npm test\n")).toEqual([["npm", "ci"], ["npm", "test"]]);
});

describe("refuses what needs a shell", () => {
  test.each([
    ["a | b", "'|' would need a shell"],
    ["a || b", "'||' would need a shell"],
    ["a && b", "'&&' would need a shell"],
    ["a &", "'&' would need a shell"],
    ["a; b", "';' would need a shell"],
    ["a > b", "'>' would need a shell"],
    ["a 2>> b", "'>>' would need a shell"],
    ["a <<EOT", "'<<' would need a shell"],
    ["(a)", "'(' would need a shell"],
    ["a $HOME", "'$HOME' would need a shell"],
    ["a $(b)", "'$(' would need a shell"],
    ["a ${B}", "'${' would need a shell"],
    ["a $'b'", "'$' would need a shell"],
    ["a `b`", "'`' would need a shell"],
    ['a "$HOME"', "A quote is not closed, or contains something that needs a shell"],
    ['a "`b`"', "A quote is not closed, or contains something that needs a shell"],
    ["it's", "A quote is not closed, or contains something that needs a shell"],
    ['a "b', "A quote is not closed, or contains something that needs a shell"],
    ["a \\\nb", "A command cannot continue on the next line"],
    ["# only this", "There is no command"],
    ["", "There is no command"],
    ["fine\nnot | fine", "'|' would need a shell"],
  ])("%j", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });
});

test("reads a hostile line in linear time", () => {
  const length = 3_000_000;
  expect(wordsOf(`a "${"\\\\x".repeat(length / 3)}"`)?.[1]).toHaveLength((length / 3) * 2);
  expect(wordsOf(`a ${"'b'".repeat(length / 3)}`)?.[1]).toHaveLength(length / 3);
  expect(problemOf(`a "${"b".repeat(length)}`)).toBe("A quote is not closed, or contains something that needs a shell");
});
