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

/** Lines of what means something somewhere, in an order that means nothing. The same for the same size. */
export function randomLines(bytes) {
  const pieces = ["#!nesl [@three-char-SHA-256: abc]\n", "#!nesl ", "[@three-char-SHA-256: abc]", "#!end_", "abc", "EOT_abc", "<<'", "key = ", '"', ":=", " ", "\\u00", "é🍞", "prose ", "\r", "\n", "\n", "\n"];
  const parts = [];
  let seed = 1;
  for (let length = 0; length < bytes; ) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const piece = pieces[Math.floor((seed / 2_147_483_648) * pieces.length)];
    parts.push(piece);
    length += piece.length;
  }
  return parts.join("");
}

function blockId(index) {
  return index.toString(36).padStart(3, "0");
}
