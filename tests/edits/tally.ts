import type { EditCase } from "./corpus.ts";

/** `applied` is right to the byte, `wrong` is applied in any other way. */
export type Verdict = "applied" | "refused" | "wrong";

/** How often each verdict came, by kind and language. */
export class Tally {
  readonly #rows = new Map<string, Map<string, Record<Verdict, number>>>();
  readonly #must = { cases: 0, applied: 0 };

  count({ kind, language, expected }: EditCase, verdict: Verdict): void {
    const row = this.#rows.get(kind) ?? new Map<string, Record<Verdict, number>>();
    this.#rows.set(kind, row);
    const cell = row.get(language) ?? { applied: 0, refused: 0, wrong: 0 };
    row.set(language, cell);
    cell[verdict] += 1;
    if (expected === undefined) return;
    this.#must.cases += 1;
    if (verdict === "applied") this.#must.applied += 1;
  }

  /** Of those that must be applied. */
  get shareApplied(): number {
    return this.#must.applied / this.#must.cases;
  }

  /** A line for each kind: applied / refused / wrong in each language. */
  table(): string {
    const names = [...new Set([...this.#rows.values()].flatMap((row) => [...row.keys()]))];
    const lines = [...this.#rows].map(([kind, row]) => {
      const cells = names.map((name) => row.get(name)).map((cell) => (cell === undefined ? "-" : `${cell.applied}/${cell.refused}/${cell.wrong}`));
      return [kind.padEnd(30), ...cells.map((cell) => cell.padStart(11))].join(" ");
    });
    const head = ["applied/refused/wrong".padEnd(30), ...names.map((name) => name.padStart(11))].join(" ");
    return [head, ...lines, `must apply: ${this.#must.applied} of ${this.#must.cases}`].join("\n");
  }
}
