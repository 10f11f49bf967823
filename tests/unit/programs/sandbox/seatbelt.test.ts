import { expect, test } from "vitest";
import { profileOf, seatbelt } from "../../../../src/programs/sandbox/find-sandbox.ts";

const confinement = {
  root: '/Users/me/a "project"',
  folder: "/Users/me/state/copy",
  readOnly: ['/Users/me/a "project"/.git'],
  hidden: ["/Users/me/.nvm/secrets"],
  visible: ["/Users/me/.nvm"],
  home: "/Users/me",
  network: false,
  memory: 0,
  processes: 0,
} as const;

test("the profile refuses all but what is named, the later rule over the earlier", () => {
  const lines = profileOf(confinement).split("\n");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  expect(lines).toContainEqual(expect.stringMatching(/^\(allow file-read\* \(subpath "\/usr"\) .*\(subpath "\/dev"\)/));
  const order = [
    '(deny file-read* (subpath "/Users/me"))',
    '(allow file-read* (subpath "/Users/me/.nvm"))',
    String.raw`(deny file-read* file-write* (subpath "/Users/me/a \"project\""))`,
    '(allow file-read* file-write* (subpath "/Users/me/state/copy"))',
    String.raw`(deny file-write* (subpath "/Users/me/a \"project\"/.git"))`,
    '(deny file-read* file-write* (subpath "/Users/me/.nvm/secrets"))',
    "(deny network*)",
  ].map((line) => lines.indexOf(line));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test("the network is open where it is asked for, and an empty rule is none", () => {
  const profile = profileOf({ ...confinement, network: true, hidden: [] });
  expect(profile).toContain("(allow network*)");
  expect(profile).not.toContain("(deny network*)");
  expect(profile).not.toMatch(/file-write\* \)/);
});

test("a command works in the view, also in a folder of the project", () => {
  const { cwd } = seatbelt("/usr/bin/sandbox-exec").wrap({ program: "true", args: [], cwd: `${confinement.root}/src`, env: {} }, confinement);
  expect(cwd).toBe("/Users/me/state/copy/src");
});
