/** Secrets in what goes into a chat: each is replaced by `[masked: GitHub token]`, a text of its own that edits cannot carry back. */
import { Failed } from "./failure.ts";
import { SECRET_FORMATS } from "./secret-formats.ts";

/** The text without the secrets whose format is known. Doing it twice changes nothing more, and the time is linear. */
export function maskSecrets(text: string): string {
  // All forms are tried at a place before the next one is looked at, so what is found first stands first.
  return text.replace(SECRETS, (found: string, ...groups: unknown[]) => {
    const index = SECRET_FORMATS.findIndex((_, position) => groups[position] !== undefined);
    const secret = String(groups[index]);
    const { kind = "secret", isSecret } = SECRET_FORMATS[index] ?? {};
    // What another format calls a secret is one behind any name.
    return found.slice(0, found.length - secret.length) + (isSecret?.(secret) === false ? maskSecrets(secret) : maskOf(kind));
  });
}

/** Whether a text holds what stands for a secret. */
export function masksIn(text: string): string[] {
  return text.includes(BEGINNING) ? [...new Set(text.match(MASK))] : [];
}

/**
 * Throws `text/masked` where one of the texts holds a mask that the file does not hold itself: it was copied from a report, and would be
 * looked for in vain, or destroy the secret.
 *
 * @param own what the file holds; undefined where that is nothing, or unknown
 */
export function refuseMasks(own: Buffer | string | undefined, texts: Readonly<Record<string, string>>): void {
  for (const [parameter, text] of Object.entries(texts)) {
    const mask = masksIn(text).find((one) => own?.includes(one) !== true);
    if (mask !== undefined) throw new Failed({ code: "text/masked", parameter, mask }, HINT);
  }
}

const HINT =
  "reports show a mask where the file holds a secret: leave that line out of the edit, and replace only the lines before or after it; where the mask is meant as text, use file_append";

const BEGINNING = "[masked: ";

function maskOf(kind: string): string {
  return `${BEGINNING}${kind}]`;
}

/** One expression, with a group for each format. */
const SECRETS = new RegExp(SECRET_FORMATS.map(({ named = "", forms }) => `${named}(${forms.join("|")})`).join("|"), "g");

const KINDS = [...new Set(SECRET_FORMATS.map(({ kind }) => kind))];
const MASK = new RegExp(`\\[masked: (?:${KINDS.join("|")})\\]`, "g");
