import type { ExecSettings } from "../actions/define.ts";
import { actions } from "../actions/index.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import type { Format } from "../syntaxes/format.ts";
import { cslInstructions } from "./csl-instructions.ts";
import { neslInstructions, shortNeslInstructions } from "./nesl-instructions.ts";
import { replacerInstructions } from "./replacer-instructions.ts";

/** What the text for the model depends on. */
export interface InstructionOptions {
  /** The project's absolute root. */
  readonly root: string;
  /** Whether paths are relative to it. In CSL and the replacer they always may be. */
  readonly relativePaths: boolean;
  /** Whether files that are written always end with a newline. */
  readonly endsWithNewline?: boolean | undefined;
  /** Names of the actions that may be used; undefined: all. */
  readonly allowedActions: readonly string[] | undefined;
  /** The syntax to teach; NESL, unless given. */
  readonly syntax?: Format | undefined;
  /** As short as they can be; of NESL's only. */
  readonly isShort?: boolean | undefined;
  /** What commands may do; what they may not is not taught. */
  readonly exec?: ExecSettings | undefined;
  /** What CSL's markers begin and end with. */
  readonly csl?: Delimiters | undefined;
}

/** The text to give to a model once at the start of a chat, so that it answers in blocks that run. */
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
