import type { AnyAction } from "../actions/define.ts";
import { printBlock } from "../syntaxes/nesl/print.ts";

/**
 * Returns an action's example as a NESL block.
 *
 * @param root replaces the example's `/project`; empty for paths relative to the root
 */
export function exampleBlock(action: AnyAction, id: string, root: string): string {
  return printBlock(id, exampleProperties(action, root));
}

/** Like `exampleBlock`, but returns the block's properties. */
export function exampleProperties({ name, example, needs }: AnyAction, root: string): Readonly<Record<string, string>> {
  const placed = Object.entries(example).map(([key, value]) => [key, key in needs ? place(value, root) : value]);
  return { action: name, ...Object.fromEntries(placed) };
}

function place(paths: string, root: string): string {
  const placed = (path: string) =>
    root === "" ? path.replace(/^\/project\/?/, "") || "." : path.replace(/^\/project/, () => root);
  return paths.split("\n").map(placed).join("\n");
}
