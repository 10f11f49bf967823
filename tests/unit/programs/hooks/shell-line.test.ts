import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellLine, variablesIn } from "../../../../src/programs/hooks/shell-line.ts";

const values = new Map([["NAME", "a b"], ["LONG", "x".repeat(100_001)], ["LONG_FOR_WINDOWS", "x".repeat(30_001)], ["NUL", "a\0b"]]);

test("values are in the environment, but for those that it cannot hold", () => {
  const { program, args, env, verbatim } = shellLine("echo ${NAME}", values, "linux");
  expect({ program, args, verbatim }).toEqual({ program: "/bin/sh", args: ["-c", "echo ${NAME}"], verbatim: false });
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

test("a variable is left to the shell, and in single quotes stays as it is", () => {
  expect(variablesIn(`echo \${A} "it's \${B}" 'say: \${C} \\$5' \\\${D} "\\\${E}" # don't \${F}\necho a#\${G} '\\\${H}' \${x:-'\${I}'}`)).toEqual({
    names: ["A", "B", "G"],
    literal: ["${C}", "${I}"],
  });
  for (const command of ["echo '", 'echo "', "echo $(", "cat <<EOF\n", "echo ${", ")", "\\", "$"]) expect(variablesIn(command)).toEqual({ names: [], literal: [] });
});

/** The shells that a system's `sh` may be, as far as they are here. */
const shells = ["sh", "bash", "dash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

/** Each prints the value of V, and nothing else, but for the dot that keeps its last newlines. */
const places = {
  "double quotes": 'printf %s "${V}."',
  "double quotes in a substitution": 'printf %s "$(printf %s "${V}.")"',
  "double quotes in backquotes": 'printf %s "`printf %s "${V}."`"',
  "a here-document": "head -c -1 <<EOF\n${V}.\nEOF",
  "after a comment": "# it's `not $(this\nprintf %s \"${V}.\"",
  "after case": 'case $(echo a) in (a|b) printf %s "${V}." ;; *) ;; esac',
  "a default": `printf %s "\${NONE:-"\${V}."}"`,
};

const hostile = fc.oneof(
  fc.constantFrom("$(touch x)`;`", "'; touch x; '", '"; touch x; "', "a\nb\n", "-n", "*", "~", "\\", "\\'", "${HOME}", "$V", "EOF", "!x", "\u202E", "&|<>()^%PATH%"),
  fc.array(fc.constantFrom("'", '"', "`", "$", "(", ")", "{", "}", "\\", ";", "\n", " ", "*", "#", "<<", "EOF", "a", "%", "!"), { maxLength: 20 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
);

describe.each(shells)("%s receives exactly the value", (shell) => {
  test.each(Object.entries(places))("in %s", (_, command) => {
    fc.assert(fc.property(hostile, (value) => {
      const { stdout, stderr } = spawnSync(shell, shellLine(command, new Map([["V", value]]), "linux").args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"] ?? "", V: value } });
      expect([stderr.toString(), stdout.toString()]).toEqual(["", `${value}.`]);
    }), { numRuns: 25 });
  });
});
