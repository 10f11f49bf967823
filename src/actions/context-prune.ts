import * as z from "zod/mini";
import { defineAction } from "./define.ts";

export const contextPrune = defineAction({
  name: "context_prune",
  summary: "Remove from view what is gone, or what no action has named since.",
  ofContext: "changes",
  params: z.object({}),
  needs: {},
  subject: () => "",
  show: ({ removed }: { readonly removed: readonly string[] }) => [{ entries: removed }],
  example: {},
  run: async (_, { context }) => ({ data: { removed: await context.prune() } }),
});
