/** Races between system calls of an exchange of the input file, simulated by mocks. */
import { closeSync, existsSync, openSync, readFileSync, readdirSync, readlinkSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { type Exchanged, exchangeFile, restoreExchanged } from "../../../src/state/exchange-file.ts";
import { createFolder } from "../../support/folder.ts";

const calls = vi.hoisted(() => ({ made: [] as string[], before: (() => {}) as (name: string) => void }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const watched = <Name extends "fsyncSync" | "renameSync" | "linkSync">(name: Name) => ((...args: readonly unknown[]) => {
    calls.before(name);
    calls.made.push(name);
    return (fs[name] as (...all: readonly unknown[]) => unknown)(...args);
  }) as (typeof fs)[Name];
  return { ...fs, fsyncSync: watched("fsyncSync"), renameSync: watched("renameSync"), linkSync: watched("linkSync") };
});
const real = await vi.importActual<typeof import("node:fs")>("node:fs");

beforeEach(() => {
  calls.made.length = 0;
  calls.before = () => {};
});

const above = ({ content }: { readonly content: Buffer }) => Buffer.concat([Buffer.from("new "), content]);
const letGo = ({ old }: Exchanged) => old.forEach((held) => held.close());

test("the new file is flushed before the old one is renamed away", () => {
  const root = createFolder({ a: "old" });
  letGo(exchangeFile(join(root, "a"), above));
  expect(calls.made).toEqual(["fsyncSync", "renameSync", "linkSync"]);
});

test("a file saved by renaming just before the old one is renamed away is kept, and then exchanged", () => {
  const root = createFolder({ a: "old", saved: "saved" });
  let isDone = false;
  calls.before = (name) => {
    if (name !== "renameSync" || isDone) return;
    isDone = true;
    real.renameSync(join(root, "saved"), join(root, "a"));
  };
  letGo(exchangeFile(join(root, "a"), above));
  expect([readFileSync(join(root, "a"), "utf8"), readdirSync(root)]).toEqual(["new saved", ["a"]]);
});

test("a file that takes the free name is kept, and then exchanged", () => {
  const root = createFolder({ a: "old", saved: "saved" });
  calls.before = (name) => {
    if (name === "linkSync" && existsSync(join(root, "saved"))) real.renameSync(join(root, "saved"), join(root, "a"));
  };
  letGo(exchangeFile(join(root, "a"), above));
  expect([readFileSync(join(root, "a"), "utf8"), readdirSync(root)]).toEqual(["new saved", ["a"]]);
});

test("a file that cannot be put back, because another save has its name, is still watched", () => {
  const root = createFolder({ a: "old", one: "one", two: "two" });
  const editor = openSync(join(root, "one"), "r+");
  calls.before = (name) => {
    if (name === "renameSync" && existsSync(join(root, "one"))) real.renameSync(join(root, "one"), join(root, "a"));
    if (name === "linkSync" && existsSync(join(root, "two"))) real.renameSync(join(root, "two"), join(root, "a"));
  };
  const exchanged = exchangeFile(join(root, "a"), above);
  expect([readFileSync(join(root, "a"), "utf8"), readdirSync(root)]).toEqual(["new two", ["a"]]);
  writeSync(editor, "late", 0);
  expect(exchanged.old.map((held) => held.changed()?.content.toString())).toEqual([undefined, "late"]);
  closeSync(editor);
  letGo(exchanged);
});

test("if the new file cannot be linked, the old one is put back", () => {
  const root = createFolder({ a: "old" });
  let links = 0;
  calls.before = (name) => {
    // The file system has no hard links, and the rename then fails with a disk error.
    if (name === "linkSync" && links++ === 0) throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    if (name === "renameSync" && links === 1) throw Object.assign(new Error("EIO"), { code: "EIO" });
  };
  expect(() => exchangeFile(join(root, "a"), above)).toThrow("EIO");
  expect([readFileSync(join(root, "a"), "utf8"), readdirSync(root)]).toEqual(["old", ["a"]]);
});

test("if neither the new file nor the old one can have the name, the old one is restored later", () => {
  const root = createFolder({ a: "old" });
  calls.before = (name) => {
    if (name === "linkSync") throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    if (calls.made.includes("renameSync")) throw Object.assign(new Error("EIO"), { code: "EIO" });
  };
  expect(() => exchangeFile(join(root, "a"), above)).toThrow("EIO");
  calls.before = () => {};
  expect(restoreExchanged(join(root, "a"))).toBe(join(root, "a"));
  expect([readFileSync(join(root, "a"), "utf8"), readdirSync(root)]).toEqual(["old", ["a"]]);
});

test("what cannot be put back or read is not deleted, and the next start keeps it beside the file", () => {
  const root = createFolder({ a: "old", two: "two" });
  symlinkSync("missing", join(root, "one"));
  calls.before = (name) => {
    if (name === "renameSync" && existsSync(join(root, "two"))) real.renameSync(join(root, "one"), join(root, "a"));
    if (name === "linkSync" && existsSync(join(root, "two"))) real.renameSync(join(root, "two"), join(root, "a"));
  };
  expect(() => exchangeFile(join(root, "a"), above)).toThrow("ENOENT");
  calls.before = () => {};
  expect(restoreExchanged(join(root, "a"))).toBe(join(root, "a.saved-meanwhile-1"));
  expect([readFileSync(join(root, "a"), "utf8"), readdirSync(root), readlinkSync(join(root, "a.saved-meanwhile-1"))]).toEqual(["two", ["a", "a.saved-meanwhile-1"], "missing"]);
});

test("what a failed exchange has left is not overwritten by the next one", () => {
  const root = createFolder({ a: "old", ".a.loaf-old": "only copy of a save" });
  exchangeFile(join(root, "a"), above);
  expect([readFileSync(join(root, "a.saved-meanwhile-1"), "utf8"), readdirSync(root)]).toEqual(["only copy of a save", ["a", "a.saved-meanwhile-1"]]);
});
