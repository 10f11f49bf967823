/** docs/screens.md: what it says of each moment. */
import type { Moment } from "./moments.ts";
import type { Captured } from "./stage.ts";

/** By the name that the page gives to a kind of terminal. The first one is shown whole, the others as far as they differ. */
export type Screens = Readonly<Record<string, readonly Captured[]>>;

export const HEAD = `# Screens

What a person sees in twelve moments. \`npx vitest run tests/faces/screens.test.ts -u\` captures these screens anew and writes this page, and the same test
without \`-u\` fails if one of them looks different.

Each screen is first shown as a terminal of 80 columns has it. Below it stands what has a colour, and what is different at 120 columns (with \`NO_COLOR\`),
on a dumb terminal, and where standard output is a pipe; \`later\` prints what it has read when that has ended. Three dots stand between two looks at
the same screen. What differs from one time to the next, such as hashes, times and paths, is replaced.
`;

export function sectionOf({ title, about }: Moment, screens: Screens): string {
  const [[, first = []] = [], ...others] = Object.entries(screens);
  const whole = storyOf(first);
  return [
    `## ${title}\n\n${about}\n`,
    fenced(whole),
    `Colours:\n\n${fenced(stylesOf(first))}`,
    ...others.map(([name, captured]) => {
      const story = storyOf(captured);
      if (story === whole) return `${name}: the same.\n`;
      // Another command line.
      if (story.split("\n", 1)[0] !== whole.split("\n", 1)[0]) return `${name}:\n\n${fenced(story)}`;
      const lines = differing(story, whole);
      return lines === "" ? `${name}, without these lines:\n\n${fenced(differing(whole, story))}` : `${name}:\n\n${fenced(lines)}`;
    }),
  ].join("\n");
}

/** Returns a page's sections by their titles. */
export function sectionsOf(page: string): Map<string, string> {
  return new Map(page.split(/^(?=## )/m).slice(1).map((section) => [section.slice(3, section.indexOf("\n")), `${section.trimEnd()}\n`]));
}

function fenced(text: string): string {
  return `\`\`\`\`text\n${text}\n\`\`\`\`\n`;
}

/** Of each further screen, only what is below the lines that the one before it began with. */
function storyOf(captured: readonly Captured[]): string {
  return captured.map(({ text }, index) => {
    const before = captured[index - 1]?.text.split("\n") ?? [];
    const lines = text.split("\n");
    return lines.slice(lines.findIndex((line, at) => line !== before[at])).join("\n");
  }).join(`\n${LATER}\n`);
}

const LATER = "          ⋮";

/** Returns the lines between those that both texts begin and end with. */
function differing(text: string, other: string): string {
  const [lines, others] = [text.split("\n"), other.split("\n")];
  const from = lines.findIndex((line, index) => line !== others[index]);
  const rest = lines.slice(from === -1 ? lines.length : from);
  const common = rest.toReversed().findIndex((line, index) => index >= others.length - from || line !== others.at(-1 - index));
  return rest.slice(0, common === -1 ? 0 : rest.length - common).join("\n");
}

function stylesOf(captured: readonly Captured[]): string {
  const fragments = new Map<string, Set<string>>();
  for (const [style, fragment] of captured.flatMap(({ styled }) => styled)) fragments.set(style, (fragments.get(style) ?? new Set()).add(fragment));
  return [...fragments].map(([style, found]) => `${style}: ${[...found].join(" | ")}`).join("\n");
}
