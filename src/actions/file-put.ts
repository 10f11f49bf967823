import * as z from "zod/mini";
import { Failed } from "../core/failure.ts";
import { refuseMasks } from "../core/mask-secrets.ts";
import { mayHaveHoles, meantText } from "../edit/whole-file.ts";
import { defineAction, writesFile } from "./define.ts";
import { path, text } from "./params.ts";

export const filePut = defineAction({
  ...writesFile,
  name: "file_put",
  summary: "Create a file, or replace one by its whole new text, in which placeholders keep lines of the old one.",
  params: z.object({
    path: path("File to write"),
    content: text("The whole text"),
    label: z.optional(text("First line of the text, if it only names the file")),
  }),
  example: { path: "/project/docs/hello.md", content: "# Hello\n" },
  parses: ({ path, content }) => (mayHaveHoles(path, content) ? path : undefined),
  run: ({ path, content, label }, { workspace, blocks }) => {
    const blocksIn = blocks(path);
    const revise = (before: string | null | undefined, hasMark: boolean): string => {
      if (before === null)
        throw new Failed(
          { code: "file/exists", path },
          "its text cannot be read, so Loaf cannot tell what would be lost",
        );
      refuseMasks(before, { content });
      return (hasMark ? "\ufeff" : "") + meantText({ path, content, label, blocksIn }, before);
    };
    return { data: { path, bytesWritten: workspace.write(path, content, revise) } };
  },
});
