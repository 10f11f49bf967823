import * as z from "zod/mini";
import { defineAction } from "./define.ts";

export const contextClear = defineAction({
  name: "context_clear",
  summary: "Take everything out of view.",
  isOfContext: true,
  params: z.object({}),
  needs: {},
  subject: () => "",
  show: "never",
  example: {},
  run: (_, { context }) => ({ data: { removed: context.clear() } }),
});
