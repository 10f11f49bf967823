import { adviseBy } from "../advice.ts";
import type { Syntax } from "../syntax.ts";
import { readPlain } from "./read.ts";

/** Sentences and code fences of a chat that was taught no format. */
export const plain = {
  name: "plain",
  called: "plain sentences and code fences",
  isForeign: true,
  isUncertain: true,
  unit: "file",
  asked: {
    as: "code fences under their paths",
    change: "the whole function or section that changes, in a code fence, with the file's path alone on the line above",
    write: "the file in a code fence, with its path alone on the line above",
  },
  isIn: ({ text }) => SIGN.test(text),
  opens: () => false,
  read: readPlain,
  advise: adviseBy({}, "send the whole function or section that changes, in a code fence under the file's path"),
  cutOff: () => undefined,
} as const satisfies Syntax;

/** A fence, two code spans in a line, a line that is one, an order with one, or two texts in quotation marks. */
const SIGN =
  /^[ \t]*(?:`{3}|~{3}|`[^`\n]+`$)|`[^`\n]+`[^`\n]{1,60}`[^`\n]+`|\b(?:change|delete|drop|remove|replace|set|update)\b[^`\n]{0,80}`|["”] (?:by|to|with) ["“]/im;
