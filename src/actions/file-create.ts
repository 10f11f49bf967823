import * as z from "zod/mini";
import { Failed } from "../core/failure.ts";
import { masksIn, refuseMasks } from "../core/mask-secrets.ts";
import { defineAction, writesFile } from "./define.ts";
import { path, text } from "./params.ts";

export const fileCreate = defineAction({
  ...writesFile,
  name: "file_create",
  summary: "Create a file and its parents, unless there is one that is not empty.",
  params: z.object({ path: path("File to create"), content: text("The whole content, verbatim") }),
  example: { path: "/project/docs/hello.md", content: "# Hello\n" },
  leaves: ({ path, content }) => [{ kind: "content", path, text: content }],
  run: ({ path, content }, { workspace }) => {
    const refuseOther = (before: string | null | undefined): void => {
      if (before !== undefined && before !== "" && before !== content) throw new Failed({ code: "file/exists", path });
      if (masksIn(content).length > 0) refuseMasks(undefined, { content });
    };
    return { data: { path, ...workspace.write(path, content, refuseOther) } };
  },
});
