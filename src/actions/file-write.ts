import * as z from "zod/mini";
import { placeholderJudge } from "../text/placeholder.ts";
import { defineAction } from "./define.ts";
import { path, text } from "./params.ts";

export const fileWrite = defineAction({
  name: "file_write",
  summary: "Create a file, or replace all of it; parent directories are made.",
  params: z.object({ path: path("File to write"), content: text("The whole content, verbatim") }),
  needs: { path: ["write"] },
  effect: { verb: "write", of: "file" },
  subject: "path",
  show: "never",
  example: { path: "/project/docs/hello.md", content: "# Hello\n\nA first page.\n" },
  run: ({ path, content }, { workspace }) => ({ data: { path, bytesWritten: workspace.write(path, content, placeholderJudge(path, content)) } }),
});
