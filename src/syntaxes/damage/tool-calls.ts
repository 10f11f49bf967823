/**
 * Detects calls of other tools that change files, which models write where a program would run them: as tags, JSON or
 * special tokens.
 */

/** Reads the lines outside blocks in order. */
export class ToolCallReader {
  readonly #isLoose: boolean;
  /** The closing text of the current call. */
  #end: string | undefined;
  #isInReported = false;

  /** @param isLoose whether to accept forms that other texts contain too; used if there is no block */
  constructor(isLoose: boolean) {
    this.#isLoose = isLoose;
  }

  /** Must be called where a code fence starts or ends, because no call crosses it. */
  leave(): void {
    this.#end = undefined;
    this.#isInReported = false;
  }

  /** @returns whether the line begins a call or is part of one */
  read(line: string): "begins" | "continues" | undefined {
    if (this.#end !== undefined) {
      if (line.includes(this.#end)) this.#end = undefined;
      return "continues";
    }
    const start = line.trimStart().slice(0, MAX_LENGTH);
    switch (start.charAt(0)) {
      case "<":
        return this.#readTag(start, line);
      case "{":
      case "[":
        this.#isInReported = false;
        if (start.startsWith("[TOOL_CALLS]")) return "begins";
        return this.#readJson(start);
      case '"':
        return this.#readJson(start);
      default:
        return undefined;
    }
  }

  #readTag(start: string, line: string): "begins" | undefined {
    const tag = (CALL.exec(start) ?? (this.#isLoose ? LOOSE_CALL.exec(start) : null))?.[1];
    if (tag === undefined) return TOKEN.test(start) ? "begins" : undefined;
    const end = `</${tag}>`;
    if (!line.includes(end)) this.#end = end;
    return "begins";
  }

  /** Reports only the first matching line of an object. */
  #readJson(start: string): "begins" | undefined {
    if (this.#isInReported || !(JSON_CALL.test(start) || (this.#isLoose && LOOSE_JSON_CALL.test(start)))) return undefined;
    this.#isInReported = true;
    return "begins";
  }
}

/** Maximum length of a line to look at, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** Names of tools that change files in various products. */
const TOOLS =
  "write_to_file|write_file|create_file|edit_file|delete_file|file_edit|file_write|file_append|file_delete|file_replace_\\w+|replace_in_file|search_replace|search_and_replace|insert_content|" +
  "str_replace(?:_\\w+)?|apply_diff|apply_patch|multi_?edit";
const CALL = new RegExp(`^<(${TOOLS}|(?:antml:)?function_calls|(?:antml:)?invoke|tool_calls?|tool_use|function(?==)|boltAction|lov-write|dyad-(?:write|search-replace)|antArtifact|old_str(?:ing)?)[ >=]`, "i");
/** Matches `<file path="src/app.js">`. */
const LOOSE_CALL = /^<(file|edit|change|code_edit|artifact)(?:>| (?:path|name|file|filename|file_path|identifier)=)/i;
/** Tokens with which some models mark calls. */
const TOKEN = /^<[|｜](?:tool[▁_]call|python_tag)/;
const JSON_CALL = new RegExp(`"old_?(?:str|string|text)"\\s*:|"(?:name|tool|tool_name|function|action|command|recipient_name)"\\s*:\\s*"(?:functions\\.)?(?:${TOOLS})"`, "i");
const LOOSE_JSON_CALL = /"tool_calls"\s*:|"type"\s*:\s*"(?:tool_use|function_call)"/;
