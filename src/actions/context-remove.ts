import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { address } from "./params.ts";

export const contextRemove = defineAction({
  name: "context_remove",
  summary: "Remove a path from view.",
  ofContext: "changes",
  params: z.object({ path: address("As it was added") }),
  needs: { path: ["read"] },
  subject: "path",
  show: "never",
  example: { path: "/project/src" },
  run: ({ path }, { context }) => ({ data: { path, removed: context.remove(path) } }),
});
