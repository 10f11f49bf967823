import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { path } from "./params.ts";

export const fileDelete = defineAction({
  name: "file_delete",
  summary: "Delete a file or a link, not a directory.",
  params: z.object({ path: path("File to delete") }),
  needs: { path: ["write"] },
  destroys: true,
  effect: { verb: "delete", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/src/app.js" },
  leaves: ({ path }) => [{ kind: "gone", path }],
  run: ({ path }, { workspace }) => {
    workspace.remove(path);
    return { data: { path } };
  },
});
