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

export function heredoc(bytes) {
  const line = "        const total = items.reduce((sum, { price }) => sum + price, 0);\n";
  return `#!nesl [@three-char-SHA-256: big]\naction = "file_write"\npath = "/project/big.js"\ncontent = <<'EOT_big'\n${line.repeat(bytes / line.length)}EOT_big\n#!end_big\n`;
}

export function prose(bytes) {
  const line = "The port is read from the environment now, so that the same image runs everywhere.\n";
  return line.repeat(bytes / line.length);
}

/** Lines of what means something somewhere, in an order that means nothing. The same for the same size in bytes. */
export function randomLines(bytes) {
  const pieces = ["#!nesl [@three-char-SHA-256: abc]\n", "#!nesl ", "[@three-char-SHA-256: abc]", "#!end_", "abc", "EOT_abc", "<<'", "key = ", '"', ":=", " ", "\\u00", "é🍞", "prose ", "\r", "\n", "\n", "\n"];
  const parts = [];
  const random = mulberry32(1);
  for (let size = 0; size < bytes; ) {
    const piece = pieces[Math.floor(random() * pieces.length)];
    parts.push(piece);
    size += Buffer.byteLength(piece);
  }
  return parts.join("");
}

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
