/** Finds the file that an answer is about whose sentences and fences name none. */
import { codePathsIn, toldPath } from "../path-label.ts";
import type { FileWith } from "../syntax.ts";
import { labelIn, type Passage } from "./passages.ts";

/** Returns the file that has the code and the names of an answer, if nothing in that is a path. */
export function fileOfAnswer(passages: readonly Passage[], fileWith: FileWith): string | undefined {
  const fences = passages.filter((one) => one.kind === "fence" && !one.isCommand);
  const sentences = passages.flatMap((one) => (one.kind === "prose" ? one.sentences : []));
  const isNamed =
    passages.some(({ kind }) => kind === "block") ||
    fences.some((one) => one.kind === "fence" && (one.path ?? labelIn(one.firstLine, fileWith)) !== undefined) ||
    sentences.some(({ text }) => toldPath(text) !== undefined || codePathsIn(text).length > 0);
  if (isNamed || fences.length === 0) return undefined;
  const names = sentences.flatMap(({ text }) => [...text.matchAll(NAME)].map(([, name = ""]) => name));
  return fileWith.about(
    fences.map((one) => (one.kind === "fence" ? one : { language: "", content: "" })),
    names,
  );
}

/** `login`, `Cart.total()`: the last part. */
const NAME = /`(?:[\p{L}\p{N}_$]+[.:#]+)*([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/gu;
