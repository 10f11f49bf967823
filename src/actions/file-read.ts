import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { address } from "./params.ts";

export const fileRead = defineAction({
  name: "file_read",
  summary: "Show a file.",
  params: z.object({ path: address("File to read") }),
  needs: { path: ["read"] },
  reads: "path",
  subject: "path",
  show: "file",
  example: { path: "/project/src/app.js" },
  run: ({ path }, { workspace }) => ({ data: { path, content: workspace.read(path) } }),
});
