/** The languages of commands: which program runs one, and how it is handed the code. */
import type { Language } from "../core/command.ts";

interface Runner {
  readonly program: string;
  /** Beginning of the names of its versions: `python` for `python3.11`. */
  readonly versioned: string;
  /** Arguments by which it takes code; a script's path takes their place. */
  readonly inline: (code: string) => readonly string[];
  readonly ending: string;
}

/** With the code where it cannot be taken for an option. */
const RUNNERS: Readonly<Record<Language, Runner>> = {
  bash: { program: "bash", versioned: "bash", inline: (code) => ["-c", "--", code], ending: ".sh" },
  python: { program: "python3", versioned: "python", inline: (code) => ["-c", code], ending: ".py" },
  javascript: { program: "node", versioned: "node", inline: (code) => [`--eval=${code}`], ending: ".cjs" },
  ruby: { program: "ruby", versioned: "ruby", inline: (code) => ["-e", code], ending: ".rb" },
};

export interface Launch {
  /** The program by its name. With a version, the one that has it in its name; where that is not installed, `plain` may be of that version too. */
  readonly program: string;
  readonly plain: string;
  /** Undefined where any will do. */
  readonly version: string | undefined;
  /** Undefined where the code has to be in a file. */
  readonly args: readonly string[] | undefined;
  /** What the name of such a file ends with. */
  readonly ending: string;
}

/** Bytes of one argument: Linux takes 128 KiB of each, and other systems more. */
const LONGEST_ARGUMENT = 120_000;

/** @param version `3.11`; anything else than numbers and dots is a version that nobody has */
export function launchOf(language: Language, version: string | undefined, code: string): Launch {
  const { program, versioned, inline, ending } = RUNNERS[language];
  const isArgument = Buffer.byteLength(code) <= LONGEST_ARGUMENT && !code.includes("\0");
  return { program: version === undefined ? program : versioned + version, plain: program, version, args: isArgument ? inline(code) : undefined, ending };
}

/** Whether what a program says of its version begins with this one: `GNU bash, version 5.2.15` is `5` and `5.2`, and not `5.1`. */
export function isVersion(said: string, version: string): boolean {
  const [found] = /\d+(\.\d+)*/.exec(said) ?? [];
  return found !== undefined && `${found}.`.startsWith(`${version}.`);
}

/** What is looked up on PATH must be a name, and not a path. */
export function isVersionNumber(text: string): boolean {
  return /^\d+(\.\d+){0,3}$/.test(text);
}
