import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HookProblem, withVariables } from "../../../../src/commands/hooks/shell-text.ts";

const rewritten = (command: string) => withVariables(command, () => {});

function namesIn(command: string): string[] {
  const names: string[] = [];
  withVariables(command, (name) => names.push(name));
  return names;
}

/** The shells that a system's `sh` may be, as far as they are here. */
const shells = ["sh", "bash", "dash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

function output(shell: string, command: string, env: Readonly<Record<string, string>>): string {
  const { stdout, stderr } = spawnSync(shell, ["-c", rewritten(command)], { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"] ?? "", ...env } });
  expect(stderr.toString()).toBe("");
  return stdout.toString();
}

describe("where a variable stands decides what becomes of it", () => {
  test.each([
    ["in a command it is left to the shell", "echo ${A}"],
    ["in double quotes too", `echo "it's \${A}"`],
    ["in a here-document too", "cat <<EOF\n'${A}'\nEOF\necho done"],
    ["what is not a name in braces is the shell's", "echo $A ${A:-'x'} ${#A} $1 $(( 1 << 2 )) $"],
    ["a backslash before it is the shell's", "echo \\${A} \"\\${A}\""],
  ])("%s", (_, command) => expect(rewritten(command)).toBe(command));

  test.each([
    ["single quotes are closed around it", "echo 'a ${A} b'", `echo 'a '"\${A}"' b'`],
    ["in $( ) quotes begin anew, also in double quotes", `echo "x $(echo '\${A}') ' \${B}"`, `echo "x $(echo ''"\${A}"'') ' \${B}"`],
    ["in backquotes as well", "echo \"`echo '${A}'`\"", "echo \"`echo ''\"${A}\"''`\""],
    ["a quote in a comment is none", "echo # don't\necho '${A}'", `echo # don't\necho ''"\${A}"''`],
    ["# within a word begins no comment", "echo a#'${A}'", `echo a#''"\${A}"''`],
    ["a quote in a here-document is none", "cat <<EOF\ndon't\nEOF\necho '${A}'", `cat <<EOF\ndon't\nEOF\necho ''"\${A}"''`],
    ["an escaped quote is none", "echo \\''${A}'", `echo \\'''"\${A}"''`],
    ["a shift is no here-document", "echo $((1 << 2))\necho '${A}'", `echo $((1 << 2))\necho ''"\${A}"''`],
    ["the brackets of case close nothing", "echo \"$(case x in x) echo '${A}';; esac)\" '${B}'", `echo "$(case x in x) echo ''"\${A}"'';; esac)" ''"\${B}"''`],
    ["a quote in \"${x:-'}\" is none, in ${x:-''} it is", `echo "\${x:-'}" '\${A}' \${x:-'\${B}'}`, `echo "\${x:-'}" ''"\${A}"'' \${x:-''"\${B}"''}`],
    ["\\$ in single quotes is a plain $", "echo '\\$5 \\${A}'", "echo '$5 ${A}'"],
  ])("%s", (_, command, expected) => expect(rewritten(command)).toBe(expected));

  test.each([
    ["a here-document whose end is quoted", "cat <<'EOF'\n${A}\nEOF"],
    ["a here-document whose end has a backslash", "cat <<-\\EOF\n\t${A}\n\tEOF"],
    ["$'…', which is no quote to every shell", "echo $'${A}'"],
  ])("%s can hold none", (_, command) => {
    expect(() => rewritten(command)).toThrow(HookProblem);
  });

  test("a comment is not looked at", () => {
    expect(namesIn("echo ${A} # ${B}\necho '${C}' \"${D}\"")).toEqual(["A", "C", "D"]);
  });

  test("an escaped one is no variable", () => {
    expect(namesIn("echo \\${A} \"\\${B}\" '\\${C}'")).toEqual([]);
  });

  test("a command that never ends is the shell's to refuse, and a deep one is refused here", () => {
    for (const command of ["echo '", 'echo "', "echo $(", "echo `", "cat <<EOF\n${A}", "echo ${", ")", "'${A}", "\\", "$"]) expect(() => rewritten(command)).not.toThrow();
    expect(() => rewritten("$(".repeat(20_000))).toThrow("nested too deeply");
  });
});

/** Each prints the value of V, and nothing else, but for the dot that keeps its last newlines. */
const places = {
  "double quotes": 'printf %s "${V}."',
  "single quotes": "printf %s '${V}.'",
  "single quotes among others": `printf %s ''"\${V}"'.'`,
  "the quotes of a substitution in quotes": `printf %s "$(printf %s '\${V}.')"`,
  "backquotes": "printf %s \"`printf %s '${V}.'`\"",
  "double quotes in backquotes": 'printf %s "`printf %s "${V}."`"',
  "a here-document": "head -c -1 <<EOF\n${V}.\nEOF",
  "an indented one": "head -c -1 <<-'E F' >/dev/null\n\tdon't\n\tE F\nprintf %s '${V}.'",
  "after a comment": "# it's `not $(this\nprintf %s '${V}.'",
  "after case": `case $(echo a) in (a|b) printf %s '\${V}.' ;; *) ;; esac`,
  "a default": `printf %s "\${NONE:-"\${V}."}"`,
};

const hostile = fc.oneof(
  fc.constantFrom("$(touch x)`;`", "'; touch x; '", '"; touch x; "', "a\nb\n", "-n", "*", "~", "\\", "\\'", "${HOME}", "$V", "EOF", "!x", "\u202E", "&|<>()^%PATH%"),
  fc.array(fc.constantFrom("'", '"', "`", "$", "(", ")", "{", "}", "\\", ";", "\n", " ", "*", "#", "<<", "EOF", "a", "%", "!"), { maxLength: 20 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
);

describe.each(shells)("%s receives exactly the value", (shell) => {
  test.each(Object.entries(places))("in %s", (_, command) => {
    fc.assert(fc.property(hostile, (value) => void expect(output(shell, command, { V: value })).toBe(`${value}.`)), { numRuns: 25 });
  });

  test("makes a plain $ of \\$ everywhere", () => {
    const command = `printf '%s ' \\$5 "\\$5" '\\$5' "$(echo '\\$5' "\\$5")" \`echo \\$5 "\\$5" '\\$5'\`; cat <<EOF\n\\$5\nEOF\ncat <<'EOF'\n\\$5\nEOF`;
    expect(output(shell, command, {})).toBe(`${"$5 ".repeat(8)}$5\n$5\n`);
  });
});
