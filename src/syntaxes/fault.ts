import type { DiagnosticCode } from "../core/block.ts";

/** An error in one line, with offsets from its start. The parser turns it into a `Diagnostic`. */
export interface Fault {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** 0-based, in UTF-16 units like `length`. */
  readonly at: number;
  readonly length: number;
}
