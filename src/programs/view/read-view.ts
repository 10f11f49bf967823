/**
 * Compares a view after a command with the project. The result is the list of changes that would make the project the
 * same.
 */
import { isUtf8 } from "node:buffer";
import {
  type BigIntStats, chmodSync, constants, lstatSync, openSync, readdirSync, readlinkSync
} from "node:fs";
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { withFile } from "../../disk/choose-pins.ts";
import { asBytes, readableName, textOf } from "../../paths/names.ts";
import { joinPath } from "../../paths/path-segments.ts";
import { entryIfThere } from "../../disk/look.ts";
import type { VersionedEntry } from "../../disk/volume.ts";
import { keepWhole } from "../../disk/images.ts";
import { ChangeJudge, DeletedMeanwhile, StrandedEntries } from "./judge-change.ts";
import {
  type ChangeOf, entryPath, inDirectory, type RefusalReason, type RefusedChange, type ViewChanges, type ViewReading,
  type ViewChange,
} from "./view.ts";
import type { PlacedEntry } from "../../guard/placement.ts";
import { tryOr } from "../../core/errors.ts";

/** An entry that the layer reports, and what the project has there. */
interface Place {
  /** Relative to the root, as bytes in latin1. */
  readonly entry: string;
  /** Absolute. */
  readonly path: string;
  readonly old: VersionedEntry | undefined;
}

/** Walks through the layer. Each entry becomes a wanted change, a refused one, or neither if nothing differs. */
export class ViewReader {
  readonly #reading: ViewReading;
  readonly #judge: ChangeJudge;
  readonly #stranded: StrandedEntries;
  readonly #deleted: DeletedMeanwhile;
  readonly #foldsNames: boolean;
  readonly #wanted: ViewChange[] = [];
  readonly #refused: RefusedChange[] = [];

  constructor(reading: ViewReading) {
    const { root, before, layer } = reading;
    this.#reading = reading;
    this.#foldsNames = before.folds(root);
    this.#judge = new ChangeJudge(reading);
    this.#stranded = new StrandedEntries(layer);
    this.#deleted = new DeletedMeanwhile(reading);
  }

  /** Call it when no process of the command runs any more. Throws system errors. */
  read(): ViewChanges {
    this.#openToOwner("", modeOf(lstatSync(this.#inLayer(""), { bigint: true })));
    this.#visit("");
    for (const entry of this.#deleted.removeFrom(this.#wanted)) this.#refuse(entry, "changed");
    return this.#withoutOrigins();
  }

  /** Keeps files in their old places if their new ones are refused. */
  #withoutOrigins(): ViewChanges {
    const { root, before } = this.#reading;
    const kept = this.#stranded.origins(this.#wanted, before);
    const isKept = ({ kind, path }: ViewChange): boolean => kind === "gone" && kept.has(path);
    const left = this.#wanted.filter((item) => isKept(item) && item.old?.kind !== "directory");
    const moved = left.map(({ path }) => ({ path: relative(root, path), reason: "moved" }) as const);
    return { wanted: this.#wanted.filter((item) => !isKept(item)), refused: [...this.#refused, ...moved] };
  }

  #visit(directory: string): void {
    const names = readdirSync(this.#inLayer(directory), { encoding: "latin1" }).toSorted();
    for (const name of names) this.#lookAt(inDirectory(directory, name));
    const present = new Set(names);
    const missing = this.#namesBefore(directory).filter((name) => !present.has(name));
    const gone = this.#reading.layer.deletedIn(directory, missing).map((name) => inDirectory(directory, name));
    const isOther = gone.length > 0 && this.#isOther(directory);
    for (const entry of gone) {
      if (isOther) this.#refuse(entry, "changed");
      else this.#lookAtGone(entry);
    }
  }

  /** Returns whether somebody may have moved another directory here, whose entries are all old. */
  #isOther(directory: string): boolean {
    if (this.#reading.layer.knowsAll || directory === "") return false;
    const old = this.#placeOf(directory)?.old;
    return old !== undefined && this.#judge.isChanged(old);
  }

  #lookAt(entry: string): void {
    const { root, layer, mounted } = this.#reading;
    if (mounted.has(entry)) return;
    this.#deleted.touched.push(entry);
    const at = this.#inLayer(entry);
    if (Math.max(at.length, root.length + entry.length) > MAX_PATH || entry.split("/").length > MAX_DEPTH) {
      this.#refuse(entry, "long");
      return;
    }
    const stats = lstatSync(at, { bigint: true });
    if (isWhiteout(stats)) {
      this.#lookAtRemoved(entry);
      return;
    }
    if (!stats.isDirectory() && layer.isUntouched(entry, stats)) return;
    const place = this.#placeOf(entry);
    if (place === undefined) this.#lookAtUnnameable(entry, stats);
    else this.#lookAtNamed(place, stats);
  }

  #lookAtNamed(place: Place, stats: BigIntStats): void {
    const { entry, old } = place;
    const isSameDirectory = stats.isDirectory() && old?.kind === "directory";
    if (this.#reading.closed.has(entry) && old !== undefined && !isSameDirectory) this.#refuse(entry, "closed");
    else if (stats.isDirectory()) this.#lookAtDirectory(place, stats);
    else if (stats.isSymbolicLink()) this.#lookAtLink(place);
    else if (!stats.isFile()) this.#refuse(entry, "special");
    else this.#lookAtFile(place, stats);
  }

  #lookAtDirectory(place: Place, stats: BigIntStats): void {
    const { entry, path, old } = place;
    const mode = modeOf(stats);
    this.#openToOwner(entry, mode);
    if (old?.kind === "directory") {
      if (mode !== old.mode) this.#refuse(entry, "mode");
    } else {
      if (!this.#mayLand(place, { kind: "directory" }, old === undefined ? "target" : "itself")) return;
      this.#wanted.push({ kind: "directory", path, old, mode: mode | 0o700 });
    }
    this.#visit(entry);
  }

  /** The owner may have no access to it, but needs to read it. */
  #openToOwner(directory: string, mode: number): void {
    if ((mode & 0o700) !== 0o700) this.#reading.layer.openToOwner(directory);
  }

  #lookAtLink(place: Place): void {
    const { entry, path, old } = place;
    const bytes = readlinkSync(this.#inLayer(entry), { encoding: "buffer" });
    if (!isUtf8(bytes)) {
      this.#refuse(entry, "link-target");
      return;
    }
    const target = bytes.toString();
    if (old?.kind === "link" && this.#reading.before.readLink(path) === target) return;
    const link = { kind: "link", target } as const;
    if (this.#mayLand(place, link, "itself")) this.#wanted.push({ ...link, path, old });
  }

  #lookAtFile(place: Place, stats: BigIntStats): void {
    const { entry, path, old } = place;
    const [at, mode, size] = [this.#inLayer(entry), modeOf(stats), Number(stats.size)];
    if ((mode & 0o400) === 0) chmodSync(at, mode | 0o400);
    if (this.#judge.isSparse(stats)) {
      this.#refuse(entry, "sparse");
      return;
    }
    const sha256 = digestOf(at, size);
    if (old?.kind === "file" && old.mode === mode && old.size === size && this.#isSameAs(path, sha256)) return;
    if (this.#judge.isNewSetId(mode, old)) {
      this.#refuse(entry, "set-id");
      return;
    }
    if (!this.#mayLand(place, { kind: "file" }, old?.kind === "file" ? "target" : "itself")) return;
    const content = { log: at.toString(), offset: 0, length: size, sha256 };
    const modified = Number(stats.mtimeNs / 1_000n) / 1_000_000;
    const file = { kind: "file", path, old, content, mode: mode | 0o400, modified } as const;
    this.#wanted.push(file);
    if (old === undefined)
      this.#deleted.consider(entry, file, () => this.#reading.layer.originOf(entry, stats.ino));
  }

  /** In a directory copied up for one entry, reports only that entry. */
  #lookAtUnnameable(entry: string, stats: BigIntStats): void {
    const isOld =
      stats.isDirectory() &&
      lstatSync(entryPath(this.#reading.root, entry), { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isOld) this.#refuse(entry, "name");
    else this.#visit(entry);
  }

  /** Says that a directory stays of which the command has removed all that it could see. */
  #lookAtRemoved(entry: string): void {
    const { layer, closed, mounted } = this.#reading;
    const before = this.#refused.length;
    const isOwn = closed.has(entry) || mounted.has(entry) || !layer.had(entry);
    if (!this.#lookAtGone(entry) && !isOwn && this.#refused.length === before) this.#refuse(entry, "hidden");
  }

  /** @returns whether nothing is left of it */
  #lookAtGone(entry: string): boolean {
    const { layer, closed, mounted } = this.#reading;
    this.#deleted.touched.push(entry);
    if (closed.has(entry) || mounted.has(entry)) return false;
    if (!layer.had(entry)) return false;
    const place = this.#placeOf(entry);
    // Somebody else deleted it; or its name is not UTF-8 and shown with escapes.
    if (place !== undefined && place.old === undefined && !ESCAPED.test(entry)) return true;
    if (place?.old === undefined) {
      this.#refuse(entry, "name");
      return false;
    }
    const { path, old } = place;
    if (this.#isDenied(place, { kind: "file" }, "itself")) return false;
    const isGone = old.kind === "directory" ? this.#isEmptied(entry, old) : this.#mayReplace(place);
    if (isGone) this.#wanted.push({ kind: "gone", path, old });
    return isGone;
  }

  /** Returns whether nothing is left in a directory, all of whose entries are gone for the command. */
  #isEmptied(entry: string, old: VersionedEntry): boolean {
    // A moved directory need not have a new time itself.
    if (this.#judge.isChanged(old)) {
      this.#refuse(entry, "changed");
      return false;
    }
    return this.#namesBefore(entry).map((name) => this.#lookAtGone(`${entry}/${name}`)).every(Boolean);
  }

  #mayLand(place: Place, placed: PlacedEntry, of: ChangeOf): boolean {
    const may = !this.#isDenied(place, placed, of) && this.#mayReplace(place);
    if (!may) this.#stranded.note(place.entry);
    return may;
  }

  #isDenied({ entry, path }: Place, placed: PlacedEntry, of: ChangeOf): boolean {
    const rule = this.#reading.ruleAgainst(path, placed, of);
    if (rule !== undefined) this.#refused.push({ path: readable(entry), reason: "rule", rule });
    return rule !== undefined;
  }

  /** Returns whether the existing entry may be replaced. Reports a directory's entries as gone. */
  #mayReplace({ entry, path, old }: Place): boolean {
    if (old === undefined) return true;
    if (old.kind === "directory" && this.#reading.layer.had(entry)) {
      const before = this.#refused.length;
      const isGone = this.#lookAtGone(entry);
      // Something in it was hidden from the command.
      if (!isGone && this.#refused.length === before) this.#refuse(entry, "closed");
      return isGone;
    }
    const reason = this.#judge.reasonToKeep(path, old);
    if (reason !== undefined) this.#refuse(entry, reason);
    return reason === undefined;
  }

  #refuse(entry: string, reason: RefusalReason): void {
    const isKept = reason === "changed" && isFileAt(this.#inLayer(entry));
    if (reason !== "mode") this.#stranded.note(entry);
    this.#refused.push({ path: readable(entry), reason, ...(isKept && { source: this.#inLayer(entry) }) });
  }

  #isSameAs(path: string, sha256: string): boolean {
    const digest = createHash("sha256");
    this.#reading.before.readPieces(path, (piece) => (digest.update(piece), true));
    return digest.digest("hex") === sha256;
  }

  /** Returns undefined for a name that is not UTF-8. */
  #placeOf(entry: string): Place | undefined {
    const { root, before } = this.#reading;
    const text = textOf(entry);
    if (text === undefined) return undefined;
    if (this.#foldsNames) return { entry, ...this.#spelled(text) };
    const path = text === "" ? root : joinPath(root, text);
    return { entry, path, old: entryIfThere(path, before) };
  }

  /** The view does not fold names: what it has in another spelling is an entry of the project, or replaces that. */
  #spelled(text: string): Pick<Place, "path" | "old"> {
    const { root, before } = this.#reading;
    let [path, old] = [root, entryIfThere(root, before)];
    for (const name of text === "" ? [] : text.split("/")) {
      const written = joinPath(path, name);
      const entry = old === undefined ? undefined : entryIfThere(written, before);
      const other = before.spelled(written, entry !== undefined);
      const isGone = other !== written && !isThere(this.#inLayer(asBytes(relative(root, other))));
      [path, old] = isGone ? [written, undefined] : [other, entry && entryIfThere(other, before)];
    }
    return { path, old };
  }

  #namesBefore(directory: string): string[] {
    const place = this.#placeOf(directory);
    if (place?.old?.kind !== "directory") return [];
    const names = this.#reading.before.namesIn(place.path).map(({ name }) => asBytes(name));
    return names.toSorted();
  }

  #inLayer(entry: string): Buffer {
    return entryPath(this.#reading.layer.path, entry);
  }
}

/** Returns false also if a parent is a file. */
function isThere(path: Buffer): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFileAt(path: Buffer): boolean {
  return tryOr(() => lstatSync(path).isFile(), false);
}

/** In bytes. The system accepts 4,095, and Loaf's temporary names beside an entry need some. */
const MAX_PATH = 3_800;
/** Folders in each other. Each is visited by a call of its own. */
const MAX_DEPTH = 250;
const ESCAPED = /\\x[0-9a-f]{2}/;

/** Returns a layer's path in readable form. */
function readable(entry: string): string {
  return entry.split("/").map(readableName).join("/");
}

/** Recognises an overlay's mark for a deletion: a character device 0,0. */
function isWhiteout(stats: BigIntStats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0n;
}

/** Returns the mode bits that layers compare. */
function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o7777;
}

function digestOf(path: Buffer, size: number): string {
  return withFile(openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW), (file) => keepWhole(file, size).sha256);
}
