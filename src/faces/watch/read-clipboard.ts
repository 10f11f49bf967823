/** Reads the system's clipboard through an installed program. */
import { runProgram } from "../../commands/run-program.ts";
import { findProgram } from "../../commands/find-program.ts";
import { ClipboardError, remedy } from "./clipboard.ts";

interface Reader {
  readonly program: string;
  readonly args: readonly string[];
}

/** Maximum duration of a program, in milliseconds. */
const TIMEOUT = 2_000;

/** Maximum bytes of a text. */
const MOST = 64 * 2 ** 20;

/** Returns the text on the clipboard, or "" if there is none. Throws `ClipboardError`. */
export async function readClipboard(): Promise<string> {
  const readers = candidates().flatMap(({ program, args }) => {
    const path = findProgram(program);
    return path === undefined ? [] : [{ program: path, args }];
  });
  if (readers.length === 0) throw new ClipboardError(`No program to read the clipboard was found: ${process.platform === "linux" ? remedy() : "pbpaste or PowerShell has to be on PATH"}`);
  const complaints: string[] = [];
  for (const reader of readers) {
    const read = await readBy(reader);
    if ("text" in read) return read.text;
    complaints.push(read.complaint);
  }
  throw new ClipboardError(`The clipboard cannot be read: ${complaints.join("; ")}`);
}

function candidates(): Reader[] {
  const wayland = { program: "wl-paste", args: ["--no-newline", "--type", "text"] };
  const x11 = [
    { program: "xclip", args: ["-selection", "clipboard", "-out", "-target", "UTF8_STRING"] },
    { program: "xsel", args: ["--clipboard", "--output"] },
  ];
  // Otherwise PowerShell prints in the console's code page.
  const script = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; [Console]::Out.Write([string](Get-Clipboard -Raw))";
  const windows = { program: process.platform === "win32" ? "powershell" : "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-Command", script] };
  if (process.platform === "darwin") return [{ program: "pbpaste", args: [] }];
  if (process.platform === "win32") return [windows];
  return process.env["WAYLAND_DISPLAY"] === undefined ? [...x11, wayland, windows] : [wayland, ...x11, windows];
}

async function readBy({ program, args }: Reader): Promise<{ readonly text: string } | { readonly complaint: string }> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    const onOutput = (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      return size <= MOST;
    };
    const { exitCode, stderr: complaint } = await runProgram({ program, args, cwd: "/", timeout: TIMEOUT, onOutput });
    if (exitCode === 0) return { text: Buffer.concat(pieces).toString("utf8") };
    // An image, an empty clipboard, or more than anyone would run.
    if (size > MOST || NO_TEXT.test(complaint)) return { text: "" };
    return { complaint: `${program}: ${complaint.trim().split("\n").at(-1) || (exitCode === null ? "no answer within 2 s" : `exit code ${exitCode}`)}` };
  } catch (thrown) {
    return { complaint: `${program}: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}

/** Messages of xclip and wl-paste if there is no text. */
const NO_TEXT = /target UTF8_STRING not available|no (?:suitable|selection)|nothing is copied|no owner|not available/i;
