import type { DiagnosticCode } from "../core/block.ts";

/** What is wrong with one line, in offsets from its start; the parser makes a `Diagnostic` of it. */
export interface Fault {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** 0-based, in UTF-16 units, as `length` is. */
  readonly at: number;
  readonly length: number;
}
