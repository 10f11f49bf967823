/** Everything that can go wrong with an action: code → facts, sentence, and the next step where the facts tell one. */
import { PLAIN, plainWords } from "./errors.ts";
import { type Candidates, candidatesText, lineMoveText, type MovedLines } from "./failure-words.ts";
import { namedFew } from "./visible.ts";

/** Users and models rely on the exact words. */
export type FailureEntry<Facts> = string | ((of: Facts, inLine?: InLine) => string) | LongEntry<Facts>;

export interface LongEntry<Facts> {
  readonly says: string | ((of: Facts, inLine?: InLine) => string);
  readonly next?: string | ((of: Facts) => string | undefined);
}

/** Set for one line of a report, which has plain words for the system's. The path may stand before the sentence. */
interface InLine {
  readonly path?: string;
}

type FactsOf<Of> = Of extends ((of: infer Facts, inLine?: InLine) => string) | LongEntry<infer Facts> ? Facts : object;

function withNext<Facts = object>(
  says: LongEntry<Facts>["says"],
  next: string | ((of: Facts) => string | undefined),
): LongEntry<Facts> {
  return { says, next };
}

export type FailureCode = keyof typeof FAILURES;

export type Failure = {
  readonly [Code in FailureCode]: { readonly code: Code } & Readonly<FactsOf<(typeof FAILURES)[Code]>>;
}[FailureCode];

interface Cause {
  readonly failure: Failure;
}

export interface PathFailure extends Cause {
  readonly path: string;
}

export type Access = "read" | "write";

interface OfPath {
  /** As the block wrote it. */
  readonly path: string;
}

/** An error of the operating system, or of an overlay in its place. */
interface OfSystem extends OfPath {
  /** `ENOENT`, `EACCES`, … */
  readonly errno: string;
  /** The system's own words: `no such file or directory`. */
  readonly text: string;
  /** The failed system call: `open`. */
  readonly syscall: string;
  /** Second path of a rename. */
  readonly to?: string;
}

function systemText({ errno, text, syscall, path, to }: OfSystem, inLine?: InLine): string {
  const paths = to === undefined ? `'${path}'` : `'${path}' -> '${to}'`;
  const plain = inLine && PLAIN.get(errno);
  if (plain === undefined) return `${errno}: ${text}, ${syscall} ${paths}`;
  return to === undefined && path === inLine?.path ? plain : `${plain}: ${paths}`;
}

/** A text for a whole file has `kept` of the `of` lines that the file has now. */
interface OfExcerpt extends OfPath {
  readonly kept: number;
  readonly of: number;
}

interface OfValue {
  readonly parameter: string;
  readonly value: string;
}

/** `candidates` are relative to the root, sorted, and limited in number. */
interface OfTail extends OfPath {
  readonly count: number;
  readonly candidates: readonly string[];
}

/** `address` is without the file's path, and so are the `candidates`. `omitted` counts further candidates. */
interface OfAddress extends OfPath, Candidates {
  readonly address: string;
}

/** `count` lines are in the file. */
interface OfLines {
  readonly lines: string;
  readonly count: number;
}

interface OfPaths {
  readonly failures: readonly PathFailure[];
}

/** `command` is set if it was one of several. */
interface OfCommand {
  readonly command?: string;
}

const ofSeveral = ({ command }: OfCommand): string => (command === undefined ? "" : `: ${command}`);

const READ_AGAIN = "read the lines again with file_read_numbered before you replace them by number";

export const FAILURES = {
  "action/missing": "Missing 'action' field in NESL block",
  "action/unknown": (of: { action: string }) => `Unknown action: ${of.action}`,
  "action/user-only": (of: { action: string }) => `Action '${of.action}' is for the user only`,
  "action/not-allowed": (of: { action: string; allowed: readonly string[] }) =>
    `Action '${of.action}' is not in allowed-actions list (${of.allowed.join(", ")})`,
  "params/missing": (of: { parameter: string }) => `Missing required parameter: ${of.parameter}`,
  "params/path": (of: OfValue) => `Invalid absolute path: ${of.value}`,
  "params/integer": (of: OfValue) => `Invalid integer value: ${of.value}`,
  "params/boolean": (of: OfValue) => `Invalid boolean value: ${of.value}`,
  "params/enum": (of: OfValue & { allowed: readonly string[] }) =>
    `Invalid enum value: ${of.value}. Allowed: ${of.allowed.join(", ")}`,
  "params/nul": (of: { parameter: string }) => `${of.parameter} contains a NUL character, which no command can`,
  /** The path is the end of several files' paths. */
  "path/ambiguous": (of: OfTail) =>
    `'${of.path}' matches the end of ${of.count} paths: ${of.candidates.join(", ")}${of.count > of.candidates.length ? ", …" : ""}. Write more of the one you mean`,
  /** The path is the end of at least one file's path, and it is unclear whether a new file is meant. */
  "path/elsewhere": (of: OfTail) =>
    `There is no '${of.path}', but ${of.candidates.join(", ")}: it is unclear whether a new file is meant. Write the whole path, or ./${of.path} for a new file`,
  "path/outside": (of: OfPath) => `Path is outside the project: '${of.path}'`,
  /** `root` is set if the path is written as one outside of it. */
  "guard/denied": withNext(
    (of: OfPath & { access: Access; rule: string; root?: string }) =>
      `fs-guard violation: ${of.access === "read" ? "Read" : "Write"} access denied for '${of.path}' (${of.rule})`,
    ({ root }) => (root === undefined ? undefined : `the project's root is ${root}`),
  ),
  /** The write would make git treat a directory as a repository. */
  "guard/repository": (of: OfPath & { directory: string }) =>
    `fs-guard violation: Write access denied for '${of.path}' (git would then treat '${of.directory}' as a repository and run commands from its config)`,
  "file/not-found": systemText,
  "file/permission": withNext(systemText, plainWords),
  "file/system": withNext(systemText, plainWords),
  /** A file is to be created where another one is. */
  "file/exists": withNext(
    (of: OfPath & { isUnreadable?: true }) =>
      of.isUnreadable
        ? `'${of.path}' cannot be read, so nobody can tell what a whole new text would lose`
        : `The file already exists: '${of.path}'`,
    ({ isUnreadable }) =>
      isUnreadable ? "the user has to write it, or let it be read" : "to change it, quote the lines to replace",
  ),
  /** `place` is set if it is these lines of the file. */
  "file/excerpt": withNext(
    (of: OfExcerpt & { place?: string }) =>
      `The text has ${of.kept} of the ${of.of} lines of '${of.path}', so it looks like an excerpt: writing it would lose the other lines`,
    ({ place }) =>
      place === undefined
        ? "send the edit with the lines to replace, or the whole new text with most of the old lines in it"
        : `it is lines ${place} of the file with nothing changed: to remove the other lines, send an edit that quotes them`,
  ),
  /** Only some lines of a text have signs, so that it is no diff either. `number` is 1-based. */
  "file/signed": withNext(
    (of: OfPath & { number: number; line: string }) =>
      `Line ${of.number} of the text begins with the sign of a diff: '${of.line}', so it is not the text of '${of.path}'`,
    () => "send the text without signs, or the lines around the change in a diff fence, each with its sign or a space",
  ),
  /** A text in a code fence that several lines may end. */
  "file/unclear-end": (of: OfPath) =>
    `It is unclear which line ends the code fence of ${of.path}: send it in a longer fence`,
  /** What an answer shows of a file, and that has no place in it. `reason` completes "The file …". */
  "file/unplaced": (of: OfPath & { reason: string }) =>
    `It is unclear where the text belongs: '${of.path}' ${of.reason}`,
  /** A text for a whole file that lacks declarations of it which no sentence removes; or all imports, without names. */
  "file/loses": withNext(
    (of: OfPath & { names: readonly string[]; /** They are the first or last lines, quoted. */ isEnd?: true }) =>
      of.names.length === 0
        ? `The text has none of the imports of '${of.path}', so it looks like an excerpt: writing it would lose them`
        : `Writing the text would remove ${namedFew(of.names, 8)} from '${of.path}', and no sentence of the answer says so`,
    ({ names: [first], isEnd }) =>
      first === undefined || isEnd
        ? `send the whole file${isEnd ? ", or say in a sentence that these lines are removed" : ""}`
        : `send the whole file with them, or say in a sentence which of them go: Remove \`${first}\`.`,
  ),
  /** The same of a text that is as long as the file and shares few words with it, so it is probably another file's. */
  "file/unlike": withNext(
    (of: OfExcerpt) =>
      `The text has ${of.kept} of the ${of.of} lines of '${of.path}' and few of its words, so it may be meant for another file`,
    "check the path; if it is right, send edits with the lines to replace, or delete the file first",
  ),
  /** A text for a whole file is the one that the file had before an earlier action of the run replaced it. */
  "file/original": withNext(
    (of: OfPath) =>
      `The text is that of '${of.path}' before this answer, and the answer has a new one above: the new one stays`,
    "leave it out if it only shows the old text; to take the change back, send it in an answer of its own",
  ),
  "file/source-not-found": (of: OfPath) => `Source file not found '${of.path}' (ENOENT)`,
  /** Somebody else changed the file after it was read, or while it was written. */
  "file/changed": (of: OfPath) =>
    `File changed while Loaf worked on it, so it was not overwritten: '${of.path}'. Read it again`,
  "file/spelling": (of: OfPath) =>
    `The file system spells this name in its own way, so it stays as it was: '${of.path}'`,
  "file/too-large": (of: OfPath & { size: number; limit: number }) =>
    `File is too large: '${of.path}' has ${of.size} bytes, the limit is ${of.limit}`,
  /** `limit` in UTF-16 units. */
  "file/read-budget": (of: OfPath & { limit: number }) =>
    `This run reads too much: '${of.path}' would bring it over ${of.limit} characters. Read the rest in another run`,
  "file/not-text": (of: OfPath & { reason: "binary" | "utf-16" | "not-utf-8" }) =>
    `${NOT_TEXT[of.reason]}: '${of.path}'`,
  "text/not-ascii": (of: OfPath) =>
    `'${of.path}' is not UTF-8 text: only edits with plain ASCII in old and new text are possible`,
  "text/lone-surrogate": (of: OfPath) =>
    `the text for '${of.path}' contains half of a surrogate pair (\\ud800 to \\udfff), which cannot be written`,
  "text/empty": (of: { parameter: string }) => `${of.parameter} cannot be empty`,
  /** `part` is the address that was searched. */
  "text/not-found": (of: { parameter: string; part?: string }) =>
    `${of.parameter} not found in ${of.part === undefined ? "file" : `'${of.part}'`}`,
  "text/ambiguous": (of: { parameter: string; count: number }) =>
    `${of.parameter} appears ${of.count} times, must appear exactly once`,
  /**
   * `line` is trimmed; `number` is 1-based, in the parameter. `of` is what it stands in: a whole text, that of an
   * edit, a line with code, or a place of the file that is unclear for a reason.
   */
  "text/placeholder": withNext(
    (of: Placeholder) => `line ${of.number} of ${of.parameter} is a placeholder: ${of.line}`,
    ({ of }) =>
      typeof of === "object"
        ? `it is unclear which lines it stands for: ${of.reason}; keep a line of the file before and after it as it is`
        : INSTEAD_OF_PLACEHOLDER[of],
  ),
  /** `mask` is the text that reports show in place of a secret. */
  "text/masked": withNext(
    (of: { parameter: string; mask: string }) =>
      `${of.parameter} contains '${of.mask}', which reports show in place of a secret`,
    "reports show a mask where the file has a secret: leave that line out of the edit, and replace only the lines before or after it; if the mask is meant literally, use file_append",
  ),
  "text/count": (of: { expected: number; found: number }) =>
    `expected ${of.expected} occurrences but found ${of.found}`,
  /** Lines are only added, and nothing tells where. */
  "hunk/no-place": withNext(
    "nothing says where the new lines belong",
    "quote a line before or after the new ones as context",
  ),
  /** A diff deletes a file, but does not show all of it. */
  "hunk/remainder": "the file has more lines than the diff that deletes it shows",
  /** An edit between conflict marks for a file that has these marks itself, so that it may only show them. */
  "hunk/conflict": "the file has these conflict marks itself, so the edit may only show them",
  /** A hunk that was chosen in a preview is not in the edit any more. */
  "hunk/changed": (of: OfPath) =>
    `a chosen hunk of '${of.path}' differs from its preview: preview it again, then choose again`,
  "text/end-not-found": "old_text_end not found after old_text_beginning",
  /** The beginning of a range contains its end, so it may end there or later. */
  "text/end-overlaps": withNext(
    "old_text_end is also the last line of old_text_beginning, so the end of the range is ambiguous",
    "end old_text_beginning before that line, or quote more at the end",
  ),
  "text/end-ambiguous": (of: { count: number }) =>
    `old_text_end appears ${of.count} times after old_text_beginning, must appear exactly once`,
  "lines/invalid": withNext(
    (of: { lines: string }) => `Invalid line specification '${of.lines}'`,
    "`lines` is a number such as 4, or a range such as 2-5, counted from 1",
  ),
  "lines/reversed": withNext(
    (of: { lines: string; first: number; last: number }) => `Invalid line range '${of.lines}' (start must be <= end)`,
    ({ first, last }) => `write ${last}-${first} if that is meant`,
  ),
  /** `last` is the text of the last line, for lines to replace. */
  "lines/out-of-bounds": withNext(
    (of: OfLines & { last?: string | undefined; isAdded?: true }) =>
      `Line range ${of.lines} is out of bounds (file has ${of.count} lines)`,
    ({ count, last, isAdded }) =>
      isAdded
        ? "read the file again: its lines have other numbers"
        : last === undefined
          ? "the file is empty"
          : `the last line is ${count}: ${last}`,
  ),
  /** The file has only CR as line separator, so its lines have no numbers. */
  "lines/lone-cr": withNext<{ isRead?: true }>(
    "The file ends its lines with CR alone, so they have no numbers",
    ({ isRead }) => (isRead ? undefined : "replace text instead of lines, or give the file LF line endings first"),
  ),
  "lines/beyond-end": (of: OfLines) => `Requested lines ${of.lines} but file only has ${of.count} lines`,
  "lines/moved": withNext(
    (of: MovedLines) => lineMoveText(of),
    ({ base, change, now }) =>
      base === undefined && change === "moved" ? `send this block again with lines = "${now}"` : READ_AGAIN,
  ),
  /** The address covers lines `first` to `last` of the file. */
  "lines/outside-part": (of: { lines: string; first: number; last: number }) =>
    `Line range ${of.lines} is outside the addressed part (lines ${of.first}-${of.last} of the file)`,
  "address/not-found": (of: OfAddress) => `No '${of.address}' in '${of.path}'; ${candidatesText("it has", of)}`,
  "address/ambiguous": (of: OfAddress) =>
    `'${of.address}' is ambiguous in '${of.path}'; ${candidatesText("write one of", of)}`,
  "address/uncertain": (of: OfPath & { address: string }) =>
    `'${of.address}' in '${of.path}' has a syntax error in or around it, so its end is uncertain: edit the file by its plain path`,
  /** `known` names the languages whose files have addresses. */
  "address/no-language": (of: OfPath & { known: readonly string[] }) =>
    `'${of.path}' has no addresses; files in these languages have: ${of.known.join(", ")}`,
  "address/unreadable": (of: OfPath & { language: string; reason: string }) =>
    `'${of.path}' cannot be parsed as ${of.language}: ${of.reason}`,
  "address/not-taken": (of: OfPath) =>
    `'${of.path}' is an address inside a file: only read and replace actions accept one, and a new name cannot contain @@`,
  /** The action took longer than `limit` milliseconds. */
  "limit/time": (of: { limit: number }) =>
    `Stopped after ${of.limit / 1_000} s, the time limit of one action (limits.action_time)`,
  /**
   * The writes of an action, or of a run that is flushed only at its end, would take more than `limit` bytes of memory.
   */
  "limit/memory": (of: { limit: number; of: "action" | "run" }) =>
    of.of === "action"
      ? `Would need more than ${of.limit} bytes in memory, the limit of one action (limits.action_memory): change fewer files at once`
      : `A dry run, or one with transaction: all-or-nothing, keeps its changes in memory, and these would exceed ${of.limit} bytes (limits.action_memory): change fewer files in one run`,
  "pattern/lines": "pattern cannot span lines: lines are searched one by one",
  /** `problem` is a clause or a noun phrase. `at` counts characters of the pattern from 1. `instead` is what to write. */
  "pattern/regex": withNext(
    (of: { problem: string; at?: number; instead?: string }) =>
      `pattern is not a supported regular expression: ${of.problem}${of.at === undefined ? "" : ` at character ${of.at}`}`,
    ({ instead }) => instead,
  ),
  /** No path can match the glob in `parameter`. It is relative to the parameter `base`. */
  "pattern/impossible": (of: { parameter: string; base: string }) =>
    `${of.parameter} matches no path: it must be relative to ${of.base}, without empty names, '.' or '..'`,
  "context/no-files": (of: OfPath) => `'${of.path}' matches no file that may be read`,
  "paths/none": "No paths provided",
  "paths/unread": (of: OfPaths, inLine?: InLine) =>
    `Failed to read ${of.failures.length} file(s):${listed(of, inLine)}`,
  "paths/unchanged": (of: OfPaths, inLine?: InLine) =>
    `Failed to change ${of.failures.length} file(s):${listed(of, inLine)}`,
  /** The run is all or nothing, and something in it failed. */
  "run/not-whole": "Not done: this run is all or nothing, and something else in it failed",
  /** The action depends on another one whose changes could not be written to the disk. */
  "run/depends": (of: OfPath) => `Not done: it needs an earlier change of '${of.path}', which failed`,
  /** Taking back an atomic change failed too. `cause` is why the change failed. */
  "run/torn": (of: { cause: Cause }, inLine?: InLine) =>
    `Written only in part, and what was written could not be taken back: ${causeText(of.cause, inLine)}`,
  /** A line of commands that Loaf cannot start without a shell. */
  "command/unreadable": (of: { command: string; problem: string }) =>
    `${of.problem}: '${of.command}'. There is no shell: write one command on each line, with quotes around words that contain spaces`,
  /** `obstacle` is the block of the same group that cannot run. */
  "skip/group": (of: { obstacle: string }) =>
    `Not run, because ${of.obstacle} cannot run: its group runs as a whole or not at all`,
  /** An edit that may not be meant as one, and nobody can be asked. `syntax` is its name in the settings. */
  "skip/uncertain": withNext(
    "Not run: it may not be meant as an edit, and nobody could be asked",
    ({ syntax, isUnnamed }: { syntax: string; isUnnamed: boolean }) =>
      isUnnamed
        ? "send it with the path of its file alone on the line above the code fence"
        : `for the user: run it with --yes, or name ${syntax} under syntaxes in loaf.yml`,
  ),
  /** A command that is not allowed yet, and the user refused it or could not be asked. `toAllow` names all such ones. */
  "skip/command": withNext(
    (of: { command: string; isRefused: boolean; toAllow: readonly string[] }) =>
      of.isRefused ? `Not run: '${of.command}' was refused` : `Not run: '${of.command}' is not allowed yet`,
    ({ isRefused, toAllow }) =>
      isRefused ? undefined : toAllow.map((command) => `the user can allow it: loaf allow ${command}`).join("\n"),
  ),
  /** The user stopped the run before this action. */
  "skip/stopped": "Not run: the run was stopped before this action",
  /** The run was started with commands turned off. */
  "skip/no-exec": "Not run: the user allows no commands (--no-exec)",
  /** The user was asked and refused. */
  "skip/refused": "Refused by the user",
  "exec/cwd": (of: OfPath) => `Working directory does not exist '${of.path}' (ENOENT)`,
  "exec/not-found": withNext(
    (of: { program: string }) => `${of.program} not found in PATH (ENOENT)`,
    "the user can install it; a block with a version can leave that out, to run the installed one",
  ),
  /** The version of a language is empty. */
  "exec/empty-version": "version is empty: leave it out, or write a number such as 3.11",
  "exec/language": (of: { lang: string }) => `Unsupported language '${of.lang}' (LANG_UNSUPPORTED)`,
  /** `timeout` in milliseconds. */
  "exec/timeout": (of: OfCommand & { timeout: number }) =>
    `Process timeout after ${of.timeout / 1000}s (TIMEOUT)${ofSeveral(of)}`,
  /** The user stopped the run while the command was running. */
  "exec/stopped": (of: OfCommand) => `Process stopped by the user${ofSeveral(of)}`,
  /** `limit` in bytes. */
  "exec/output": (of: OfCommand & { limit: number }) =>
    `Process ended: it wrote more than ${of.limit} bytes${ofSeveral(of)}`,
  "exec/signal": (of: OfCommand & { signal: string }) => `Process killed by signal ${of.signal}${ofSeveral(of)}`,
  "exec/exit": (of: OfCommand & { exitCode: number }) => `Process exited with code ${of.exitCode}${ofSeveral(of)}`,
  /** A sandbox is required and none is available. `reason` is a clause, `remedy` a sentence. */
  "exec/no-sandbox": (of: { reason: string; remedy: string }) =>
    `Not run: commands need a sandbox, and ${of.reason}. ${of.remedy}`,
  /** A sandbox is available, but failed for this command. `reason` is its error message. */
  "exec/sandbox-failed": (of: { reason: string }) =>
    `Not run: the sandbox could not be set up for this command: ${of.reason}`,
  /** No view of the project can be made. `reason` names each kind of view with the system's error. */
  "exec/no-view": (of: { reason: string }) =>
    `Not run: commands work on a view of the project, and none can be made here (${of.reason}). To see what is possible: loaf doctor`,
  /** The view of a command could not be read after it ended. `reason` is the system's error. */
  "exec/view-lost": (of: { reason: string }) =>
    `None of the command's changes were written, because its view could not be read: ${of.reason}`,
  bug: (of: { message: string; stack?: string }) => `Loaf has a bug: ${of.message}`,
};

interface Placeholder {
  readonly parameter: string;
  readonly line: string;
  readonly number: number;
  readonly of: keyof typeof INSTEAD_OF_PLACEHOLDER | { readonly reason: string };
}

const INSTEAD_OF_PLACEHOLDER = {
  whole: "send the whole content, or change only what differs; if the line is meant literally, append it to the file",
  edit: "send the new text in full, or replace a smaller part; if the line is meant literally, replace all occurrences with a count",
  newFile: "there is no file yet, so it stands for no lines: send the whole text",
  inline: "it stands for lines of the file: send them, or put it on a line of its own between lines of the file",
} as const;

const NOT_TEXT = {
  binary: "File is binary, not text",
  "utf-16": "File is UTF-16, not UTF-8",
  "not-utf-8": "File is not valid UTF-8",
} as const;

function causeText({ failure }: Cause, inLine?: InLine): string {
  return sentenceOf(failure, inLine);
}

function listed({ failures }: OfPaths, inLine?: InLine): string {
  if (inLine === undefined) return failures.map(({ path, failure }) => `\n  ${path}: ${sentenceOf(failure)}`).join("");
  return ` ${failures.map(({ path, failure }) => `${path}: ${sentenceOf(failure, { path })}`).join("; ")}`;
}

export function sentenceOf(failure: Failure, inLine?: InLine): string {
  const { says } = failureEntry(failure);
  return typeof says === "string" ? says : says(failure, inLine);
}

export function failureEntry({ code }: Failure): LongEntry<Failure> {
  const entry = FAILURES[code] as FailureEntry<unknown> as FailureEntry<Failure>;
  return typeof entry === "object" ? entry : { says: entry };
}
