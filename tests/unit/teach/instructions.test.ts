import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { actionByName, actions } from "../../../src/actions/index.ts";
import { validate } from "../../../src/actions/validate.ts";
import { defaults } from "../../../src/config/defaults.ts";
import { instructions } from "../../../src/teach/instructions.ts";
import { parseNesl } from "../../support/parse-nesl.ts";
import { isBlock } from "../../../src/core/block.ts";
import { read } from "../../../src/answer/read-answer.ts";

const options = { root: "/home/ann/shop", relativePaths: false, allowedActions: undefined, exec: defaults.exec };

test.each([
  ["all of them", 1_200, false],
  ["the short ones", 450, true],
])("with all actions, %s fit into %i tokens of o200k", (_, limit, isShort) => {
  for (const relativePaths of [true, false]) expect(countTokens(instructions({ ...options, relativePaths, isShort }))).toBeLessThanOrEqual(limit);
});

test("the short ones name every allowed action with its parameters, and nothing else", () => {
  const text = instructions({ ...options, isShort: true });
  for (const { name } of actions) expect(text).toMatch(new RegExp(`^\\([^()]*\\) .*\\b${name}\\b`, "m"));
  expect(text).toContain("(path, [lines], [delimiter]) file_read_numbered\n");
  const few = instructions({ ...options, isShort: true, allowedActions: ["file_read", "ls"] });
  expect(few).toContain("\n(path) file_read, ls\n");
  expect(few).not.toMatch(/file_write|grep/);
});

test("what they say about a heredoc's end is true", () => {
  const text = instructions(options);
  expect(text).toContain("The newline before EOT_ID is not part of the value: to end a file with a newline, leave one blank line there.");
  expect(text).toContain("A first page.\n\nEOT_x71\n");
  expect(parseNesl(text).blocks[0]?.properties["content"]).toBe("# Hello\n\nA first page.\n");
  expect(parseNesl(text.replace("page.\n\nEOT", "page.\nEOT")).blocks[0]?.properties["content"]).toBe("# Hello\n\nA first page.");
  // A line of the content with that ending would end the value.
  expect(parseNesl(text.replace("A first page.", "A first EOT_x71")).blocks[0]?.properties["content"]).toBe("# Hello\n\nA first ");
});

describe.each([
  [true, false],
  [false, false],
  [true, true],
  [false, true],
])("with relative paths: %s, short: %s", (relativePaths, isShort) => {
  test("only the intended blocks are in it, and they run", () => {
    const { blocks, errors } = parseNesl(instructions({ ...options, relativePaths, isShort }));
    expect(errors).toEqual([]);
    expect(blocks).toHaveLength(isShort ? 1 : 2);
    for (const { properties } of blocks) {
      const { action = "", ...given } = properties;
      const definition = actionByName.get(action);
      if (definition === undefined) throw new Error(`no action ${action}`);
      expect(validate(definition, given, { relativePaths })).toMatchObject({ undeclared: [] });
    }
    const paths = blocks.map(({ properties }) => properties["path"] ?? "");
    expect(paths.map((path) => path.startsWith("/home/ann/shop/"))).toEqual(paths.map(() => !relativePaths));
  });
});

test("only allowed actions are named", () => {
  const text = instructions({ ...options, allowedActions: ["file_read", "ls"] });
  expect(text.match(/^- [a-z_]+ \(/gm)).toEqual(["- file_read (", "- ls ("]);
  for (const { name } of actions) expect(new RegExp(`\\b${name}\\b`).test(text)).toBe(["file_read", "ls"].includes(name));
  expect(parseNesl(text).blocks.map(({ properties }) => properties["action"])).toEqual(["file_read"]);
});

test("every action is listed, with optional parameters in brackets", () => {
  const text = instructions(options);
  for (const { name } of actions) expect(text).toContain(`\n- ${name} (`);
  expect(text).toContain("- grep (pattern, path, [include], [regex]): ");
});

describe.each(["csl", "replacer"] as const)("for %s", (syntax) => {
  test("they fit into 1,000 tokens", () => {
    expect(instructions({ ...options, syntax }).length / 3.7).toBeLessThan(1_000);
  });

  test("only allowed actions are taught, and no NESL parameter is named", () => {
    const text = instructions({ ...options, syntax, allowedActions: ["file_replace_text", "ls"] });
    expect(read(text, { format: syntax }).items).toHaveLength(1);
    expect(text).not.toContain("Create a file");
    for (const all of [text, instructions({ ...options, syntax })]) expect(all).not.toMatch(/old_text|new_text|content =/);
  });
});

test.each([[true, "ends with one newline"], [false, "ends without a newline"]])("the replacer's say how an overwritten file ends: with endsWithNewline %s", (endsWithNewline, words) => {
  expect(instructions({ ...options, syntax: "replacer", endsWithNewline })).toContain(`a file that is overwritten ${words}. `);
});

test("they describe the allowed commands, and none if no language is allowed", () => {
  const under = (exec: object, isShort = false) => instructions({ ...options, isShort, exec: { ...defaults.exec, ...exec } });
  expect(under({})).toContain("Run bash, python, javascript, ruby in a sandbox, 30 s.");
  expect(under({ languages: ["python"], network: true, timeout: 5_000 })).toContain("Run python in a sandbox with network, 5 s.");
  expect(under({ sandbox: "off" })).toContain("Run bash, python, javascript, ruby without sandbox, 30 s");
  for (const isShort of [true, false]) expect(under({ languages: [] }, isShort)).not.toMatch(/\bexec\b/);
});

test.each(["search-replace", "patch"] as const)("those for %s fit into 350 tokens of o200k, and their example is read as what they teach", (syntax) => {
  const text = instructions({ ...options, syntax });
  expect(countTokens(text)).toBeLessThanOrEqual(350);
  expect(read(text).parts.filter(({ read: { items } }) => items.length > 0).map(({ syntax: { name } }) => name)).toEqual([syntax]);
  const { items } = read(text, { format: syntax });
  expect(items.filter(isBlock).map(({ properties, diagnostics }) => [properties["path"], diagnostics])).toContainEqual(["src/app.js", []]);
});
