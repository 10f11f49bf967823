/** A patch in a call of Codex's shell is read as the patch itself, however the call is written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { parse, readAnswer } from "../../../src/answer/read-answer.ts";

const file = fc.constantFrom(
  "*** Update File: a.js\n@@ function f() {\n-one\n+two\n",
  "*** Update File: a.js\n*** Move to: b.js\n-don't \"quote\"\n+\\n `$x`\n",
  "*** Add File: new/c.md\n+apply_patch <<'EOF'\n+EOF\n",
  "*** Add File: d\n+*** Begin\n+{\"command\": [\"apply_patch\"]}\n",
  "*** Delete File: e\n",
  "*** Update File: f\n",
);
const patch = fc.array(file, { minLength: 1, maxLength: 4 }).map((files) => `*** Begin Patch\n${files.join("")}*** End Patch`);

const commands: ReadonlyArray<(patch: string) => unknown> = [
  (text) => ["apply_patch", text],
  (text) => ["apply_patch", `${text}\n`],
  (text) => ["bash", "-lc", `apply_patch <<'EOF'\n${text}\nEOF\n`],
  (text) => ["/bin/sh", "-c", `  apply_patch <<-PATCH\n${text}\nPATCH`],
  (text) => `apply_patch <<"EOF"\n${text}\nEOF`,
];

const calls: ReadonlyArray<(command: unknown) => string> = [
  (command) => JSON.stringify({ command }),
  (command) => `Prose.\n\n\`\`\`json\n${JSON.stringify({ cmd: command, timeout_ms: 1_000 }, undefined, 2)}\n\`\`\`\n`,
  (command) => JSON.stringify({ type: "function_call", name: "container.exec", arguments: JSON.stringify({ command }) }),
  (command) => `<tool_call>\n${JSON.stringify({ name: "local_shell", arguments: { cmd: command } })}\n</tool_call>`,
];

test("its actions are those of the patch", () => {
  fc.assert(
    fc.property(patch, fc.constantFrom(...commands), fc.constantFrom(...calls), (text, command, call) => {
      const read = parse(call(command(text)));
      const expected = parse(text, { format: "patch" });
      const valid = (result: typeof read) => result.blocks.map(({ properties }) => ({ ...properties })).filter(({ action }) => action !== undefined);
      expect(valid(read)).toEqual(valid(expected));
      expect(read.errors.length).toBe(expected.errors.length);
    }),
  );
});

test("all of it runs or nothing, and nothing if it is cut off anywhere", () => {
  fc.assert(
    fc.property(patch, fc.constantFrom(...commands), fc.constantFrom(...calls), fc.nat(), (text, command, call, at) => {
      const whole = call(command(text));
      const groups = new Set(readAnswer(whole).items.map((item) => isBlock(item) && item.meant?.group));
      expect(groups.size).toBe(1);
      const { items } = readAnswer(whole.slice(0, at % whole.lastIndexOf("}")));
      expect(items.filter((item) => isBlock(item) && item.diagnostics.length === 0)).toEqual([]);
    }),
  );
});

test.each([
  { command: ["npm", "test"] },
  { command: ["ssh", "host", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"] },
  { command: ["bash", "-lc", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\nrm b"] },
  { command: ["bash", "-lc", "rm b; apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"] },
  { command: ["bash", "-lc", "cat <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"] },
  { command: ["apply_patch"] },
  { command: [] },
  { command: "npm test" },
  { command: ["apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch"], image: "node" },
])("%j runs nothing", (value) => {
  expect(parse(JSON.stringify(value)).blocks.filter(({ properties }) => Object.keys(properties).length > 0)).toEqual([]);
});

const update = (line: string): string => `*** Begin Patch\n*** Update File: a.js\n@@\n-one\n+${line}\n*** End Patch`;

test.each([
  ["between double quotes", `apply_patch "\n${update('x = \\"hi\\"')}\n"`],
  ["below an unquoted word", `apply_patch <<EOF\n${update("x = \\$HOME")}\nEOF`],
  ["below an unquoted word, at the end of a line", `apply_patch <<EOF\n${update("x \\")}\nEOF`],
])("a patch whose backslashes a shell would take off is refused: %s", (_, script) => {
  const { blocks, errors } = parse(JSON.stringify({ command: ["bash", "-lc", script] }));
  expect(blocks.map(({ properties }) => properties)).toEqual([{}]);
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("A shell would change the backslashes of this patch")]);
});

test.each([
  ["below a quoted word", `apply_patch <<'EOF'\n${update("x = \\$HOME")}\nEOF`],
  ["with quotes below an unquoted word", `apply_patch <<EOF\n${update('x = \\"hi\\"')}\nEOF`],
])("a patch whose backslashes a shell keeps is read as it is: %s", (_, script) => {
  expect(parse(JSON.stringify({ command: ["bash", "-lc", script] })).blocks.map(({ properties }) => properties["new_lines"])).toEqual([script.split("\n")[5]?.slice(1) + "\n"]);
});

test("an empty folder is the root", () => {
  expect(parse(JSON.stringify({ command: ["apply_patch", update("two")], workdir: "" })).blocks.map(({ properties }) => properties["path"])).toEqual(["a.js"]);
});

test("a command in JSON is not named beside blocks, where it may be an example", () => {
  const config = '```json\n{"command": ["npm", "start"]}\n```\n';
  expect(readAnswer(config).findings.map(({ message }) => message)).toEqual([expect.stringContaining("a shell command in JSON")]);
  expect(readAnswer(`#!nesl [@three-char-SHA-256: k7m]\naction = "ls"\npath = "."\n#!end_k7m\n${config}`).findings).toEqual([]);
});
