/** The texts that the parser is measured on. */

/** As an answer has them: a write, an edit and a read, with a sentence before each. */
export function smallBlocks(count) {
  return Array.from({ length: count }, (_, index) => {
    const id = blockId(index);
    return [
      "Here is the next step. It changes one file and leaves the others alone.",
      "",
      "```sh nesl",
      `#!nesl [@three-char-SHA-256: ${id}]`,
      'action = "file_replace_text"',
      'path = "/project/src/app.js"',
      `old_text = <<'EOT_${id}'`,
      "function start(port) {",
      `  listen(port); // "quoted" and 'quoted'`,
      `EOT_${id}`,
      'new_text = "function start(port) {\\n  listen(Number(port));"',
      `#!end_${id}`,
      "```",
      "",
    ].join("\n");
  }).join("\n");
}

export function unclosedBlocks(count) {
  return Array.from({ length: count }, (_, index) => `#!nesl [@three-char-SHA-256: ${blockId(index)}]\naction = "file_read"\n`).join("");
}

/** One block in which every line is an error. */
export function errors(count) {
  return `#!nesl [@three-char-SHA-256: err]\n${"this is no assignment\n".repeat(count)}#!end_err\n`;
}

const SOURCE_LINE = "        const total = items.reduce((sum, { price }) => sum + price, 0);\n";

export function heredoc(bytes) {
  return `#!nesl [@three-char-SHA-256: big]\naction = "file_write"\npath = "/project/big.js"\ncontent = <<'EOT_big'\n${upTo(bytes, SOURCE_LINE)}EOT_big\n#!end_big\n`;
}

export function prose(bytes) {
  const line = "The port is read from the environment now, so that the same image runs everywhere.\n";
  return line.repeat(bytes / line.length);
}

/** The same answer in the older syntaxes, as many blocks as come to these bytes. */
export function smallOperations(bytes) {
  return upTo(bytes, answer(['<---SEARCH file="/project/src/app.js"--->', ...OLD, "<---REPLACE--->", ...NEW, "<---END--->"]));
}

export function smallReplacements(bytes) {
  return upTo(bytes, answer(["<<<FILE>>>", "/project/src/app.js", "<<<SEARCH>>>", ...OLD, "<<<REPLACE>>>", ...NEW, "<<<END>>>"]));
}

const OLD = ["function start(port) {", `  listen(port); // "quoted" and 'quoted'`];
const NEW = ["function start(port) {", "  listen(Number(port));"];

function answer(block) {
  return ["Here is the next step. It changes one file and leaves the others alone.", "", "```", ...block, "```", "", ""].join("\n");
}

function upTo(bytes, text) {
  return text.repeat(Math.round(bytes / text.length));
}

export function largeOperation(bytes) {
  return `<---WRITE file="/project/big.js"--->\n${upTo(bytes, SOURCE_LINE)}<---END--->\n`;
}

export function largeReplacement(bytes) {
  return `<<<FILE>>>\n/project/big.js\n<<<OVERWRITE>>>\n${upTo(bytes, SOURCE_LINE)}<<<END>>>\n`;
}

/** Content of what are nearly markers, in an operation that does not end. */
export function nearMarkers(bytes) {
  return `<---WRITE file="a"--->\n${upTo(bytes, "<---ENDING--->\n<---\n <---END--->\n")}`;
}

/** A marker of so many attributes, the last of which is wrong. */
export function attributes(count) {
  return `<---WRITE ${Array.from({ length: count }, (_, index) => `a${index}="b"`).join(" ")} c=--->\n`;
}

export function unclosedReplacements(count) {
  return "<<<FILE>>>\na.js\n<<<SEARCH>>>\nx\n".repeat(count);
}

/** Nearly a header, over and over, in a text that is the replacer's. */
export function nearHeaders(bytes) {
  return `${upTo(bytes, "x #!nesl [@a: b] #!SHAM <---WRITE\n\t  #!nesl\n#!SHAM \t ")}\n<<<FILE>>>\n`;
}

/** Lines of what means something somewhere, in an order that means nothing. The same for the same size in bytes. */
export function randomLines(bytes, pieces = NESL_PIECES) {
  const parts = [];
  const random = mulberry32(1);
  for (let size = 0; size < bytes; ) {
    const piece = pieces[Math.floor(random() * pieces.length)];
    parts.push(piece);
    size += Buffer.byteLength(piece);
  }
  return parts.join("");
}

const NESL_PIECES = ["#!nesl [@three-char-SHA-256: abc]\n", "#!nesl ", "[@three-char-SHA-256: abc]", "#!end_", "abc", "EOT_abc", "<<'", "key = ", '"', ":=", " ", "\\u00", "é🍞", "prose ", "\r", "\n", "\n", "\n"];

export const REPLACER_PIECES = ["<<<FILE>>>\n", "<<<SEARCH>>>\n", "<<<REPLACE>>>\n", "<<<OVERWRITE>>>\n", "<<<END>>>\n", "<<<", "a.js\n", "prose ", "é🍞", "\r", "\n"];

/** Numbers from 0 to 1 that only repeat after four thousand million of them; the same for the same seed. */
function mulberry32(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function blockId(index) {
  return index.toString(36).padStart(3, "0");
}
