import type * as Fs from "node:fs";
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { explain } from "../../../src/core/failure.ts";
import { readImage, readImageInPieces } from "../../../src/disk/images.ts";
import { failureAt } from "../../../src/journal/put.ts";
import { encodeRecord } from "../../../src/journal/log.ts";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import { donePuts } from "../../../src/journal/change-set.ts";
import { isUnfinished } from "../../../src/journal/recover.ts";
import { listLogs, listSequences, logPath, readLogHeader, readLog } from "../../../src/journal/log.ts";
import { createFolder } from "../../support/folder.ts";

const disk = vi.hoisted(() => ({ error: undefined as Error | undefined, folderError: undefined as Error | undefined }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const fsync = (file: number, done: (error: Error | null) => void): void => {
    const error = fs.fstatSync(file).isDirectory() ? disk.folderError : disk.error;
    if (error === undefined) fs.fsync(file, done);
    else setImmediate(done, error);
  };
  return { ...fs, fsync };
});

const header = { kind: "run", started: "2026-01-01T00:00:00.000Z", root: "/project" } as const;
const put = { type: "put", path: "/project/ä\n.txt", authors: [1], before: null, after: { kind: "file", size: 1, sha256: "0" }, temporary: "/project/.loaf-1" } as const;

function writeLog(folder: string): LogWriter {
  const log = LogWriter.create(folder, header);
  log.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
  log.image(9, (add) => add(Buffer.from("0123\n5678")));
  log.append(put);
  log.append({ type: "prepared" });
  log.append({ type: "done", outcomes: [{ mode: 0o644 }] });
  log.append({ type: "end", duration: 3, summary: "write ä" });
  log.flush();
  return log;
}

test("a log is read as it was written", () => {
  const folder = createFolder();
  writeLog(folder).close();
  const log = readLog(logPath(folder, 1));
  expect(log).toMatchObject({ sequence: 1, ...header, end: { summary: "write ä", duration: 3 } });
  expect(log?.groups).toEqual([{ isAtomic: false, continues: false, isRollback: false, puts: [put], isPrepared: true, outcomes: [{ mode: 0o644 }], isDropped: false, isUndone: false }]);
});

test("whoever writes a log can tell what is in it without reading it, but for what was taken back", () => {
  const folder = createFolder();
  const log = writeLog(folder);
  const last = { type: "done", outcomes: [] } as const;
  expect(() => log.attempt(() => (log.append(last), expect.unreachable()))).toThrow();
  expect(log.toLog()).toEqual(readLog(log.path));
  log.append({ type: "group", isAtomic: true, continues: true, isRollback: false });
  const forget = log.mark();
  log.append(put);
  forget();
  log.append(last);
  log.flush();
  expect(log.toLog()).toEqual(readLog(log.path));
  log.close();
});

test("what a log could not write is given up when it is closed: the file that has its descriptor then is not touched", () => {
  const folder = createFolder();
  const log = writeLog(folder);
  log.append({ type: "undone" });
  log.close();
  const other = join(folder, "other.txt");
  writeFileSync(other, "");
  const file = openSync(other, "r+");
  log.flush();
  closeSync(file);
  expect(readFileSync(other, "utf8")).toBe("");
});

test("71: a log that is torn at any byte is read as far as its records are whole, and can be gone on with there", () => {
  const folder = createFolder();
  writeLog(folder).close();
  const path = logPath(folder, 1);
  const whole = readFileSync(path);
  let lengths = new Set<number>();
  for (let length = whole.length; length >= 0; length--) {
    truncateSync(path, length);
    const log = readLog(path);
    if (log === undefined) continue;
    expect(log.length).toBeLessThanOrEqual(length);
    lengths = lengths.add(log.length);
    if (length === log.length + 1) {
      const writer = LogWriter.resume(log);
      writer.append({ type: "end", duration: 0 });
      writer.flush();
      writer.close();
      expect(readLog(path)?.end).toEqual({ type: "end", duration: 0 });
      writeFileSync(path, whole.subarray(0, length));
    }
  }
  // The header, and behind it each of the six records and the image.
  expect(lengths.size).toBe(7);
});

test("71: a flipped byte ends a log, wherever it is outside of an image", () => {
  const folder = createFolder();
  writeLog(folder).close();
  const path = logPath(folder, 1);
  const whole = readFileSync(path);
  const image = whole.indexOf("0123\n5678");
  for (let at = 0; at < whole.length; at++) {
    if (at >= image && at < image + 9) continue;
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    writeFileSync(path, flipped);
    expect(readLog(path)?.end).toBeUndefined();
  }
});

test("what is left of an older record never passes for the next one", () => {
  const folder = createFolder();
  const log = writeLog(folder);
  log.close();
  const { length, digest } = readLog(logPath(folder, 1)) as NonNullable<ReturnType<typeof readLog>>;
  appendFileSync(logPath(folder, 1), encodeRecord({ type: "dropped" }, "").line);
  expect(readLog(logPath(folder, 1))).toMatchObject({ length, digest });
});

test("what was not written whole is as if it had not been tried", () => {
  const folder = createFolder();
  const log = LogWriter.create(folder, header);
  expect(() =>
    log.attempt(() => {
      log.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
      log.flush();
      throw new Error("disk full");
    }),
  ).toThrow("disk full");
  log.append({ type: "end", duration: 7 });
  log.flush();
  log.close();
  expect(readLog(log.path)).toMatchObject({ groups: [], end: { duration: 7 } });
});

test("an image that changes its length while it is copied is refused", () => {
  const log = LogWriter.create(createFolder(), header);
  expect(() => log.image(5, (add) => add(Buffer.from("1234")))).toThrow(/^ESTALE/);
  log.close();
});

test("75: after an error of syncing a log never says again that it is safe, though the system would", async () => {
  const log = LogWriter.create(createFolder(), header);
  disk.error = Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO" });
  await expect(log.sync()).rejects.toThrow(/^EIO/);
  disk.error = undefined;
  await expect(log.sync()).rejects.toThrow(/^EIO/);
  log.close();
});

test("75: after an error of syncing its folder a log never says that it is safe; a file system that cannot sync folders is no error", async () => {
  const folder = createFolder();
  // The folders above the first log are synced too.
  LogWriter.create(folder, header).close();
  const log = LogWriter.create(folder, header);
  disk.folderError = Object.assign(new Error("EINVAL: invalid argument, fsync"), { code: "EINVAL" });
  await log.sync();
  log.close();
  const other = LogWriter.create(folder, header);
  const open = readdirSync("/proc/self/fd").length;
  disk.folderError = Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO" });
  await expect(other.sync()).rejects.toThrow(/^EIO/);
  disk.folderError = undefined;
  await expect(other.sync()).rejects.toThrow(/^EIO/);
  expect(readdirSync("/proc/self/fd")).toHaveLength(open);
  other.close();
});

test("68: a full disk is told of the log where that could not be written, not of the file that was to be", async () => {
  const log = LogWriter.create(createFolder(), header);
  disk.error = Object.assign(new Error("ENOSPC: no space left on device, fsync"), { code: "ENOSPC", syscall: "fsync" });
  const thrown: unknown = await log.sync().catch((error: unknown) => error);
  disk.error = undefined;
  expect(explain(failureAt(["/p/a.txt"], thrown))).toBe(`ENOSPC: no space left on device, fsync '${log.path}'`);
  log.close();
});

test("68: what a log has not written when it is closed is written nowhere, whoever has its descriptor by then", () => {
  const folder = createFolder();
  const log = LogWriter.create(folder, header);
  log.append({ type: "undone" });
  log.close();
  const other = join(folder, "other");
  // The system gives the lowest that is free: that of the log.
  const descriptor = openSync(other, "w");
  log.flush();
  closeSync(descriptor);
  expect(readFileSync(other, "utf8")).toBe("");
});

test("80: runs are in the order of their numbers, whatever the clock said", () => {
  const folder = createFolder();
  for (const year of [2040, 2001, 2026]) LogWriter.create(folder, { ...header, started: `${year}-01-01T00:00:00.000Z` }).close();
  writeFileSync(join(folder, "notes.txt"), "");
  writeFileSync(logPath(folder, 10), "torn");
  expect(listSequences(folder)).toEqual([1, 2, 3, 10]);
  expect(listLogs(folder).map((log) => log.started.slice(0, 4))).toEqual(["2040", "2001", "2026"]);
  expect(readLogHeader(logPath(folder, 10))).toBeUndefined();
  expect(LogWriter.create(folder, header).sequence).toBe(11);
  expect(listSequences(join(folder, "missing"))).toEqual([]);
});

test("bytes that the log has already are not stored again, unless they were discarded", () => {
  const folder = createFolder();
  const log = LogWriter.create(folder, header);
  const keep = (text: string) => log.keep(Buffer.from(text), sha(text));
  const one = keep("1st image");
  const forget = log.mark();
  const two = keep("2nd image");
  expect([keep("1st image"), keep("2nd image")]).toEqual([one, two]);
  forget();
  log.append({ type: "undone" });
  const again = keep("2nd image");
  log.flush();
  for (const [text, place] of [["1st image", one], ["2nd image", again]] as const) expect(readImage({ log: log.path, ...place, sha256: sha(text) }).toString()).toBe(text);
  expect(readFileSync(log.path, "utf8").match(/1st image|2nd image/g)).toEqual(["1st image", "2nd image"]);
  log.close();
});

test("a run that ended is not unfinished, one that was killed is", () => {
  const folder = createFolder();
  writeLog(folder).close();
  const path = logPath(folder, 1);
  const whole = readFileSync(path, "latin1").split(/(?<=\n)(?=[0-9a-f]{16} )/);
  const states = whole.map((_, count) => {
    writeFileSync(path, whole.slice(0, count + 1).join(""), "latin1");
    const log = readLog(path);
    return log && isUnfinished(log);
  });
  // Header, group, image and put, prepared, done, end.
  expect(states).toEqual([false, true, true, true, false, false]);
});

test("a hook's changes that were not noted whole do not count, and leave nothing to recover", () => {
  const folder = createFolder();
  const log = LogWriter.create(folder, header);
  log.append({ type: "group", isAtomic: false, continues: false, isRollback: false, isObserved: true });
  log.append({ type: "put", path: "/p/a", authors: [0], before: null, after: { kind: "file", size: 1, sha256: "" } });
  log.flush();
  const found = readLog(logPath(folder, 1));
  expect(found && { isUnfinished: isUnfinished(found), done: donePuts(found) }).toEqual({ isUnfinished: false, done: [] });
  log.close();
});

test("a damaged image is refused, also one that is only read piece by piece", () => {
  const folder = createFolder();
  const log = writeLog(folder);
  const image = { log: logPath(folder, 1), offset: readFileSync(logPath(folder, 1)).indexOf("0123"), length: 9, sha256: sha("0123\n5678") };
  log.close();
  const pieces: Buffer[] = [];
  readImageInPieces(image, (piece) => pieces.push(piece));
  expect(Buffer.concat(pieces).toString()).toBe("0123\n5678");
  const bytes = readFileSync(image.log);
  bytes.write("x", image.offset + 3);
  writeFileSync(image.log, bytes);
  expect(() => readImageInPieces(image, () => {})).toThrow("ENODATA");
  expect(() => readImage(image)).toThrow("ENODATA");
});

function sha(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
