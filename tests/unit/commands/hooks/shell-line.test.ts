import { expect, test } from "vitest";
import { shellLine } from "../../../../src/commands/hooks/shell-line.ts";

const values = new Map([["NAME", "a b"], ["LONG", "x".repeat(100_001)], ["LONG_FOR_WINDOWS", "x".repeat(30_001)], ["NUL", "a\0b"]]);

test("values are in the environment, but for those that it cannot hold", () => {
  const { program, args, env, verbatim } = shellLine("echo '${NAME}'", values, "linux");
  expect({ program, args, verbatim }).toEqual({ program: "/bin/sh", args: ["-c", `echo ''"\${NAME}"''`], verbatim: false });
  expect(Object.keys(env)).toEqual(["NAME", "LONG_FOR_WINDOWS"]);
});

test("on Windows it is a line for cmd", () => {
  const { args, env, verbatim } = shellLine('echo "${NAME}"', values, "win32");
  expect({ args, verbatim }).toEqual({ args: ["/d", "/s", "/c", '"echo "%NAME%""'], verbatim: true });
  expect(Object.keys(env)).toEqual(["NAME"]);
});

test("a name without a value is an error, also one that every object has", () => {
  for (const name of ["X", "constructor", "__proto__"]) expect(() => shellLine(`echo \${${name}}`, values, "linux")).toThrow(`Variable not found: ${name}`);
});

test("a name whose value no environment can hold is an error", () => {
  for (const name of ["LONG", "NUL"]) expect(() => shellLine(`echo \${${name}}`, values, "linux")).toThrow(`The value of ${name} is too long for an environment variable (over 100000 bytes), or contains a NUL`);
});
