/** Finds the file that an answer is about whose sentences and fences name none. */
import type { FileWith } from "../syntaxes/syntax.ts";
import { wordyLines } from "./changed-lines.ts";

interface Source {
  readonly path: string;
  readonly text: string;
  readonly names: () => ReadonlySet<string>;
}

/** Returns the only file that has most of the lines of some code, and of the names that sentences tell. */
export function fileAbout(
  code: Parameters<FileWith["about"]>[0],
  names: readonly string[],
  sources: readonly Source[],
): string | undefined {
  const lines = [...new Set(code.flatMap(({ content }) => wordyLines(content)))].filter((line) => line.length > SHORT);
  const score = ({ text, names: declared }: Source): number => {
    const count = lines.slice(0, MOST_LINES).filter((line) => text.includes(line)).length;
    return count === 0 ? 0 : count + names.filter((name) => declared().has(name)).length;
  };
  const [best, next] = sources
    .map((source) => ({ path: source.path, score: score(source) }))
    .toSorted((one, other) => other.score - one.score);
  const isSure = best !== undefined && best.score >= LEAST_SCORE && (next?.score ?? 0) * 3 <= best.score;
  return isSure ? best.path : undefined;
}

/** UTF-16 units. A shorter line stands anywhere. */
const SHORT = 8;
const MOST_LINES = 50;
const LEAST_SCORE = 3;
