import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse.ts";
import { ConfigError } from "../../../src/config/problem.ts";

/** Returns the error lines for a loaf.yml. */
async function problemsOf(text: string): Promise<string[]> {
  try {
    await parseConfig(text, "loaf.yml");
    return [];
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message.split("\n");
    throw thrown;
  }
}

describe("accepted", () => {
  test("settings as written, without defaults", async () => {
    expect(await parseConfig("version: 1\nfs-guard:\n  denied: [docs/**]\nlimits: {max_blocks: 3}\n", "loaf.yml")).toEqual({
      version: 1,
      "fs-guard": { denied: ["docs/**"] },
      limits: { max_blocks: 3 },
    });
  });

  test.each([["nothing", ""], ["comments only", "# later\n"], ["an empty document", "---\n"], ["a byte order mark", "\uFEFFversion: 1"], ["CRLF", "version: 1\r\nrelative_paths: true\r\n"]])(
    "%s",
    async (_, text) => {
      expect(await problemsOf(text)).toEqual([]);
    },
  );

  test("brackets in strings and comments do not count as nesting", async () => {
    const brackets = "[".repeat(100);
    expect(await problemsOf(`# ${brackets}\nallowed-actions: ["${brackets}", '${brackets}']\n`)).toEqual([]);
  });
});

describe("refused, with the place", () => {
  test.each([
    ["an unknown key", "version: 1\nalowed-actions: [file_read]\n", "loaf.yml:2:1: Unknown key 'alowed-actions' (did you mean 'allowed-actions'?)"],
    ["an unknown key further in", "fs-guard:\n  raed: {allow: []}\n", "loaf.yml:2:3: Unknown key 'raed' in 'fs-guard' (did you mean 'read'?)"],
    ["a key like no other", "wonderful: 1\n", "loaf.yml:1:1: Unknown key 'wonderful'"],
    ["a key of JavaScript's own", "toString: 1\n", "loaf.yml:1:1: Unknown key 'toString'"],
    ["a key that would be a prototype", "__proto__: {version: 1}\n", "loaf.yml:1:1: Unknown key '__proto__'"],
    ["the guard's older shape", "fs-guard:\n  fs: {allowed: []}\n", "loaf.yml:2:3: Unknown key 'fs' in 'fs-guard' (write its lists directly under fs-guard: allowed and denied, or allow and deny under read and write)"],
    ["the guard's older mode", "fs-guard: {mode: deny}\n", "loaf.yml:1:12: Unknown key 'mode' in 'fs-guard' (there is only one mode: what no rule allows is refused)"],
    ["a key of the seeds", "read-allow: [src]\n", "loaf.yml:1:1: Unknown key 'read-allow' (write 'fs-guard: {read: {allow: [...]}}')"],
    ["another key of the seeds", "git_auto_push: true\n", "loaf.yml:1:1: Unknown key 'git_auto_push' (write 'git: {push: true}')"],
    ["a key that an action is called by", "run_commands: true\n", "loaf.yml:1:1: Unknown key 'run_commands' (write 'exec' for how commands run, 'allowed-actions' for whether they may)"],
    ["a key of the seeds in another spelling", "git-auto-push: true\n", "loaf.yml:1:1: Unknown key 'git-auto-push' (write 'git: {push: true}')"],
    ["a key of the seeds with capitals", "writeDeny: [a]\n", "loaf.yml:1:1: Unknown key 'writeDeny' (write 'fs-guard: {write: {deny: [...]}}')"],
    ["a key with capitals that belongs below", "maxFileSize: 10\n", "loaf.yml:1:1: Unknown key 'maxFileSize' (it belongs under limits: 'limits.max_file_size')"],
    ["a longer name of a key with capitals", "git: {autoPush: true}\n", "loaf.yml:1:7: Unknown key 'autoPush' in 'git' (it is called 'push')"],
    ["a key of the seeds in the section it belongs to", "fs-guard: {read-allow: [a]}\n", "loaf.yml:1:12: Unknown key 'read-allow' in 'fs-guard' (write 'fs-guard: {read: {allow: [...]}}')"],
    ["a longer name of a key", "git: {auto_push: true}\n", "loaf.yml:1:7: Unknown key 'auto_push' in 'git' (it is called 'push')"],
    ["another longer name of a key", "git: {commit_message: x}\n", "loaf.yml:1:7: Unknown key 'commit_message' in 'git' (it is called 'message')"],
    ["another name of a hook's command", "hooks: {after: [{run: a, cmd: b}]}\n", "loaf.yml:1:26: Unknown key 'cmd' in 'hooks.after[0]' (it is called 'run')"],
    ["hooks as a list", "hooks: [{run: npm test}]\n", "loaf.yml:1:8: 'hooks' must be a mapping of keys, such as {after: [{run: npm test}]}"],
    ["a key at the top that belongs below", "max_file_size: 10\n", "loaf.yml:1:1: Unknown key 'max_file_size' (it belongs under limits: 'limits.max_file_size')"],
    ["a placeholder that stands for nothing", "git: {message: 'AI: {summary}'}\n", "loaf.yml:1:16: 'git.message' has '{summary}', which stands for nothing: it can have {operation_summary}, {success}, {executedActions}, {totalBlocks}, {modifiedFiles}, {operations}, {errors}, {errorCount}"],
    ["an older key", "mode: tolerant\n", "loaf.yml:1:1: Unknown key 'mode' (use 'transaction' for rollback, 'edits.match' for matching, 'exec.sandbox' for commands)"],
    ["a wrong type", "relative_paths: yes\n", "loaf.yml:1:17: 'relative_paths' must be true or false"],
    ["a wrong type in a list", "fs-guard:\n  read:\n    deny: [a, 5]\n", "loaf.yml:3:15: 'fs-guard.read.deny[1]' must be a path pattern"],
    ["text where a list belongs", "allowed-actions: file_read\n", "loaf.yml:1:18: 'allowed-actions' must be a list of names"],
    ["a fraction", "limits: {max_input: 1.5}\n", "loaf.yml:1:21: 'limits.max_input' must be a whole number from 1 to 268435456"],
    ["a number that is too small", "limits: {max_input: 0}\n", "loaf.yml:1:21: 'limits.max_input' must be a whole number from 1 to 268435456"],
    ["a delimiter that could be content", "csl: {start: '[W'}\n", "loaf.yml:1:14: 'csl.start' must be 2 to 16 characters, without white space, letters, digits, quotes, = and \\"],
    ["an unknown choice", "edits: {final_newline: always}\n", "loaf.yml:1:24: 'edits.final_newline' must be as-is or ensure"],
    ["a word that is no choice", "transaction: none\n", "loaf.yml:1:14: 'transaction' must be keep or all-or-nothing"],
    ["more than a disk holds", "history: {max_size: 1e13}\n", "loaf.yml:1:21: 'history.max_size' must be a whole number from 1 to 1099511627776"],
    ["a section without content", "version: 1\nlimits:\n", "loaf.yml:2:1: 'limits' must be a mapping of keys"],
    ["another version", "version: 2\n", "loaf.yml:1:10: 'version' must be 1"],
    ["a list at the top", "- version: 1\n", "loaf.yml:1:1: The configuration must be a mapping of keys"],
    ["a duplicate key", "version: 1\nversion: 1\n", "loaf.yml:2:1: The key 'version' is a duplicate"],
    ["a syntax error", "version: 1\nfs-guard: {read: [\n", "loaf.yml:3:1: A closing ] is missing: an earlier bracket or quote is not closed"],
    ["a quoted key twice", "'a b': 1\n\"a b\": 2\n", 'loaf.yml:2:1: The key "a b" is a duplicate'],
    ["a bracket at the end", "[", "loaf.yml:1:2: A closing ] is missing: an earlier bracket or quote is not closed"],
    ["a quote without end", 'allowed-actions: ["ls]\n', 'loaf.yml:2:1: A closing " is missing: an earlier bracket or quote is not closed'],
    ["a second document", "version: 1\n---\nversion: 1\n", "loaf.yml:2:1: A second document begins here: remove the line '---'"],
    ["a key with a line break", '"a\\nb": 1\n', "loaf.yml:1:1: Unknown key 'a\\nb'"],
    ["a tab as indentation", "limits:\n\tmax_input: 3\n", "loaf.yml:2:1: Tabs are not allowed as indentation"],
    ["an unknown tag", "version: !number 1\n", "loaf.yml:1:10: The tag '!number' is not supported here: remove it"],
  ])("%s", async (_, text, problem) => {
    expect((await problemsOf(text))[0]).toBe(problem);
  });

  test.each([
    ["an alternative, which would never match", "fs-guard: {denied: ['*.{pem,key}']}\n", "loaf.yml:1:21: 'fs-guard.denied[0]' contains `!` or `{a,b}`, which patterns do not support: write one pattern for each, and refusals under deny"],
    ["a way up behind a wildcard, which would never match", "fs-guard: {denied: ['docs/*/../x']}\n", "loaf.yml:1:21: 'fs-guard.denied[0]' contains `..` after a wildcard, where it never matches"],
    ["a pattern that takes back", "fs-guard: {allowed: ['!secret']}\n", "loaf.yml:1:22: 'fs-guard.allowed[0]' contains `!` or `{a,b}`, which patterns do not support: write one pattern for each, and refusals under deny"],
    ["an empty name in a pattern", "fs-guard: {denied: [ok, 'a//b']}\n", "loaf.yml:1:25: 'fs-guard.denied[1]' has an empty name between two slashes, which no path does"],
    ["a name in a pattern that is too long", `fs-guard: {denied: ['${"a".repeat(256)}']}\n`, "loaf.yml:1:21: 'fs-guard.denied[0]' has a name of more than 255 bytes, which no path does"],
    ["a backslash in a pattern", "fs-guard: {denied: ['secrets\\a']}\n", "loaf.yml:1:21: 'fs-guard.denied[0]' contains `\\`, which escapes nothing here: write / between folders, and ? for a literal special character"],
    ["a class in a pattern", "fs-guard: {denied: ['[[:alpha:]]x']}\n", "loaf.yml:1:21: 'fs-guard.denied[0]' contains a class such as `[[:alpha:]]`, which patterns do not support: write a set such as [a-z]"],
    ["a NUL character in a pattern", 'fs-guard: {denied: ["a\\0"]}\n', "loaf.yml:1:21: 'fs-guard.denied[0]' contains a NUL character, which no path does"],
  ])("98: %s", async (_, text, problem) => {
    expect((await problemsOf(text))[0]).toBe(problem);
  });

  test("every problem at once", async () => {
    expect(await problemsOf("version: 2\nlimits: {max_input: x}\n")).toHaveLength(2);
  });

  test("only the first ten of many problems", async () => {
    const lines = await problemsOf(Array.from({ length: 500 }, (_, i) => `key${i}: 1`).join("\n"));
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe("… and 490 more problems");
  });
});

describe("55: hostile input", () => {
  test.each([
    ["aliases of aliases", "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", "loaf.yml:2:8: Aliases are not supported: write out the value of '*a'"],
    ["brackets by the thousand", "[".repeat(14_000), "loaf.yml: The file is nested too deeply"],
    ["the same behind brackets that were never opened", `${"]\n".repeat(2_000)}${"[".repeat(14_000)}`, "loaf.yml: The file is nested too deeply"],
    ["lists in lists on one line", "- ".repeat(14_000), "loaf.yml: The file is nested too deeply"],
    ["keys of keys", "? ".repeat(14_000), "loaf.yml: The file is nested too deeply"],
    ["a file without end", "#".repeat(40_000), "loaf.yml: The file is longer than 32768 characters"],
  ])("%s", async (_, text, problem) => {
    expect((await problemsOf(text))[0]).toBe(problem);
  });

  test("accepts the maximum nesting on every line", async () => {
    const text = Array.from({ length: 43 }, (_, line) => `${" ".repeat(32 * line)}${"- ".repeat(16)}\n`).join("");
    expect(await problemsOf(text)).toEqual(["loaf.yml:1:1: The configuration must be a mapping of keys"]);
  });
});
