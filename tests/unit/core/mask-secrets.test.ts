import fc from "fast-check";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { maskSecrets, maskSecretsInLines, masksIn, refuseMasks } from "../../../src/core/mask-secrets.ts";

// Concatenated, so that scanners do not report this file as a leak.
const of = (characters: string, length: number): string => characters.repeat(length).slice(0, length);
const ALNUM = "aB3dE5gH7jK9";
const base64Lines = Array.from({ length: 12 }, (_, line) => of(`MIIEow${line}BAAKCAQEA+/x`, 64));
const pem = (kind: string): string => [`-----BEGIN ${kind}-----`, ...base64Lines, `-----END ${kind}-----`].join("\n");
const jwt = ["eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "zdWIiOiIxMjM0NTY3ODkwIn0.", of(ALNUM, 43)].join("");

const secrets: Readonly<Record<string, readonly string[]>> = {
  "AWS access key": [`AKIA${of("Q3ERT7YUIO", 16)}`, `ASIA${of("Q3ERT7YUIO", 16)}`],
  "GitHub token": [`ghp_${of(ALNUM, 36)}`, `gho_${of(ALNUM, 36)}`, `ghs_${of(ALNUM, 36)}`, `github_pat_${of(ALNUM, 22)}_${of(ALNUM, 59)}`],
  "GitLab token": [`glpat-${of(`${ALNUM}-_`, 20)}`, ...["rt", "rtr", "dt", "cbt", "ptt", "ft", "ffct", "wt", "imt", "agent", "soat", "oas"].map((kind) => `gl${kind}-${of(ALNUM, 20)}`), `glpat-${of(ALNUM, 27)}.01.${of("abc123", 9)}`, `GR1348941${of(ALNUM, 20)}`],
  credentials: [Buffer.from(`{"auths":{"registry.example.com":{"auth":"${of(ALNUM, 20)}"}}}`).toString("base64")],
  "Slack token": [`xoxb-${of("0123456789", 12)}-${of("0123456789", 13)}-${of(ALNUM, 24)}`, `xapp-1-A${of("0123456789", 10)}-${of("0123456789", 13)}-${of("ab12", 64)}`],
  "Stripe key": [`sk_live_${of(ALNUM, 24)}`, `rk_test_${of(ALNUM, 99)}`, `whsec_${of(ALNUM, 32)}`],
  "Google API key": [`AIza${of(`${ALNUM}-_`, 35)}`],
  "Google token": [`GOCSPX-${of(ALNUM, 28)}`, `ya29.${of(ALNUM, 60)}`],
  "Anthropic key": [`sk-ant-api03-${of(`${ALNUM}_-`, 93)}`],
  "OpenAI key": [`sk-proj-${of(`${ALNUM}_-`, 80)}`, `sk-${of(ALNUM, 20)}T3BlbkFJ${of(ALNUM, 20)}`],
  "npm token": [`npm_${of(ALNUM, 36)}`],
  "PyPI token": [`pypi-AgEIcHlwaS5vcmc${of(ALNUM, 60)}`],
  "API key": [`hf_${of("abcDEF", 34)}`, `SG.${of(ALNUM, 22)}.${of(ALNUM, 43)}`, `dop_v1_${of("a1b2", 64)}`, `gsk_${of(ALNUM, 52)}`, `123456789:AA${of(ALNUM, 33)}`, `dckr_pat_${of(ALNUM, 27)}`, `dckr_oat_${of(ALNUM, 32)}`],
  JWT: [jwt],
  "private key": ["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"].map(pem).concat(["RSA ", "", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "].map((kind) => Buffer.from(pem(`${kind}PRIVATE KEY`)).toString("base64"))),
};
const examples = Object.entries(secrets).flatMap(([kind, texts]) => texts.map((text) => [kind, text] as const));

test.each(examples)("a %s is masked, in a file, in JSON and in a line of settings", (kind, secret) => {
  const mask = `[masked: ${kind}]`;
  expect(maskSecrets(secret)).toBe(mask);
  expect(maskSecrets(`a\nTOKEN=${secret}\nb`)).toBe(`a\nTOKEN=${mask}\nb`);
  expect(maskSecrets(`{"token": ${JSON.stringify(secret)}, "n": 1}`)).toBe(`{"token": "${mask}", "n": 1}`);
  expect(maskSecrets(`x ${secret}, ${secret}.`)).toBe(`x ${mask}, ${mask}.`);
});

test.each([
  ["password", "DATABASE_URL=postgres://app:", "s3cr!t-Word", "@db.example.com:5432/shop?ssl=true"],
  ["password", "redis://:", "hunter2hunter2", "@cache:6379"],
  ["password", "git clone https://ann:", "t0ken", "@example.com/a.git"],
  ["AWS secret key", "aws_secret_access_key = ", of(`${ALNUM}/+`, 40), "\nregion = x"],
  ["AWS secret key", 'AWS_SECRET_ACCESS_KEY: "', of(ALNUM, 40), '"'],
  ["Azure key", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=", `${of(ALNUM, 86)}==`, ";EndpointSuffix=core.windows.net"],
  ["Slack webhook", "https://hooks.slack.com/", `services/T${of("0A", 8)}/B${of("0A", 8)}/${of(ALNUM, 24)}`, " "],
  ["npm token", "//registry.npmjs.org/:_authToken=", randomUUID(), "\n"],
  ["credentials", "Authorization: Bearer ", of(ALNUM, 30), "\n"],
  ["credentials", '"Authorization": "Basic ', "dXNlcjpwYXNzd29yZA==", '"'],
  ["credentials", "\textraheader = AUTHORIZATION: basic ", Buffer.from(`x-access-token:${of(ALNUM, 40)}`).toString("base64"), "\n"],
  ["credentials", "curl -H 'authorization: Basic ", Buffer.from("ann:pass-word").toString("base64"), "'"],
  ["credentials", "Proxy-Authorization: bearer ", of(ALNUM, 30), "\n"],
  ["credentials", '{"auths": {"ghcr.io": {"auth": "', Buffer.from("ann:pw:1").toString("base64"), '"}}}'],
  ["credentials", '"identitytoken":"', of(ALNUM, 30), '"'],
  ["GitLab token", "curl --header 'PRIVATE-TOKEN: ", of(ALNUM, 20), "'"],
  ["npm token", "_auth=", of(ALNUM, 20), "\n"],
  ["password", "machine example.com\n  login ann\n  password ", "pw", "\n"],
])("keeps the name before a secret known only by its name: %s", (kind, before, secret, after) => {
  expect(maskSecrets(before + secret + after)).toBe(`${before}[masked: ${kind}]${after}`);
});

describe("a private key", () => {
  test("is masked to its end if it is truncated", () => {
    const cut = pem("RSA PRIVATE KEY").split("\n").slice(0, 8).join("\n");
    expect(maskSecrets(`a\n${cut}`)).toBe("a\n[masked: private key]");
    expect(maskSecrets(`${cut}\nThe rest`)).toBe("[masked: private key]\nThe rest");
  });

  test("is masked behind line numbers and diff signs", () => {
    const numbered = pem("PRIVATE KEY").split("\n").map((line, index) => `${String(index + 1).padStart(6)}: ${line}`);
    expect(maskSecrets(numbered.join("\n"))).toBe("     1: [masked: private key]");
    expect(maskSecrets(pem("PRIVATE KEY").replace(/^/gm, "+"))).toBe("+[masked: private key]");
  });

  test("is not masked if only its marker lines are there, as in code", () => {
    const code = 'if (text.includes("-----BEGIN RSA PRIVATE KEY-----")) return `-----BEGIN PRIVATE KEY-----\\n${key}\\n-----END PRIVATE KEY-----`;';
    expect(maskSecrets(code)).toBe(code);
  });
});

test("keeps hashes, UUIDs, integrity strings, pictures, public keys, placeholders and source maps", () => {
  const bytes = randomBytes(30_000);
  const ordinary = [
    ...["md5", "sha1", "sha256", "sha512"].flatMap((name) => ["hex", "base64", "base64url"].map((form) => createHash(name).update(bytes).digest(form as "hex"))),
    ...Array.from({ length: 200 }, () => randomUUID()),
    ...Array.from({ length: 200 }, () => `"integrity": "sha512-${randomBytes(64).toString("base64")}"`),
    `data:image/png;base64,${bytes.toString("base64")}`,
    `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify({ version: 3, sources: ["a.ts"] })).toString("base64")}`,
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQ==\n-----END CERTIFICATE-----",
    "postgres://${USER}:${PASSWORD}@db", "postgres://user:password@db", "https://user:<password>@x", "mysql://%s:%s@%s", "http://localhost:3000/@scope/a",
    "AKIAIOSFODNN7EXAMPLE", "pk_live_abcdefghijklmnopqrstuvwx", "ghp_xxx", "sk-…", "_authToken=${NPM_TOKEN}", "Authorization: Bearer ${token}",
    "user_password = read_password_from_environment(name)", "class=\"sk-loading-indicator-with-a-long-name\"", "git@github.com:ann/shop.git", '"auth": "authorizationRequired"', '"auth": "none"', "Authorization: Basic realm", "Authorization: Basic <credentials>", '"auth": "${{ secrets.REGISTRY }}"', "machine learning: login to see the password", "eyJ.eyJ.x",
  ];
  for (const text of ordinary) expect(maskSecrets(text)).toBe(text);
});

test("finds no secret in this project's own texts", () => {
  for (const file of ["package-lock.json", "README.md", "docs/actions.md", "src/core/mask-secrets.ts"]) {
    const text = readFileSync(file, "utf8");
    expect(maskSecrets(text)).toBe(text);
  }
});

/** Texts in which formats begin, end, are truncated and overlap. */
const pieces = fc.oneof(
  fc.constantFrom(...examples.map(([, secret]) => secret)),
  fc.tuple(fc.constantFrom(...examples.map(([, secret]) => secret)), fc.nat(200)).map(([secret, length]) => secret.slice(0, length)),
  fc.tuple(fc.constantFrom(...examples.map(([, secret]) => secret)), fc.nat(200)).map(([secret, start]) => secret.slice(start)),
  fc.constantFrom("://a:", "@", "Authorization: Bearer ", "Authorization: basic ", '"auth": "', '"', "PRIVATE-TOKEN: ", "aws_secret_key=", "-----", "-", "_", ".", " ", "\n", "[masked: JWT]", "[masked: ", "]", "AccountKey=", "/", "="),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);

test("a secret behind a name of another kind is masked as its own kind", () => {
  expect(maskSecrets(`"auth": "AKIA${of("Q3ERT7YUIO", 16)}"`)).toBe('"auth": "[masked: AWS access key]"');
});

test("masking is idempotent", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const once = maskSecrets(parts.join(""));
      expect(maskSecrets(once)).toBe(once);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ["a key in a key that was begun before", `-----BEGIN EC PRIVATE KEY-----${pem("RSA PRIVATE KEY")}\n${base64Lines.join("\n")}\n-----END EC PRIVATE KEY-----`],
  ["a key right behind a token", `AKIA${of("Q3ERT7YUIO", 16)}${pem("PRIVATE KEY")}`],
  ["a token right behind a key", `${pem("PRIVATE KEY")}ghp_${of(ALNUM, 36)}`],
])("masking is idempotent for %s", (_, text) => {
  const once = maskSecrets(text);
  expect(once).not.toBe(text);
  expect(maskSecrets(once)).toBe(once);
});

test("a whole secret between spaces is always masked", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 5 }), fc.constantFrom(...examples.map(([, secret]) => secret)), fc.array(pieces, { maxLength: 5 }), (before, secret, after) => {
      expect(maskSecrets([...before, secret, ...after].join(" "))).not.toContain(secret);
    }),
    { numRuns: 1_000 },
  );
});

test("masks that keep their lines hide the same, and every line keeps its number", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.constantFrom(...examples.map(([, secret]) => secret), "\n")), { maxLength: 8 }), (parts) => {
      const text = parts.join(" ");
      const masked = maskSecretsInLines(text);
      expect(masked.split("\n")).toHaveLength(text.split("\n").length);
      expect(masksIn(masked)).toEqual(masksIn(maskSecrets(text)));
      expect(maskSecrets(masked)).toBe(masked);
    }),
  );
});

describe("refuseMasks", () => {
  test("refuses a mask that the file does not contain", () => {
    expect(() => refuseMasks(Buffer.from("KEY=1"), { old_text: "KEY=[masked: npm token]" })).toThrow(Failed);
    expect(() => refuseMasks(undefined, { content: "[masked: private key]" })).toThrow(Failed);
  });

  test("accepts a mask that is in the file, and text that only looks like one", () => {
    refuseMasks("say [masked: JWT] here", { old_text: "[masked: JWT]" });
    refuseMasks(undefined, { content: "[masked: my dog] [masked: ]" });
    expect(masksIn("[masked: JWT] and [masked: JWT], [masked: cat]")).toEqual(["[masked: JWT]"]);
  });
});
