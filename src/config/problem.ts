export interface ConfigProblem {
  /** The file's path, or another name for the origin. */
  readonly source: string;
  /** 1-based, like `column`. Absent if the configuration was not a text. */
  readonly line?: number;
  readonly column?: number;
  /** One sentence without a full stop. */
  readonly message: string;
}

/**
 * An invalid configuration. Thrown before anything runs. The message has one line for each problem:
 * `loaf.yml:3:5: Unknown key 'colour'`.
 */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const more = problems.length - MAX_SHOWN;
    super(
      [...problems.slice(0, MAX_SHOWN).map(sentence), ...(more > 0 ? [`… and ${more} more problems`] : [])].join("\n"),
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

const MAX_SHOWN = 10;

function sentence({ source, line, column, message }: ConfigProblem): string {
  return `${[source, line, column].filter((part) => part !== undefined).join(":")}: ${message}`.replace(
    /[\r\n]/g,
    (end) => (end === "\n" ? "\\n" : "\\r"),
  );
}
