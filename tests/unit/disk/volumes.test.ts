/** What holds for the disk holds for an overlay: the same operations give the same results, refusals and files on both. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Change, Content } from "../../../src/core/change-set.ts";
import { createGuard } from "../../../src/guard/guard.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { ProjectFiles } from "../../../src/files/project-files.ts";
import { isSystemError } from "../../../src/disk/system-error.ts";
import type { WritableVolume } from "../../../src/disk/volume.ts";
import type { Files } from "../../../src/files/workspace.ts";
import { WritableDisk } from "../../support/writable-disk.ts";
import { grow, outcomeOf, temporaryDirectory, type Tree } from "../files/project.ts";

const SEED: Tree = {
  a: "one\ntwo\n",
  "d/b": "in d\n",
  "d/e/a": "deep\n",
  "k/.env": "SECRET=1\n",
  empty: null,
  link: { link: "d" },
  "d/up": { link: "../a" },
  dangling: { link: "gone/b" },
  out: { link: "../.." },
};

// The modes of new files depend on it.
beforeAll(() => void process.umask(0o022));

const name = fc.constantFrom("a", "b", "d", "e", "empty", "link", "up", "dangling", "out", "n", "k", "..", ".env");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const content = fc.constantFrom("", "x", "new\n", "\ud800");

type Operation = (files: Files) => unknown;

/** Shown by its name where a property fails. */
function named<Act extends object>(shown: string, act: Act): Act {
  return Object.assign(act, { toString: () => shown, [fc.toStringMethod]: () => shown });
}

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(path, content).map(([at, text]) => named<Operation>(`write ${at}`, (files) => files.write(at, text))),
  fc.tuple(path, content).map(([at, text]) => named<Operation>(`append ${at}`, (files) => files.append(at, text))),
  path.map((at) => named<Operation>(`edit ${at}`, (files) => files.edit(at, (text) => ({ splices: [{ start: 0, end: Math.min(1, text.length), text: "E" }] })))),
  path.map((at) => named<Operation>(`read ${at}`, (files) => files.read(at))),
  path.map((at) => named<Operation>(`peek ${at}`, (files) => files.peek(at))),
  path.map((at) => named<Operation>(`remove ${at}`, (files) => files.remove(at))),
  path.map((at) => named<Operation>(`createDirectory ${at}`, (files) => files.createDirectory(at))),
  path.map((at) => named<Operation>(`removeDirectory ${at}`, (files) => files.removeDirectory(at))),
  path.map((at) => named<Operation>(`list ${at}`, (files) => files.list(at).map(({ name, type, size }) => ({ name, type, size })))),
  { weight: 3, arbitrary: fc.tuple(path, path).map(([from, to]) => named<Operation>(`move ${from} ${to}`, (files) => files.move(from, to))) },
);

test("any actions give the same on the disk and on an overlay, and `changes` tells the difference", () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 12 }), (operations) => {
      const { real, beneath, overlay, dry } = sides();
      const seed = snapshot(beneath);
      for (const act of operations) expect(outcomeOf(() => act(dry.files)), act.toString()).toEqual(outcomeOf(() => act(real.files)));
      expectSameDifference(seed, real, beneath, overlay, dry);
    }),
    { numRuns: 150 },
  );
}, 60_000);

type Call = (volume: WritableVolume, at: (path: string) => string) => unknown;

/** What a volume is asked for has no link before its last segment. */
const plainPath = fc.array(fc.constantFrom("a", "b", "d", "e", "empty", "n"), { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const lastPath = fc.oneof(plainPath, fc.constantFrom("link", "d/up", "dangling"));

const call: fc.Arbitrary<Call> = fc.oneof(
  lastPath.map((path) => named<Call>(`writeFile ${path}`, (volume, at) => volume.writeFile(at(path), Buffer.from("new")))),
  lastPath.map((path) => named<Call>(`unlink ${path}`, (volume, at) => volume.unlink(at(path)))),
  lastPath.map((path) => named<Call>(`makeDirectory ${path}`, (volume, at) => volume.makeDirectory(at(path)))),
  lastPath.map((path) => named<Call>(`removeDirectory ${path}`, (volume, at) => volume.removeDirectory(at(path)))),
  lastPath.map((path) => named<Call>(`readDirectory ${path}`, (volume, at) => volume.entry(at(path))?.kind === "link" || volume.readDirectory(at(path)).map(({ name }) => name).sort())),
  lastPath.map((path) => named<Call>(`readLink ${path}`, (volume, at) => volume.readLink(at(path)))),
  lastPath.map((path) => named<Call>(`entry ${path}`, (volume, at) => volume.entry(at(path))?.kind)),
  path.map((path) => named<Call>(`realpath ${path}`, (volume, at) => volume.realpath(at(path)).slice(at("").length))),
  { weight: 4, arbitrary: fc.tuple(plainPath, lastPath).map(([from, to]) => named<Call>(`rename ${from} ${to}`, (volume, at) => volume.rename(at(from), at(to)))) },
);

test("the same, asked of the volumes themselves: even where no action would ask", () => {
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 12 }), (calls) => {
      const { real, beneath, overlay, dry } = sides();
      const seed = snapshot(beneath);
      for (const one of calls) {
        const [expected, actual] = [real, dry].map(({ volume, root }) => errnoOf(() => one(volume, (path) => join(root, path))));
        expect(actual, one.toString()).toEqual(expected);
      }
      expectSameDifference(seed, real, beneath, overlay, dry);
    }),
    { numRuns: 150 },
  );
}, 60_000);

test.each(["d/b", "d/e"])("moving %s onto the directory that holds it", (from) => {
  const { real, dry } = sides();
  for (const { volume, root } of [real, dry]) expect(errnoOf(() => volume.rename(join(root, from), join(root, "d")))).toBe("ENOTEMPTY");
});

test("another mode is a change, the same content and mode is none", () => {
  const { overlay, dry } = sides();
  grow(dry.root, { "run.sh": "one\ntwo\n" });
  dry.files.write("a", "one\ntwo\n");
  expect(overlay.changes(() => true)).toEqual([]);
  chmodSync(join(dry.root, "run.sh"), 0o755);
  dry.files.move("run.sh", "a");
  expect(overlay.changes(() => true).map(({ path, after }) => [path.slice(dry.root.length + 1), after?.kind === "file" && after.mode])).toEqual([["a", 0o755], ["run.sh", false]]);
});

test("an overlay over an overlay", () => {
  const { beneath, overlay, dry } = sides();
  dry.files.move("d", "moved");
  dry.files.write("moved/n", "n");
  const upper = new Overlay(overlay);
  const top = sideAt(beneath.root, upper);
  top.files.move("moved/e", "e2");
  top.files.remove("moved/n");
  top.files.write("a", "one\ntwo\n");
  expect(top.files.read("e2/a")).toBe("deep\n");
  expect(upper.changes(() => true).map(({ path, before, after }) => [path.slice(beneath.root.length + 1), before?.kind, after?.kind])).toEqual([
    ["e2", undefined, "directory"],
    ["e2/a", undefined, "file"],
    ["moved/e", "directory", undefined],
    ["moved/e/a", "file", undefined],
    ["moved/n", "file", undefined],
  ]);
});

interface Side {
  readonly root: string;
  readonly volume: WritableVolume;
  readonly files: Files;
}

interface Sides {
  readonly real: Side;
  /** What lies under the overlay, and must stay as it was. */
  readonly beneath: Side;
  readonly overlay: Overlay;
  readonly dry: Side;
}

function sides(): Sides {
  const directory = temporaryDirectory();
  const [one = "", two = ""] = ["real", "dry"].map((name) => {
    const root = join(directory, name, "root");
    mkdirSync(root, { recursive: true });
    grow(root, SEED);
    return root;
  });
  const overlay = new Overlay(new WritableDisk());
  return { real: sideAt(one, new WritableDisk()), beneath: sideAt(two, new WritableDisk()), overlay, dry: sideAt(two, overlay) };
}

function sideAt(root: string, volume: WritableVolume): Side {
  const guard = createGuard({ volume, root, home: "/nowhere", rules: [{ read: { deny: [] }, write: {} }], sealed: [], readOnly: [], platform: "linux" });
  return { root, volume, files: new ProjectFiles({ volume, guard, maxFileSize: 1000, finalNewline: "as-is" }) };
}

type Snapshot = Readonly<Record<string, Content>>;

function expectSameDifference(seed: Snapshot, real: Side, beneath: Side, overlay: Overlay, dry: Side): void {
  const after = snapshot(real);
  expect(snapshot(dry)).toEqual(after);
  expect(snapshot(beneath)).toEqual(seed);
  const changes = overlay.changes(() => true).map((change) => ({ ...change, path: change.path.slice(beneath.root.length + 1) }));
  expect(changes).toEqual(differences(seed, after));
}

/** Everything below a directory, by relative path. */
function snapshot(side: Pick<Side, "root" | "volume">, below = ""): Snapshot {
  const { root, volume } = side;
  const found: Record<string, Content> = {};
  for (const { name, kind, mode, size } of volume.readDirectory(join(root, below))) {
    const at = join(below, name);
    if (kind === "file") found[at] = { kind, mode, size, bytes: volume.readFile(join(root, at)).bytes };
    else if (kind === "link") found[at] = { kind, target: volume.readLink(join(root, at)) };
    else Object.assign(found, { [at]: { kind } }, snapshot(side, at));
  }
  return found;
}

function differences(before: Snapshot, after: Snapshot): Change[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths.map((path) => ({ path, before: before[path], after: after[path] })).filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}

function errnoOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    if (isSystemError(thrown)) return thrown.code;
    throw thrown;
  }
}
