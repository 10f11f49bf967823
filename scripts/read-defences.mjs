/** Reads docs/defences.md: chapters of sections, which are `## cases: title`, a line that names the file and the tests, and a diff that takes the defence out. */

const from = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Of docs/security-cases.md, those of which a test's title bears the number. */
export const CASES = [...from(1, 84), ...from(93, 134)];

export function readDefences(text) {
  const defences = [];
  const without = new Map();
  for (const chapter of text.split(/^# /m)) {
    const isByForce = chapter.startsWith("By force\n");
    const [introduction = "", ...sections] = chapter.split(/^## /m);
    if (chapter.startsWith("Without ")) readReasons(introduction.split("\n"), without);
    for (const section of sections) defences.push({ isByForce, ...readSection(section) });
  }
  return { defences, without };
}

function readSection(section) {
  const [heading = "", ...lines] = section.split("\n");
  const [, numbers, title] = /^(\d+(?:, \d+)*): (.+)$/.exec(heading) ?? [];
  const [fence, end] = [lines.indexOf("```diff"), lines.lastIndexOf("```")];
  const [file, ...tests] = [...lines.slice(0, fence).join("\n").matchAll(/`((?:src|tests)\/[^`]+)`/g)].map(([, path]) => path);
  if (numbers === undefined || fence === -1 || end <= fence || tests.length === 0) throw new Error(`docs/defences.md: '${heading}' needs its cases, a file, tests and a diff`);
  const parts = `@@ ${file}\n${lines.slice(fence + 1, end).join("\n")}`.split(/^@@/m).slice(1);
  return { cases: numbers.split(", ").map(Number), title, file, tests, changes: parts.map((part) => changeOf(part, file)) };
}

/** The lines of a part of a diff as they are, and as they are to be. It begins with the file's name where that is another one. */
function changeOf(part, usual) {
  const [file = "", ...lines] = part.split("\n");
  const of = (sign) => lines.flatMap((line) => (line[0] === " " || line[0] === sign ? [`${line.slice(1)}\n`] : [])).join("");
  return { file: file.trim() || usual, old: of("-"), next: of("+") };
}

/** `- 3, 8: why` */
function readReasons(lines, without) {
  for (const line of lines) {
    const [, numbers, reason] = /^- (\d+(?:, \d+)*): (.+)$/.exec(line) ?? [];
    for (const number of numbers?.split(", ") ?? []) without.set(Number(number), reason);
  }
}
