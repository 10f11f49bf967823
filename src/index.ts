/** The library's face. */
export type { GuardRules } from "./config/guard-rules.ts";
export type { Config, Settings } from "./config/schema.ts";
export { ConfigError, type ConfigProblem } from "./config/problem.ts";
export type { Block, Diagnostic, DiagnosticCode, ParseResult } from "./core/block.ts";
export type { Change, Content } from "./core/change.ts";
export type { FailureCode } from "./core/failure.ts";
export type { ActionResult, ExecutionResult, ParseError } from "./core/outcome.ts";
export type { ConfigFile, ConfigFiles } from "./host/config-files.ts";
export { type InstructionOptions, instructions } from "./describe/instructions.ts";
export { unifiedDiff } from "./report/diff.ts";
export { fullReport, type ReportedProject } from "./report/full.ts";
export { jsonReport } from "./report/json.ts";
export type { Peek } from "./report/sections.ts";
export { summaryReport } from "./report/summary.ts";
export { Loaf, type LoafOptions } from "./run/open.ts";
export type { Listener } from "./run/run.ts";
export { parse } from "./syntax/nesl.ts";
export type { OutlineEntry } from "./workspace/workspace.ts";
