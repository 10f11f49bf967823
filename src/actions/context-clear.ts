import * as z from "zod/mini";
import { defineAction } from "./define.ts";

export const contextClear = defineAction({
  name: "context_clear",
  summary: "Remove everything from view.",
  ofContext: "changes",
  params: z.object({}),
  needs: {},
  subject: () => "",
  show: "never",
  example: {},
  run: (_, { context }) => ({ data: { removed: context.clear() } }),
});
