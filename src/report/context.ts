/** The context set as text for the chat: a tree of its files, then their contents within the token budget. */
import { maskSecrets } from "../core/mask-secrets.ts";
import { estimateTokens } from "../edit/tokens.ts";
import { inert } from "./inert.ts";
import { drawTree } from "./file-tree.ts";
import { visibleOnOneLine } from "../core/visible.ts";

export interface ShownContext {
  readonly title: string;
  /** In the order of the report, with paths as actions accept them. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly text: string }>;
  /** Paths that were shown before and no longer exist. */
  readonly gone?: readonly string[];
  readonly maxTokens: number;
}

export interface ContextReport {
  readonly text: string;
  /** Paths of the files in the text. */
  readonly shown: ReadonlySet<string>;
}

/**
 * Omits files that exceed the remaining budget, and names them with their tokens. Deterministic. Masks secrets in known
 * formats.
 */
export function contextReport({ title, files, gone = [], maxTokens }: ShownContext): ContextReport {
  const head = [`=== ${title} ===`, ...drawTree(files.map(({ path }) => visibleOnOneLine(path))), ...gone.map((path) => `gone: ${visibleOnOneLine(path)}`)].join("\n");
  const shown = new Set<string>();
  const parts: string[] = [];
  const omitted: string[] = [];
  let left = maxTokens - estimateTokens(head) - RESERVED_TOKENS;
  for (const { path, text } of files) {
    const name = visibleOnOneLine(path);
    const part = `=== START FILE: ${name} ===\n${inert(maskSecrets(text), { isFramed: true })}\n=== END FILE: ${name} ===`;
    const tokens = estimateTokens(part);
    if (tokens > left) {
      omitted.push(`${name} (about ${tokens} tokens)`);
      continue;
    }
    left -= tokens;
    shown.add(path);
    parts.push(part);
  }
  return { text: [head, ...parts, ...noteOn(omitted, maxTokens), "=== END CONTEXT ==="].join("\n\n"), shown };
}

/** Tokens reserved for the note and the end. */
const RESERVED_TOKENS = 150;
/** UTF-16 units of names in the note. */
const MAX_NOTE_LENGTH = 300;

function noteOn(omitted: readonly string[], maxTokens: number): string[] {
  if (omitted.length === 0) return [];
  return [`note: left out to keep to ${maxTokens} tokens: ${visibleOnOneLine(omitted.join(", "), MAX_NOTE_LENGTH)}; ask for them one by one`];
}
