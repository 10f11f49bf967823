import { resolve } from "node:path";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { OutlineEntry } from "../../files/workspace.ts";
import { complain, paint, print } from "./output.ts";
import { openProject } from "./project.ts";
import { UsageError } from "./usage-error.ts";

interface OutlineOptions {
  readonly levels?: string;
  readonly root?: string;
  readonly json?: boolean;
}

/** `loaf outline` */
export async function outline(file: string, options: OutlineOptions): Promise<void> {
  const { levels = "Infinity" } = options;
  if (!/^(?:[1-9][0-9]{0,3}|Infinity)$/.test(levels)) throw new UsageError(`--levels '${levels}' is not a number from 1 to 9999`);
  const loaf = await openProject(options);
  const parts = await withUsageError(loaf.outline(resolve(file), Number(levels)));
  if (options.json) print(JSON.stringify(parts, undefined, 2));
  else if (parts.length === 0) complain(`${file} has no parts`);
  else print(parts.map(describe).join("\n"));
}

async function withUsageError<Value>(outlined: Promise<Value>): Promise<Value> {
  try {
    return await outlined;
  } catch (thrown) {
    throw thrown instanceof Error && thrown.cause !== undefined ? new UsageError(thrown.message) : thrown;
  }
}

function describe({ address, kind, first_line, last_line, broken }: OutlineEntry): string {
  const about = `${kind}, ${first_line === last_line ? `line ${first_line}` : `lines ${first_line}-${last_line}`}${broken ? ", syntax error: read only" : ""}`;
  return `${visibleOnOneLine(address, Infinity)}  ${paint("dim", about)}`;
}
