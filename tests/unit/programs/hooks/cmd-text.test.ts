import { describe, expect, test } from "vitest";
import { withCmdVariables } from "../../../../src/programs/hooks/shell-line.ts";

const line = (command: string, value = "plain") => withCmdVariables(command, () => value);

test.each([
  ["echo ${A}", "echo %A%"],
  ['echo "a ${A}"', 'echo "a %A%"'],
  ["echo \\${A} \\$5", "echo ${A} $5"],
  ["echo %PATH% $A ${A:-x}", "echo %PATH% $A ${A:-x}"],
  ["echo ${A}\r\n", "echo %A%"],
])("%j becomes %j", (command, expected) => expect(line(command)).toBe(expected));

test("of an empty value cmd would leave the name", () => {
  expect(line('echo "${A}" ${A}.', "")).toBe('echo "" .');
});

test("several lines are refused, since cmd would run the first alone", () => {
  expect(() => line("echo a\necho b")).toThrow("The command has several lines");
});

describe("a value with which cmd would do something is refused", () => {
  test.each(['a" & calc & "', "%PATH%", "a\nb", "a\rb"])("%j even in quotes", (value) => {
    expect(() => line('echo "${A}"', value)).toThrow("pass it to a script, which reads the environment variable A");
  });

  test.each(["a & calc", "a|b", "a>b", "a<b", "(a)", "a^b", "a!b", "two words", "a,b", "a;b", "a=b"])("%j outside of quotes", (value) => {
    expect(() => line("echo ${A}", value)).toThrow("put ${A} into double quotes");
    expect(() => line('echo "x" ${A} "y"', value)).toThrow("put ${A} into double quotes");
    expect(line('echo "${A}"', value)).toBe('echo "%A%"');
  });

  test("an escaped quote opens none, and ends one", () => {
    expect(() => line('echo ^"${A}', "a & calc")).toThrow();
    expect(() => line('echo "x^"${A}', "a & calc")).toThrow();
  });
});
