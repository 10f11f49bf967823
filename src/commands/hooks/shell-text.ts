/**
 * Makes variables available to a shell command without ever pasting a value into its text. Where the shell expands
 * `${NAME}`, it stays. In single quotes, the quotes are closed around it. `\$` is a plain `$` everywhere. Throws
 * `HookProblem` where neither works.
 *
 *     echo ${A} "it's ${B}" 'say: ${C}' "$(ls '${D}')" # don't ${E}
 *          ^     ^           ^             ^            ^
 *          │     │           │             │            comment: skipped
 *          │     │           │             single quotes again, within $( ): '"${D}"'
 *          │     │           single quotes: becomes 'say: '"${C}"''
 *          │     double quotes: left to the shell; the ' is an ordinary character
 *          command: left to the shell, which splits the value into words
 *
 * @param command for a POSIX shell
 * @param use receives each name, and may throw
 */
export function withVariables(command: string, use: (name: string) => void): string {
  return new ShellText(command, use).rewritten();
}

interface HereDocument {
  readonly end: string;
  readonly isQuoted: boolean;
  /** `<<-` ignores leading tabs. */
  readonly isIndented: boolean;
}

/** After these words another command begins. */
const RESERVED: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{"]);

const MAX_DEPTH = 100;

class ShellText {
  readonly #text: string;
  readonly #use: (name: string) => void;
  #at = 0;
  #written = "";
  #depth = 0;
  /** Number of enclosing backquotes, where a backslash before `$` must be doubled. */
  #backquotes = 0;
  /** Here-documents that begin after this line. */
  #pendingDocuments: HereDocument[] = [];

  constructor(text: string, use: (name: string) => void) {
    this.#text = text;
    this.#use = use;
  }

  rewritten(): string {
    this.#command("");
    return this.#written;
  }

  /** Reads commands up to the given end, which it leaves to the caller. */
  #command(end: ")" | "`" | ""): void {
    /** What a `)` may close before the end: a subshell or a pattern of `case`. */
    const open: Array<"(" | "case"> = [];
    let [startsWord, startsCommand] = [true, true];
    for (let character = this.#next(); character !== ""; character = this.#next()) {
      if (character === end && (end === "`" || open.length === 0)) return;
      if (startsWord && character === "#") {
        this.#take(this.#match(this.#backquotes > 0 ? /[^\n`]*/y : /[^\n]*/y).length);
        continue;
      }
      const word = startsWord && startsCommand ? this.#match(/(?:[a-z]+|[!{])(?=[\s;&|()]|$)/y) : "";
      if (word !== "") {
        if (word === "case") open.push("case");
        if (word === "esac" && open.at(-1) === "case") open.pop();
        this.#take(word.length);
        [startsWord, startsCommand] = [false, RESERVED.has(word)];
      } else if (/[\s;&|()]/.test(character)) {
        if (character === "(") open.push("(");
        if (character === ")" && open.at(-1) === "(") open.pop();
        startsWord = true;
        startsCommand = /[\n;&|()]/.test(character) || startsCommand;
        this.#take(1);
        if (character === "\n") for (const document of this.#pendingDocuments.splice(0)) this.#hereDocument(document);
      } else {
        if (character === "'") this.#single();
        else if (character === "<" && this.#match(/<<(?!<)/y) !== "") this.#announceHereDocument();
        else if (character === "<") this.#take(this.#match(/<+/y).length);
        else if (!this.#expansion(character, false)) this.#take(1);
        [startsWord, startsCommand] = [false, false];
      }
    }
  }

  /** Reads an expansion, which works the same inside and outside double quotes. Returns false if there is none. */
  #expansion(character: string, isQuoted: boolean): boolean {
    if (character === "\\") this.#escaped();
    else if (character === '"') this.#nested(() => this.#double());
    else if (character === "`") this.#nested(() => this.#backquoted());
    else if (character === "$") this.#nested(() => this.#dollar(isQuoted));
    else return false;
    return true;
  }

  #dollar(isQuoted: boolean): void {
    const name = this.#match(VARIABLE);
    if (name !== "") {
      this.#use(nameOf(name));
      this.#take(name.length);
    } else if (this.#match(/\$\(\(/y) !== "") this.#arithmetic();
    else if (this.#match(/\$\(/y) !== "") {
      this.#take(2);
      this.#command(")");
      this.#take(1);
    } else if (this.#match(/\$\{/y) !== "") this.#braces(isQuoted);
    else if (!isQuoted && this.#match(/\$'/y) !== "") this.#ansi();
    else this.#take(1);
  }

  /** The shell reads `\$` the same way, except in backquotes, which remove one backslash first. */
  #escaped(): void {
    if (this.#backquotes > 0 && this.#match(/\\\$/y) !== "") this.#write("\\\\");
    this.#take(2);
  }

  #single(): void {
    this.#take(1);
    this.#plain(/'/y, (name) => this.#write(`'"${name}"'`));
    this.#take(1);
  }

  /** Not every shell supports `$'…'`, so the effect of a variable in it is unknown. */
  #ansi(): void {
    this.#take(2);
    for (let character = this.#next(); character !== "" && character !== "'"; character = this.#next()) {
      const name = this.#match(VARIABLE);
      if (name !== "") throw new HookProblem(`${name} cannot be used in $'…': write "${name}" beside it`);
      this.#take(character === "\\" ? 2 : 1);
    }
    this.#take(1);
  }

  #double(): void {
    this.#take(1);
    for (let character = this.#next(); character !== "" && character !== '"'; character = this.#next())
      if (!this.#expansion(character, true)) this.#take(1);
    this.#take(1);
  }

  #backquoted(): void {
    this.#take(1);
    this.#backquotes += 1;
    this.#command("`");
    this.#backquotes -= 1;
    this.#take(1);
  }

  /** `${x:-…}`: in double quotes, a single quote in it is an ordinary character. */
  #braces(isQuoted: boolean): void {
    this.#take(2);
    for (let character = this.#next(); character !== "" && character !== "}"; character = this.#next()) {
      if (character === "'" && !isQuoted) this.#single();
      else if (!this.#expansion(character, isQuoted)) this.#take(1);
    }
    this.#take(1);
  }

  /** `$((1 << 2))`: this is no here-document. */
  #arithmetic(): void {
    let brackets = 0;
    this.#take(1);
    for (let character = this.#next(); character !== ""; character = this.#next()) {
      if (character === "(") brackets += 1;
      if (character === ")") brackets -= 1;
      if (!this.#expansion(character, true)) this.#take(1);
      if (brackets === 0) return;
    }
  }

  /** `<<EOF`, `<<-"E OF"`: the end word counts without its quotes. */
  #announceHereDocument(): void {
    const [, dash = "", word = ""] =
      /<<(-?)[ \t]*((?:'[^']*'|"[^"]*"|\\[^]|[^\s;&|()<>'"\\])*)/.exec(this.#text.slice(this.#at)) ?? [];
    this.#pendingDocuments.push({
      end: word.replace(/\\([^])|['"]/g, "$1"),
      isQuoted: /['"\\]/.test(word),
      isIndented: dash !== "",
    });
    this.#take(this.#match(/<<-?[ \t]*/y).length + word.length);
  }

  #hereDocument({ end, isQuoted, isIndented }: HereDocument): void {
    while (this.#next() !== "") {
      const line = this.#match(/[^\n]*/y);
      if ((isIndented ? line.replace(/^\t+/, "") : line) === end) return this.#take(line.length);
      if (isQuoted) this.#plain(/\n/y, refuseInHereDocument);
      else this.#documentLine();
      this.#take(1);
    }
  }

  /** Quotes are ordinary characters in it. */
  #documentLine(): void {
    for (let character = this.#next(); character !== "" && character !== "\n"; character = this.#next()) {
      if (character === '"' || !this.#expansion(character, true)) this.#take(1);
    }
  }

  /** Copies text that the shell does not expand, up to its end. */
  #plain(end: RegExp, onVariable: (text: string) => void): void {
    while (this.#next() !== "" && this.#match(end) === "") {
      const name = this.#match(VARIABLE);
      if (name !== "") {
        this.#use(nameOf(name));
        onVariable(name);
        this.#at += name.length;
        continue;
      }
      if (this.#match(/\\\$/y) !== "") this.#at += 1;
      this.#take(1);
    }
  }

  #nested(act: () => void): void {
    if (++this.#depth > MAX_DEPTH) throw new HookProblem("The command is nested too deeply");
    act();
    this.#depth -= 1;
  }

  #next(): string {
    return this.#text.charAt(this.#at);
  }

  /** Returns the text at the current position that matches, or "". */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }

  #take(count: number): void {
    this.#write(this.#text.slice(this.#at, this.#at + count));
    this.#at += count;
  }

  #write(text: string): void {
    this.#written += text;
  }
}

/** A variable of Loaf's own. `$NAME`, `${NAME:-…}` and the like belong to the shell. */
const VARIABLE = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/y;

function nameOf(variable: string): string {
  return variable.slice(2, -1);
}

function refuseInHereDocument(variable: string): never {
  throw new HookProblem(
    `${variable} is in a here-document in which the shell replaces nothing: remove the quotes from the word after <<`,
  );
}

/** Why a hook cannot be started, as a sentence without its full stop. */
export class HookProblem extends Error {
  override readonly name = "HookProblem";
}
