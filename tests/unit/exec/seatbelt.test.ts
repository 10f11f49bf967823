import { expect, test } from "vitest";
import { profileOf } from "../../../src/exec/seatbelt.ts";

const confinement = {
  root: '/Users/me/a "project"',
  readOnly: ['/Users/me/a "project"/.git'],
  pinned: ['/Users/me/a "project"/docs'],
  absent: [{ path: '/Users/me/a "project"/loaf.yml', kind: "file" }],
  writable: [],
  hidden: [{ path: '/Users/me/a "project"/.env', kind: "file" }],
  visible: ["/Users/me/.nvm"],
  home: "/Users/me",
  network: false,
  memory: 0,
  processes: 0,
} as const;

test("the profile refuses all but what is named, the later rule over the earlier", () => {
  const lines = profileOf(confinement).split("\n");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  const order = [
    '(deny file-read* (subpath "/Users/me"))',
    '(allow file-read* (subpath "/Users/me/.nvm"))',
    String.raw`(allow file-read* file-write* (subpath "/Users/me/a \"project\""))`,
    String.raw`(deny file-write* (subpath "/Users/me/a \"project\"/.git") (subpath "/Users/me/a \"project\"/loaf.yml"))`,
    String.raw`(deny file-read* file-write* (subpath "/Users/me/a \"project\"/.env"))`,
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
