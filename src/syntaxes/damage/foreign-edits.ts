/** Detects edits in the formats of other tools, and whole files in code fences. */
import type { Finding } from "../../core/finding.ts";
import type { Syntax } from "../syntax.ts";
import type { Fence } from "./fences.ts";
import { nameOf, pathAbove, pathInComment, pathInInfo } from "./path-label.ts";
import { ToolCallReader } from "./tool-calls.ts";
import { listed } from "./words.ts";

const FORMATS = {
  tool: { name: "the format of another tool's calls", edit: "call" },
  diff: { name: "the form of a diff without its head", edit: "change" },
  shell: { name: "the form of a shell command", edit: "file" },
} as const;

type Format = keyof typeof FORMATS;

interface WholeFile {
  readonly line: number;
  readonly path: string;
}

/** Reads the lines outside blocks in order. */
export class ForeignEditReader {
  readonly #edits: Record<Format, number[]> = { tool: [], diff: [], shell: [] };
  readonly #files: WholeFile[] = [];
  readonly #known: ReadonlySet<string>;
  readonly #isLoose: boolean;
  readonly #asked: Asked;
  readonly #calls: ToolCallReader;
  /** The last line that is not blank. */
  #label = { text: "", line: 0 };
  #fence: { readonly path: string | undefined; readonly edits: number; lines: number; changes: number; hasBlock: boolean } | undefined;

  /**
   * @param known names of the files that the blocks name; showing one in a fence only explains it
   * @param options.asked how to ask for the edits in the syntax of the answer
   * @param options.isLoose whether a sentence with a path makes the fence below it a file; used if there is no block
   */
  constructor(known: ReadonlySet<string>, { isLoose, asked }: { readonly isLoose: boolean; readonly asked: Asked }) {
    this.#known = known;
    this.#isLoose = isLoose;
    this.#asked = asked;
    this.#calls = new ToolCallReader(isLoose);
  }

  opens(fence: Fence): void {
    this.#calls.leave();
    const isNear = fence.line - this.#label.line <= 2;
    const path = pathInInfo(fence.info) ?? (isNear ? pathAbove(this.#label.text, this.#isLoose) : undefined);
    this.#fence = { path, edits: this.#count(), lines: 0, changes: 0, hasBlock: false };
  }

  /** @param fence the one that ends, with its closing line or with the text */
  closes({ line, info }: Fence): void {
    if (this.#fence === undefined) return;
    const { path, edits, lines, changes, hasBlock } = this.#fence;
    this.#fence = undefined;
    this.#calls.leave();
    if (lines === 0 || hasBlock || this.#count() > edits) return;
    if (DIFF_INFO.test(info)) {
      if (changes > 0) this.#edits.diff.push(line);
    } else if (path !== undefined && !this.#known.has(nameOf(path))) this.#files.push({ line, path });
  }

  /**
   * @param line not blank
   * @param opensBlock whether it opens a block of a syntax, which says so itself
   */
  read(line: string, number: number, opensBlock: boolean): void {
    if (this.#fence === undefined) this.#label = { text: line, line: number };
    else this.#readInFence(line, opensBlock);
    const format = this.#formatOf(line);
    if (format !== undefined && !opensBlock) this.#edits[format].push(number);
  }

  #readInFence(line: string, opensBlock: boolean): void {
    const fence = this.#fence;
    if (fence === undefined) return;
    if (fence.lines === 0 && fence.path === undefined) this.#fence = { ...fence, path: pathInComment(line) };
    const now = this.#fence ?? fence;
    now.lines += 1;
    if (/^[+-]/.test(line)) now.changes += 1;
    if (opensBlock) now.hasBlock = true;
  }

  #formatOf(line: string): Format | undefined {
    const call = this.#calls.read(line);
    if (call !== undefined) return call === "begins" ? "tool" : undefined;
    switch (line.trimStart().charAt(0)) {
      case "c":
      case "t":
        return this.#isLoose && WRITTEN_BY_SHELL.test(line) ? "shell" : undefined;
      default:
        return undefined;
    }
  }

  #count(): number {
    return Object.values(this.#edits).reduce((sum, { length }) => sum + length, 0);
  }

  findings(): Finding[] {
    const edits = Object.entries(this.#edits).filter(([, lines]) => lines.length > 0);
    return [...edits.map(([format, lines]) => editFinding(FORMATS[format as Format], lines, this.#asked)), ...fileFindings(this.#files, this.#asked)];
  }
}

type Asked = Syntax["asked"];

const DIFF_INFO = /^(?:diff|patch)\b/i;
/** Matches `cat > src/app.js <<'EOF'`. */
const WRITTEN_BY_SHELL = /^\s*(?:cat\b[^<>|]{0,100}(?:>>?[^<>|]{1,200}<<|<<[^<>|]{1,80}>)|tee\b[^<>|]{1,200}<<)/;

function editFinding({ name, edit }: (typeof FORMATS)[Format], lines: readonly number[], { as, change, write }: Asked): Finding {
  const [first = 0] = lines;
  const isOne = lines.length === 1;
  return {
    code: "answer/foreign-edit",
    line: first,
    message: `${listed(lines)}: ${isOne ? `a ${edit}`.replace("a edit", "an edit") : `${lines.length} ${edit}s`} in ${name}, which Loaf does not run`,
    request: `Send ${isOne ? "it" : "them"} again as ${as}: for each change ${change}, for a new file ${write}`,
  };
}

function fileFindings(files: readonly WholeFile[], { as, write }: Asked): Finding[] {
  const [first] = files;
  if (first === undefined) return [];
  const isOne = files.length === 1;
  return [
    {
      code: "answer/foreign-edit",
      line: first.line,
      message: `${listed(files.map(({ line }) => line))}: ${isOne ? `a code fence that looks like the whole file ${first.path}` : `${files.length} code fences that look like whole files`}, which Loaf does not write`,
      request: `Where ${isOne ? "it is" : "they are"} meant as ${isOne ? "a file" : "files"}, send ${isOne ? "it" : "them"} again as ${as}: ${write}`,
    },
  ];
}
