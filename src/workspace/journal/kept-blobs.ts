import { createHash } from "node:crypto";
import type { ImagePlace } from "../volume/operation.ts";
import type { LogWriter, NewImage } from "./log-writer.ts";

/** Hands on the bytes of objects, one after another, in pieces; one that is missing is passed over. */
export type ReadBlobs = (ids: readonly string[], sink: { begin(id: string, size: number): void; add(piece: Buffer): void; end(): void }) => Promise<void>;

export interface KeptBlob {
  readonly size: number;
  readonly sha256: string;
  readonly image: ImagePlace;
  /** What a link leads to. */
  readonly text?: string;
}

/**
 * Copies objects into a log, each once, whatever their size, without holding them in memory: so the log has all that undo needs, and the directory they
 * are from may drop them. Yields what was there, by name.
 */
export async function keepBlobs(log: LogWriter, wanted: ReadonlyArray<{ readonly kind: "file" | "link"; readonly blob: string }>, read: ReadBlobs): Promise<ReadonlyMap<string, KeptBlob>> {
  const links = new Set(wanted.filter(({ kind }) => kind === "link").map(({ blob }) => blob));
  const kept = new Map<string, KeptBlob>();
  let image: NewImage | undefined;
  let current = { id: "", size: 0, digest: createHash("sha256"), pieces: [] as Buffer[] };
  await read([...new Set(wanted.map(({ blob }) => blob))], {
    begin(id, size) {
      image = log.beginImage(size);
      current = { id, size, digest: createHash("sha256"), pieces: [] };
    },
    add(piece) {
      image?.add(piece);
      current.digest.update(piece);
      if (links.has(current.id)) current.pieces.push(piece);
    },
    end() {
      if (image === undefined) return;
      image.end();
      const { id, size, digest, pieces } = current;
      kept.set(id, { size, sha256: digest.digest("hex"), image: { offset: image.offset, length: size }, ...(links.has(id) && { text: Buffer.concat(pieces).toString() }) });
    },
  });
  return kept;
}
