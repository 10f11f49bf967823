import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineAction } from "../../../src/actions/define.ts";
import { addressLines as paths, boolean, choice, integer, path, text } from "../../../src/actions/params.ts";
import { exec } from "../../../src/actions/exec.ts";
import { glob } from "../../../src/actions/glob.ts";
import { validate } from "../../../src/actions/validate.ts";
import { explain } from "../../../src/core/failure.ts";

const sample = defineAction({
  name: "sample",
  summary: "Has one parameter of each kind.",
  params: z.object({
    path: path("A path"),
    paths: z.optional(paths("Paths")),
    size: z.optional(integer("A number")),
    deep: z.optional(boolean("A switch")),
    lang: z.optional(choice("A word", ["bash", "python"])),
    note: z.optional(text("Any text")),
  }),
  needs: { path: ["read"], paths: ["read"] },
  subject: "path",
  show: "never",
  example: { path: "/project" },
  run: () => ({}),
});

/** Returns the converted parameters, or the sentence about the problem. */
function validated(given: Record<string, string>, relativePaths = false): unknown {
  const result = validate(sample, given, { relativePaths });
  return "failure" in result ? explain(result.failure) : result.params;
}

describe("validation", () => {
  it("converts each kind", () => {
    expect(validated({ path: "/a", size: "012", deep: "true", lang: "bash", note: "" })).toEqual({ path: "/a", size: 12, deep: true, lang: "bash", note: "" });
  });

  it.each([
    [{}, "Missing required parameter: path"],
    [{ size: "x" }, "Missing required parameter: path"],
    [{ path: "a", size: "x" }, "Invalid absolute path: a"],
    [{ path: "" }, "Invalid absolute path: "],
    [{ path: "/a", paths: "/b\n\n c/d \n" }, "Invalid absolute path: c/d"],
    [{ path: "/a", size: "-1" }, "Invalid integer value: -1"],
    [{ path: "/a", size: "" }, "Invalid integer value: "],
    [{ path: "/a", size: "1\n" }, "Invalid integer value: 1\n"],
    [{ path: "/a", deep: "yes" }, "Invalid boolean value: yes"],
    [{ path: "/a", lang: "perl" }, "Invalid enum value: perl. Allowed: bash, python"],
  ])("%j: %s", (given, sentence) => {
    expect(validated(given as Record<string, string>)).toBe(sentence);
  });

  it("accepts relative paths if the setting allows them", () => {
    expect(validated({ path: "a/b" }, true)).toEqual({ path: "a/b" });
    expect(validated({ path: "" }, true)).toBe("Invalid absolute path: ");
  });

  it("drops and names undeclared parameters, also inherited names", () => {
    const result = validate(sample, { path: "/a", toString: "x", extra: "" }, { relativePaths: false });
    expect(result).toEqual({ params: { path: "/a" }, undeclared: ["toString", "extra"], taken: [] });
  });

  it.each([
    ["python3", "python"],
    ["Python", "python"],
    ["js", "javascript"],
    ["sh", "bash"],
  ])("takes the language %s for %s, and says so", (written, lang) => {
    const result = validate(exec, { code: "1", language: written }, { relativePaths: false });
    expect(result).toMatchObject({ params: { code: "1", lang }, taken: ["parameter 'language' was read as 'lang'", `lang '${written}' was read as '${lang}'`] });
  });

  it("leaves a name alone that could mean two parameters, and two names for one", () => {
    const given = { pattern: "a", dir: "/a", folder: "/b" };
    expect(validate(glob, given, { relativePaths: false })).toEqual({ failure: { code: "params/missing", parameter: "base_path" } });
  });
});
