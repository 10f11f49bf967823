import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { address } from "./params.ts";

export const contextAdd = defineAction({
  name: "context_add",
  summary: "Keep a file, folder, glob or address in view.",
  ofContext: "changes",
  params: z.object({ path: address("File, folder, glob or address") }),
  needs: { path: ["read"] },
  subject: "path",
  show: "never",
  example: { path: "/project/src" },
  run: async ({ path }, { context }) => ({ data: { path, added: await context.add(path) } }),
});
