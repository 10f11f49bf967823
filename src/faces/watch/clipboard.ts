/** Reads and sets the system's clipboard through installed programs. */
import { findProgram } from "../../process/find-program.ts";
import { type Ended, runProgram } from "../../process/run-program.ts";
import { messageOf } from "../../core/errors.ts";

/** No program worked. The message is one sentence: what to install, or what went wrong. */
export class ClipboardError extends Error {
  override readonly name = "ClipboardError";
}

type Purpose = "copy" | "paste";
type Command = readonly [program: string, ...args: string[]];

interface Clipboard {
  readonly copy: Command;
  readonly paste: Command;
  readonly needsDisplay?: boolean;
}

const WAYLAND: Clipboard = {
  copy: ["wl-copy"],
  paste: ["wl-paste", "--no-newline", "--type", "text"],
  needsDisplay: true,
};
const X11: readonly Clipboard[] = [
  {
    copy: ["xclip", "-selection", "clipboard"],
    paste: ["xclip", "-selection", "clipboard", "-out", "-target", "UTF8_STRING"],
    needsDisplay: true,
  },
  { copy: ["xsel", "--clipboard", "--input"], paste: ["xsel", "--clipboard", "--output"], needsDisplay: true },
];
const MAC: Clipboard = { copy: ["pbcopy"], paste: ["pbpaste"] };
/** Also for WSL. By default PowerShell uses the console's code page, and `clip` does not support UTF-8. */
const WINDOWS: Clipboard = {
  copy: powerShell(
    "[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())",
  ),
  paste: powerShell(
    "[Console]::OutputEncoding = [Text.Encoding]::UTF8; [Console]::Out.Write([string](Get-Clipboard -Raw))",
  ),
};

function powerShell(script: string): Command {
  return [
    process.platform === "win32" ? "powershell" : "powershell.exe",
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    script,
  ];
}

/** Returns the clipboards of this system, likeliest first. */
function candidates(): readonly Clipboard[] {
  if (process.platform === "darwin") return [MAC];
  if (process.platform === "win32") return [WINDOWS];
  return process.env["WAYLAND_DISPLAY"] === undefined ? [...X11, WAYLAND, WINDOWS] : [WAYLAND, ...X11, WINDOWS];
}

interface Installed {
  /** Full path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Set if it needs a display and there is none, as over SSH or in a container. */
  readonly isOutOfReach: boolean;
}

/** Returns the installed programs, likeliest first. */
export function findClipboards(purpose: Purpose = "copy"): Installed[] {
  const hasDisplay = Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);
  return candidates().flatMap(({ [purpose]: [name, ...args], needsDisplay }) => {
    const program = findProgram(name);
    return program === undefined ? [] : [{ program, args, isOutOfReach: needsDisplay === true && !hasDisplay }];
  });
}

/** Returns what to install. */
export function remedy(purpose: Purpose = "copy"): string {
  return process.platform === "linux"
    ? "install wl-clipboard (Wayland), or xclip or xsel (X11)"
    : `pb${purpose} or PowerShell has to be on PATH`;
}

/** Throws `ClipboardError`. */
export async function copyToClipboard(text: string): Promise<void> {
  await firstToWork("copy", async ({ program, args }) => {
    const { exitCode, stderr } = await runProgram({
      program,
      args,
      input: text,
      timeout: TIMEOUT_MS.copy,
      reach: "leave",
    });
    return exitCode === 0 ? "" : { exitCode, stderr };
  });
}

/** Returns the text on the clipboard, or "" if there is none. Throws `ClipboardError`. */
export async function readClipboard(): Promise<string> {
  return await firstToWork("paste", async ({ program, args }) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const onOutput = (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      return size <= MAX_BYTES;
    };
    const { exitCode, stderr } = await runProgram({ program, args, cwd: "/", timeout: TIMEOUT_MS.paste, onOutput });
    if (exitCode === 0) return Buffer.concat(pieces).toString("utf8");
    // An image, an empty clipboard, or more than anyone would run.
    return size > MAX_BYTES || NO_TEXT.test(stderr) ? "" : { exitCode, stderr };
  });
}

const TIMEOUT_MS = { copy: 5_000, paste: 2_000 };
const MAX_BYTES = 64 * 2 ** 20;
/** Messages of xclip and wl-paste if there is no text. */
const NO_TEXT = /target UTF8_STRING not available|no (?:suitable|selection)|nothing is copied|no owner|not available/i;

type Failure = Pick<Ended, "exitCode" | "stderr">;

/** Programs that worked, so that `loaf watch` need not search PATH at each read. Forgotten when they fail. */
const working = new Map<Purpose, Installed>();

/** Tries each installed program in turn. */
async function firstToWork(purpose: Purpose, run: (program: Installed) => Promise<string | Failure>): Promise<string> {
  const known = working.get(purpose);
  const programs = known === undefined ? findClipboards(purpose) : [known];
  if (programs.length === 0) throw new ClipboardError(`No program for the clipboard was found: ${remedy(purpose)}`);
  const complaints: string[] = [];
  for (const program of programs) {
    const result = await run(program).catch((thrown: unknown) => ({ exitCode: null, stderr: messageOf(thrown) }));
    if (typeof result === "string") {
      working.set(purpose, program);
      return result;
    }
    const { exitCode, stderr } = result;
    const exit = exitCode === null ? `no answer within ${TIMEOUT_MS[purpose] / 1000} s` : `exit code ${exitCode}`;
    complaints.push(`${program.program}: ${stderr.trim().split("\n").at(-1) || exit}`);
  }
  if (working.delete(purpose)) return firstToWork(purpose, run);
  throw new ClipboardError(
    programs.every(({ isOutOfReach }) => isOutOfReach)
      ? `The clipboard cannot be reached: ${programs[0]?.program} needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set, as over SSH. Start Loaf in a window of the desktop`
      : `The clipboard cannot be reached: ${complaints.join("; ")}`,
  );
}
