import type { Failure, PathFailure } from "./failure.ts";

/**
 * Returns the sentence for a failure. Users and models rely on the exact words.
 *
 * @param action the action that failed; its name precedes the sentence of some failures
 */
export function explain(failure: Failure, action?: string): string {
  const sentence = sentenceOf(failure);
  return action !== undefined && isNamedAfterAction(failure.code) ? `${action}: ${sentence}` : sentence;
}

/**
 * Returns whether a failure's sentence begins with the action's name: it is one of the action's own work, not of the
 * system, the guard or the block.
 */
export function isNamedAfterAction(code: Failure["code"]): boolean {
  return /^(text|lines|address|pattern|paths|context)\//.test(code) || NAMED.has(code);
}

const NAMED: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "file/source-not-found",
  "exec/cwd",
  "exec/not-found",
  "exec/empty-version",
  "exec/language",
  "exec/timeout",
]);

function sentenceOf(failure: Failure): string {
  switch (failure.code) {
    case "action/missing":
      return "Missing 'action' field in NESL block";
    case "action/unknown":
      return `Unknown action: ${failure.action}`;
    case "action/user-only":
      return `Action '${failure.action}' is for the user only`;
    case "action/not-allowed":
      return `Action '${failure.action}' is not in allowed-actions list (${failure.allowed.join(", ")})`;
    case "params/missing":
      return `Missing required parameter: ${failure.parameter}`;
    case "params/path":
      return `Invalid absolute path: ${failure.value}`;
    case "params/integer":
      return `Invalid integer value: ${failure.value}`;
    case "params/boolean":
      return `Invalid boolean value: ${failure.value}`;
    case "params/enum":
      return `Invalid enum value: ${failure.value}. Allowed: ${failure.allowed.join(", ")}`;
    case "path/ambiguous":
      return `'${failure.path}' matches the end of ${failure.count} paths: ${failure.candidates.join(", ")}${failure.count > failure.candidates.length ? ", …" : ""}. Write more of the one you mean`;
    case "path/elsewhere":
      return `There is no '${failure.path}', but ${failure.candidates.join(", ")}: it is unclear whether a new file is meant. Write the whole path, or ./${failure.path} for a new file`;
    case "path/outside":
      return `Path is outside the project: '${failure.path}'`;
    case "guard/denied":
      return `fs-guard violation: ${failure.access === "read" ? "Read" : "Write"} access denied for '${failure.path}' (${failure.rule})`;
    case "guard/repository":
      return `fs-guard violation: Write access denied for '${failure.path}' (git would then treat '${failure.directory}' as a repository and run commands from its config)`;
    case "file/not-found":
    case "file/permission":
    case "file/system": {
      const target = failure.to === undefined ? `'${failure.path}'` : `'${failure.path}' -> '${failure.to}'`;
      return `${failure.errno}: ${failure.text}, ${failure.syscall} ${target}`;
    }
    case "file/source-not-found":
      return `Source file not found '${failure.path}' (ENOENT)`;
    case "file/changed":
      return `File changed while Loaf worked on it, so it was not overwritten: '${failure.path}'. Read it again`;
    case "file/too-large":
      return `File is too large: '${failure.path}' has ${failure.size} bytes, the limit is ${failure.limit}`;
    case "file/exists":
      return `The file already exists: '${failure.path}'`;
    case "file/excerpt":
      return `The text has ${failure.kept} of the ${failure.of} lines of '${failure.path}', so it looks like an excerpt: writing it would lose the other lines`;
    case "file/unclear-end":
      return `It is unclear which line ends the code fence of ${failure.path}: send it in a longer fence`;
    case "file/unplaced":
      return `It is unclear where the text belongs: '${failure.path}' ${failure.reason}`;
    case "file/loses":
      return failure.names.length === 0
        ? `The text has none of the imports of '${failure.path}', so it looks like an excerpt: writing it would lose them`
        : `Writing the text would remove ${listedNames(failure.names)} from '${failure.path}', and no sentence of the answer says so`;
    case "file/unlike":
      return `The text has ${failure.kept} of the ${failure.of} lines of '${failure.path}' and few of its words, so it may be meant for another file`;
    case "file/original":
      return `The text is that of '${failure.path}' before this answer, and the answer has a new one above: the new one stays`;
    case "skip/uncertain":
      return "Not run: it may not be meant as an edit, and nobody could be asked";
    case "file/read-budget":
      return `This run reads too much: '${failure.path}' would bring it over ${failure.limit} characters. Read the rest in another run`;
    case "file/not-text":
      return `${NOT_TEXT[failure.reason]}: '${failure.path}'`;
    case "text/not-ascii":
      return `'${failure.path}' is not UTF-8 text: only edits with plain ASCII in old and new text are possible`;
    case "text/lone-surrogate":
      return `the text for '${failure.path}' contains half of a surrogate pair (\\ud800 to \\udfff), which cannot be written`;
    case "text/empty":
      return `${failure.parameter} cannot be empty`;
    case "text/not-found":
      return `${failure.parameter} not found in ${failure.part === undefined ? "file" : `'${failure.part}'`}`;
    case "text/ambiguous":
      return `${failure.parameter} appears ${failure.count} times, must appear exactly once`;
    case "text/placeholder":
      return `line ${failure.number} of ${failure.parameter} is a placeholder: ${failure.line}`;
    case "text/masked":
      return `${failure.parameter} contains '${failure.mask}', which reports show in place of a secret`;
    case "text/count":
      return `expected ${failure.expected} occurrences but found ${failure.found}`;
    case "hunk/no-place":
      return "nothing says where the new lines belong";
    case "hunk/remainder":
      return "the file has more lines than the diff that deletes it shows";
    case "hunk/conflict":
      return "the file has these conflict marks itself, so the edit may only show them";
    case "hunk/changed":
      return `a chosen hunk of '${failure.path}' differs from its preview: preview it again, then choose again`;
    case "text/end-not-found":
      return "old_text_end not found after old_text_beginning";
    case "text/end-overlaps":
      return "old_text_end is also the last line of old_text_beginning, so the end of the range is ambiguous";
    case "text/end-ambiguous":
      return `old_text_end appears ${failure.count} times after old_text_beginning, must appear exactly once`;
    case "lines/invalid":
      return `Invalid line specification '${failure.lines}'`;
    case "lines/reversed":
      return `Invalid line range '${failure.lines}' (start must be <= end)`;
    case "lines/out-of-bounds":
      return `Line range ${failure.lines} is out of bounds (file has ${failure.count} lines)`;
    case "lines/beyond-end":
      return `Requested lines ${failure.lines} but file only has ${failure.count} lines`;
    case "lines/lone-cr":
      return "The file ends its lines with CR alone, so they have no numbers";
    case "lines/moved":
      return movedSentence(failure);
    case "lines/outside-part":
      return `Line range ${failure.lines} is outside the addressed part (lines ${failure.first}-${failure.last} of the file)`;
    case "address/not-found":
      return `No '${failure.address}' in '${failure.path}'; ${candidates("it has", failure)}`;
    case "address/ambiguous":
      return `'${failure.address}' is ambiguous in '${failure.path}'; ${candidates("write one of", failure)}`;
    case "address/uncertain":
      return `'${failure.address}' in '${failure.path}' has a syntax error in or around it, so its end is uncertain: edit the file by its plain path`;
    case "address/no-language":
      return `'${failure.path}' has no addresses; files in these languages have: ${failure.known.join(", ")}`;
    case "address/unreadable":
      return `'${failure.path}' cannot be parsed as ${failure.language}: ${failure.reason}`;
    case "address/not-taken":
      return `'${failure.path}' is an address inside a file: only read and replace actions accept one, and a new name cannot contain @@`;
    case "limit/time":
      return `Stopped after ${failure.limit / 1_000} s, the time limit of one action (limits.action_time)`;
    case "limit/memory":
      if (failure.of === "action")
        return `Would need more than ${failure.limit} bytes in memory, the limit of one action (limits.action_memory): change fewer files at once`;
      return `A dry run, or one with transaction: all-or-nothing, keeps its changes in memory, and these would exceed ${failure.limit} bytes (limits.action_memory): change fewer files in one run`;
    case "pattern/lines":
      return "pattern cannot span lines: lines are searched one by one";
    case "pattern/regex":
      return `pattern is not a supported regular expression: ${failure.problem}${failure.at === undefined ? "" : ` at character ${failure.at}`}`;
    case "pattern/impossible":
      return `${failure.parameter} matches no path: it must be relative to ${failure.base}, without empty names, '.' or '..'`;
    case "context/no-files":
      return `'${failure.path}' matches no file that may be read`;
    case "paths/none":
      return "No paths provided";
    case "paths/unread":
      return `Failed to read ${failure.failures.length} file(s):${listed(failure.failures)}`;
    case "paths/unchanged":
      return `Failed to change ${failure.failures.length} file(s):${listed(failure.failures)}`;
    case "run/not-whole":
      return "Not done: this run is all or nothing, and something else in it failed";
    case "run/depends":
      return `Not done: it needs an earlier change of '${failure.path}', which failed`;
    case "run/torn":
      return `Written only in part, and what was written could not be taken back: ${failure.reason}`;
    case "command/unreadable":
      return `${failure.problem}: '${failure.command}'. There is no shell: write one command on each line, with quotes around words that contain spaces`;
    case "skip/group":
      return `Not run, because ${failure.obstacle} cannot run: its group runs as a whole or not at all`;
    case "skip/refused":
      return "Refused by the user";
    case "skip/no-exec":
      return "Not run: the user allows no commands (--no-exec)";
    case "skip/stopped":
      return "Not run: the run was stopped before this action";
    case "skip/command":
      return failure.isRefused
        ? `Not run: '${failure.command}' was refused`
        : `Not run: '${failure.command}' is not allowed yet`;
    case "exec/cwd":
      return `Working directory does not exist '${failure.path}' (ENOENT)`;
    case "exec/not-found":
      return `${failure.program} not found in PATH (ENOENT)`;
    case "exec/empty-version":
      return "version is empty: leave it out, or write a number such as 3.11";
    case "exec/language":
      return `Unsupported language '${failure.lang}' (LANG_UNSUPPORTED)`;
    case "exec/timeout":
      return `Process timeout after ${failure.timeout / 1000}s (TIMEOUT)${of(failure)}`;
    case "exec/stopped":
      return `Process stopped by the user${of(failure)}`;
    case "exec/output":
      return `Process ended: it wrote more than ${failure.limit} bytes${of(failure)}`;
    case "exec/signal":
      return `Process killed by signal ${failure.signal}${of(failure)}`;
    case "exec/exit":
      return `Process exited with code ${failure.exitCode}${of(failure)}`;
    case "exec/no-sandbox":
      return `Not run: commands need a sandbox, and ${failure.reason}. ${failure.remedy}`;
    case "exec/sandbox-failed":
      return `Not run: the sandbox could not be set up for this command: ${failure.reason}`;
    case "exec/no-view":
      return `Not run: commands work on a view of the project, and none can be made here (${failure.reason}). To see what is possible: loaf doctor`;
    case "exec/view-lost":
      return `None of the command's changes were written, because its view could not be read: ${failure.reason}`;
    case "bug":
      return `Loaf has a bug: ${failure.message}`;
  }
}

function lineRange(range: string): string {
  return `${range.includes("-") ? "lines" : "line"} ${range}`;
}

function movedSentence(failure: Extract<Failure, { readonly code: "lines/moved" }>): string {
  const { lines, change, now, count, base } = failure;
  const [subject, verb] = lines.includes("-") ? [`Lines ${lines}`, "are"] : [`Line ${lines}`, "is"];
  if (base !== undefined) return changedSinceBase({ subject, verb, base, change, now, count });
  const earlier = "an earlier action of this run";
  switch (change) {
    case "moved":
      return `${subject} ${verb} now ${lineRange(now ?? "")}: ${earlier} moved ${verb === "is" ? "it" : "them"}`;
    case "replaced":
      return now === undefined
        ? `${subject} ${verb} no longer there: ${earlier} deleted ${verb === "is" ? "it" : "them"}`
        : `${subject} ${verb} already changed by ${earlier}: see ${lineRange(now)} now`;
    case "added":
      return `The file had no ${lineRange(lines)} before this run, only ${count}: ${earlier} added lines`;
    case "unknown":
      return `A command of this run changed the file, so the new position of ${subject.toLowerCase()} is unknown`;
  }
}

interface ChangedLines {
  /** `Line 2` */
  readonly subject: string;
  readonly verb: string;
  readonly base: string;
  readonly change: string;
  readonly now: string | undefined;
  readonly count: number | undefined;
}

function changedSinceBase({ subject, verb, base, change, now, count }: ChangedLines): string {
  const [named, since] = [lineRange(now ?? ""), `the file has changed since base ${base}`];
  if (change === "moved") return `${subject} ${verb} now ${named}: ${since}`;
  if (change === "added") return `The file had no ${subject.toLowerCase()} at base ${base}, only ${count}`;
  if (now === undefined) return `${subject} ${verb} no longer there: ${since}`;
  return `${subject} ${verb === "is" ? "has" : "have"} changed since base ${base}: see ${named} now`;
}

/** Names the command, if it was one of several. */
function of({ command }: { readonly command?: string }): string {
  return command === undefined ? "" : `: ${command}`;
}

function candidates(
  lead: string,
  { candidates: known, omitted }: { readonly candidates: readonly string[]; readonly omitted: number },
): string {
  if (known.length === 0) return "it has no parts";
  return `${lead}: ${known.join(", ")}${omitted > 0 ? ` and ${omitted} more, which file_outline lists` : ""}`;
}

const NOT_TEXT = {
  binary: "File is binary, not text",
  "utf-16": "File is UTF-16, not UTF-8",
  "not-utf-8": "File is not valid UTF-8",
} as const;

function listed(failures: readonly PathFailure[]): string {
  return failures.map(({ path, failure }) => `\n  ${path}: ${sentenceOf(failure)}`).join("");
}

/** Names a few things in a sentence. */
function listedNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

const MAX_NAMES = 8;
