import { lstatSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exchangeFile, restoreExchanged, type Save } from "../../../src/host/exchange-file.ts";
import { type Placed, putAbove, putLate } from "../../../src/host/input-file.ts";
import { createFolder } from "../../support/folder.ts";

const above = ({ content }: Save) => Buffer.concat([Buffer.from("new "), content]);

/** Does something while the content is looked at, the first time. */
function meanwhile(act: () => void): (now: Save) => Buffer {
  let isDone = false;
  return (now) => {
    if (!isDone) act();
    isDone = true;
    return above(now);
  };
}

describe("exchanging what is in a file", () => {
  it("keeps its mode and leaves nothing beside it", () => {
    const root = createFolder({ a: "old" });
    writeFileSync(join(root, "b"), "", { mode: 0o640 });
    exchangeFile(join(root, "b"), above).old.close();
    expect(statSync(join(root, "b")).mode & 0o777).toBe(0o640);
    const { before, after, old } = exchangeFile(join(root, "a"), above);
    old.close();
    expect([before.content.toString(), after.toString(), readFileSync(join(root, "a"), "utf8")]).toEqual(["old", "new old", "new old"]);
    expect(readdirSync(root).sort()).toEqual(["a", "b"]);
  });

  it("follows a link, which stays", () => {
    const root = createFolder({ "there/real": "old" });
    symlinkSync("there/real", join(root, "link"));
    exchangeFile(join(root, "link"), above).old.close();
    expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "there/real"), "utf8")).toBe("new old");
  });

  it.each([
    ["in place", (file: string) => writeFileSync(file, "saved")],
    ["by renaming", (file: string) => (writeFileSync(`${file}.tmp`, "saved"), renameSync(`${file}.tmp`, file))],
    ["after deleting it", (file: string) => (unlinkSync(file), writeFileSync(file, "saved"))],
  ])("begins anew where it is saved meanwhile, %s", (_, save) => {
    const root = createFolder({ a: "old" });
    const { before, old } = exchangeFile(join(root, "a"), meanwhile(() => save(join(root, "a"))));
    old.close();
    expect(before.content.toString()).toBe("saved");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("new saved");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("throws where the file is not there, or goes meanwhile", () => {
    const root = createFolder({ a: "old" });
    expect(() => exchangeFile(join(root, "b"), above)).toThrow("ENOENT");
    expect(() => exchangeFile(join(root, "a"), meanwhile(() => unlinkSync(join(root, "a"))))).toThrow("ENOENT");
    expect(readdirSync(root)).toEqual([]);
  });

  it("gives up where it is saved all the time", () => {
    const root = createFolder({ a: "old" });
    let saves = 0;
    expect(() => exchangeFile(join(root, "a"), (now) => (writeFileSync(join(root, "a"), `saved ${saves++}`), above(now)))).toThrow("is being saved all the time");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("saved 99");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("brings back a file that was aside when a process was killed", () => {
    const root = createFolder({ ".a.loaf-old": "the user's", ".a.loaf-new": "unfinished" });
    expect(restoreExchanged(join(root, "a"))).toBe(true);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("the user's");
    expect(readdirSync(root)).toEqual(["a"]);
    writeFileSync(join(root, ".a.loaf-old"), "older");
    expect(restoreExchanged(join(root, "a"))).toBe(false);
    expect([readFileSync(join(root, "a"), "utf8"), ...readdirSync(root)]).toEqual(["the user's", "a"]);
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
    old.close();
    expect([below, text, readFileSync(join(root, "a"), "utf8")]).toEqual([content, expected, expected]);
  });

  it.each([
    ["what an editor still writes to the old file stands below it", (placed: Placed) => placed.savedAt, "R2\nR\nlate"],
    ["what was saved before it does not come back", (placed: Placed) => placed.savedAt - 1n, "R2\nR\nold"],
  ])("%s", (_, when, expected) => {
    const root = createFolder({ a: "old" });
    const path = join(root, "a");
    const first = putAbove(path, "R");
    expect(first.old.changed()).toBeUndefined();
    const second = putAbove(path, "R2", first);
    const put = putLate(path, { content: Buffer.from("late"), at: when(second) }, second);
    for (const placed of [first, second, ...(typeof put === "object" ? [put] : [])]) placed.old.close();
    expect(readFileSync(path, "utf8")).toBe(expected);
  });

  it.each([
    ["later", 1n, "R\nlate", undefined],
    ["earlier", -1n, "newer", undefined],
    ["at the same time, as far as anyone knows,", 0n, "newer", "late"],
  ])("of two saves the later one stays: one %s to the old file", (_, difference, expected, beside) => {
    const root = createFolder({ a: "old" });
    const path = join(root, "a");
    const placed = putAbove(path, "R");
    writeFileSync(path, "newer");
    const put = putLate(path, { content: Buffer.from("late"), at: statSync(path, { bigint: true }).mtimeNs + difference }, placed);
    for (const one of [placed, ...(typeof put === "object" ? [put] : [])]) one.old.close();
    expect(readFileSync(path, "utf8")).toBe(expected);
    expect(typeof put === "string" ? readFileSync(put, "utf8") : undefined).toBe(beside);
  });
});
