/** Puts text on the clipboard of the system, through whichever program is there for it. */
import { findProgram } from "../../commands/find-program.ts";
import { runProgram } from "../../commands/run-program.ts";

/** No program could do it; the message is one sentence that says what to install, or what went wrong. */
export class ClipboardError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ClipboardError";
  }
}

interface Clipboard {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether it can do nothing, for want of a display: over SSH, in a container. */
  readonly isOutOfReach?: boolean;
}

/** Resolves when the text is on the clipboard. Throws `ClipboardError`. */
export async function copyToClipboard(text: string): Promise<void> {
  const found = findClipboards();
  if (found.length === 0) throw new ClipboardError(`No program for the clipboard was found: ${remedy()}`);
  const complaints: string[] = [];
  for (const { program, args } of found) {
    const complaint = await copyBy(program, args, text);
    if (complaint === undefined) return;
    complaints.push(complaint);
  }
  throw new ClipboardError(`The clipboard cannot be reached: ${complaints.join("; ")}`);
}

/** The programs for the clipboard that are installed, as full paths, the likeliest first. */
export function findClipboards(): Clipboard[] {
  return candidates().flatMap(({ program, ...how }) => {
    const path = findProgram(program);
    return path === undefined ? [] : [{ program: path, ...how }];
  });
}

/** What to install where there is none. */
export function remedy(): string {
  return process.platform === "linux" ? "install wl-clipboard (Wayland), or xclip or xsel (X11)" : "pbcopy or PowerShell has to be on PATH";
}

function candidates(): readonly Clipboard[] {
  const isOutOfReach = !process.env["DISPLAY"] && !process.env["WAYLAND_DISPLAY"];
  const wayland = { program: "wl-copy", args: [], isOutOfReach };
  const x11 = [
    { program: "xclip", args: ["-selection", "clipboard"], isOutOfReach },
    { program: "xsel", args: ["--clipboard", "--input"], isOutOfReach },
  ];
  const unix = process.env["WAYLAND_DISPLAY"] === undefined ? [...x11, wayland] : [wayland, ...x11];
  // Standard input would be read in the console's code page, and `clip` knows no UTF-8. It also serves Linux under Windows.
  const script = "[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())";
  const windows = { program: process.platform === "win32" ? "powershell" : "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-Command", script] };
  if (process.platform === "darwin") return [{ program: "pbcopy", args: [] }];
  return process.platform === "win32" ? [windows] : [...unix, windows];
}

/** Undefined where it worked, else why not. */
async function copyBy(program: string, args: readonly string[], text: string): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await runProgram({ program, args, input: text, timeout: 5_000, reach: "leave" });
    if (exitCode === 0) return undefined;
    return `${program}: ${stderr.trim().split("\n").at(-1) || (exitCode === null ? "no answer within 5 s" : `exit code ${exitCode}`)}`;
  } catch (thrown) {
    return `${program}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
