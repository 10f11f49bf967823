/** How a case document writes the bytes of a file: lines of text, and flags for what lines cannot show. */
import type { CaseBlock } from "./case-file.ts";

type Written = Pick<CaseBlock, "lines" | "flags">;

export interface FileContent {
  readonly bytes: Buffer;
  /** Permission bits, where the document gives them. */
  readonly mode?: number;
}

/** Lines end with LF, the last one too, unless flags say otherwise; no lines are an empty file. */
export function decodeContent({ lines, flags }: Written): FileContent {
  const unknown = flags.find((flag) => !/^(no-newline|crlf|bom|hex|mode=[0-7]{3,4})$/.test(flag));
  if (unknown !== undefined) throw new Error(`unknown flag '${unknown}'`);
  const mode = flags.find((flag) => flag.startsWith("mode="))?.slice("mode=".length);
  return { bytes: flags.includes("hex") ? fromHex(lines) : fromText(lines, flags), ...(mode !== undefined && { mode: Number.parseInt(mode, 8) }) };
}

function fromHex(lines: readonly string[]): Buffer {
  const digits = lines.join("").replaceAll(/\s/g, "");
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new Error("a hex block holds pairs of hexadecimal digits only");
  return Buffer.from(digits, "hex");
}

function fromText(lines: readonly string[], flags: readonly string[]): Buffer {
  const newline = flags.includes("crlf") ? "\r\n" : "\n";
  const last = lines.length === 0 || flags.includes("no-newline") ? "" : newline;
  return Buffer.from((flags.includes("bom") ? "\uFEFF" : "") + lines.join(newline) + last);
}

/** The reverse: lines where they can say it, else hex. The mode is written where it was written before. */
export function encodeContent({ bytes, mode }: Required<FileContent>, before: Written): Written {
  const modeFlags = before.flags.some((flag) => flag.startsWith("mode=")) ? [`mode=${mode.toString(8)}`] : [];
  const bom = bytes.subarray(0, 3).equals(Buffer.from("\uFEFF"));
  const text = bytes.subarray(bom ? 3 : 0).toString();
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const ended = text.endsWith(newline);
  const written = {
    lines: text === "" ? [] : (ended ? text.slice(0, -newline.length) : text).split(newline),
    flags: [...(ended || text === "" ? [] : ["no-newline"]), ...(newline === "\r\n" ? ["crlf"] : []), ...(bom ? ["bom"] : []), ...modeFlags],
  };
  const sayable = !written.lines.some((line) => /[\r\n]/.test(line)) && decodeContent(written).bytes.equals(bytes);
  return sayable && !before.flags.includes("hex") ? written : { lines: hexLines(bytes), flags: ["hex", ...modeFlags] };
}

/** Sixteen bytes a line. */
function hexLines(bytes: Buffer): string[] {
  return bytes.toString("hex").match(/.{1,32}/g)?.map((line) => line.replaceAll(/..(?=.)/g, "$& ")) ?? [];
}
