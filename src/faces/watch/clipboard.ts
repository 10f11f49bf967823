/** Puts text on the system's clipboard through an installed program. */
import { findProgram } from "../../commands/find-program.ts";
import { runProgram } from "../../commands/run-program.ts";

/** No program worked. The message is one sentence: what to install, or what went wrong. */
export class ClipboardError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ClipboardError";
  }
}

interface Clipboard {
  readonly program: string;
  readonly args: readonly string[];
  /** Set if it needs a display and there is none, as over SSH or in a container. */
  readonly isOutOfReach?: boolean;
}

/** Tries each installed program in turn. Throws `ClipboardError`. */
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

/** Returns the installed clipboard programs with full paths, likeliest first. */
export function findClipboards(): Clipboard[] {
  return candidates().flatMap(({ program, ...how }) => {
    const path = findProgram(program);
    return path === undefined ? [] : [{ program: path, ...how }];
  });
}

/** Returns what to install. */
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
  // PowerShell would decode standard input by the console's code page, and `clip` does not support UTF-8. Also for WSL.
  const script = "[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())";
  const windows = { program: process.platform === "win32" ? "powershell" : "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-Command", script] };
  if (process.platform === "darwin") return [{ program: "pbcopy", args: [] }];
  return process.platform === "win32" ? [windows] : [...unix, windows];
}

/** Returns why it failed, or undefined. */
async function copyBy(program: string, args: readonly string[], text: string): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await runProgram({ program, args, input: text, timeout: 5_000, reach: "leave" });
    if (exitCode === 0) return undefined;
    return `${program}: ${stderr.trim().split("\n").at(-1) || (exitCode === null ? "no answer within 5 s" : `exit code ${exitCode}`)}`;
  } catch (thrown) {
    return `${program}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
