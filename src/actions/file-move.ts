import * as z from "zod/mini";
import { defineAction } from "./define.ts";
import { path } from "./params.ts";

export const fileMove = defineAction({
  name: "file_move",
  summary: "Move or rename a file or directory; replaces an existing file.",
  params: z.object({ old_path: path("What to move"), new_path: path("Its new path") }),
  needs: { old_path: ["read", "write"], new_path: ["write"] },
  destroys: ({ overwrote = false }: Moved) => overwrote,
  effect: { verb: "move", of: "file" },
  subject: ({ old_path, new_path }) => `${old_path} -> ${new_path}`,
  show: "never",
  example: { old_path: "/project/src/app.js", new_path: "/project/src/server.js" },
  leaves: ({ old_path, new_path }) => [{ kind: "moved", from: old_path, path: new_path }],
  run: ({ old_path, new_path }, { workspace }) => {
    const { overwrote } = workspace.move(old_path, new_path);
    if (!overwrote) return { data: { old_path, new_path } };
    const warning = `this move replaces what is at ${new_path}; loaf undo brings it back`;
    return { data: { old_path, new_path, overwrote }, warnings: [warning] };
  },
});

interface Moved {
  readonly old_path: string;
  readonly new_path: string;
  readonly overwrote?: boolean;
}
