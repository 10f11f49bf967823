import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { path } from "./params.ts";

export const dirCreate = defineAction({
  name: "dir_create",
  summary: "Create a directory and any missing parents.",
  params: z.object({ path: path("Directory to create") }),
  needs: { path: ["write"] },
  effect: { verb: "make", of: "directory" },
  subject: "path",
  show: "never",
  example: { path: "/project/src/routes" },
  run: ({ path }, { workspace }) => ({ data: { path, created: workspace.createDirectory(path) } }),
});
