/** Generates valid or almost valid NESL from the fragments that the parser's decisions depend on. */
import fc from "fast-check";

const headers = [
  "#!nesl [@three-char-SHA-256: abc]",
  "#!nesl [@three-char-SHA-256: abd]",
  "#!nesl [@x: ab]",
  "#!nesl [@x: abcdefgh]",
  "#!nesl [@x: abcdefghi]",
  "#!nesl [@x: a]",
  "#!nesl [@three-char-SHA-256: a-c]",
  "#!nesl [@three-char-SHA-256: a c]",
  "#!nesl [@: abc]",
  "#!nesl [@a b: abc]",
  "#!nesl [@x: ]",
  "#!nesl [@x: ab]c]",
  "#!nesl [@x:abc]",
  "#!nesl [x: abc]",
  "#!nesl [@x: abc] ",
  "  #!nesl [@x: abc]",
  "\uFEFF#!nesl [@x: abc]",
  "#!nesl",
  "#!nesl ",
  "#!nesl  oops",
  "#!nesl\u00a0[@x: abc]",
  "#!nesl [@x: a\rc]",
];
const ends = ["#!end_abc", "#!end_abd", "#!end_ab", "#!end_abc'", "  #!end_abc", "#!end_abc\t", "\u00a0#!end_abc' ", "#!end_", "#!end_a", "#!end_abc x", "#!end_abc = \"x\"", "#!end_abc ''", "#!end_abcdefghi", "#!end", "x #!end_abc"];
const openings = ["<<'EOT_abc'", "<<'EOT_abd'", "<<'EOT_ab'", "<<'EOT_'", "<<''", "<<'EOT_abc", "<<\"EOT_abc\"", "<<EOT_abc", "<< 'EOT_abc'", "<<'EOT_abc' x", "<<'EOT'_abc'", "<<'k'"];
const terminators = ["EOT_abc", "EOT_abd", "EOT_abc'", "EOT_abc ", "  EOT_abc", "lastEOT_abc", "x <<'EOT_abc'", "<< EOT_abc", "EOT_abc y", "\uFEFFEOT_abc", "EOT_ab\u0441", "EOT_abc''", "EOT_abc\r"];
const quoted = ['"v"', '""', '"a\\n\\u00e9\\/\\\\"', '"\\ud83d"', '"\\x41"', '"\\u12"', '"tab\there"', '"open', '"open\\"', '"v" trailing', '"v""w"', "'v'", '"v" # = :=', '"a := b"', '"\\"', '"\\\\"', '"\u007f\u2028"', '"x\\'];
const others = ["v", "", " ", ">", "> x", "= \"v\"", "12", "true", "\"v\"'", "v := w", "v => w"];
const keys = ["k", "key", "_", "é", "𝐀𝐁", "k1", "1k", "a b", "a.b", "a-b", "k\u200b", "😀", "k😀", "\ud83d", "", " ", " k", "\tk", "k\t", "k:", "k :", "+", "+ ", "k +", "#", `k${"x".repeat(255)}`, `k${"x".repeat(256)}`, ` k${"x".repeat(256)}`, "\u00a0k", "toString", "__proto__", "constructor"];
const operators = ["=", " = ", "  =\t", ":=", " := ", "=>", " ==", "= =", ": ="];
const prose = ["", " ", "\t", "text", "no assignment", "```", "#", "#!", "# comment", "EOT", "\r", "=", ":=", "=>", "a=>", "<<", "\u2028", "é😀"];

/** Picks what models should write half the time. */
function mostly(usual: string, rest: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(fc.constant(usual), fc.constantFrom(...rest));
}

const assignment = fc
  .tuple(mostly("key", keys), mostly(" = ", operators), fc.oneof(mostly('"v"', quoted), mostly("<<'EOT_abc'", openings), fc.constantFrom(...others)), mostly("", [" ", "\t", "\u3000"]))
  .map((parts) => parts.join(""));

const line = fc.oneof(
  { weight: 1, arbitrary: mostly("#!nesl [@three-char-SHA-256: abc]", headers) },
  { weight: 2, arbitrary: mostly("#!end_abc", ends) },
  { weight: 6, arbitrary: assignment },
  { weight: 4, arbitrary: mostly("EOT_abc", terminators) },
  { weight: 2, arbitrary: fc.constantFrom(...prose) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

/** Removes or inserts one character in some lines. */
const damaged = fc.tuple(line, fc.nat(), fc.constantFrom("", " ", "'", '"', "=", "\\", "\r", "\u00a0", "#", "]")).map(([text, at, extra]) => {
  const place = at % (text.length + 1);
  return text.slice(0, place) + extra + text.slice(place + (extra === "" ? 1 : 0));
});

const usualHeader = "#!nesl [@three-char-SHA-256: abc]\n";
const lines = fc.array(fc.tuple(fc.oneof({ weight: 6, arbitrary: line }, { weight: 1, arbitrary: damaged }), fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 16 });

export const nearNesl: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", "\uFEFF", usualHeader, usualHeader, usualHeader, `${usualHeader}k = <<'EOT_abc'\n`), lines, fc.oneof(fc.constant(""), line))
  .map(([start, middle, last]) => start + middle.flat().join("") + last);

/** As many runs as fit in a test, or as the environment variable LOAF_RUNS requests. */
export const runs: fc.Parameters<unknown> = process.env["LOAF_RUNS"] === undefined ? { numRuns: 3_000, interruptAfterTimeLimit: 8_000 } : { numRuns: Number(process.env["LOAF_RUNS"]) };
