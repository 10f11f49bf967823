/** Calls of other tools that change files, as a model writes them where a program would run them: as tags, as JSON, as tokens of its own. */

/** Reads the lines that stand in no block, in their order. */
export class ToolCallReader {
  readonly #isLoose: boolean;
  /** What closes the call that lines are in. */
  #end: string | undefined;
  #isInTold = false;

  /** @param isLoose whether what other texts have, too, counts, as where there is no block at all */
  constructor(isLoose: boolean) {
    this.#isLoose = isLoose;
  }

  /** Where a code fence begins or ends: no call reaches over that. */
  leave(): void {
    this.#end = undefined;
    this.#isInTold = false;
  }

  /** @returns what the line does: whatever stands in a call is a part of it */
  read(line: string): "begins" | "continues" | undefined {
    if (this.#end !== undefined) {
      if (line.includes(this.#end)) this.#end = undefined;
      return "continues";
    }
    const start = line.trimStart().slice(0, LONGEST);
    switch (start.charAt(0)) {
      case "<":
        return this.#readTag(start, line);
      case "{":
      case "[":
        this.#isInTold = false;
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

  /** Of one object, the first line that tells. */
  #readJson(start: string): "begins" | undefined {
    if (this.#isInTold || !(JSON_CALL.test(start) || (this.#isLoose && LOOSE_JSON_CALL.test(start)))) return undefined;
    this.#isInTold = true;
    return "begins";
  }
}

/** UTF-16 units of a line that are looked at. */
const LONGEST = 1_000;

/** Names of tools that change a file, in whichever product. */
const TOOLS =
  "write_to_file|write_file|create_file|edit_file|delete_file|file_edit|file_write|file_append|file_delete|file_replace_\\w+|replace_in_file|search_replace|search_and_replace|insert_content|" +
  "str_replace(?:_\\w+)?|apply_diff|apply_patch|multi_?edit";
const CALL = new RegExp(`^<(${TOOLS}|(?:antml:)?function_calls|(?:antml:)?invoke|tool_calls?|tool_use|function(?==)|boltAction|lov-write|dyad-(?:write|search-replace)|antArtifact|old_str(?:ing)?)[ >=]`, "i");
/** `<file path="src/app.js">` */
const LOOSE_CALL = /^<(file|edit|change|code_edit|artifact)(?:>| (?:path|name|file|filename|file_path|identifier)=)/i;
/** Tokens that some models mark their calls with. */
const TOKEN = /^<[|｜](?:tool[▁_]call|python_tag)/;
const JSON_CALL = new RegExp(`"old_?(?:str|string|text)"\\s*:|"(?:name|tool|tool_name|function|action|command|recipient_name)"\\s*:\\s*"(?:functions\\.)?(?:${TOOLS})"`, "i");
const LOOSE_JSON_CALL = /"tool_calls"\s*:|"type"\s*:\s*"(?:tool_use|function_call)"/;
