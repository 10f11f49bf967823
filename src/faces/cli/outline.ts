import { resolve } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { Failed } from "../../core/failure.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { OutlineEntry } from "../../files/workspace.ts";
import { complain, paint, print } from "./output.ts";
import { type CommandOptions, openProject } from "./project.ts";
import { readNumber, UsageError } from "./usage-error.ts";

interface OutlineOptions extends CommandOptions {
  readonly levels?: string;
}

/** `loaf outline` */
export async function outline(file: string, options: OutlineOptions): Promise<void> {
  const levels = options.levels === undefined ? Infinity : readNumber("--levels", options.levels, 4);
  const loaf = await openProject(options);
  const parts = await withUsageError(loaf.outline(resolve(file), levels));
  if (options.json) print(JSON.stringify(parts, undefined, 2));
  else if (parts.length === 0) complain(`${file} has no parts`);
  else print(parts.map(describe).join("\n"));
}

async function withUsageError<Value>(outlined: Promise<Value>): Promise<Value> {
  try {
    return await outlined;
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.cause instanceof Failed)) throw thrown;
    const { hint } = thrown.cause;
    throw new UsageError(messageOf(thrown) + (hint === undefined ? "" : `; ${hint}`));
  }
}

function describe({ address, kind, first_line, last_line, broken }: OutlineEntry): string {
  const about = `${kind}, ${first_line === last_line ? `line ${first_line}` : `lines ${first_line}-${last_line}`}${broken ? ", syntax error: read only" : ""}`;
  return `${visibleOnOneLine(address, Infinity)}  ${paint("dim", about)}`;
}
