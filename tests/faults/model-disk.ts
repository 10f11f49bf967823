/**
 * A folder in memory that stands in for `node:fs`, so that somebody else can act between any two calls of the system. Its clock is the process's: what
 * happens within a millisecond has one time, as on file systems whose clock is coarse, or each call has its own.
 */
interface Inode {
  readonly number: number;
  content: Buffer;
  modified: bigint;
  changed: bigint;
}

interface Opened {
  readonly inode: Inode;
  position: number;
}

export class ModelDisk {
  readonly names = new Map<string, Inode>();
  /** Called before each call of the system. */
  onCall: (count: number) => void = () => {};
  isFine = false;
  calls = 0;
  readonly #opened = new Map<number, Opened>();
  #next = 3;
  #inodes = 0;

  /** What a module that imports `node:fs` gets. Paths are taken as they are: there are no links, and one folder. */
  readonly fs = this.#countCalls({
    realpathSync: (path: string) => (this.#found(path), path),
    openSync: (path: string, flags: string) => this.open(path, flags),
    closeSync: (fd: number) => void this.#opened.delete(fd),
    readSync: (fd: number, into: Buffer, offset: number, length: number, position: number) => this.#of(fd).inode.content.subarray(position, position + length).copy(into, offset),
    readFileSync: (path: string) => Buffer.from(this.#found(path).content),
    writeFileSync: (fd: number, content: string | Uint8Array) => this.write(fd, content),
    fstatSync: (fd: number) => statOf(this.#of(fd).inode),
    statSync: (path: string) => statOf(this.#found(path)),
    lstatSync: (path: string) => (this.names.has(path) ? statOf(this.#found(path)) : undefined),
    fsyncSync: () => {},
    fchmodSync: () => {},
    fchownSync: () => {},
    linkSync: (from: string, to: string) => {
      if (this.names.has(to)) throw errorOf("EEXIST", to);
      this.names.set(to, this.#touched(from));
    },
    renameSync: (from: string, to: string) => this.rename(from, to),
    rmSync: (path: string) => void (this.names.has(path) && this.unlink(path)),
    unlinkSync: (path: string) => this.unlink(path),
  });

  open(path: string, flags: string): number {
    let inode = this.names.get(path);
    if (inode !== undefined && flags === "wx") throw errorOf("EEXIST", path);
    if (inode === undefined && flags === "r") throw errorOf("ENOENT", path);
    if (inode === undefined) this.names.set(path, (inode = { number: this.#inodes++, content: Buffer.alloc(0), modified: this.#now(), changed: this.#now() }));
    else if (flags === "w") this.#change(inode, Buffer.alloc(0));
    this.#opened.set(this.#next, { inode, position: 0 });
    return this.#next++;
  }

  write(fd: number, content: string | Uint8Array): void {
    const opened = this.#of(fd);
    const bytes = Buffer.from(content as string);
    this.#change(opened.inode, Buffer.concat([opened.inode.content.subarray(0, opened.position), bytes]));
    opened.position += bytes.length;
  }

  rename(from: string, to: string): void {
    const inode = this.#touched(from);
    this.names.delete(from);
    this.names.set(to, inode);
  }

  unlink(path: string): void {
    this.#touched(path);
    this.names.delete(path);
  }

  #countCalls<Calls extends Record<string, (...given: never[]) => unknown>>(calls: Calls): Calls {
    const counted = Object.entries(calls).map(([name, call]) => [name, (...given: never[]) => (this.onCall(this.calls++), call(...given))]);
    return Object.fromEntries(counted) as Calls;
  }

  #now(): bigint {
    return BigInt(Date.now()) * 1_000_000n + (this.isFine ? BigInt(this.calls) : 0n);
  }

  #change(inode: Inode, content: Buffer): void {
    inode.content = content;
    inode.modified = inode.changed = this.#now();
  }

  #touched(path: string): Inode {
    const inode = this.#found(path);
    inode.changed = this.#now();
    return inode;
  }

  #found(path: string): Inode {
    const inode = this.names.get(path);
    if (inode === undefined) throw errorOf("ENOENT", path);
    return inode;
  }

  #of(fd: number): Opened {
    const opened = this.#opened.get(fd);
    if (opened === undefined) throw errorOf("EBADF", String(fd));
    return opened;
  }
}

function statOf({ number, content, modified, changed }: Inode): object {
  return { ino: number, dev: 0, size: content.length, mode: 0o644, uid: 0, gid: 0, mtimeNs: modified, ctimeNs: changed, mtimeMs: modified / 1_000_000n, ctimeMs: changed / 1_000_000n };
}

function errorOf(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
