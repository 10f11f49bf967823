/** What a terminal shows of a command: its output while it runs, then what it left behind. */
import type { CommandData } from "../core/command.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import { afterReturns, namedFew, visibleOnOneLine } from "../core/visible.ts";
import type { Row } from "./rows.ts";
import { codeLine, MAX_BELOW, painter, type Screen, underneath } from "./screen.ts";

/** The last line of a command's output. */
export class LastLine {
  #tail = "";

  add(piece: Uint8Array): void {
    this.#tail = (this.#tail + Buffer.from(piece).toString("latin1")).slice(-MAX_TAIL);
  }

  clear(): void {
    this.#tail = "";
  }

  /** A carriage return starts a line anew, as in progress bars. Colours and the like are removed. */
  text(): string {
    const last = this.#tail.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
    const text = Buffer.from(last, "latin1").toString().replace(ESCAPES, "").trim();
    return visibleOnOneLine(maskSecrets(text)).replaceAll("\t", " ");
  }
}

const MAX_TAIL = 4_096;
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** Returns the end of a failed command's output, and the files that it changed. Empty for a row without a command. */
export function commandLines({ end, output = {} }: Row, screen: Screen): string[] {
  const paint = painter(screen.color);
  return [
    ...(end === "done" ? [] : outputLines(output, screen)),
    ...changedLines(output)
      .flatMap((line) => underneath("   ", line, screen))
      .map((line) => paint("dim", line)),
  ];
}

/** Returns the end of the output: of the errors, if there are any. */
function outputLines({ stdout = "", stderr = "" }: Partial<CommandData>, screen: Screen): string[] {
  const text = afterReturns(stderr.trim() === "" ? stdout : stderr).trimEnd();
  if (text === "") return [];
  const paint = painter(screen.color);
  const lines = text.split("\n");
  const shown = lines.slice(-MAX_BELOW).map((line) => maskSecrets(line.replace(ESCAPES, "")));
  return [
    ...(lines.length > shown.length
      ? [paint("dim", `   … ${lines.length - shown.length} lines before that are in the report`)]
      : []),
    ...shown.map((line) => paint("dim", codeLine(`   │ ${line}`, screen))),
  ];
}

/** `deleted: README.md, src/app.ts`. What is gone comes first. */
function changedLines({ changed = [] }: Partial<CommandData>): string[] {
  return (["deleted", "changed", "created"] as const).flatMap((kind) => {
    const paths = changed.filter(({ change }) => change === kind).map(({ path }) => visibleOnOneLine(path, MAX_NAME));
    return paths.length === 0 ? [] : [`${kind}: ${namedFew(paths, MAX_NAMED)}`];
  });
}

/** Files that a command changed in one way. The report has all of them. */
const MAX_NAMED = 8;
const MAX_NAME = 200;
