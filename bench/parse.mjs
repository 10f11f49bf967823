/** The parser against npm's nesl, against a plain loop over the lines, and against itself on hostile text of growing size. */
import { parseNesl } from "nesl";
import { parse } from "../dist/modules/index.js";
import { faster, fastest, growth, longer, medians } from "./measure.mjs";
import {
  attributes,
  errors,
  heredoc,
  largeOperation,
  largeReplacement,
  nearHeaders,
  nearMarkers,
  prose,
  randomLines,
  REPLACER_PIECES,
  smallBlocks,
  smallOperations,
  smallReplacements,
  unclosedBlocks,
  unclosedReplacements,
} from "./texts.mjs";

const MB = 1e6;

export async function parseRows() {
  return [...(await againstNesl()), ...(await againstLineLoop()), ...(await olderSyntaxes()), ...(await onHostileText())];
}

async function againstNesl() {
  const small = smallBlocks(500);
  const unclosed = unclosedBlocks(4_000);
  return [
    faster("parse 500 small blocks, against npm nesl", await bothRead(small, 500, 101), 4),
    faster("parse 4,000 unclosed blocks, against npm nesl", await bothRead(unclosed, 4_000, 7), 100),
  ];
}

/** Both have to read all of it. */
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

/** On as many bytes. A parser that leaves blocks out would be fast for nothing. */
async function olderSyntaxes() {
  const small = smallBlocks(2_000);
  const bytes = small.length;
  const texts = [
    ["small CSL operations", smallOperations(bytes), small],
    ["small replacements", smallReplacements(bytes), small],
    ["a 10 MB CSL operation", largeOperation(10 * MB), heredoc(10 * MB)],
    ["a 10 MB replacement", largeReplacement(10 * MB), heredoc(10 * MB)],
  ];
  const rows = [];
  for (const [what, text, peer] of texts) {
    const reading = (written) => () => {
      const { blocks, errors: wrong } = parse(written);
      if (blocks.length === 0 || wrong.length > 0) throw new Error(`${what}: ${blocks.length} blocks, ${wrong.length} errors`);
    };
    rows.push(longer(`parse ${what}, against as many bytes of NESL`, await medians({ loaf: reading(text), peer: reading(peer) }, 31), 2));
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
    ["CSL operations, up to 10 MB", smallOperations, 10 * MB],
    ["CSL content nearly of markers, up to 20 MB", nearMarkers, 20 * MB],
    ["CSL attributes, up to 400,000", attributes, 400_000],
    ["random replacements, up to 10 MB", (bytes) => randomLines(bytes, REPLACER_PIECES), 10 * MB],
    ["unclosed replacements, up to 200,000", unclosedReplacements, 200_000],
    ["telling the syntax, up to 40 MB", nearHeaders, 40 * MB],
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
