/** The case documents leave nothing out: every action, every failure, every syntax error has its case. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { actions } from "../../src/actions/index.ts";
import type { DiagnosticCode } from "../../src/core/block.ts";
import type { FailureCode } from "../../src/core/failure.ts";
import type { Role } from "../support/case-file.ts";
import { documentPaths, projectRoot, readDocument } from "../support/documents.ts";

/** What of a failure shows in an expected result: its code, or, where a block becomes no action, how its sentence begins. */
// Whether an action takes too long depends on the machine: `tests/unit/run/limits.test.ts` has that.
const traces: Readonly<Record<Exclude<FailureCode, "bug" | "limit/time">, string>> = {
  "action/missing": "Missing 'action' field",
  "action/unknown": "Unknown action: ",
  "action/user-only": "is for the user only",
  "action/not-allowed": '"action/not-allowed"',
  "params/missing": "Missing required parameter: ",
  "params/path": "Invalid absolute path: ",
  "params/integer": "Invalid integer value: ",
  "params/boolean": "Invalid boolean value: ",
  "params/enum": "Invalid enum value: ",
  "params/nul": "contains a NUL character",
  "path/ambiguous": '"path/ambiguous"',
  "path/elsewhere": '"path/elsewhere"',
  "path/outside": '"path/outside"',
  "guard/denied": '"guard/denied"',
  "guard/repository": '"guard/repository"',
  "file/not-found": '"file/not-found"',
  "file/permission": '"file/permission"',
  "file/system": '"file/system"',
  "file/excerpt": '"file/excerpt"',
  "file/signed": '"file/signed"',
  "file/unclear-end": '"file/unclear-end"',
  "file/unplaced": '"file/unplaced"',
  "file/loses": '"file/loses"',
  "file/unlike": '"file/unlike"',
  "file/original": '"file/original"',
  "skip/uncertain": '"skip/uncertain"',
  "file/exists": '"file/exists"',
  "file/source-not-found": '"file/source-not-found"',
  "file/changed": '"file/changed"',
  "file/spelling": '"file/spelling"',
  "file/too-large": '"file/too-large"',
  "file/read-budget": '"file/read-budget"',
  "file/not-text": '"file/not-text"',
  "text/not-ascii": '"text/not-ascii"',
  "text/lone-surrogate": '"text/lone-surrogate"',
  "text/empty": '"text/empty"',
  "text/not-found": '"text/not-found"',
  "text/ambiguous": '"text/ambiguous"',
  "text/placeholder": '"text/placeholder"',
  "text/masked": '"text/masked"',
  "text/count": '"text/count"',
  "hunk/no-place": '"hunk/no-place"',
  "hunk/remainder": '"hunk/remainder"',
  "hunk/conflict": '"hunk/conflict"',
  "hunk/changed": '"hunk/changed"',
  "text/end-not-found": '"text/end-not-found"',
  "text/end-overlaps": '"text/end-overlaps"',
  "text/end-ambiguous": '"text/end-ambiguous"',
  "lines/invalid": '"lines/invalid"',
  "lines/reversed": '"lines/reversed"',
  "lines/out-of-bounds": '"lines/out-of-bounds"',
  "lines/beyond-end": '"lines/beyond-end"',
  "lines/moved": '"lines/moved"',
  "lines/lone-cr": '"lines/lone-cr"',
  "lines/outside-part": '"lines/outside-part"',
  "address/not-found": '"address/not-found"',
  "address/ambiguous": '"address/ambiguous"',
  "address/uncertain": '"address/uncertain"',
  "address/no-language": '"address/no-language"',
  "address/unreadable": '"address/unreadable"',
  "address/not-taken": '"address/not-taken"',
  "limit/memory": '"limit/memory"',
  "pattern/lines": '"pattern/lines"',
  "pattern/regex": '"pattern/regex"',
  "pattern/impossible": '"pattern/impossible"',
  "context/no-files": '"context/no-files"',
  "paths/none": '"paths/none"',
  "paths/unread": '"paths/unread"',
  "paths/unchanged": '"paths/unchanged"',
  "run/not-whole": '"run/not-whole"',
  "run/depends": '"run/depends"',
  "run/torn": '"run/torn"',
  "command/unreadable": '"command/unreadable"',
  "skip/group": '"skip/group"',
  "skip/command": '"skip/command"',
  "exec/cwd": '"exec/cwd"',
  "exec/not-found": '"exec/not-found"',
  "exec/empty-version": '"exec/empty-version"',
  "exec/language": '"exec/language"',
  "exec/timeout": '"exec/timeout"',
  "exec/stopped": '"exec/stopped"',
  "exec/output": '"exec/output"',
  "exec/signal": '"exec/signal"',
  "exec/exit": '"exec/exit"',
  "exec/no-sandbox": '"exec/no-sandbox"',
  "exec/sandbox-failed": '"exec/sandbox-failed"',
  "exec/no-view": '"exec/no-view"',
  "exec/view-lost": '"exec/view-lost"',
  "skip/stopped": '"skip/stopped"',
  "skip/no-exec": '"skip/no-exec"',
  "skip/refused": '"skip/refused"',
};

/**
 * In a document nobody can change a file at the very moment, stop a run, have a command's view refused or take the sandbox away; the unit tests of
 * conflicts, stopping and commands do.
 */
const unreachable = ["file/changed", "file/spelling", "run/depends", "run/torn", "skip/stopped", "skip/refused", "skip/no-exec", "hunk/changed", "exec/stopped", "exec/no-sandbox", "exec/sandbox-failed", "exec/no-view", "exec/view-lost"];

const diagnosticCodes: Readonly<Record<DiagnosticCode, true>> = {
  MALFORMED_HEADER: true,
  INVALID_BLOCK_ID: true,
  MISMATCHED_END: true,
  UNCLOSED_BLOCK: true,
  UNCLOSED_HEREDOC: true,
  INVALID_KEY: true,
  EMPTY_KEY: true,
  DUPLICATE_KEY: true,
  INVALID_HEREDOC_DELIMITER: true,
  INVALID_ASSIGNMENT_OPERATOR: true,
  UNCLOSED_QUOTE: true,
  INVALID_VALUE: true,
  TRAILING_CONTENT: true,
  MALFORMED_ASSIGNMENT: true,
  MALFORMED_MARKER: true,
  UNKNOWN_OPERATION: true,
  MISPLACED_MARKER: true,
  INVALID_ATTRIBUTE: true,
  DUPLICATE_ATTRIBUTE: true,
  MISSING_REPLACE: true,
  UNTERMINATED_OPERATION: true,
  INVALID_OPERATION: true,
  INVALID_PATH: true,
  EMPTY_SECTION: true,
  EMPTY_SEARCH: true,
  WITHDRAWN: true, SEVERAL_TEXTS: true,
};

const allExpected = (role: Role): string =>
  documentPaths
    .flatMap((path) => readDocument(path).cases)
    .flatMap(({ blocks }) => blocks.filter((block) => block.role === role))
    .flatMap(({ lines }) => lines)
    .join("\n");

const results = allExpected("result");
const parsed = allExpected("parsed");

test.each(actions.map(({ name }) => name))("%s has a document", (name) => {
  expect(existsSync(join(projectRoot, `tests/cases/actions/${name.replaceAll("_", "-")}.cases.md`))).toBe(true);
});

test.each(Object.entries(traces).filter(([code]) => !unreachable.includes(code)))("%s has a case", (_, trace) => {
  expect(results).toContain(trace);
});

test("what is said to be out of reach of a case is", () => {
  const parameters = actions.flatMap(({ params }) => Object.values(params.shape));
  const complaints = new Set(parameters.flatMap((parameter) => z.safeParse(parameter, "neither a number nor one of a few words").error?.issues ?? []).map(({ message }) => message));
  expect(complaints).toContain("params/integer");
  for (const code of unreachable) expect(complaints).not.toContain(code);
});

test.each(Object.keys(diagnosticCodes))("%s has a case", (code) => {
  expect(parsed).toContain(`"${code}"`);
});

/** The sentences of the older syntaxes, of which several share a code. */
const sentences = [
  "Malformed marker",
  "Content not allowed on marker line",
  "Unknown operation: ",
  "TO marker not valid in null operation",
  "REPLACE marker not valid in TASKS operation",
  "END marker without active operation",
  "END marker cannot have attributes",
  "REPLACE marker cannot have attributes",
  "TASKS cannot be nested",
  "SEARCH operation without REPLACE",
  "Invalid attribute syntax",
  "Expected '=' after attribute name",
  "Missing attribute value",
  "Unquoted attribute value",
  "Unterminated quoted value",
  "Duplicate attribute: ",
  "Unterminated RUN operation",
  "Unterminated TASKS operation",
  "Missing required attribute 'file'",
  "Invalid value for 'append': ",
  "Invalid value for 'count': must be positive integer or 'all'",
  "Invalid value for 'count': must be 1 with TO",
  "Empty content not allowed for RUN operation",
  "Empty search pattern not allowed",
  "Empty TO pattern not allowed",
  "<<<FILE>>> has no path",
  "<<<FILE>>> has more than one line",
  "A path cannot contain '<'",
  "<<<SEARCH>>> has no line",
  "<<<REPLACE>>> has no line; an empty one means no text",
  "<<<OVERWRITE>>> has no line; an empty one means no text",
  "Empty search text",
  "<<<SEARCH>>> cannot follow <<<OVERWRITE>>>",
  "<<<END>>> without <<<FILE>>> before it",
  "Block 'block-1' not closed before new block",
  "Block 'block-3' not closed before EOF",
];

test.each(sentences)("'%s' has a case", (sentence) => {
  expect(results).toContain(`"message": "${sentence}`);
});
