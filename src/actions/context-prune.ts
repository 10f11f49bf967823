import * as z from "zod/mini";
import { defineAction } from "./define.ts";

export const contextPrune = defineAction({
  name: "context_prune",
  summary: "Take out of view what is gone, and what no action named since it was added.",
  params: z.object({}),
  needs: {},
  subject: () => "",
  show: ({ removed }: { readonly removed: readonly string[] }) => [{ entries: removed }],
  example: {},
  run: async (_, { context }) => ({ data: { removed: await context.prune() } }),
});
