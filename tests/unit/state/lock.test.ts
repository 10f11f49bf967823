import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, type Holder, lockHolder } from "../../../src/state/lock.ts";
import { pidTable, processTable, procTable } from "../../../src/state/process-identity.ts";
import { bundle } from "../../support/bundle.ts";
import { createFolder } from "../../support/folder.ts";

/** Returns the folder's files with their content, or whether this process is the owner. */
const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, new RegExp(`"pid":${process.pid}\\b`).test(readFileSync(join(folder, name), "utf8")) ? "mine" : ""]));
const takenBy = (folder: string, owner: object, name = "1") => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify({ since: "2026-01-01T00:00:00.000Z", taking: "x", ...owner }));
};
/** Returns whether the lock can be taken within 0.2 s, far longer than an attempt takes. */
const isFree = async (folder: string, options = {}) => {
  const abandoned = { wait: true };
  const lock = acquireLock(folder, options).then((taken) => {
    if (!abandoned.wait) taken.release();
    return taken;
  });
  const first = await Promise.race([lock, new Promise<undefined>((done) => void setTimeout(() => done(undefined), 200))]);
  abandoned.wait = first !== undefined;
  first?.release();
  return first !== undefined;
};

describe("the lock of a project", () => {
  test("names its holder without taking it", async () => {
    const folder = join(createFolder(), "lock");
    expect(lockHolder(folder)).toBeUndefined();
    const lock = await acquireLock(folder);
    expect(lockHolder(folder)).toMatchObject({ pid: process.pid });
    lock.release();
    expect(lockHolder(folder)).toBeUndefined();
    expect(filesIn(folder)).toEqual({ 1: "" });
  });

  test("is a file that names its owner, and is empty after release", async () => {
    const folder = join(createFolder(), "lock");
    const lock = await acquireLock(folder);
    expect(filesIn(folder)).toEqual({ 1: "mine" });
    expect(statSync(join(folder, "1")).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    lock.release();
    expect(filesIn(folder)).toEqual({ 1: "" });
    lock.release();
    (await acquireLock(folder)).release();
    expect(filesIn(folder)).toEqual({ 1: "", 2: "" });
  });

  test("78: two owners in one process wait for each other too", async () => {
    const folder = createFolder();
    const first = await acquireLock(folder);
    const order: string[] = [];
    const wait = async () => {
      const lock = await acquireLock(folder);
      order.push("second");
      lock.release();
    };
    const second = wait();
    await new Promise((done) => void setTimeout(done, 60));
    order.push("first");
    first.release();
    await second;
    expect(order).toEqual(["first", "second"]);
  });

  test("reports the owner once after waiting for a second", async () => {
    const folder = createFolder();
    const first = await acquireLock(folder);
    const told: Holder[] = [];
    const second = acquireLock(folder, { onWait: (holder) => void told.push(holder) });
    await new Promise((done) => void setTimeout(done, 700));
    expect(told).toEqual([]);
    await new Promise((done) => void setTimeout(done, 800));
    first.release();
    (await second).release();
    expect(told).toEqual([{ pid: process.pid, host: expect.any(String) as string, since: expect.stringMatching(/^\d{4}-.*Z$/) as string, isRunning: true, file: join(folder, "1") }]);
  });

  test("releasing it twice does not release the next owner's", async () => {
    const folder = createFolder();
    const first = await acquireLock(folder);
    first.release();
    await acquireLock(folder);
    first.release();
    expect(filesIn(folder)).toEqual({ 1: "", 2: "mine" });
  });

  test("if somebody deletes its file, releasing it does not release the next owner's", async () => {
    const folder = createFolder();
    takenBy(folder, { pid: process.pid, taking: "another" });
    const first = await acquireLock(folder, { processes: { ...processTable, find: () => "gone" } });
    rmSync(join(folder, "2"));
    takenBy(folder, { pid: process.pid, taking: "another" }, "2");
    first.release();
    expect(filesIn(folder)).toEqual({ 1: "mine", 2: "mine" });
  });

  test("79: a process with a stale listing does not take the lock by a number that was removed since", async () => {
    const folder = createFolder();
    takenBy(folder, { pid: 2 ** 22 + 1 });
    // While it checks the dead owner, others take and release the lock, and the next generation is created and removed.
    const find = () => {
      if (!readdirSync(folder).includes("20")) takenBy(folder, processTable.identify(), "20");
      else return "running" as const;
      return "gone" as const;
    };
    expect(await isFree(folder, { processes: { ...processTable, find } })).toBe(false);
    expect(readdirSync(folder)).toEqual(["1", "20"]);
  });

  test("removes old generations, except a few", async () => {
    const folder = createFolder();
    for (let times = 0; times < 30; times++) (await acquireLock(folder)).release();
    expect(Object.keys(filesIn(folder)).map(Number)).toEqual([22, 23, 24, 25, 26, 27, 28, 29, 30]);
  });

  test("a file emptied by a power cut blocks nobody", async () => {
    const folder = createFolder({ 1: "\0\0\0\0" });
    expect(await isFree(folder)).toBe(true);
  });

  test("removes files left by killed processes; keeps those still in use", async () => {
    const folder = createFolder();
    takenBy(folder, { ...procTable.identify(), started: "1" }, "new-dead");
    takenBy(folder, procTable.identify(), "new-alive");
    expect(await isFree(folder, { processes: procTable })).toBe(true);
    expect(Object.keys(filesIn(folder))).toEqual(["1", "new-alive"]);
  });

  test("a folder that cannot be written to is an error", async () => {
    await expect(acquireLock("/proc/lock")).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe.runIf(process.platform === "linux")("an owner, on Linux,", () => {
  const self = () => procTable.identify();
  const takes = async (owner: object) => {
    const folder = createFolder();
    takenBy(folder, { ...self(), ...owner });
    return isFree(folder, { processes: procTable });
  };

  test("keeps the lock while it runs", async () => {
    expect(await takes({})).toBe(false);
  });

  test("79: is gone if its ID was reused by another process", async () => {
    expect(await takes({ started: "1" })).toBe(true);
  });

  test("79: is gone if no process has its ID", async () => {
    expect(await takes({ pid: 2 ** 22 + 1 })).toBe(true);
  });

  test("79: is gone after a restart of the machine, even if its ID is in use", async () => {
    expect(await takes({ boot: "another" })).toBe(true);
  });

  test("79: is gone if it is a zombie", async () => {
    // `sh` replaces itself by `sleep`, which never waits for its child.
    const child = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [pid] = (await once(child.stdout, "data")) as [Buffer];
    await expect.poll(() => readFileSync(`/proc/${Number(pid)}/stat`, "latin1")).toMatch(/\) Z /);
    const started = readFileSync(`/proc/${Number(pid)}/stat`, "latin1").split(") ").at(-1)?.split(" ")[19];
    expect(await takes({ pid: Number(pid), started })).toBe(true);
  });

  test("on another machine or in another container is not declared dead: reports the file to delete", async () => {
    expect(await takes({ boot: "another", host: "another" })).toBe(false);
    expect(await takes({ numbering: "pid:[1]" })).toBe(false);
    const folder = createFolder();
    takenBy(folder, { ...self(), numbering: "pid:[1]" });
    const told: Holder[] = [];
    const lock = acquireLock(folder, { processes: procTable, onWait: (holder) => void told.push(holder) });
    await expect.poll(() => told, { timeout: 3_000 }).toMatchObject([{ isRunning: false, file: join(folder, "1") }]);
    writeFileSync(join(folder, "1"), "");
    (await lock).release();
  });
});

describe("an owner known only by its ID", () => {
  const takes = async (owner: object) => {
    const folder = createFolder();
    takenBy(folder, { ...pidTable.identify(), ...owner });
    return isFree(folder, { processes: pidTable });
  };

  test("keeps the lock as long as a process has its ID", async () => {
    expect(await takes({})).toBe(false);
    expect(await takes({ pid: 1 })).toBe(false);
    expect(await takes({ host: "another", pid: 2 ** 22 + 1 })).toBe(false);
  });

  test("is gone if no process has it", async () => {
    expect(await takes({ pid: 2 ** 22 + 1 })).toBe(true);
  });
});

describe("processes", () => {
  let counter: string;
  beforeAll(async () => {
    counter = await bundle(`
      import { readFileSync, renameSync, writeFileSync } from "node:fs";
      import { acquireLock } from "./src/state/lock.ts";
      const [folder, times, dies] = process.argv.slice(2);
      const file = folder + "/count";
      for (let left = Number(times); left > 0; left--) {
        const lock = await acquireLock(folder + "/lock");
        const own = file + "." + process.pid;
        writeFileSync(own, String(Number(readFileSync(file, "utf8")) + 1));
        renameSync(own, file);
        if (dies === "dies" && left === 1) process.kill(process.pid, "SIGKILL");
        lock.release();
      }`);
  });
  const start = (...args: string[]): ChildProcess => {
    const program = join(createFolder({ "program.mjs": counter }), "program.mjs");
    const child = spawn(process.execPath, [program, ...args], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };

  test("79: eight of them complete all 2,000 steps although four are killed with the lock, three times", { timeout: 120_000 }, async () => {
    const folders = [1, 2, 3].map(() => createFolder({ count: "0" }));
    for (const folder of folders) {
      const ended = Array.from({ length: 8 }, (_, index) => once(start(folder, "250", ...(index < 4 ? ["dies"] : [])), "exit"));
      const ends = (await Promise.all(ended)).map(([code, signal]: unknown[]) => code ?? signal);
      expect(ends).toEqual([...Array.from({ length: 4 }, () => "SIGKILL"), 0, 0, 0, 0]);
      expect(readFileSync(join(folder, "count"), "utf8")).toBe("2000");
    }
  });

  test("Ctrl-C while waiting leaves no file", async () => {
    const folder = createFolder({ count: "0" });
    const lock = await acquireLock(join(folder, "lock"));
    const child = start(folder, "1");
    await new Promise((done) => void setTimeout(done, 400));
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
    expect(filesIn(join(folder, "lock"))).toEqual({ 1: "mine" });
    lock.release();
    expect(readFileSync(join(folder, "count"), "utf8")).toBe("0");
  });
});
