/** Replaces secrets in texts for a chat by masks such as `[masked: GitHub token]`, which edits must not carry back. */
import { Failed } from "./failure.ts";

/** Masks secrets in known formats. Idempotent, in linear time. */
export function maskSecrets(text: string): string {
  return replaceSecrets(text, maskOf);
}

/** Like `maskSecrets`, but a mask keeps the line feeds of its secret: lines keep their numbers. */
export function maskSecretsInLines(text: string): string {
  return replaceSecrets(text, (kind, secret) => maskOf(kind) + "\n".repeat(secret.split("\n").length - 1));
}

function replaceSecrets(text: string, replacementOf: (kind: string, secret: string) => string): string {
  // One expression tries all formats at each position, so the first secret in the text wins.
  return text.replace(SECRETS, (token: string, ...groups: unknown[]) => {
    const index = SECRET_FORMATS.findIndex((_, position) => groups[position] !== undefined);
    const secret = String(groups[index]);
    const { kind = "secret", isSecret } = SECRET_FORMATS[index] ?? {};
    const before = token.slice(0, token.length - secret.length);
    // This name does not make it a secret, but another format may.
    return (
      before + (isSecret?.(secret) === false ? replaceSecrets(secret, replacementOf) : replacementOf(kind, secret))
    );
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
export function refuseMasks(existing: Buffer | string | undefined, texts: Readonly<Record<string, string>>): void {
  for (const [parameter, text] of Object.entries(texts)) {
    const mask = masksIn(text).find((candidate) => existing?.includes(candidate) !== true);
    if (mask !== undefined) throw new Failed({ code: "text/masked", parameter, mask });
  }
}

const BEGINNING = "[masked: ";

function maskOf(kind: string): string {
  return `${BEGINNING}${kind}]`;
}

/**
 * One kind of secret that a service issues. Only unambiguous formats, so that hashes, identifiers and encoded pictures
 * are left alone.
 *
 * Matching takes linear time: every repetition is bounded, or ends at a character that it excludes. A format begins
 * with rare letters at the start of a word. A secret ends at the end of a word, so that masking it cannot make the
 * following text match.
 */
interface Format {
  /** Its name in reports. */
  readonly kind: string;
  /** Sources of regular expressions, without capturing groups. */
  readonly forms: readonly string[];
  /** The text before the secret that identifies it. It is not masked. */
  readonly named?: string;
  /** Decides if the form alone is ambiguous. The form must then end at a delimiter, whatever follows. */
  readonly isSecret?: (secret: string) => boolean;
}

/** Start of a token whose alphabet includes `-` and `_`. */
const WORD_START = "(?<![A-Za-z0-9_-])";
/** Five dashes may start a private key. */
const WORD_END = "(?![A-Za-z0-9_]|-(?!----))";
/** Start of a token of letters and digits only, which may also occur inside Base64. */
const PLAIN_START = "(?<![A-Za-z0-9_+/-])";
const PLAIN_END = "(?![A-Za-z0-9_+/=]|-(?!----))";

const word = (form: string): string => `${WORD_START}${form}${WORD_END}`;
/** Matches a name in any case, as in code, settings and environment variables. */
const anyCase = (name: string): string => [...name].map((letter) => `[${letter}${letter.toUpperCase()}]`).join("");
const plain = (form: string): string => `${PLAIN_START}${form}${PLAIN_END}`;

const keyLine = (side: string): string => `-----${side} (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----`;
/**
 * Excludes the dashes of the next such line, which ends the key or shows that it is truncated, and the bracket of a
 * mask.
 */
const IN_KEY = "(?:[^[-]|-(?!----))";
/** Without this, a mere mention of the line would match. */
const KEY_FOLLOWS = `(?=${IN_KEY}{0,400}?[A-Za-z0-9+/=]{30})`;
/** The lines of a truncated key, each with an optional prefix such as a line number or a diff sign. */
const CUT_KEY = "(?:\\s{0,40}(?:\\\\n|\\n)[^[\\n]{0,40}?[A-Za-z0-9+/=]{16,200}){1,400}";

/** A private key encoded as Base64 as a whole: matches the encodings of its first line, which names its kind. */
const ENCODED_KEY = "LS0tLS1CRUdJTi(?:BSU0Eg|BQUklW|BFQyBQ|BPUEVO|BFTkNS|BEU0Eg)[A-Za-z0-9+/]{40,40000}={0,2}";

/** Returns whether a text is Base64 of `user:password`. */
function isPair(text: string): boolean {
  return text.length % 4 === 0 && /^[!-9;-~]+:[ -~]+$/.test(Buffer.from(text, "base64").toString("latin1"));
}

/** Stand-ins for a password in examples, and placeholders. */
const STAND_IN = "(?:pass(?:word)?|pwd|secret|x+|your[^@]{0,30}|\\.{3}|\\*+)@|[$<{%[]";

const SECRET_FORMATS: readonly Format[] = [
  {
    kind: "private key",
    forms: [
      `${keyLine("BEGIN")}${KEY_FOLLOWS}(?:${IN_KEY}{0,40000}${keyLine("END")}|${CUT_KEY})${WORD_END}`,
      word("AGE-SECRET-KEY-1[0-9A-Z]{58}"),
      PLAIN_START + ENCODED_KEY,
    ],
  },
  { kind: "AWS access key", forms: [plain("(?:AKIA|ASIA|ABIA|ACCA)(?![A-Z0-9]{9}EXAMPLE)[A-Z2-7]{16}")] },
  {
    kind: "AWS secret key",
    named: `${anyCase("aws")}_?${anyCase("secret")}_?(?:${anyCase("access")}_?)?${anyCase("key")}["']?\\s{0,5}[:=]{1,2}\\s{0,5}["']?`,
    forms: [`[A-Za-z0-9/+]{40}${PLAIN_END}`],
  },
  { kind: "Azure key", named: "(?:AccountKey|SharedAccessKey)=", forms: [`[A-Za-z0-9+/]{40,100}={1,2}${PLAIN_END}`] },
  { kind: "GitHub token", forms: [word("gh[pousr]_[A-Za-z0-9]{36,255}"), word("github_pat_[A-Za-z0-9_]{50,255}")] },
  {
    kind: "GitLab token",
    forms: [
      word("GR1348941[A-Za-z0-9_-]{20,60}"),
      word(
        "gl(?:pat|dt|rtr?|cbt|ptt|ft|ffct|wt|imt|agent|soat|oas)-[A-Za-z0-9_-]{20,300}(?:\\.[a-z0-9]{2}\\.[a-z0-9]{9})?",
      ),
    ],
  },
  {
    kind: "Slack token",
    forms: [word("xox[abceprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}"), word("xapp-[0-9]-[A-Za-z0-9-]{20,250}")],
  },
  {
    kind: "Slack webhook",
    named: "hooks\\.slack\\.com/",
    forms: [`(?:services|workflows|triggers)/[A-Za-z0-9/]{20,100}${WORD_END}`],
  },
  {
    kind: "Stripe key",
    forms: [word("(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}"), word("whsec_[A-Za-z0-9+/]{32,100}={0,2}")],
  },
  { kind: "Google API key", forms: [`(?<![A-Za-z0-9_+/-])AIza[A-Za-z0-9_-]{35}${WORD_END}`] },
  { kind: "Google token", forms: [word("GOCSPX-[A-Za-z0-9_-]{28}"), word("ya29\\.[A-Za-z0-9_-]{20,1000}")] },
  { kind: "Anthropic key", forms: [word("sk-ant-[A-Za-z0-9_-]{20,300}")] },
  {
    kind: "OpenAI key",
    forms: [
      word("sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}"),
      word("sk-(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{32,64}"),
    ],
  },
  {
    kind: "API key",
    forms: [
      word("sk-or-v1-[0-9a-f]{64}"),
      word("gsk_[A-Za-z0-9]{52}"),
      word("xai-[A-Za-z0-9]{80}"),
      word("pplx-[A-Za-z0-9]{48}"),
      word("hf_[A-Za-z0-9]{34}"),
      word("r8_[A-Za-z0-9]{37}"),
      word("SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}"),
      word("do[opr]_v1_[a-f0-9]{64}"),
      word("shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
      word("dapi[0-9a-f]{32}(?:-[0-9])?"),
      word("hv[sbr]\\.[A-Za-z0-9_-]{24,300}"),
      word("lin_api_[A-Za-z0-9]{40}"),
      word("dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,40}"),
      word("dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9._-]{40,60}"),
      word("gl(?:sa|c)_[A-Za-z0-9+/]{32,400}(?:_[0-9a-f]{8})?={0,3}"),
      word("sntry[su]_[A-Za-z0-9+/=_]{40,400}"),
      word("[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ],
  },
  { kind: "npm token", forms: [word("npm_[A-Za-z0-9]{36}")] },
  {
    kind: "npm token",
    named: "(?:_authToken|(?<![^\\n :])_auth|:_password)\\s{0,5}=\\s{0,5}[\"']?",
    forms: [`[A-Za-z0-9+/_-]{16,400}={0,2}${WORD_END}`],
  },
  { kind: "PyPI token", forms: [word("pypi-AgE[A-Za-z0-9_-]{50,400}")] },
  { kind: "JWT", forms: [word("eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{10,8000}\\.[A-Za-z0-9_-]{10,2000}")] },
  {
    kind: "GitLab token",
    named: `(?:${["private", "job", "deploy"].map(anyCase).join("|")})-${anyCase("token")}["']?\\s{0,3}[:=]\\s{0,3}["']?`,
    forms: [`[A-Za-z0-9_.-]{16,300}${WORD_END}`],
  },
  {
    kind: "credentials",
    named: `${anyCase("authorization")}["']?\\s{0,3}[:=]\\s{0,3}["']?(?:${["basic", "bearer", "token"].map(anyCase).join("|")}) {1,3}`,
    forms: [`[A-Za-z0-9+/._~-]{16,8000}={0,3}${WORD_END}`],
  },
  // Configuration of Docker and Podman, also as a Kubernetes secret.
  {
    kind: "credentials",
    named: '"auth"\\s{0,5}:\\s{0,5}"',
    forms: ['[A-Za-z0-9+/]{8,8000}={0,2}(?=")'],
    isSecret: isPair,
  },
  {
    kind: "credentials",
    named: '"(?:identity|registry)token"\\s{0,5}:\\s{0,5}"',
    forms: ['[A-Za-z0-9+/._~-]{16,8000}={0,3}(?=")'],
  },
  { kind: "credentials", forms: [`${PLAIN_START}eyJhdXRocyI6[A-Za-z0-9+/]{20,40000}={0,2}`] },
  {
    kind: "password",
    named: "machine\\s{1,5}\\S{1,200}\\s{1,5}login\\s{1,5}\\S{1,200}\\s{1,5}password\\s{1,5}",
    forms: ["(?![<$\\[{])\\S{1,200}"],
  },
  { kind: "password", named: "://[^\\s:/@\"'<>`]{0,100}:", forms: [`(?!${STAND_IN})[^\\s/@"'<>\`]{1,200}(?=@)`] },
];

/** Has a group for each format. */
const SECRETS = new RegExp(
  SECRET_FORMATS.map(({ named = "", forms }) => `${named}(${forms.join("|")})`).join("|"),
  "g",
);

const KINDS = [...new Set(SECRET_FORMATS.map(({ kind }) => kind))];
const MASK = new RegExp(`\\[masked: (?:${KINDS.join("|")})\\]`, "g");
