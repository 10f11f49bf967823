import { CR, LF } from "../../edit/line-ending.ts";
import type { Needle } from "../line-finder.ts";
import { WORD } from "./code-points.ts";
import type { Edge } from "./parse.ts";
import type { Program } from "./program.ts";

/** What is before a place. */
const [LINE_START, WORD_BYTE, OTHER_BYTE] = [0, 1, 2];

/** Entries of the table that are no states. */
const [UNKNOWN, MATCH] = [0, 1];
/** The state at the start of each line. */
const START = 2;

/** Maximum number of states to keep. More are forgotten and made again, so memory is limited for every pattern. */
const MAX_STATES = 2_048;

/**
 * Finds a regular expression in a stream of bytes, line by line, in time linear in their number. It is a deterministic
 * automaton, whose states are made when they are first reached: sets of states of the program, with what came before.
 */
export class Automaton implements Needle {
  readonly width = 0;
  readonly #program: Program;
  /** Class of each byte: bytes of one class lead to the same states. The last class is the end of a line. */
  readonly #classes: Uint16Array;
  /** A byte of each class. */
  readonly #examples: readonly number[];
  #table = new Int32Array();
  readonly #sets: Int32Array[] = [];
  readonly #before: number[] = [];
  readonly #byKey = new Map<string, number>();
  /** Numbers of the last closure and the last step in which a state of the program was reached. */
  readonly #closed: Uint32Array;
  readonly #stepped: Uint32Array;
  #round = 0;
  #state = START;
  /** Whether a CR is not read yet, because it may belong to the line ending. */
  #isHeld = false;

  constructor(program: Program) {
    this.#program = program;
    this.#classes = classesOf(program);
    const examples: number[] = [];
    this.#classes.forEach((kind, byte) => (examples[kind] ??= byte));
    this.#examples = examples;
    this.#closed = new Uint32Array(program.states.length);
    this.#stepped = new Uint32Array(program.states.length);
    this.#forget();
  }

  reset(): void {
    this.#state = START;
    this.#isHeld = false;
  }

  find(block: Buffer, _from: number, unseen: number): number {
    if (this.#isHeld && unseen < block.length) {
      this.#isHeld = false;
      if (block[unseen] !== LF && this.#step(this.#classes[CR] ?? 0)) return unseen - 1;
    }
    const [classes, width] = [this.#classes, this.#examples.length];
    let [state, table] = [this.#state, this.#table];
    for (let at = unseen; at < block.length; at++) {
      const byte = block[at] ?? 0;
      if (byte === CR) {
        if (at + 1 === block.length) this.#isHeld = true;
        if (this.#isHeld || block[at + 1] === LF) continue;
      }
      const kind = classes[byte] ?? 0;
      let next = table[state * width + kind] ?? UNKNOWN;
      if (next <= MATCH) {
        this.#state = state;
        if (this.#step(kind)) return at;
        [next, table] = [this.#state, this.#table];
      }
      state = next;
    }
    this.#state = state;
    return -1;
  }

  isAtEnd(): boolean {
    return this.#step(this.#classes[LF] ?? 0);
  }

  /** Reads a byte of this class. Returns whether a match ends before it. */
  #step(kind: number): boolean {
    const next = this.#next(kind);
    if (next !== MATCH) this.#state = next;
    return next === MATCH;
  }

  #next(kind: number): number {
    const known = this.#table[this.#state * this.#examples.length + kind] ?? UNKNOWN;
    if (known !== UNKNOWN) return known;
    const reached = this.#reach(
      this.#sets[this.#state] ?? new Int32Array(), this.#before[this.#state] ?? LINE_START, this.#examples[kind] ?? 0
    );
    // A full table is forgotten, and this state with it.
    const isFull = this.#sets.length === MAX_STATES;
    if (isFull) this.#forget();
    const next = reached === undefined ? MATCH : this.#stateFor(reached.set, reached.before);
    if (!isFull) this.#table[this.#state * this.#examples.length + kind] = next;
    return next;
  }

  #forget(): void {
    this.#table.fill(UNKNOWN);
    this.#byKey.clear();
    this.#sets.length = START;
    this.#before.length = START;
    this.#stateFor(Int32Array.of(this.#program.start), LINE_START);
  }

  #stateFor(set: Int32Array, before: number): number {
    const length = Math.ceil(this.#program.states.length / 8);
    const bits = Buffer.alloc(length + 1);
    bits[length] = before;
    for (const state of set) bits[state >> 3] = (bits[state >> 3] ?? 0) | (1 << (state & 7));
    const key = bits.toString("latin1");
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    this.#byKey.set(key, this.#sets.length);
    this.#before.push(before);
    const state = this.#sets.push(set) - 1;
    const rows = this.#table.length / this.#examples.length;
    if (state >= rows) {
      const larger = new Int32Array(Math.max(8, rows * 4) * this.#examples.length);
      larger.set(this.#table);
      this.#table = larger;
    }
    return state;
  }

  /** Returns the states of the program after a byte. Undefined if a match ends before it. */
  #reach(
    set: Int32Array, before: number, byte: number
  ): { readonly set: Int32Array; readonly before: number } | undefined {
    const { states, start } = this.#program;
    this.#round += 1;
    const after: number[] = [];
    const open = [...set];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (this.#closed[name] === this.#round) continue;
      this.#closed[name] = this.#round;
      const state = states[name];
      if (state === undefined) continue;
      if (state.type === "match") return undefined;
      if (state.type === "split") for (const to of state.to) open.push(to);
      else if (state.type === "edge" && holds(state.edge, before, byte)) open.push(state.to);
      else if (state.type === "step") {
        for (const { bytes: [first, last], to } of state.steps) {
          if (byte < first || byte > last || this.#stepped[to] === this.#round) continue;
          this.#stepped[to] = this.#round;
          after.push(to);
        }
      }
    }
    // A match may start at any place of the line.
    if (byte === LF) return { set: Int32Array.of(start), before: LINE_START };
    if (this.#stepped[start] !== this.#round) after.push(start);
    return { set: Int32Array.from(after), before: isWordByte(byte) ? WORD_BYTE : OTHER_BYTE };
  }
}

/** @param byte the next one; LF at the end of the line */
function holds(edge: Edge, before: number, byte: number): boolean {
  if (edge === "start") return before === LINE_START;
  if (edge === "end") return byte === LF;
  const isBetween = (before === WORD_BYTE) !== isWordByte(byte);
  // There is no place inside a character.
  return edge === "word" ? isBetween : !isBetween && !(byte >= 0x80 && byte < 0xc0);
}

function isWordByte(byte: number): boolean {
  return WORD.some(([first, last]) => first <= byte && byte <= last);
}

function classesOf({ states }: Program): Uint16Array {
  const starts = new Set([LF, LF + 1, 0x80, 0xc0, ...WORD.flatMap(([first, last]) => [first, last + 1])]);
  for (const state of states) {
    if (state.type === "step") for (const { bytes: [first, last] } of state.steps) starts.add(first).add(last + 1);
  }
  let kind = 0;
  return Uint16Array.from({ length: 256 }, (_, byte) => (byte > 0 && starts.has(byte) ? (kind += 1) : kind));
}
