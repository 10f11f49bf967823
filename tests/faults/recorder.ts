/** Records what a program does to its files, as a power cut may find it on the disk: by wrapping `node:fs`. */
import type * as Fs from "node:fs";
import { dirname, join } from "node:path";

/** Something that reaches the disk when it likes, until it is synced. `inode` counts files as they are made. */
export type Event =
  | { readonly kind: "write"; readonly inode: number; readonly bytes: Buffer; readonly position: number }
  | { readonly kind: "link"; readonly path: string; readonly inode: number }
  | { readonly kind: "rename"; readonly from: string; readonly to: string; readonly inode: number }
  | { readonly kind: "unlink" | "mkdir" | "rmdir"; readonly path: string }
  | { readonly kind: "sync"; readonly inode: number; readonly path: string }
  | { readonly kind: "syncDirectory"; readonly path: string };

export class Recorder {
  events: Event[] = [];
  isOn = false;
  readonly #inodes = new Map<string, number>();
  #next = 1;

  /** Forgets everything, and begins. */
  start(): void {
    [this.events, this.isOn] = [[], true];
    this.#inodes.clear();
  }

  /** Goes on behind events that are not all on the disk yet, as another process does on the same machine. */
  resume(events: readonly Event[]): void {
    this.start();
    this.events = [...events];
    for (const event of events) {
      if (event.kind === "rename") this.#inodes.delete(event.from);
      if (event.kind === "unlink") this.#inodes.delete(event.path);
      if (event.kind === "link") this.#inodes.set(event.path, event.inode);
      if (event.kind === "rename") this.#inodes.set(event.to, event.inode);
      if (event.kind === "link") this.#next = Math.max(this.#next, event.inode + 1);
    }
  }

  /** `node:fs`, with what changes files told to the recorder, and nothing really synced: here the disk is a model. */
  wrap(fs: typeof Fs): typeof Fs {
    const note = (event: () => Event | undefined): void => {
      const made = this.isOn ? event() : undefined;
      if (made !== undefined) this.events.push(made);
    };
    const resolve = (path: string): string => {
      const [, descriptor, name] = /^\/proc\/(?:self|\d+)\/fd\/(\d+)\/(.*)$/.exec(path) ?? [];
      return descriptor === undefined || name === undefined ? path : join(fs.readlinkSync(`/proc/self/fd/${descriptor}`), name);
    };
    const pathOf = (descriptor: number): string => fs.readlinkSync(`/proc/self/fd/${descriptor}`);
    return {
      ...fs,
      openSync: (path: string, flags: number | string = 0, mode?: number) => {
        const file = fs.openSync(path, flags, mode);
        const isNew = typeof flags === "string" ? flags === "wx" : (flags & fs.constants.O_CREAT) !== 0;
        if (isNew) note(() => ({ kind: "link", path: resolve(path), inode: this.#made(resolve(path)) }));
        return file;
      },
      writeSync: (file: number, bytes: Buffer, offset: number, length: number, position: number) => {
        note(() => ({ kind: "write", inode: this.#inodes.get(pathOf(file)) ?? 0, bytes: Buffer.from(bytes.subarray(offset, offset + length)), position }));
        return fs.writeSync(file, bytes, offset, length, position);
      },
      copyFileSync: (from: Fs.PathLike, to: string) => {
        fs.copyFileSync(from, to);
        note(() => ({ kind: "link", path: resolve(to), inode: this.#made(resolve(to)) }));
        note(() => ({ kind: "write", inode: this.#inodes.get(resolve(to)) ?? 0, bytes: fs.readFileSync(to), position: 0 }));
      },
      fsync: (file: number, done: (error: null) => void) => {
        const path = pathOf(file);
        note(() => (fs.fstatSync(file).isDirectory() ? { kind: "syncDirectory", path } : { kind: "sync", inode: this.#inodes.get(path) ?? 0, path }));
        setImmediate(done, null);
      },
      renameSync: (from: string, to: string) => {
        const [old, place] = [resolve(from), resolve(to)];
        fs.renameSync(from, to);
        note(() => {
          const inode = this.#inodes.get(old) ?? 0;
          this.#inodes.delete(old);
          this.#inodes.set(place, inode);
          return { kind: "rename", from: old, to: place, inode };
        });
      },
      unlinkSync: (path: string) => {
        fs.unlinkSync(path);
        note(() => ({ kind: "unlink", path: resolve(path) }));
      },
      mkdirSync: (path: string, options?: Fs.MakeDirectoryOptions) => {
        const made = fs.mkdirSync(path, options);
        note(() => ({ kind: "mkdir", path: resolve(path) }));
        return made;
      },
      rmdirSync: (path: string) => {
        fs.rmdirSync(path);
        note(() => ({ kind: "rmdir", path: resolve(path) }));
      },
    } as typeof Fs;
  }

  #made(path: string): number {
    this.#inodes.set(path, this.#next);
    return this.#next++;
  }
}

/** Files by path; null is a directory. */
export type Disk = Map<string, Buffer | null>;

/** Of the entries of directories, those of one reach the disk in their order, or all of them in any. */
export type Ordering = "ordered" | "any order";

/**
 * The disks that a power cut after these events can leave: what is not synced reaches it or not, data up to any point. Not all of
 * them where they are too many, but always the same.
 */
export function* disksAfter(start: Disk, events: readonly Event[], ordering: Ordering, most: number): Generator<Disk> {
  const entries = events.flatMap((event, index) => (event.kind === "write" || event.kind === "sync" || event.kind === "syncDirectory" ? [] : [{ event, isSafe: isSafe(events, index) }]));
  const loose = entries.filter(({ isSafe }) => !isSafe);
  const files = [...new Set(events.flatMap((event) => (event.kind === "write" ? [event.inode] : [])))].map((inode) => contentOf(events, inode));
  const torn = files.filter(({ safe, bytes }) => safe < bytes.length);
  const random = randomNumbers(events.length);
  const total = 2 ** loose.length * 3 ** torn.length;
  for (let count = 0; count < Math.min(total, most); count++) {
    // The first two are nothing and everything.
    const choice = total <= most ? count : count < 2 ? count * (total - 1) : Math.floor(random() * total);
    const kept = choose(loose.map(({ event }) => event), choice % 2 ** loose.length, ordering);
    let rest = Math.floor(choice / 2 ** loose.length);
    const lengths = new Map(files.map(({ inode, bytes }) => [inode, bytes.length]));
    for (const { inode, safe, bytes } of torn) {
      lengths.set(inode, [safe, Math.floor((safe + bytes.length) / 2), bytes.length][rest % 3] as number);
      rest = Math.floor(rest / 3);
    }
    yield diskWith(start, entries.filter((entry) => entry.isSafe || kept.has(entry.event)).map(({ event }) => event), (inode) => files.find((file) => file.inode === inode)?.bytes.subarray(0, lengths.get(inode)) ?? Buffer.alloc(0));
  }
}

function isSafe(events: readonly Event[], index: number): boolean {
  const event = events[index] as Event;
  const directories = event.kind === "rename" ? [dirname(event.from), dirname(event.to)] : "path" in event ? [dirname(event.path)] : [];
  return directories.every((directory) => events.some((other, at) => at > index && other.kind === "syncDirectory" && other.path === directory));
}

function contentOf(events: readonly Event[], inode: number): { readonly inode: number; readonly bytes: Buffer; readonly safe: number } {
  let bytes = Buffer.alloc(0);
  let safe = 0;
  for (const event of events) {
    if (event.kind === "write" && event.inode === inode) bytes = Buffer.concat([bytes.subarray(0, event.position), event.bytes]);
    else if (event.kind === "sync" && event.inode === inode) safe = bytes.length;
  }
  return { inode, bytes, safe };
}

function choose(loose: readonly Event[], choice: number, ordering: Ordering): ReadonlySet<Event> {
  const kept = loose.filter((_, index) => Math.floor(choice / 2 ** index) % 2 === 1);
  if (ordering === "any order") return new Set(kept);
  const missing = new Set<string>();
  return new Set(loose.filter((event) => {
    const directory = dirname(event.kind === "rename" ? event.to : "path" in event ? event.path : "");
    if (!kept.includes(event)) missing.add(directory);
    return !missing.has(directory);
  }));
}

function diskWith(start: Disk, entries: readonly Event[], bytesOf: (inode: number) => Buffer): Disk {
  const disk = new Map(start);
  for (const event of entries) {
    if (event.kind === "link") disk.set(event.path, bytesOf(event.inode));
    else if (event.kind === "rename") {
      const moved = event.inode === 0 ? disk.get(event.from) : bytesOf(event.inode);
      if (moved !== undefined) disk.set(event.to, moved);
      disk.delete(event.from);
    } else if (event.kind === "mkdir") disk.set(event.path, null);
    else if ("path" in event) disk.delete(event.path);
  }
  // What is in a directory that did not reach the disk cannot be reached.
  for (const path of disk.keys()) if (!start.has(path) && disk.get(dirname(path)) !== null && !start.has(dirname(path))) disk.delete(path);
  return disk;
}

function randomNumbers(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
