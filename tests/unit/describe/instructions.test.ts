import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { actionByName, actions } from "../../../src/actions/index.ts";
import { validate } from "../../../src/actions/validate.ts";
import { instructions } from "../../../src/describe/instructions.ts";
import { parse } from "../../../src/syntax/nesl.ts";
import { read } from "../../../src/syntax/read.ts";

const options = { root: "/home/ann/shop", relativePaths: false, allowedActions: undefined };

test("all actions fit into 1,300 tokens of o200k", () => {
  expect(countTokens(instructions(options))).toBeLessThan(1_300);
});

describe.each([true, false])("with relative paths: %s", (relativePaths) => {
  test("its blocks are the only ones in it and they run", () => {
    const { blocks, errors } = parse(instructions({ ...options, relativePaths }));
    expect(errors).toEqual([]);
    expect(blocks).toHaveLength(2);
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
  expect(parse(text).blocks.map(({ properties }) => properties["action"])).toEqual(["file_read"]);
});

test("every action is there, optional parameters in brackets", () => {
  const text = instructions(options);
  for (const { name } of actions) expect(text).toContain(`\n- ${name} (`);
  expect(text).toContain("- grep (pattern, path, [include]): ");
});

describe.each(["csl", "replacer"] as const)("for %s", (syntax) => {
  test("they fit into 1,000 tokens", () => {
    expect(instructions({ ...options, syntax }).length / 3.7).toBeLessThan(1_000);
  });

  test("only what is allowed is taught, and no parameter of NESL's is named", () => {
    const text = instructions({ ...options, syntax, allowedActions: ["file_replace_text", "ls"] });
    expect(read(text, { format: syntax }).items).toHaveLength(1);
    expect(text).not.toContain("Create a file");
    for (const all of [text, instructions({ ...options, syntax })]) expect(all).not.toMatch(/old_text|new_text|content =/);
  });
});
