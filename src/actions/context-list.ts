import * as z from "zod/mini";
import type { ListedEntry } from "../context/context-set.ts";
import { defineAction } from "./define.ts";

export const contextList = defineAction({
  name: "context_list",
  summary: "List what is in view.",
  ofContext: "shows",
  params: z.object({}),
  needs: {},
  subject: () => "",
  show: (entries: readonly ListedEntry[]) => [{ entries: entries.map(describeEntry) }],
  example: {},
  run: async (_, { context }) => ({ data: await context.list() }),
});

function describeEntry({ path, size, tokens, files }: ListedEntry): string {
  if (files === 0) return `${path} (gone)`;
  return `${path} (${files === 1 ? "" : `${files} files, `}${size} bytes, about ${tokens} tokens)`;
}
