import type { ExecSettings } from "../actions/define.ts";
import { actions } from "../actions/index.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import type { Format } from "../syntaxes/format.ts";
import { cslInstructions } from "./csl-instructions.ts";
import { neslInstructions, shortNeslInstructions } from "./nesl-instructions.ts";
import { replacerInstructions } from "./replacer-instructions.ts";

export interface InstructionOptions {
  /** The project's absolute root. */
  readonly root: string;
  /** Whether paths are relative to the root. In CSL and the replacer's syntax they always may be. */
  readonly relativePaths: boolean;
  /** Whether written files always end with a newline. */
  readonly endsWithNewline?: boolean | undefined;
  /** Names of the allowed actions; undefined allows all. */
  readonly allowedActions: readonly string[] | undefined;
  /** The syntax to teach, by default NESL. */
  readonly syntax?: Format | undefined;
  /** Whether to shorten the instructions as far as possible. Only for NESL. */
  readonly isShort?: boolean | undefined;
  /** What the settings allow commands. Anything else is not taught. */
  readonly exec?: ExecSettings | undefined;
  readonly csl?: Delimiters | undefined;
}

/** Returns the text to give to a model at the start of a chat, so that it answers in blocks that run. */
export function instructions(options: InstructionOptions): string {
  const { root, allowedActions, syntax = "nesl", csl, exec } = options;
  const allowed = actions
    .filter(({ name }) => allowedActions === undefined || allowedActions.includes(name))
    .flatMap((action) => {
      const summary = action.summaryUnder === undefined || exec === undefined ? action.summary : action.summaryUnder(exec);
      return summary === undefined ? [] : [{ ...action, summary }];
    });
  switch (syntax) {
    case "nesl":
      return options.isShort === true ? shortNeslInstructions(allowed, options) : neslInstructions(allowed, options);
    case "csl":
      return cslInstructions(allowed, root, csl, allowedActions === undefined || allowedActions.includes("run_commands"));
    case "replacer":
      return replacerInstructions(allowed, root, options.endsWithNewline);
  }
}
