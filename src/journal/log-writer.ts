import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { noteEnded } from "./ended-logs.ts";
import { encodeRecord, type EndRecord, type LogHeader, type LogRecord } from "./log-record.ts";
import { type Log, listSequences, logPath, toldBy } from "./read-log.ts";
import { settled, Syncing } from "./sync.ts";
import { attempt, isSystemError, type SystemError, systemError } from "../disk/system-error.ts";
import { versionOf } from "../disk/version.ts";

/** The system has refused to write a log: nothing is wrong with the files that a run is about. */
export class LogError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path: string;

  constructor(path: string, { code, syscall = "write", message }: SystemError) {
    super(message);
    [this.code, this.syscall, this.path] = [code, syscall, path];
  }
}

export interface NewImage {
  /** Where its bytes begin in the log. */
  readonly offset: number;
  add(bytes: Buffer): void;
  /** Throws ESTALE where they are not as many as was said. */
  end(): void;
}

/** Adds records to a log. What could not be written whole is as if it had not been tried: the next record takes its place. */
export class LogWriter {
  readonly path: string;
  readonly sequence: number;
  readonly #file: number;
  /** Behind the last record that is written. */
  #length: number;
  #digest: string;
  /** Those that have got a new entry. */
  #unsafeFolders: string[] = [];
  #error: unknown;
  #waiting: Buffer[] = [];
  #waitingLength = 0;
  /** What was added, but for images. */
  #records: LogRecord[] = [];

  private constructor(path: string, sequence: number, file: number, length: number, digest: string) {
    [this.path, this.sequence, this.#file, this.#length, this.#digest] = [path, sequence, file, length, digest];
  }

  /**
   * Makes a new log, the newest in its folder, which exists.
   *
   * @param newest so far, as far as that is known
   */
  static create(folder: string, header: Omit<LogHeader, "type" | "version" | "sequence">, newest = listSequences(folder).at(-1) ?? 0): LogWriter {
    for (let sequence = newest + 1; ; sequence++) {
      const path = logPath(folder, sequence);
      const file = openNew(path);
      if (file === undefined) continue;
      const writer = new LogWriter(path, sequence, file, 0, "");
      try {
        writer.append({ type: "header", version: 1, sequence, ...header });
        writer.flush();
      } catch (thrown) {
        writer.close();
        attempt(() => fs.unlinkSync(path));
        throw thrown;
      }
      // The folder of a project's first log may itself be new, and those above it.
      writer.#unsafeFolders = newest === 0 ? withAllAbove(fs.realpathSync.native(folder)) : [folder];
      return writer;
    }
  }

  /** Goes on behind the last whole record of a log. Who began it may not have come to bring it to the disk. */
  static resume({ file, header, length, digest }: Log): LogWriter {
    const writer = new LogWriter(file, header.sequence, fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW), length, digest);
    writer.#unsafeFolders = withAllAbove(fs.realpathSync.native(dirname(file)));
    return writer;
  }

  /** Of all records up to the last one, each after the one before: a log that has the same holds the same. */
  get digest(): string {
    return this.#digest;
  }

  /** It is written by the next `flush`. */
  append(record: LogRecord): void {
    const { line, digest } = encodeRecord(record, this.#digest);
    this.#add(line);
    this.#digest = digest;
    if (record.type !== "image") this.#records.push(record);
  }

  /** What `readLog` would tell of a log that was made here, without reading it. */
  told(): Log | undefined {
    const told = toldBy(this.#records);
    return told && { file: this.path, ...told, length: this.#length + this.#waitingLength, digest: this.#digest };
  }

  /**
   * Adds bytes, and returns where they begin. Throws ESTALE where they are not as many as was said.
   *
   * @param write passes all of them, piece by piece, to the function that it gets
   */
  image(length: number, write: (add: (bytes: Buffer) => void) => void): number {
    const image = this.beginImage(length);
    write(image.add);
    image.end();
    return image.offset;
  }

  /** The same for bytes that come one after another; nothing else may be added before its `end`. */
  beginImage(length: number): NewImage {
    this.append({ type: "image", length });
    const offset = this.#length + this.#waitingLength;
    let left = length;
    const add = (bytes: Buffer): void => {
      left -= bytes.length;
      this.#add(bytes);
      if (this.#waitingLength >= MOST_WAITING) this.flush();
    };
    const end = (): void => {
      if (left !== 0) throw systemError("ESTALE", "read", this.path);
    };
    return { offset, add, end };
  }

  /** Where it fails, what waits goes on waiting: the next `flush` writes it to the same place. */
  flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#telling(() => {
      for (let done = 0; done < bytes.length; ) done += fs.writeSync(this.#file, bytes, done, bytes.length - done, this.#length + done);
    });
    this.#length += bytes.length;
    [this.#waiting, this.#waitingLength] = [[], 0];
  }

  /** Remembers this place. The function that is returned forgets what was added since. */
  mark(): () => void {
    const [length, digest, waiting, waitingLength, records] = [this.#length, this.#digest, [...this.#waiting], this.#waitingLength, this.#records.length];
    return () => {
      [this.#length, this.#digest, this.#waiting, this.#waitingLength] = [length, digest, waiting, waitingLength];
      this.#records.length = records;
    };
  }

  /** Runs `act`; where it throws, whatever it has added is as if it had never been. */
  attempt<Value>(act: () => Value): Value {
    const forget = this.mark();
    try {
      return act();
    } catch (thrown) {
      forget();
      throw thrown;
    }
  }

  /** Waits until all of it is on the disk, and the way to it. */
  async sync(): Promise<void> {
    // The system tells of what it could not write only once.
    if (this.#error !== undefined) throw this.#error;
    this.flush();
    const syncing = new Syncing();
    try {
      await settled([fsync(this.#file), syncing.directories(this.#unsafeFolders).then(() => syncing.finished())]);
    } catch (thrown) {
      this.#error = isSystemError(thrown) ? new LogError(this.path, thrown) : thrown;
      throw this.#error;
    }
    this.#unsafeFolders = [];
  }

  /** The last record. Throws where it cannot be written. */
  end(record: Omit<EndRecord, "type">): void {
    this.append({ type: "end", ...record });
    this.flush();
  }

  /** That it has its end nobody has to look up, as long as it is as it is now. */
  noteEnded(): void {
    noteEnded(this.path, this.sequence, versionOf(fs.fstatSync(this.#file, { bigint: true })));
  }

  /** What still waits is given up: soon another file may have the descriptor. */
  close(): void {
    [this.#waiting, this.#waitingLength] = [[], 0];
    fs.closeSync(this.#file);
  }

  #telling(write: () => void): void {
    try {
      write();
    } catch (thrown) {
      throw isSystemError(thrown) ? new LogError(this.path, thrown) : thrown;
    }
  }

  #add(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingLength += bytes.length;
  }
}

const MOST_WAITING = 2 ** 20;
const fsync = promisify(fs.fsync);

function withAllAbove(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...withAllAbove(dirname(folder))];
}

function openNew(path: string): number | undefined {
  try {
    return fs.openSync(path, "wx", 0o600);
  } catch (thrown) {
    if (isSystemError(thrown) && thrown.code === "EEXIST") return undefined;
    throw thrown;
  }
}
