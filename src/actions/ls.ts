import * as z from "zod/mini";
import type { DirectoryEntry } from "../files/workspace.ts";
import { defineAction } from "./define.ts";
import { path } from "./params.ts";

export const ls = defineAction({
  name: "ls",
  summary: "List a directory with types and sizes.",
  params: z.object({ path: path("Directory to list") }),
  needs: { path: ["read"] },
  subject: "path",
  show: (entries: readonly DirectoryEntry[]) => [{ entries: entries.map(describeEntry) }],
  example: { path: "/project/src" },
  run: ({ path }, { workspace }) => ({ data: workspace.list(path) }),
});

/** Without times, so that reports stay the same from run to run. */
function describeEntry({ name, type, size }: DirectoryEntry): string {
  if (type === "directory") return `${name}/`;
  return type === "link" ? `${name} (link)` : `${name} (${size} bytes)`;
}
