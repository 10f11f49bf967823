/** Replaces secrets in texts for a chat by masks such as `[masked: GitHub token]`, which edits must not carry back. */
import { Failed } from "./failure.ts";
import { SECRET_FORMATS } from "./secret-formats.ts";

/** Masks secrets in known formats. Idempotent, in linear time. */
export function maskSecrets(text: string): string {
  // One expression tries all formats at each position, so the first secret in the text wins.
  return text.replace(SECRETS, (found: string, ...groups: unknown[]) => {
    const index = SECRET_FORMATS.findIndex((_, position) => groups[position] !== undefined);
    const secret = String(groups[index]);
    const { kind = "secret", isSecret } = SECRET_FORMATS[index] ?? {};
    // This name does not make it a secret, but another format may.
    return found.slice(0, found.length - secret.length) + (isSecret?.(secret) === false ? maskSecrets(secret) : maskOf(kind));
  });
}

/** Returns the masks in a text. */
export function masksIn(text: string): string[] {
  return text.includes(BEGINNING) ? [...new Set(text.match(MASK))] : [];
}

/**
 * Throws `text/masked` if a text contains a mask that the file does not contain. The mask was copied from a report: it
 * would not be found in the file, or would overwrite the secret.
 *
 * @param own content of the file; undefined if there is none, or it is unknown
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

/** Has a group for each format. */
const SECRETS = new RegExp(SECRET_FORMATS.map(({ named = "", forms }) => `${named}(${forms.join("|")})`).join("|"), "g");

const KINDS = [...new Set(SECRET_FORMATS.map(({ kind }) => kind))];
const MASK = new RegExp(`\\[masked: (?:${KINDS.join("|")})\\]`, "g");
