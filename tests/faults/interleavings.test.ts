/**
 * An editor saves a file into which results are put, and each of its steps comes between any two calls of the system that Loaf makes: on a disk in memory,
 * so that nothing depends on timing. LOAF_LONG=yes tries 50 times as many orders.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { putAbove } from "../../src/state/input-file.ts";
import { LateSaves } from "../../src/faces/watch/late-saves.ts";
import { ModelDisk } from "./model-disk.ts";

type Call = (...given: unknown[]) => unknown;

const current = vi.hoisted(() => ({ disk: undefined as ModelDisk | undefined }));
vi.mock("node:fs", async (original) => {
  const real: Record<string, unknown> = await original();
  const calls = Object.keys(new (await import("./model-disk.ts")).ModelDisk().fs);
  const callOf = (name: string): Call => ((current.disk as ModelDisk).fs as unknown as Record<string, Call>)[name] as Call;
  return { ...real, ...Object.fromEntries(calls.map((name) => [name, (...given: unknown[]) => callOf(name)(...given)])) };
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FILE = "input.md";
const runs = process.env["LOAF_LONG"] === "yes" ? 150_000 : 3_000;

type Step = (disk: ModelDisk) => void;

/** The steps by which editors save, each one call of the system. */
const ways: Readonly<Record<string, (text: string) => readonly Step[]>> = {
  inPlace: (text) => writing(FILE, [text]),
  inHalves: (text) => writing(FILE, [text.slice(0, 4), text.slice(4)]),
  byRename: (text) => [...writing("tmp", [text]), (disk) => disk.rename("tmp", FILE)],
  withBackup: (text) => [(disk) => disk.names.has(FILE) && disk.rename(FILE, `${FILE}~`), ...writing(FILE, [text])],
  deletedFirst: (text) => [(disk) => disk.names.has(FILE) && disk.unlink(FILE), ...writing(FILE, [text])],
};

function writing(path: string, pieces: readonly string[]): readonly Step[] {
  let fd = 0;
  return [(disk) => void (fd = disk.open(path, "w")), ...pieces.map((piece): Step => (disk) => disk.write(fd, piece))];
}

interface Happened {
  readonly text: string | undefined;
  readonly names: readonly string[];
  readonly told: readonly string[];
}

/** Puts results above three times; the steps come in their order, each when Loaf has made so many calls. */
function play(steps: readonly Step[], moments: readonly number[], isFine: boolean): Happened {
  vi.clearAllTimers();
  const disk = (current.disk = new ModelDisk());
  disk.isFine = isFine;
  disk.write(disk.open(FILE, "w"), "first");
  const due = steps.map((step, index) => ({ step, at: moments[index] ?? 0 })).toSorted((a, b) => a.at - b.at);
  due.forEach((one, index) => (one.step = steps[index] as Step));
  disk.onCall = (count) => {
    while (due[0] !== undefined && due[0].at <= count) due.shift()?.step(disk);
  };
  const told: string[] = [];
  const late = new LateSaves(FILE, (sentence) => told.push(sentence));
  for (const [report, rest] of [["R1", 15], ["R2", 60], ["R3", 300]] as const) {
    try {
      late.watch(putAbove(FILE, report, late.last));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
    }
    vi.advanceTimersByTime(rest);
  }
  for (const { step } of due.splice(0)) step(disk);
  vi.advanceTimersByTime(5_000);
  void late.close();
  return { text: disk.names.get(FILE)?.content.toString(), names: [...disk.names.keys()], told };
}

const saves = fc.array(fc.constantFrom(...Object.keys(ways)), { minLength: 1, maxLength: 3 });
const moments = fc.array(fc.nat({ max: 160 }), { minLength: 12, maxLength: 12 });

test("the last save stands below results, and nothing but results above it", { timeout: 60_000 + runs }, () => {
  const law = fc.property(saves, moments, fc.boolean(), (names, when, isFine) => {
    const texts = names.map((_, number) => `saved as number ${number}`);
    const steps = names.flatMap((name, number) => ways[name]?.(texts[number] as string) ?? []);
    const { text, names: left } = play(steps, when, isFine);
    expect(text?.endsWith(texts.at(-1) as string)).toBe(true);
    expect(text?.slice(0, -(texts.at(-1) as string).length)).toMatch(/^(?:R\d\n)*$/);
    expect(left.filter((name) => name.startsWith("."))).toEqual([]);
  });
  fc.assert(law, { numRuns: runs, seed: 42 });
});

describe("what is written to a file that was taken away", () => {
  const watched = (): { readonly disk: ModelDisk; readonly late: LateSaves; readonly told: string[]; readonly text: () => string | undefined } => {
    vi.clearAllTimers();
    const disk = (current.disk = new ModelDisk());
    const told: string[] = [];
    disk.write(disk.open(FILE, "w"), "first");
    return { disk, told, late: new LateSaves(FILE, (sentence) => told.push(sentence)), text: () => disk.names.get(FILE)?.content.toString() };
  };

  test("is found also when a program has paused for minutes", () => {
    const { disk, late, text } = watched();
    const fd = disk.open(FILE, "w");
    disk.write(fd, "one");
    late.watch(putAbove(FILE, "R1", late.last));
    for (const piece of [" two", " three"]) {
      vi.advanceTimersByTime(180_000);
      disk.write(fd, piece);
    }
    vi.advanceTimersByTime(5_000);
    expect(text()).toBe("R1\none two three");
    void late.close();
  });

  test("late text is not lost among runs: the file that changed the longest ago is let go first", () => {
    const { disk, late, text } = watched();
    const fd = disk.open(FILE, "w");
    for (let run = 1; run <= 40; run++) {
      disk.write(fd, `${run} `);
      vi.advanceTimersByTime(3_000);
      late.watch(putAbove(FILE, "R", late.last));
    }
    disk.write(fd, "end");
    vi.advanceTimersByTime(5_000);
    expect(text()).toMatch(/^(?:R\n)+1 2 3 .* 40 end$/);
    void late.close();
  });

  test("empties nothing before it is filled", () => {
    const { disk, late, text } = watched();
    const fd = disk.open(FILE, "r");
    late.watch(putAbove(FILE, "R1", late.last));
    disk.write(fd, "");
    vi.advanceTimersByTime(60_000);
    expect(text()).toBe("R1\nfirst");
    disk.write(fd, "filled");
    vi.advanceTimersByTime(5_000);
    expect(text()).toBe("R1\nfilled");
    void late.close();
  });

  test("is waited for at the end, where the file has only just been taken away", async () => {
    vi.useRealTimers();
    const { disk, late, text } = watched();
    const fd = disk.open(FILE, "r");
    late.watch(putAbove(FILE, "R1", late.last));
    const closing = late.close();
    disk.write(fd, "late");
    await closing;
    expect(text()).toBe("R1\nlate");
  });

  test("waits for the file where that is away, and is kept beside it where it does not come back", () => {
    const { disk, late, told, text } = watched();
    const fd = disk.open(FILE, "r");
    late.watch(putAbove(FILE, "R1", late.last));
    disk.rename(FILE, "away");
    disk.write(fd, "late!");
    vi.advanceTimersByTime(3_000);
    expect([told, text()]).toEqual([[], undefined]);
    disk.rename("away", FILE);
    vi.advanceTimersByTime(5_000);
    expect([told, text()]).toEqual([[], "R1\nlate!"]);
    disk.rename(FILE, "away");
    disk.write(fd, " later");
    vi.advanceTimersByTime(5_000);
    void late.close();
    expect(told).toEqual([`Text that an editor saved while results were inserted is in ${FILE}.saved-meanwhile-1, because the file was saved again at the same time`]);
    expect(disk.names.get(`${FILE}.saved-meanwhile-1`)?.content.toString()).toBe("late! later");
  });

  test("is found also in a file that could not be put back, since another one was saved in its place", () => {
    const { disk, late, told, text } = watched();
    const fd = disk.open(FILE, "w");
    disk.onCall = () => {
      if (disk.names.has(FILE)) return;
      disk.write(disk.open(FILE, "w"), "second");
      disk.onCall = () => {};
    };
    late.watch(putAbove(FILE, "R1", late.last));
    vi.advanceTimersByTime(1_000);
    disk.write(fd, "late");
    vi.advanceTimersByTime(5_000);
    void late.close();
    expect([told, text()]).toEqual([[], "R1\nlate"]);
  });
});
