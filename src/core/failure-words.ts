/** Longer parts of the sentences of failures. */
function lineRange(range: string): string {
  return `${range.includes("-") ? "lines" : "line"} ${range}`;
}

/**
 * An earlier action of the run moved or changed these lines, or somebody has since the version with the tag `base`.
 * `now` gives their new numbers, or those of their replacement. `count` is the number of lines before that.
 */
export interface MovedLines {
  readonly lines: string;
  readonly change: "moved" | "replaced" | "added" | "unknown";
  readonly base?: string;
  readonly now?: string;
  readonly count?: number;
  /** Set if the earlier action was one of this run, and only skipped in the present one. */
  readonly run?: number;
}

export function lineMoveText({ lines, change, now, count, base, run }: MovedLines): string {
  const [subject, verb] = lines.includes("-") ? [`Lines ${lines}`, "are"] : [`Line ${lines}`, "is"];
  if (base !== undefined) return changedSinceBase({ subject, verb, base, change, now, count });
  if (run !== undefined)
    return `${subject} may be meant as before run ${run}, which made another edit of this answer, or as now`;
  const earlier = "an earlier action of this run";
  switch (change) {
    case "moved":
      return `${subject} ${verb} now ${lineRange(now ?? "")}: ${earlier} moved ${verb === "is" ? "it" : "them"}`;
    case "replaced":
      return now === undefined
        ? `${subject} ${verb} no longer there: ${earlier} deleted ${verb === "is" ? "it" : "them"}`
        : `${subject} ${verb} already changed by ${earlier}: see ${lineRange(now)} now`;
    case "added":
      return `The file had no ${lineRange(lines)} before this run, only ${count}: ${earlier} added lines`;
    case "unknown":
      return `A command of this run changed the file, so the new position of ${subject.toLowerCase()} is unknown`;
  }
}

interface ChangedLines {
  /** `Line 2` */
  readonly subject: string;
  readonly verb: string;
  readonly base: string;
  readonly change: string;
  readonly now: string | undefined;
  readonly count: number | undefined;
}

function changedSinceBase({ subject, verb, base, change, now, count }: ChangedLines): string {
  const [named, since] = [lineRange(now ?? ""), `the file has changed since base ${base}`];
  if (change === "moved") return `${subject} ${verb} now ${named}: ${since}`;
  if (change === "added") return `The file had no ${subject.toLowerCase()} at base ${base}, only ${count}`;
  if (now === undefined) return `${subject} ${verb} no longer there: ${since}`;
  return `${subject} ${verb === "is" ? "has" : "have"} changed since base ${base}: see ${named} now`;
}

export interface Candidates {
  readonly candidates: readonly string[];
  /** Number of further candidates. */
  readonly omitted: number;
}

export function candidatesText(lead: string, { candidates: known, omitted }: Candidates): string {
  if (known.length === 0) return "it has no parts";
  return `${lead}: ${known.join(", ")}${omitted > 0 ? ` and ${omitted} more, which file_outline lists` : ""}`;
}
