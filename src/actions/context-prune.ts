import * as z from "zod/mini";
import { defineAction } from "./define.ts";

export const contextPrune = defineAction({
  name: "context_prune",
  summary: "Take out of view what is gone, or not named by an action since.",
  isOfContext: true,
  params: z.object({}),
  needs: {},
  subject: () => "",
  show: ({ removed }: { readonly removed: readonly string[] }) => [{ entries: removed }],
  example: {},
  run: async (_, { context }) => ({ data: { removed: await context.prune() } }),
});
