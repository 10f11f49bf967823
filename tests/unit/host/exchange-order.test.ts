/** What the exchange of the input file does between two calls of the system, where nobody else could act in a test. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { type Exchanged, exchangeFile } from "../../../src/host/exchange-file.ts";
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

test("the new file is safe on the disk before the old one goes", () => {
  const root = createFolder({ a: "old" });
  letGo(exchangeFile(join(root, "a"), above));
  expect(calls.made).toEqual(["fsyncSync", "renameSync", "linkSync"]);
});

test("a file that is saved by renaming in the very moment that the old one is taken aside stays, and is what is changed", () => {
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

test("one that takes the name while there is no file stays, and is what is changed", () => {
  const root = createFolder({ a: "old", saved: "saved" });
  calls.before = (name) => {
    if (name === "linkSync" && existsSync(join(root, "saved"))) real.renameSync(join(root, "saved"), join(root, "a"));
  };
  letGo(exchangeFile(join(root, "a"), above));
  expect([readFileSync(join(root, "a"), "utf8"), readdirSync(root)]).toEqual(["new saved", ["a"]]);
});
