/**
 * Case documents: Markdown that is read as tests and can be rewritten with what really came out.
 *
 *     # Title
 *     ## Name of a case
 *     Prose, and fenced blocks whose info string is `ROLE [PATH] [flags]`.
 *
 * `needs` lists programs, one a line, without which the case is skipped.
 *
 * Flags tell of a file what its lines cannot: `no-newline`, `crlf`, `bom`, `hex`, `mode=755`. Blocks without an info string, or
 * in one of the languages of `illustrations`, are only for the reader.
 */
import { readFileSync } from "node:fs";
import { decodeContent, encodeContent } from "./case-content.ts";

/** What a block is. Those before `answer` set the scene, those after it are expected. */
const roles = ["needs", "file", "dir", "link", "config", "allowed", "answer", "parsed", "result", "report", "summary", "after", "absent", "diff"] as const;
const rolesWithPath: readonly Role[] = ["file", "dir", "link", "after", "absent"];
const expectations: readonly Role[] = ["parsed", "result", "report", "summary", "after", "absent", "diff"];
const illustrations = ["nesl", "sh", "text", "yaml", "json", "ts", "js"];

export type Role = (typeof roles)[number];

export interface CaseBlock {
  readonly role: Role;
  /** Empty where the role has none. */
  readonly path: string;
  readonly flags: readonly string[];
  /** The lines between the fences, joined by LF. */
  readonly lines: readonly string[];
  /** 1-based, of the opening fence; the closing one follows the lines. */
  readonly line: number;
}

export interface Case {
  readonly name: string;
  /** 1-based, of its heading. */
  readonly line: number;
  readonly answer: string;
  readonly blocks: readonly CaseBlock[];
}

export interface CaseDocument {
  readonly title: string;
  readonly cases: readonly Case[];
}

export function readCaseDocument(path: string): CaseDocument {
  return parseCaseDocument(readFileSync(path, "utf8"), path);
}

/** @throws an Error that begins with `path:line:` for anything that a document must not hold */
export function parseCaseDocument(text: string, path: string): CaseDocument {
  const refuse = (line: number, problem: string): never => {
    throw new Error(`${path}:${line}: ${problem}`);
  };
  const lines = text.split("\n");
  let title: string | undefined;
  const sections: Array<{ name: string; line: number; blocks: CaseBlock[] }> = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const [, hashes, heading = ""] = /^(#{1,3}) (.+)$/.exec(line) ?? [];
    if (hashes === "#") title ??= heading;
    else if (hashes !== undefined) sections.push({ name: heading, line: index + 1, blocks: [] });
    const [, fence, info = ""] = /^(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) continue;
    const length = lines.slice(index + 1).findIndex((candidate) => closes(candidate, fence));
    if (length === -1) refuse(index + 1, "this fence is never closed");
    const block = readBlock(info, lines.slice(index + 1, index + 1 + length), index + 1, refuse);
    if (block !== undefined) (sections.at(-1) ?? refuse(index + 1, "a block before the first case")).blocks.push(block);
    index += length + 1;
  }
  if (title === undefined) return refuse(1, "no title");
  const cases = sections.filter(({ blocks }) => blocks.length > 0).map((section) => toCase(section, refuse));
  if (cases.length === 0) refuse(1, "no cases");
  const twice = cases.find(({ name }, index) => cases.findIndex((other) => other.name === name) < index);
  if (twice !== undefined) refuse(twice.line, `a second case named '${twice.name}'`);
  return { title, cases };
}

function closes(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.trimEnd() === fence.charAt(0).repeat(line.trimEnd().length);
}

function readBlock(info: string, lines: readonly string[], line: number, refuse: Refuse): CaseBlock | undefined {
  const [role, ...words] = info.trim().split(/\s+/);
  if (role === undefined || role === "" || illustrations.includes(role)) return undefined;
  if (!isRole(role)) return refuse(line, `unknown role '${role}'; there are ${roles.join(", ")}`);
  const path = rolesWithPath.includes(role) ? words.shift() : "";
  if (path === undefined) return refuse(line, `'${role}' needs a path`);
  return { role, path, flags: words, lines, line };
}

function toCase({ name, line, blocks }: { name: string; line: number; blocks: readonly CaseBlock[] }, refuse: Refuse): Case {
  const [answer, second] = blocks.filter(({ role }) => role === "answer");
  if (answer === undefined) return refuse(line, `the case '${name}' has no answer`);
  if (second !== undefined) return refuse(second.line, `the case '${name}' has a second answer`);
  if (!blocks.some(({ role }) => expectations.includes(role))) return refuse(line, `the case '${name}' expects nothing`);
  for (const block of blocks) checkContent(block, refuse);
  return { name, line, blocks, answer: answer.lines.join("\n") };
}

/** A wrong flag or broken JSON is told at its place, before anything runs. */
function checkContent(block: CaseBlock, refuse: Refuse): void {
  try {
    if (block.role === "parsed" || block.role === "result") JSON.parse(block.lines.join("\n"));
    else decodeContent(block);
  } catch (error) {
    refuse(block.line, error instanceof Error ? error.message : String(error));
  }
}

function isRole(word: string): word is Role {
  return roles.some((role) => role === word);
}

type Refuse = (line: number, problem: string) => never;

/** What really came out, for one block of a document. */
export interface Replacement {
  readonly block: CaseBlock;
  /** File content for `after`, the text for all others. */
  readonly content: string | { readonly bytes: Buffer; readonly mode: number };
}

/** The document's text with blocks replaced; the prose and all other blocks stay. */
export function rewriteCaseDocument(text: string, replacements: readonly Replacement[]): string {
  const lines = text.split("\n");
  for (const { block, content } of replacements.toSorted((a, b) => b.block.line - a.block.line)) {
    const { flags, lines: contentLines } = typeof content === "string" ? { flags: block.flags, lines: content.split("\n") } : encodeContent(content, block);
    const fence = fenceFor(contentLines, /^(`{3,}|~{3,})/.exec(lines[block.line - 1] ?? "")?.[0] ?? "```");
    const info = [block.role, block.path, ...flags].filter((word) => word !== "").join(" ");
    lines.splice(block.line - 1, block.lines.length + 2, fence + info, ...contentLines, fence);
  }
  return lines.join("\n");
}

/** The fence that stood there, longer where the content would close it. */
function fenceFor(lines: readonly string[], fence: string): string {
  return lines.some((line) => closes(line, fence)) ? fenceFor(lines, fence + fence.charAt(0)) : fence;
}
