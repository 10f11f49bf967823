/** The parser against npm's nesl, against a plain loop over the lines, and against itself on hostile text of growing size. */
import { parseNesl } from "nesl";
import { parse } from "../dist/lib/index.js";
import { faster, fastest, growth, medians } from "./measure.mjs";
import { errors, heredoc, prose, randomLines, smallBlocks, unclosedBlocks } from "./texts.mjs";

const MB = 1e6;

export async function parseRows() {
  return [...(await againstNesl()), ...(await againstLineLoop()), ...(await onHostileText())];
}

async function againstNesl() {
  const small = smallBlocks(500);
  const unclosed = unclosedBlocks(4_000);
  return [
    faster("parse 500 small blocks, against npm nesl", await bothRead(small, 500, 101), 4),
    faster("parse 4,000 unclosed blocks, against npm nesl", await bothRead(unclosed, 4_000, 7), 100),
  ];
}

/** A parser that leaves blocks out would be fast for nothing. */
function bothRead(text, count, rounds) {
  const reading = (read) => () => {
    const { blocks } = read(text);
    if (blocks.length !== count) throw new Error(`${blocks.length} blocks were read, not ${count}`);
  };
  return medians({ loaf: reading(parse), peer: reading(parseNesl) }, rounds);
}

async function againstLineLoop() {
  const rows = [];
  for (const [what, text] of Object.entries({ "10 MB of prose": prose(10 * MB), "a 10 MB heredoc": heredoc(10 * MB) })) {
    rows.push(faster(`parse ${what}, against an indexOf loop`, await medians({ loaf: () => parse(text), peer: () => countLines(text) }, 15), 0.5));
  }
  return rows;
}

function countLines(text) {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** The size that must be survived, or more where smaller ones fit into a cache; its half and its quarter show how the time grows. */
async function onHostileText() {
  const hostile = [
    ["random lines, up to 10 MB", randomLines, 10 * MB],
    ["unclosed blocks, up to 100,000", unclosedBlocks, 100_000],
    ["errors, up to 400,000", errors, 400_000],
    ["one heredoc, up to 200 MB", heredoc, 200 * MB],
  ];
  const rows = [];
  for (const [what, make, size] of hostile) {
    const durations = [];
    for (const part of [4, 2, 1]) {
      const text = make(size / part);
      durations.push(await fastest(() => parse(text), 9));
    }
    rows.push(growth(`growth on ${what}`, durations, 1.5));
  }
  return rows;
}
