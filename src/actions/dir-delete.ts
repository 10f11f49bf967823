import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { path } from "./params.ts";

export const dirDelete = defineAction({
  name: "dir_delete",
  summary: "Delete an empty directory.",
  params: z.object({ path: path("Directory to delete") }),
  needs: { path: ["write"] },
  destroys: true,
  effect: { verb: "remove", of: "directory" },
  subject: "path",
  show: "never",
  example: { path: "/project/empty" },
  leaves: ({ path }) => [{ kind: "gone", path }],
  run: ({ path }, { workspace }) => {
    workspace.removeDirectory(path);
    return { data: { path } };
  },
});
