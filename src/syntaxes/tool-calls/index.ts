import { adviseBy, cutOffIn, cutOffWords } from "../advice.ts";
import type { Syntax } from "../syntax.ts";
import { readToolCalls } from "./read.ts";

/** What to do about a call of a tool that does nothing here. */
export const OTHER_CALLS =
  "leave the call out, or write an Edit with file_path, old_string and new_string, or a Write with file_path and content";

/** Calls of other products' tools, in JSON and in tags. */
export const toolCalls = {
  name: "tool-calls",
  called: "the format of tool calls",
  isForeign: true,
  unit: "call",
  asked: {
    as: "calls of Edit and Write",
    change: "an Edit with file_path, old_string and new_string",
    write: "a Write with file_path and content",
    remove: "a call of delete_file with path, or of move_file with source and destination",
  },
  carries: true,
  opens: (line) => /^(?:<(?:antml:)?invoke\s+name="|<tool_call>|<function=|\[TOOL_CALLS\])/.test(line),
  read: readToolCalls,
  advise: adviseBy(
    {
      INVALID_VALUE: String.raw`write each string of the call on one line, with \n for a line break and \" for a quote`,
      INVALID_OPERATION: OTHER_CALLS,
    },
    `write the call as {"name": "Edit", "arguments": {"file_path": …, "old_string": …, "new_string": …}}`,
  ),
  wraps: (line) => /^\s*<\/?(?:antml:)?(?:function_calls|tool_calls?)>\s*$/.test(line),
  cutOff: cutOffIn(cutOffWords("call", "run: it was cut off")),
} as const satisfies Syntax;
