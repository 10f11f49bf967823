/** The languages of commands: which program runs the code, and how it receives it. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptLanguage } from "../core/command.ts";

interface Runner {
  readonly program: string;
  /** Prefix of versioned names: `python` for `python3.11`. */
  readonly versioned: string;
  /** Arguments that pass the code. A script's path replaces them. */
  readonly inline: (code: string) => readonly string[];
  readonly extension: string;
}

/** The code is passed so that it cannot be taken for an option. */
const RUNNERS: Readonly<Record<ScriptLanguage, Runner>> = {
  bash: { program: "bash", versioned: "bash", inline: (code) => ["-c", "--", code], extension: ".sh" },
  python: { program: "python3", versioned: "python", inline: (code) => ["-c", code], extension: ".py" },
  javascript: { program: "node", versioned: "node", inline: (code) => [`--eval=${code}`], extension: ".cjs" },
  ruby: { program: "ruby", versioned: "ruby", inline: (code) => ["-e", code], extension: ".rb" },
};

export interface Launch {
  /** Name of the program. For a version, the versioned name; if that is missing, `plain` may have the version too. */
  readonly program: string;
  readonly plain: string;
  /** Undefined if the code must be in a file. */
  readonly args: readonly string[] | undefined;
  /** File name extension for such a file. */
  readonly ending: string;
}

/** Maximum bytes in one argument: Linux accepts 128 KiB, other systems more. */
const MAX_ARGUMENT_BYTES = 120_000;

/** @param version `3.11`; anything but numbers and dots matches no version */
export function launchOf(language: ScriptLanguage, version: string | undefined, code: string): Launch {
  const { program, versioned, inline, extension } = RUNNERS[language];
  const isArgument = Buffer.byteLength(code) <= MAX_ARGUMENT_BYTES && !code.includes("\0");
  return {
    program: version === undefined ? program : versioned + version,
    plain: program,
    args: isArgument ? inline(code) : undefined,
    ending: extension,
  };
}

/**
 * Returns whether a program's version output begins with the given version. `GNU bash, version 5.2.15` is `5` and
 * `5.2`, but not `5.1`.
 */
export function isVersion(output: string, version: string): boolean {
  const [reported] = /\d+(\.\d+)*/.exec(output) ?? [];
  return reported !== undefined && `${reported}.`.startsWith(`${version}.`);
}

/** Only such a text may be looked up on PATH, because it must be a name and not a path. */
export function isVersionNumber(text: string): boolean {
  return /^\d+(\.\d+){0,3}$/.test(text);
}

/** Writes code to a temporary file while `act` runs. Throws system errors. */
export async function withScript<Value>(
  code: string, ending: string, act: (file: string) => Promise<Value>
): Promise<Value> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "loaf-script-"));
  try {
    const file = join(folder, `code${ending}`);
    writeFileSync(file, code, { mode: 0o600 });
    return await act(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
