import { HookProblem } from "./hook-problem.ts";

/**
 * Puts the values of variables within reach of a command of the shell without a value ever becoming part of its text: where the shell
 * looks at `${NAME}` it is left to it, and where it does not, because of single quotes, they are closed around it. `\$` is a plain `$`
 * everywhere. Throws `HookProblem` where neither can be done.
 *
 *     echo ${A} "it's ${B}" 'say: ${C}' "$(ls '${D}')" # don't ${E}
 *          ^     ^           ^             ^            ^
 *          │     │           │             │            comment: nothing is looked at
 *          │     │           │             single again, since $( begins anew: '"${D}"'
 *          │     │           single: becomes 'say: '"${C}"''
 *          │     double: left to the shell; the ' is a character like any other
 *          command: left to the shell, which takes the value to words
 *
 * @param command for a POSIX shell
 * @param use is told of each name that stands there, and may throw
 */
export function withVariables(command: string, use: (name: string) => void): string {
  return new ShellText(command, use).rewritten();
}

interface HereDocument {
  readonly end: string;
  readonly isQuoted: boolean;
  /** After `<<-` tabs before a line do not count. */
  readonly isIndented: boolean;
}

/** What follows these words is a command again. */
const RESERVED: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{"]);

const DEEPEST = 100;

class ShellText {
  readonly #text: string;
  readonly #use: (name: string) => void;
  #at = 0;
  #written = "";
  #depth = 0;
  /** How many backquotes it stands in: there a backslash before `$` counts once more. */
  #backquotes = 0;
  /** Those whose lines come after the end of this line. */
  #awaited: HereDocument[] = [];

  constructor(text: string, use: (name: string) => void) {
    this.#text = text;
    this.#use = use;
  }

  rewritten(): string {
    this.#command("");
    return this.#written;
  }

  /** Commands up to the end that belongs to what began them, which is left to the caller. */
  #command(end: ")" | "`" | ""): void {
    /** What a `)` may belong to before it is the end: a subshell, or a pattern of `case`. */
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
        if (character === "\n") for (const document of this.#awaited.splice(0)) this.#hereDocument(document);
      } else {
        if (character === "'") this.#single();
        else if (character === "<" && this.#match(/<<(?!<)/y) !== "") this.#announceHereDocument();
        else if (character === "<") this.#take(this.#match(/<+/y).length);
        else if (!this.#expansion(character, false)) this.#take(1);
        [startsWord, startsCommand] = [false, false];
      }
    }
  }

  /** What means the same in and out of double quotes. False where the character is none of it. */
  #expansion(character: string, isQuoted: boolean): boolean {
    if (character === "\\") this.#escaped();
    else if (character === '"') this.#within(() => this.#double());
    else if (character === "`") this.#within(() => this.#backquoted());
    else if (character === "$") this.#within(() => this.#dollar(isQuoted));
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

  /** `\$` is as plain to the shell as here, but for backquotes, which take one backslash away before the shell looks. */
  #escaped(): void {
    if (this.#backquotes > 0 && this.#match(/\\\$/y) !== "") this.#write("\\\\");
    this.#take(2);
  }

  #single(): void {
    this.#take(1);
    this.#plain(/'/y, (name) => this.#write(`'"${name}"'`));
    this.#take(1);
  }

  /** `$'…'` is no quote to every shell, so nobody can tell what would come of a variable in it. */
  #ansi(): void {
    this.#take(2);
    for (let character = this.#next(); character !== "" && character !== "'"; character = this.#next()) {
      const name = this.#match(VARIABLE);
      if (name !== "") throw new HookProblem(`${name} cannot stand in $'…': write "${name}" beside it`);
      this.#take(character === "\\" ? 2 : 1);
    }
    this.#take(1);
  }

  #double(): void {
    this.#take(1);
    for (let character = this.#next(); character !== "" && character !== '"'; character = this.#next()) if (!this.#expansion(character, true)) this.#take(1);
    this.#take(1);
  }

  #backquoted(): void {
    this.#take(1);
    this.#backquotes += 1;
    this.#command("`");
    this.#backquotes -= 1;
    this.#take(1);
  }

  /** `${x:-…}`: in double quotes a single quote in it is a character like any other. */
  #braces(isQuoted: boolean): void {
    this.#take(2);
    for (let character = this.#next(); character !== "" && character !== "}"; character = this.#next()) {
      if (character === "'" && !isQuoted) this.#single();
      else if (!this.#expansion(character, isQuoted)) this.#take(1);
    }
    this.#take(1);
  }

  /** `$((1 << 2))`: no here-document begins in it. */
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

  /** `<<EOF`, `<<-"E OF"`: the word that ends it counts without its quotes. */
  #announceHereDocument(): void {
    const [, dash = "", word = ""] = /<<(-?)[ \t]*((?:'[^']*'|"[^"]*"|\\[^]|[^\s;&|()<>'"\\])*)/.exec(this.#text.slice(this.#at)) ?? [];
    this.#awaited.push({ end: word.replace(/\\([^])|['"]/g, "$1"), isQuoted: /['"\\]/.test(word), isIndented: dash !== "" });
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

  /** A quote in it is a character like any other. */
  #documentLine(): void {
    for (let character = this.#next(); character !== "" && character !== "\n"; character = this.#next()) {
      if (character === '"' || !this.#expansion(character, true)) this.#take(1);
    }
  }

  /** Text that the shell takes as it is, up to what ends it. */
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

  #within(act: () => void): void {
    if (++this.#depth > DEEPEST) throw new HookProblem("The command is nested too deeply");
    act();
    this.#depth -= 1;
  }

  #next(): string {
    return this.#text.charAt(this.#at);
  }

  /** What stands here, if it looks so. */
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

/** What Loaf takes for a variable of its own; `$NAME`, `${NAME:-…}` and the like are the shell's. */
const VARIABLE = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/y;

function nameOf(variable: string): string {
  return variable.slice(2, -1);
}

function refuseInHereDocument(variable: string): never {
  throw new HookProblem(`${variable} stands in a here-document in which the shell replaces nothing: take the quotes off the word after <<`);
}
