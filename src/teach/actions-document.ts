import type { AnyAction } from "../actions/define.ts";
import { actions } from "../actions/index.ts";
import { explain } from "../core/explain.ts";
import type { Failure, FailureCode } from "../core/failure.ts";
import { exampleBlock } from "./example.ts";
import { parametersOf } from "./parameters.ts";
import { code, table } from "./table.ts";

/** Generates `docs/actions.md`: every action, then the sentence of every failure. */
export function actionsDocument(): string {
  return `# Actions

What a block can do. Every value in a block is text; the form says what the text must look like. Paths are absolute or, with
\`relative_paths: true\`, relative to the root. [syntax.md](syntax.md) describes how blocks are written,
[configuration.md](configuration.md) which paths may be touched. The JSON Schema of blocks is \`actions.schema.json\`.

${actions.map(describeAction).join("\n\n")}

## Failures

The \`error\` of a failed result is exactly such a sentence, its \`code\` is the name. \`ACTION\` is the action's name.

${table(
  ["code", "sentence"],
  FAILURES.map((failure) => [code(failure.code), code(explain(failure, "ACTION"))]),
)}
`;
}

function describeAction(action: AnyAction): string {
  const rows = parametersOf(action).map(({ name, required, form, description }) => [
    code(name),
    form,
    required ? "yes" : "no",
    description,
  ]);
  return `## ${action.name}

${[action.summary, ...(action.notes ?? [])].join(" ")}

${action.details === undefined ? "" : `${action.details}\n\n`}${table(["parameter", "form", "required", "meaning"], rows)}

${needsSentence(action)}

\`\`\`
${exampleBlock(action, "k7m", "/project")}
\`\`\``;
}

function needsSentence({ needs }: AnyAction): string {
  const grants = Object.entries(needs).map(([parameter, access = []]) => `${code(parameter)} (${access.join(", ")})`);
  return `The guard must allow: ${grants.join(", ")}.`;
}

/** The properties of the failure with a code. */
type Facts<Code, Each = Failure> = Each extends { readonly code: infer Codes }
  ? Code extends Codes
    ? Omit<Each, "code">
    : never
  : never;

const notFound = { errno: "ENOENT", text: "no such file or directory", syscall: "open", path: "/project/a.txt" };
const unread = { path: "/project/a.txt", failure: { code: "file/not-found", ...notFound } } as const;

/** A sample of each failure. A new code without a sample does not compile. */
const SAMPLES: { readonly [Code in FailureCode]: Facts<Code> } = {
  "action/missing": {},
  "action/unknown": { action: "file_erase" },
  "action/user-only": { action: "undo" },
  "action/not-allowed": { action: "file_delete", allowed: ["file_read", "file_write"] },
  "params/missing": { parameter: "path" },
  "params/path": { parameter: "path", value: "src/app.js" },
  "params/integer": { parameter: "count", value: "two" },
  "params/boolean": { parameter: "return_output", value: "yes" },
  "params/enum": { parameter: "lang", value: "perl", allowed: ["bash", "python"] },
  "params/nul": { parameter: "code" },
  "path/ambiguous": { path: "app.js", count: 2, candidates: ["src/app.js", "test/app.js"] },
  "path/elsewhere": { path: "app.js", count: 1, candidates: ["src/app.js"] },
  "path/outside": { path: "../app.js" },
  "guard/repository": { path: "/project/src/refs/README", directory: "/project/src" },
  "guard/denied": { access: "write", path: "/project/.git/config", rule: "deny **/.git/**" },
  "file/not-found": notFound,
  "file/permission": { errno: "EACCES", text: "permission denied", syscall: "open", path: "/project/a.txt" },
  "file/system": { errno: "EISDIR", text: "illegal operation on a directory", syscall: "read", path: "/project/src" },
  "file/excerpt": { path: "/project/a.txt", kept: 2, of: 90 },
  "file/signed": { path: "/project/a.py", number: 5, line: "-    return x" },
  "file/unclear-end": { path: "/project/a.txt" },
  "file/unplaced": {
    path: "/project/a.py",
    reason: "has login 2 times (Cart.login, login): say in which class or function",
  },
  "file/loses": { path: "/project/a.py", names: ["login", "Cart.total"] },
  "file/unlike": { path: "/project/a.txt", kept: 2, of: 90 },
  "file/original": { path: "/project/a.txt" },
  "skip/uncertain": { syntax: "whole-file", isUnnamed: false },
  "file/exists": { path: "/project/a.txt" },
  "file/source-not-found": { path: "/project/a.txt" },
  "file/changed": { path: "/project/a.txt" },
  "file/too-large": { path: "/project/a.txt", size: 20_000_000, limit: 10_485_760 },
  "file/read-budget": { path: "/project/a.txt", limit: 67_108_864 },
  "file/not-text": { path: "/project/a.png", reason: "binary" },
  "text/not-ascii": { path: "/project/a.txt" },
  "text/lone-surrogate": { path: "/project/a.txt" },
  "text/empty": { parameter: "old_text" },
  "text/not-found": { parameter: "old_text" },
  "text/ambiguous": { parameter: "old_text", count: 3 },
  "text/placeholder": { parameter: "content", line: "# ... existing code ...", number: 7, of: "whole" },
  "text/masked": { parameter: "old_text", mask: "[masked: GitHub token]" },
  "text/count": { expected: 2, found: 3 },
  "hunk/no-place": {},
  "hunk/remainder": {},
  "hunk/conflict": {},
  "hunk/changed": { path: "src/app.js" },
  "text/end-not-found": {},
  "text/end-overlaps": {},
  "text/end-ambiguous": { count: 2 },
  "lines/invalid": { lines: "3abc" },
  "lines/reversed": { lines: "5-3", first: 5, last: 3 },
  "lines/out-of-bounds": { lines: "8-9", count: 3 },
  "lines/beyond-end": { lines: "2-10", count: 3 },
  "lines/moved": { lines: "2", change: "moved", now: "3" },
  "lines/lone-cr": {},
  "lines/outside-part": { lines: "2-4", first: 10, last: 20 },
  "address/not-found": {
    path: "/project/app.js",
    address: "@@stop",
    candidates: ["@@start", "@@Server@@stop"],
    omitted: 2,
  },
  "address/ambiguous": {
    path: "/project/app.js",
    address: "@@area",
    candidates: ["@@area#1 (line 3)", "@@area#2 (line 9)"],
    omitted: 0,
  },
  "address/uncertain": { path: "/project/app.js", address: "@@start" },
  "address/no-language": { path: "/project/a.txt", known: ["Markdown", "TypeScript", "…"] },
  "address/unreadable": {
    path: "/project/a.yml",
    language: "YAML",
    reason: "Nested mappings are not allowed in compact mappings at line 1, column 4",
  },
  "address/not-taken": { path: "/project/app.js@@start" },
  "limit/time": { limit: 5_000 },
  "limit/memory": { limit: 1_073_741_824, of: "action" },
  "pattern/lines": {},
  "pattern/regex": { problem: "a backreference", at: 5 },
  "pattern/impossible": { parameter: "pattern", base: "base_path" },
  "context/no-files": { path: "/project/src/*.py" },
  "paths/none": {},
  "paths/unread": { failures: [unread] },
  "paths/unchanged": { failures: [unread] },
  "run/not-whole": {},
  "run/depends": { path: "/project/a.txt" },
  "run/torn": {
    cause: {
      failure: { code: "file/system", errno: "EIO", text: "i/o error", syscall: "rename", path: "/project/a.txt" },
    },
  },
  "command/unreadable": { command: "npm test | tee log", problem: "'|' would need a shell" },
  "skip/group": { obstacle: "task-2.1" },
  "skip/command": { command: "npm test", isRefused: false, toAllow: ["npm test"] },
  "exec/cwd": { path: "/project/nowhere" },
  "exec/not-found": { program: "python3.11" },
  "exec/empty-version": {},
  "exec/language": { lang: "ruby" },
  "exec/timeout": { timeout: 30_000 },
  "exec/stopped": {},
  "exec/output": { limit: 67_108_864 },
  "exec/signal": { signal: "SIGSEGV" },
  "exec/exit": { exitCode: 1 },
  "exec/no-sandbox": { reason: "bubblewrap is not installed", remedy: "Install it (…)" },
  "exec/sandbox-failed": { reason: "bwrap: Can't mkdir /project: File name too long" },
  "exec/no-view": { reason: "overlay: mount failed; copy: the project has more than 524288000 bytes" },
  "exec/view-lost": { reason: "ENOENT: no such file or directory, scandir" },
  "skip/stopped": {},
  "skip/no-exec": {},
  "skip/refused": {},
  bug: { message: "…" },
};

/** One sample failure of each code, for documents. */
export const FAILURES: readonly Failure[] = Object.entries(SAMPLES).map(
  ([code, facts]) => ({ code, ...facts }) as Failure,
);
