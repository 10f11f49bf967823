import { lstatSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exchangeFile, restoreExchanged } from "../../../src/host/exchange-file.ts";
import { putAbove, putLate } from "../../../src/host/input-file.ts";
import { createFolder } from "../../support/folder.ts";

const above = (content: Buffer) => Buffer.concat([Buffer.from("new "), content]);

/** Does something while the content is looked at, the first time. */
function meanwhile(act: () => void): (content: Buffer) => Buffer {
  let isDone = false;
  return (content) => {
    if (!isDone) act();
    isDone = true;
    return above(content);
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
    expect([before.toString(), after.toString(), readFileSync(join(root, "a"), "utf8")]).toEqual(["old", "new old", "new old"]);
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
    expect(before.toString()).toBe("saved");
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
    expect(() => exchangeFile(join(root, "a"), (content) => (writeFileSync(join(root, "a"), `saved ${saves++}`), above(content)))).toThrow("is being saved all the time");
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

  it("is put above what an editor still writes to the old file", () => {
    const root = createFolder({ a: "old" });
    const placed = putAbove(join(root, "a"), "R");
    expect(placed.old.changed()).toBeUndefined();
    const put = putLate(join(root, "a"), placed, Buffer.from("late"));
    placed.old.close();
    expect(put).toMatchObject({ text: "R\nlate" });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("R\nlate");
  });

  it("leaves alone what was saved since, and keeps what came late beside it", () => {
    const root = createFolder({ a: "old" });
    const placed = putAbove(join(root, "a"), "R");
    writeFileSync(join(root, "a"), "newer");
    expect(putLate(join(root, "a"), placed, Buffer.from("late"))).toBe(join(root, "a.saved-meanwhile-1"));
    placed.old.close();
    expect([readFileSync(join(root, "a"), "utf8"), readFileSync(join(root, "a.saved-meanwhile-1"), "utf8")]).toEqual(["newer", "late"]);
  });
});

