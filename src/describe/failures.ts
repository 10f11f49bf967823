import type { Failure, FailureCode } from "../core/failure.ts";

/** The facts that go with a code. */
type Facts<Code, Each = Failure> = Each extends { readonly code: infer Codes } ? (Code extends Codes ? Omit<Each, "code"> : never) : never;

const notFound = { errno: "ENOENT", text: "no such file or directory", syscall: "open", path: "/project/a.txt" };
const unread = { path: "/project/a.txt", failure: { code: "file/not-found", ...notFound } } as const;

/** An instance of each failure. A new code without one does not compile. */
const SAMPLES: { readonly [Code in FailureCode]: Facts<Code> } = {
  "action/missing": {},
  "action/unknown": { action: "file_erase" },
  "action/user-only": { action: "undo" },
  "action/not-allowed": { action: "file_delete", allowed: ["file_read", "file_write"] },
  "params/missing": { parameter: "path" },
  "params/path": { value: "src/app.js" },
  "params/integer": { value: "two" },
  "params/boolean": { value: "yes" },
  "params/enum": { value: "perl", allowed: ["bash", "python"] },
  "path/ambiguous": { path: "app.js", count: 2, candidates: ["src/app.js", "test/app.js"] },
  "path/outside": { path: "../app.js" },
  "guard/denied": { access: "write", path: "/project/.git/config", rule: "deny **/.git/**" },
  "file/not-found": notFound,
  "file/permission": { errno: "EACCES", text: "permission denied", syscall: "open", path: "/project/a.txt" },
  "file/system": { errno: "EISDIR", text: "illegal operation on a directory", syscall: "read", path: "/project/src" },
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
  "text/placeholder": { parameter: "content", line: "# ... existing code ...", number: 7 },
  "text/masked": { parameter: "old_text", mask: "[masked: GitHub token]" },
  "text/count": { expected: 2, found: 3 },
  "text/end-not-found": {},
  "text/end-ambiguous": { count: 2 },
  "lines/invalid": { lines: "3abc" },
  "lines/reversed": { lines: "5-3" },
  "lines/out-of-bounds": { lines: "8-9", count: 3 },
  "lines/beyond-end": { lines: "2-10", count: 3 },
  "lines/outside-part": { lines: "2-4", first: 10, last: 20 },
  "address/not-found": { path: "/project/app.js", address: "@@stop", candidates: ["@@start", "@@Server@@stop"], omitted: 2 },
  "address/ambiguous": { path: "/project/app.js", address: "@@area", candidates: ["@@area#1 (line 3)", "@@area#2 (line 9)"], omitted: 0 },
  "address/uncertain": { path: "/project/app.js", address: "@@start" },
  "address/no-language": { path: "/project/a.txt", known: ["Markdown", "TypeScript", "…"] },
  "address/unreadable": { path: "/project/a.yml", language: "YAML", reason: "Nested mappings are not allowed in compact mappings at line 1, column 4" },
  "address/not-taken": { path: "/project/app.js@@start" },
  "pattern/lines": {},
  "pattern/impossible": { parameter: "pattern", base: "base_path" },
  "context/no-files": { path: "/project/src/*.py" },
  "paths/none": {},
  "paths/unread": { failures: [unread] },
  "paths/unchanged": { failures: [unread] },
  "run/not-whole": {},
  "run/depends": { path: "/project/a.txt" },
  "command/no-checkpoint": { reason: "fatal: No space left on device" },
  "command/config-changed": {},
  "command/unreadable": { command: "npm test | tee log", problem: "'|' would need a shell" },
  "skip/group": { obstacle: "task-2.1" },
  "skip/command": {},
  "skip/stopped": {},
  bug: { message: "…" },
};

/** One failure of each code, for documents. */
export const FAILURES: readonly Failure[] = Object.entries(SAMPLES).map(([code, facts]) => ({ code, ...facts }) as Failure);
