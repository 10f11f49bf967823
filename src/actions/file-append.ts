import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { base, path, text } from "./params.ts";

export const fileAppend = defineAction({
  name: "file_append",
  summary: "Append text to a file, or create it.",
  notes: ["If the file does not end with a newline, begin with an empty line."],
  params: z.object({ path: path("File to add to"), content: text("Text to add, verbatim"), base }),
  needs: { path: ["write"] },
  effect: { verb: "append to", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/CHANGELOG.md", content: "- Port is configurable.\n" },
  leaves: ({ path, content }) => [{ kind: "end", path, text: content }],
  run: (params, { workspace }) => ({
    data: { path: params.path, bytesWritten: workspace.append(params.path, params.content) },
  }),
});
