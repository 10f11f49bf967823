import { resolve } from "node:path";
import { explainInLine, Failed } from "../../core/failure.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { OutlineEntry } from "../../files/workspace.ts";
import type { OutlineOptions } from "./options.ts";
import { complain, paint, print, printJson } from "./output.ts";
import { openProject } from "./project.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf outline` */
export async function showOutline(file: string, options: OutlineOptions): Promise<void> {
  const loaf = await openProject(options);
  const parts = await withUsageError(loaf.outline(resolve(file), options.levels));
  if (options.json) printJson(parts);
  else if (parts.length === 0) complain(`${file} has no parts`);
  else print(parts.map(describe).join("\n"));
}

async function withUsageError<Value>(outlined: Promise<Value>): Promise<Value> {
  try {
    return await outlined;
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.cause instanceof Failed)) throw thrown;
    const { failure, alignment: { hint } } = thrown.cause;
    throw new UsageError(explainInLine(failure) + (hint === undefined ? "" : `; ${hint}`));
  }
}

function describe({ address, kind, first_line, last_line, broken }: OutlineEntry): string {
  const about = `${kind}, ${first_line === last_line ? `line ${first_line}` : `lines ${first_line}-${last_line}`}${broken ? ", syntax error: read only" : ""}`;
  return `${visibleOnOneLine(address, Infinity)}  ${paint("dim", about)}`;
}
