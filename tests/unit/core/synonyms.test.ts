import { describe, expect, it } from "vitest";
import { actionByName, actions, isForUserOnly } from "../../../src/actions/index.ts";
import { actionMeant, otherActionNames, otherParameterNames } from "../../../src/core/synonyms.ts";

const names = actions.map(({ name }) => name);

describe("other names", () => {
  it("are of actions and parameters that exist", () => {
    expect(Object.keys(otherActionNames).filter((name) => !names.includes(name))).toEqual([]);
    const declared = new Set(actions.flatMap(({ params }) => Object.keys(params.shape)));
    expect(Object.keys(otherParameterNames).filter((name) => !declared.has(name))).toEqual([]);
  });

  it("of an action mean that action alone, and none that an answer or only the user may name", () => {
    const all = Object.entries(otherActionNames).flatMap(([name, others]) => others.map((other) => ({ name, other })));
    expect(all.filter(({ name, other }) => actionMeant(other, names) !== name)).toEqual([]);
    expect(all.filter(({ other }) => (actionByName.has(other) && actionByName.get(other)?.isInternal !== true) || isForUserOnly(other))).toEqual([]);
  });

  it("of a parameter are none that an action with this parameter declares", () => {
    const clashes = actions.flatMap(({ name, params: { shape } }) => Object.keys(shape).flatMap((parameter) => (otherParameterNames[parameter] ?? []).filter((other) => Object.hasOwn(shape, other)).map((other) => `${name}: ${other} for ${parameter}`)));
    expect(clashes).toEqual([]);
  });

  it.each([["write_file", "file_write"], ["WriteFile", "file_write"], ["read-file", "file_read"], ["mkdir", "dir_create"], ["delete", undefined], ["constructor", undefined], ["", undefined]])("%s is %s", (written, meant) => {
    expect(actionMeant(written, names)).toBe(meant);
  });
});
