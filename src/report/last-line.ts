import { maskSecrets } from "../core/mask-secrets.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/** The last line of a command's output while it runs, to be shown: without colours and secrets. */
export class LastLine {
  #tail = "";

  add(piece: Uint8Array): void {
    this.#tail = (this.#tail + Buffer.from(piece).toString("latin1")).slice(-MAX_TAIL);
  }

  clear(): void {
    this.#tail = "";
  }

  /** A carriage return starts a line anew, as in progress bars. Empty if there is no line yet. */
  text(): string {
    const last = this.#tail.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
    const text = Buffer.from(last, "latin1").toString().replace(ESCAPES, "").trim();
    return visibleOnOneLine(maskSecrets(text), MAX_SHOWN).replaceAll("\t", " ");
  }
}

/** Characters of output that may hold its last line, and of a line to show. */
const [MAX_TAIL, MAX_SHOWN] = [4_096, 500];
/** Escape sequences of terminals. */
export const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
