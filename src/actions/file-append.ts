import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { path, text } from "./params.ts";

export const fileAppend = defineAction({
  name: "file_append",
  summary: "Add text to the end of a file, which need not be there.",
  notes: ["Nothing is put in between: begin with an empty line where the file does not end with a newline."],
  params: z.object({ path: path("File to add to"), content: text("Text to add, verbatim") }),
  needs: { path: ["write"] },
  effect: { verb: "append to", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/CHANGELOG.md", content: "- Port is configurable.\n" },
  run: (params, { workspace }) => ({ data: { path: params.path, bytesWritten: workspace.append(params.path, params.content) } }),
});
