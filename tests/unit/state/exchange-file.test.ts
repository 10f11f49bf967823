import { lstatSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exchangeFile, type HeldFile, restoreExchanged, type Save } from "../../../src/state/exchange-file.ts";
import { type PlacedReport, putAbove, putLate } from "../../../src/state/input-file.ts";
import { createFolder } from "../../support/folder.ts";

const letGo = (...all: readonly { readonly old: readonly HeldFile[] }[]) => all.flatMap(({ old }) => old).forEach((held) => held.close());
const above = ({ content }: Save) => Buffer.concat([Buffer.from("new "), content]);

/** Does something during the first call of `change`. */
function meanwhile(act: () => void): (now: Save) => Buffer {
  let isDone = false;
  return (now) => {
    if (!isDone) act();
    isDone = true;
    return above(now);
  };
}

describe("exchanging the content of a file", () => {
  it("keeps its mode and leaves no other file", () => {
    const root = createFolder({ a: "old" });
    writeFileSync(join(root, "b"), "", { mode: 0o640 });
    letGo(exchangeFile(join(root, "b"), above));
    expect(statSync(join(root, "b")).mode & 0o777).toBe(0o640);
    const { before, after, old } = exchangeFile(join(root, "a"), above);
    letGo({ old });
    expect([before.content.toString(), after.toString(), readFileSync(join(root, "a"), "utf8")]).toEqual(["old", "new old", "new old"]);
    expect(readdirSync(root).sort()).toEqual(["a", "b"]);
  });

  it("follows and keeps a link", () => {
    const root = createFolder({ "there/real": "old" });
    symlinkSync("there/real", join(root, "link"));
    letGo(exchangeFile(join(root, "link"), above));
    expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "there/real"), "utf8")).toBe("new old");
  });

  it.each([
    ["in place", (file: string) => writeFileSync(file, "saved")],
    ["by renaming", (file: string) => (writeFileSync(`${file}.tmp`, "saved"), renameSync(`${file}.tmp`, file))],
    ["after deleting it", (file: string) => (unlinkSync(file), writeFileSync(file, "saved"))],
  ])("starts over if the file is saved meanwhile, %s", (_, save) => {
    const root = createFolder({ a: "old" });
    const { before, old } = exchangeFile(join(root, "a"), meanwhile(() => save(join(root, "a"))));
    letGo({ old });
    expect(before.content.toString()).toBe("saved");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("new saved");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("throws if the file is missing, or deleted meanwhile", () => {
    const root = createFolder({ a: "old" });
    expect(() => exchangeFile(join(root, "b"), above)).toThrow("ENOENT");
    expect(() => exchangeFile(join(root, "a"), meanwhile(() => unlinkSync(join(root, "a"))))).toThrow("ENOENT");
    expect(readdirSync(root)).toEqual([]);
  });

  it("gives up if the file is saved all the time", () => {
    const root = createFolder({ a: "old" });
    let saves = 0;
    expect(() => exchangeFile(join(root, "a"), (now) => (writeFileSync(join(root, "a"), `saved ${saves++}`), above(now)))).toThrow("is saved again and again");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("saved 99");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("restores a file that a killed process had renamed away", () => {
    const root = createFolder({ ".a.loaf-old": "the user's", ".a.loaf-new": "unfinished" });
    expect(restoreExchanged(join(root, "a"))).toBe(join(root, "a"));
    expect(readFileSync(join(root, "a"), "utf8")).toBe("the user's");
    expect(readdirSync(root)).toEqual(["a"]);
    expect(restoreExchanged(join(root, "a"))).toBeUndefined();
  });

  it.each([
    ["is the same", "text", "text"],
    ["has the report above it", "report\ntext", "text"],
    ["has the report above it, and both a byte order mark", "\uFEFFreport\ntext", "\uFEFFtext"],
  ])("removes a file that a killed process had renamed away, if the file in its place %s", (_, now, old) => {
    const root = createFolder({ a: now, ".a.loaf-old": old });
    expect(restoreExchanged(join(root, "a"))).toBeUndefined();
    expect([readFileSync(join(root, "a"), "utf8"), ...readdirSync(root)]).toEqual([now, "a"]);
  });

  it("keeps beside it a file that a killed process had renamed away, if another file has taken its name", () => {
    const root = createFolder({ a: "another", ".a.loaf-old": "the user's", "a.saved-meanwhile-1": "earlier" });
    const beside = join(root, "a.saved-meanwhile-2");
    expect(restoreExchanged(join(root, "a"))).toBe(beside);
    expect([readFileSync(beside, "utf8"), readFileSync(join(root, "a"), "utf8")]).toEqual(["the user's", "another"]);
    expect(readdirSync(root)).toEqual(["a", "a.saved-meanwhile-1", "a.saved-meanwhile-2"]);
  });
});

describe("a report above the text", () => {
  it.each([
    ["plain", "text\n", "R\nS\ntext\n"],
    ["with a byte order mark", "\uFEFFtext", "\uFEFFR\nS\ntext"],
    ["with Windows' line endings", "one\r\ntwo", "R\r\nS\r\none\r\ntwo"],
    ["empty", "", "R\nS\n"],
  ])("%s", (_, content, expected) => {
    const root = createFolder({ a: content });
    const { below, text, old } = putAbove(join(root, "a"), "R\nS");
    letGo({ old });
    expect([below, text, readFileSync(join(root, "a"), "utf8")]).toEqual([content, expected, expected]);
  });

  it.each([
    ["replaces the one before it", "R\nS\ntext\n", "R\nS", "new\ntext\n"],
    ["replaces the one before it, with Windows' line endings and a byte order mark", "\uFEFFR\r\nS\r\ntext\r\n", "R\nS", "\uFEFFnew\r\ntext\r\n"],
    ["leaves one that somebody has edited", "R\nmine\ntext\n", "R\nS", "new\nR\nmine\ntext\n"],
    ["leaves a text that begins like it", "R\nStext\n", "R\nS", "new\nR\nStext\n"],
  ])("%s", (_, content, old, expected) => {
    const root = createFolder({ a: content });
    letGo(putAbove(join(root, "a"), "new", undefined, old));
    expect(readFileSync(join(root, "a"), "utf8")).toBe(expected);
  });

  const lateIn = ({ generation }: PlacedReport, at: bigint) => ({ content: Buffer.from("late"), at, generation });

  it.each([
    ["a late save to the file that was read is put below it, whatever its time", 0, -9n, "R3\nlate"],
    ["a late save to a later file at the same time is put below it", 1, 0n, "R3\nlate"],
    ["an earlier save to a later file is not put below it", 1, -1n, "R3\nold"],
  ])("%s", (_, which, difference, expected) => {
    const root = createFolder({ a: "old" });
    const path = join(root, "a");
    const first = putAbove(path, "R");
    expect(first.old[0]?.changed()).toBeUndefined();
    const second = putAbove(path, "R2", first);
    const third = putAbove(path, "R3", second);
    const put = putLate(path, lateIn(which === 0 ? first : second, third.saved.at + difference), third);
    letGo(first, second, third, ...(typeof put === "object" ? [put] : []));
    expect(readFileSync(path, "utf8")).toBe(expected);
  });

  it.each([
    ["later is kept beside it", 1n, "late"],
    ["at the same time is kept beside it", 0n, "late"],
    ["earlier is dropped", -1n, undefined],
  ])("a save to the new file stays in that file; one to the old file %s", (_, difference, beside) => {
    const root = createFolder({ a: "old" });
    const path = join(root, "a");
    const placed = putAbove(path, "R");
    writeFileSync(path, "newer");
    const { ino, ctimeNs } = statSync(path, { bigint: true });
    const put = putLate(path, lateIn(placed, ctimeNs + difference), placed);
    letGo(placed);
    expect([readFileSync(path, "utf8"), statSync(path, { bigint: true }).ino]).toEqual(["newer", ino]);
    expect(typeof put === "string" ? readFileSync(put, "utf8") : put).toBe(beside);
  });

  it("a file moved into its place counts as saved then, however old it is", () => {
    const root = createFolder({ a: "old", prepared: "prepared" });
    const path = join(root, "a");
    utimesSync(join(root, "prepared"), 1, 1);
    const first = putAbove(path, "R");
    renameSync(join(root, "prepared"), path);
    const second = putAbove(path, "R2", first);
    const put = putLate(path, lateIn(first, 2_000_000_000n), second);
    letGo(first, second);
    expect([put, readFileSync(path, "utf8")]).toEqual([undefined, "R2\nprepared"]);
  });
});
