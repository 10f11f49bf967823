import * as z from "zod/mini";
import { counted } from "../core/counted.ts";
import { Failed } from "../core/failure.ts";
import { refuseMasks } from "../core/mask-secrets.ts";
import { isUnchanged } from "../core/outcome.ts";
import { mayEnd } from "../edit/whole-file.ts";
import { meantOnce, type Put } from "../excerpts/meant-once.ts";
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
    removed: z.optional(text("Words of the answer's sentences that remove something")),
    told: z.optional(text("The sentences about the text")),
    old: z.optional(text("The lines that it replaces")),
    times: z.optional(text("How often the file has them, if not once: a number, or 'all'")),
    within: z.optional(text("Names of the declarations that have them, a line each")),
    unclear: z.optional(text("Set if another line may end its fence; 'below' if a blank line stands below it")),
    guessed: z.optional(text("Set if its path stands only in a sentence")),
    adds: z.optional(text("Set if the answer shows its lines as new ones: the file keeps all that it has")),
    agreed: z.optional(text("Set if somebody agreed to lose what the text lacks")),
  }),
  example: { path: "/project/docs/hello.md", content: "# Hello\n" },
  replaces: "path",
  agreed: "agreed",
  parses: ({ path }) => path,
  tally: ({ merged = [], untouched = 0 }: Put) =>
    merged.join(", ") + (untouched > 0 ? `; ${counted(untouched, "declaration")} untouched` : ""),
  leaves: ({ path, content }) => [{ kind: "content", path, text: content, isLoose: true }],
  run: (params, { workspace, source, replacedTexts, mayMerge }) => {
    const { path, content, told = "", unclear, guessed, agreed } = params;
    const [isLabelled, mayLose] = [guessed === undefined, agreed !== undefined];
    const shown = { ...params, told, source: source(path), mayMerge, isLabelled, mayLose };
    const isWhole = unclear === undefined || (shown.source.isValid(content) ?? mayEnd(content));
    if (!isWhole && unclear !== "below") throw new Failed({ code: "file/unclear-end", path });
    let what: Put = {};
    const revise = (before: string | null | undefined, hasMark: boolean): string => {
      if (before === null) throw new Failed({ code: "file/exists", path, isUnreadable: true });
      refuseMasks(before, { content });
      const original = replacedTexts.get(path);
      if (original === undefined) replacedTexts.set(path, before ?? "");
      const { text: now, done, untouched } = meantOnce(params, { ...shown, original }, before);
      // No grammar reads an excerpt alone: that its lines have a place in the file shows where it ends.
      if (!isWhole && (done.length === 0 || now === before)) throw new Failed({ code: "file/unclear-end", path });
      what = { ...(done.length > 0 && { merged: done }), ...(untouched > 0 && { untouched }) };
      return (hasMark ? "\ufeff" : "") + now;
    };
    const data = { path, ...workspace.write(path, content, revise), ...what };
    // What sentences order beyond what the fence shows is not done, nor what the text leaves out.
    return isUnchanged(data) && (told !== "" || what.untouched !== undefined)
      ? { data, warnings: ["nothing changed: the file has this text already"] }
      : { data };
  },
});
