import { expect, test } from "vitest";
import { mergeConfigs } from "../../../src/config/merge.ts";
import { parseConfig } from "../../../src/config/parse.ts";

test.each([
  ["hooks: {before: [{run: a, cwd: b, timeout: 5, continueOnError: true}]}\nvars: {A_1: x}"],
  ["hooks: {}\nvars: {}"],
])("%s", async (text) => {
  await expect(parseConfig(text, "loaf.yml")).resolves.toBeDefined();
});

test.each([
  ["hooks: {after: [npm test]}", "loaf.yml:1:17: 'hooks.after[0]' must be a mapping with the key run"],
  ["hooks: {after: [{runn: a}]}", "(did you mean 'run'?)"],
  ["hooks: {after: [{run: ' '}]}", "'hooks.after[0].run' must be a command"],
  ["hooks: {after: [{run: a, timeout: 0}]}", "must be milliseconds, a whole number from 1 to 86400000"],
  ['hooks: {after: [{run: "a\\0b"}]}', "contains a NUL character"],
  ["vars: {A: 1}", "loaf.yml:1:11: 'vars.A' must be text: put it in quotes"],
  ["vars: {a-b: x}", "'vars.a-b' must have a name of letters, digits and _"],
  ["vars: {PATH: x}", "loaf.yml:1:8: 'vars.PATH' must have a name of letters, digits and _ that the shell and the system do not use themselves"],
  ["vars: {LD_PRELOAD: x}", "'vars.LD_PRELOAD'"],
])("%s is refused", async (text, message) => {
  await expect(parseConfig(text, "loaf.yml")).rejects.toThrow(message);
});

test("a later list replaces an earlier one; vars accumulate", () => {
  const hook = (run: string) => [{ run }];
  const merged = mergeConfigs({ hooks: { before: hook("a"), after: hook("a") }, vars: { A: "a", B: "a" } }, { hooks: { after: hook("b") }, vars: { B: "b" } });
  expect(merged).toMatchObject({ hooks: { before: hook("a"), after: hook("b") }, vars: { A: "a", B: "b" } });
});
