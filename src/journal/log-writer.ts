import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import {
  encodeRecord,
  type Log,
  logFrom,
  type LogHeader,
  logPath,
  type LogRecord,
  newestSequence,
  recordsIn,
} from "./log.ts";
import type { ImagePlace } from "../core/change-set.ts";
import type { ImageStore } from "../disk/images.ts";
import { settleAll, Syncing, withAncestors } from "../disk/sync.ts";
import { attempt, isSystemError, type SystemError, systemError, unlessSystemError } from "../disk/system-error.ts";

/** The log could not be written. The files that the run changes are not affected. */
export class LogError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path: string;

  constructor(path: string, { code, syscall = "write", message }: SystemError) {
    super(message);
    [this.code, this.syscall, this.path] = [code, syscall, path];
  }
}

/** Appends records to a log. A record that was only partly written is overwritten by the next one. */
export class LogWriter implements ImageStore {
  readonly path: string;
  readonly sequence: number;
  readonly #file: number;
  /** End of the last written record. */
  #length: number;
  #digest: string;
  /** Folders with a new entry that is not synced yet. */
  #unsyncedFolders: string[] = [];
  #error: unknown;
  #pending: Buffer[] = [];
  #pendingLength = 0;
  /** All records but images. */
  #records: LogRecord[] = [];
  /** Images by the digest of their bytes. */
  readonly #images = new Map<string, ImagePlace>();

  private constructor(path: string, sequence: number, file: number, length: number, digest: string) {
    [this.path, this.sequence, this.#file, this.#length, this.#digest] = [path, sequence, file, length, digest];
  }

  /**
   * Creates the newest log in an existing folder.
   *
   * @param newest sequence of the newest log so far, if the caller has listed the folder in this turn
   */
  static create(
    folder: string,
    header: Omit<LogHeader, "type" | "version" | "sequence">,
    newest = newestSequence(folder),
  ): LogWriter {
    for (let sequence = newest + 1; ; sequence++) {
      const path = logPath(folder, sequence);
      const file = unlessSystemError(() => fs.openSync(path, "wx", 0o600), undefined, ["EEXIST"]);
      if (file === undefined) continue;
      const writer = new LogWriter(path, sequence, file, 0, "");
      try {
        writer.write({ type: "header", version: 3, sequence, ...header });
      } catch (thrown) {
        writer.close();
        attempt(() => fs.unlinkSync(path));
        throw thrown;
      }
      // For a project's first log, the folder and its ancestors may be new too.
      writer.#unsyncedFolders = newest === 0 ? withAncestors(fs.realpathSync.native(folder)) : [folder];
      return writer;
    }
  }

  /** Continues after the last complete record of a log. Its first writer may not have synced the folders. */
  static resume({ file, sequence, length, digest }: Log): LogWriter {
    const writer = new LogWriter(
      file,
      sequence,
      fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW),
      length,
      digest,
    );
    writer.#records = [...recordsIn(file)].map(({ record }) => record).filter(({ type }) => type !== "image");
    writer.#unsyncedFolders = withAncestors(fs.realpathSync.native(dirname(file)));
    return writer;
  }

  /** Digest over all records: logs with the same digest have the same content. */
  get digest(): string {
    return this.#digest;
  }

  /** Buffers a record until the next `flush`. */
  append(record: LogRecord): void {
    const { line, digest } = encodeRecord(record, this.#digest);
    this.#add(line);
    this.#digest = digest;
    if (record.type !== "image") this.#records.push(record);
  }

  /** Returns the same as `readLog`, without reading the file. */
  toLog(): Log | undefined {
    const facts = logFrom(this.#records);
    return facts && { file: this.path, ...facts, length: this.#length + this.#pendingLength, digest: this.#digest };
  }

  image(length: number, write: (add: (bytes: Buffer) => void) => void): number {
    this.append({ type: "image", length });
    const offset = this.#length + this.#pendingLength;
    let left = length;
    write((bytes) => {
      left -= bytes.length;
      this.#add(bytes);
      if (this.#pendingLength >= MAX_PENDING) this.flush();
    });
    if (left !== 0) throw systemError("ESTALE", "read", this.path);
    return offset;
  }

  keep(bytes: Buffer, sha256: string): ImagePlace {
    const known = this.#images.get(sha256);
    if (known !== undefined) return known;
    const place = { offset: this.image(bytes.length, (add) => add(bytes)), length: bytes.length };
    this.#images.set(sha256, place);
    return place;
  }

  /** If it fails, the records stay buffered and the next `flush` retries at the same offset. */
  flush(): void {
    const bytes = Buffer.concat(this.#pending);
    try {
      for (let done = 0; done < bytes.length;)
        done += fs.writeSync(this.#file, bytes, done, bytes.length - done, this.#length + done);
    } catch (thrown) {
      throw this.#errorFor(thrown);
    }
    this.#length += bytes.length;
    [this.#pending, this.#pendingLength] = [[], 0];
  }

  /** Remembers the current position. Returns a function that discards everything appended since. */
  mark(): () => void {
    const [length, digest, records] = [this.#length, this.#digest, this.#records.length];
    // A flush begins another list.
    const [waiting, count, waitingLength] = [this.#pending, this.#pending.length, this.#pendingLength];
    return () => {
      [this.#length, this.#digest, this.#pendingLength] = [length, digest, waitingLength];
      this.#pending = waiting.slice(0, count);
      this.#records.length = records;
      for (const [sha256, { offset }] of this.#images)
        if (offset >= length + waitingLength) this.#images.delete(sha256);
    };
  }

  /** Runs `act`. If it throws, discards everything it appended. */
  attempt<Value>(act: () => Value): Value {
    const forget = this.mark();
    try {
      return act();
    } catch (thrown) {
      forget();
      throw thrown;
    }
  }

  /** Waits until the log and the folders above it are on the disk. */
  async sync(): Promise<void> {
    // The system reports a failed write only once, so the error is remembered.
    if (this.#error !== undefined) throw this.#error;
    this.flush();
    const syncing = new Syncing(true);
    try {
      await settleAll([fsync(this.#file), syncing.directories(this.#unsyncedFolders).then(() => syncing.finished())]);
    } catch (thrown) {
      throw (this.#error = this.#errorFor(thrown));
    }
    this.#unsyncedFolders = [];
  }

  /** Appends a record. Throws if it cannot be written. */
  write(record: LogRecord): void {
    this.append(record);
    this.flush();
  }

  /** Drops buffered records, because another file may soon reuse the descriptor. */
  close(): void {
    [this.#pending, this.#pendingLength] = [[], 0];
    fs.closeSync(this.#file);
  }

  #errorFor(thrown: unknown): unknown {
    return isSystemError(thrown) ? new LogError(this.path, thrown) : thrown;
  }

  #add(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.#pendingLength += bytes.length;
  }
}

const MAX_PENDING = 2 ** 20;
const fsync = promisify(fs.fsync);
